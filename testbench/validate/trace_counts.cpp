#include "testbench/validate/trace_counts.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/x86.h"

namespace pmusim::testbench {
namespace {

using trace::Instruction;

/// Counts the instructions of one instruction set, line by line.
class Teller {
 public:
  virtual ~Teller() = default;
  /// False: what follows is not told by instructions alone.
  virtual bool line(const Instruction& executed, TraceCounts::Counts& counts, unsigned level) = 0;
  /// Interrupts change the level and nothing else.
  [[nodiscard]] virtual bool follows_interrupts() const { return false; }
};

/// Decoded instructions by their id.
template <class Decoded>
class Decodings {
 public:
  template <class Decode>
  const Decoded& of(const trace::Code& code, const Decode& decode) {
    if (code.id >= list_.size()) list_.resize(code.id + 1u);
    std::optional<Decoded>& place = list_[code.id];
    if (!place) place = decode(code);
    return *place;
  }

 private:
  std::vector<std::optional<Decoded>> list_;
};

// --- IA-64: syllables that the mask calls executed or predicated off ----------------------------------------------

namespace isa = trace::ia64;

std::string_view branch_class(isa::BranchKind kind) {
  switch (kind) {
    case isa::BranchKind::ret:
      return "RETURN";
    case isa::BranchKind::indirect:
    case isa::BranchKind::indirect_call:
    case isa::BranchKind::ia:
      return "INDIRECT";
    default:
      return "IPREL";
  }
}

class Ia64Teller final : public Teller {
 public:
  bool line(const Instruction& executed, TraceCounts::Counts& counts, unsigned level) override {
    const isa::Bundle& bundle = bundles_.of(*executed.code, [](const trace::Code& code) { return isa::decode(code); });
    for (unsigned slot = 0; slot < executed.mask.size(); ++slot) {
      const isa::Slot& s = bundle.slots[slot];
      if (executed.mask[slot] == '-' || s.kind == isa::Kind::long_immediate) continue;
      const bool executes = executed.mask[slot] == 'x';
      if (executes && s.kind == isa::Kind::break_) continue;  // a fault: it does not retire
      // PSR, level or instruction set change under the program.
      const bool changes = s.kind == isa::Kind::psr || s.branch == isa::BranchKind::ia ||
                           (s.kind == isa::Kind::system_branch && !s.mnemonic.starts_with("bsw"));
      if (executes && changes) return false;
      count(s, executes, counts, level);
    }
    for (const trace::Access& access : executed.accesses) {
      if (!access.store && bundle.slots[access.slot].kind == isa::Kind::load) ++counts["LOADS_RETIRED_INTG"][level];
    }
    return true;
  }
  [[nodiscard]] bool follows_interrupts() const override { return true; }

 private:
  static void count(const isa::Slot& s, bool executes, TraceCounts::Counts& counts, unsigned level) {
    const auto add = [&](std::string_view row) { ++counts[row][level]; };
    add("IA64_INST_RETIRED");
    add("IA64_INST_RETIRED_THIS");
    if (!executes && s.unit != isa::Unit::B) add("PREDICATE_SQUASHED_RETIRED");
    if (s.kind == isa::Kind::branch) {
      add("BR_MISPRED_DETAIL_ALL_ALL_PRED");
      const std::string_view of = branch_class(s.branch);
      if (of == "IPREL") add("BR_MISPRED_DETAIL_IPREL_ALL_PRED");
      if (of == "RETURN") add("BR_MISPRED_DETAIL_RETURN_ALL_PRED");
      if (of == "INDIRECT") {
        add("BR_MISPRED_DETAIL_NTRETIND_ALL_PRED");
        add("BR_MISPRED_DETAIL_NRETIND_ALL_PRED");
      }
    }
    if (!executes) return;
    if (s.kind == isa::Kind::nop) add("NOPS_RETIRED");
    const bool load = s.kind == isa::Kind::load || s.kind == isa::Kind::fp_load || s.kind == isa::Kind::fp_load_pair;
    if (s.kind == isa::Kind::check_advanced || (load && s.is_check_load())) {
      add("INST_CHKA_LDC_ALAT_ALL");
      add(s.on_fp_register() ? "INST_CHKA_LDC_ALAT_FP" : "INST_CHKA_LDC_ALAT_INT");
    }
  }
  Decodings<isa::Bundle> bundles_;
};

// --- PowerPC: what is not folded, as some branches are ------------------------------------------------------------

class PpcTeller final : public Teller {
 public:
  bool line(const Instruction& executed, TraceCounts::Counts& counts, unsigned level) override {
    using trace::ppc::Kind;
    const Kind kind =
        kinds_.of(*executed.code, [](const trace::Code& code) { return trace::ppc::classify(code).kind; });
    const auto add = [&](std::string_view row) { ++counts[row][level]; };
    if (kind == Kind::eieio) add("EIEIO_INSTRUCTIONS");
    if (kind == Kind::sync) add("SYNC_INSTRUCTIONS");
    if (kind == Kind::load_reserve) add("RESERVED_LOADS");
    if (kind == Kind::store_conditional) add("STORE_CONDITIONAL_INSTRUCTIONS");
    return kind != Kind::illegal && kind != Kind::trap_word && kind != Kind::move_to_msr &&
           kind != Kind::return_from_interrupt;
  }

 private:
  Decodings<trace::ppc::Kind> kinds_;
};

// --- IA-32: retired instructions count with interrupts and resynchronisations, which the trace does not have ------

class X86Teller final : public Teller {
 public:
  bool line(const Instruction& executed, TraceCounts::Counts& counts, unsigned level) override {
    const Known& known = known_.of(*executed.code, [](const trace::Code& code) {
      const trace::x86::Operation op = trace::x86::classify(code);
      return Known{op.branch, op.kind == trace::x86::Kind::illegal};
    });
    if (known.branch == trace::x86::BranchKind::ret) ++counts["RETIRED_NEAR_RETURNS"][level];
    return !known.illegal;
  }

 private:
  struct Known {
    trace::x86::BranchKind branch;
    bool illegal;
  };
  Decodings<Known> known_;
};

// --- what a target's rows are -------------------------------------------------------------------------------------

constexpr std::string_view ia64_rows[] = {"IA64_INST_RETIRED",
                                          "PREDICATE_SQUASHED_RETIRED",
                                          "NOPS_RETIRED",
                                          "BR_MISPRED_DETAIL_ALL_ALL_PRED",
                                          "BR_MISPRED_DETAIL_IPREL_ALL_PRED",
                                          "BR_MISPRED_DETAIL_RETURN_ALL_PRED",
                                          "INST_CHKA_LDC_ALAT_ALL",
                                          "INST_CHKA_LDC_ALAT_INT",
                                          "INST_CHKA_LDC_ALAT_FP"};
constexpr std::string_view itanium2_rows[] = {"BR_MISPRED_DETAIL_NTRETIND_ALL_PRED"};
constexpr std::string_view montecito_rows[] = {"IA64_INST_RETIRED_THIS", "BR_MISPRED_DETAIL_NRETIND_ALL_PRED",
                                               "LOADS_RETIRED_INTG"};
constexpr std::string_view ppc_rows[] = {"EIEIO_INSTRUCTIONS", "SYNC_INSTRUCTIONS", "RESERVED_LOADS",
                                         "STORE_CONDITIONAL_INSTRUCTIONS"};
constexpr std::string_view athlon_rows[] = {"RETIRED_NEAR_RETURNS"};

struct Rows {
  std::string_view target;
  std::span<const std::string_view> rows, more;
};
constexpr Rows tellable[] = {{"itanium2", ia64_rows, itanium2_rows},
                             {"montecito", ia64_rows, montecito_rows},
                             {"ppc750gx", ppc_rows, {}},
                             {"ppc750gl", ppc_rows, {}},
                             {"athlon", athlon_rows, {}}};

const Rows* rows_of(const std::string& target) {
  const auto* const found =
      std::find_if(std::begin(tellable), std::end(tellable), [&](const Rows& one) { return one.target == target; });
  return found == std::end(tellable) ? nullptr : found;
}

std::unique_ptr<Teller> teller_of(trace::Isa isa) {
  switch (isa) {
    case trace::Isa::ia64:
      return std::make_unique<Ia64Teller>();
    case trace::Isa::ppc:
      return std::make_unique<PpcTeller>();
    case trace::Isa::i386:
      return std::make_unique<X86Teller>();
    default:
      return nullptr;
  }
}

/// Directives that say something about the file, or about what retires nothing.
bool leaves_instructions_alone(std::string_view directive) {
  constexpr std::string_view names[] = {"isa", "idle", "snoop", "bus"};
  return std::find(std::begin(names), std::end(names), directive) != std::end(names);
}

bool are_defaults(const models::Parameters& parameters) {
  return std::all_of(parameters.infos().begin(), parameters.infos().end(), [&](const models::ParameterInfo& info) {
    return info.name == "pmu.thread" || parameters.get(info.name) == info.default_value;
  });
}

}  // namespace

bool TraceCounts::tells(const std::string& target) { return rows_of(target) != nullptr; }

TraceCounts::TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters) {
  const Rows* const rows = rows_of(target);
  const std::unique_ptr<Teller> teller = teller_of(trace.info().isa);
  silent_ = rows == nullptr || teller == nullptr || !are_defaults(parameters);
  if (silent_) return;
  for (const std::string_view row : rows->rows) counts_[row] = {};
  for (const std::string_view row : rows->more) counts_[row] = {};
  by_level_ = parameters.has("core.cpl");
  const auto own = by_level_ ? static_cast<unsigned>(parameters.get("core.cpl")) : 0;
  unsigned depth = 0;  // of interrupts
  Counts counts;
  for (trace::Item item; !silent_ && trace.next(item);) {
    if (item.directive == nullptr) {
      silent_ = !teller->line(item.instruction, counts, depth == 0 ? own : 0);
    } else if (teller->follows_interrupts() && item.directive->name == "interrupt") {
      ++depth;
    } else if (teller->follows_interrupts() && item.directive->name == "return") {
      depth -= depth != 0 ? 1 : 0;
    } else {
      silent_ = !leaves_instructions_alone(item.directive->name);
    }
  }
  for (auto& [row, count] : counts_) {
    if (const auto found = counts.find(row); found != counts.end()) count = found->second;
  }
}

std::optional<std::uint64_t> TraceCounts::of(const oracle::Request& request) const {
  const auto found = counts_.find(request.event);
  if (silent_ || found == counts_.end() || !request.umasks.empty()) return std::nullopt;
  oracle::Request plain;
  plain.ia64.levels = request.ia64.levels;
  if (request.threshold != 0 || request.invert || request.edge || request.marked || request.ia64 != plain.ia64)
    return std::nullopt;
  const ByLevel& counts = found->second;
  if (!by_level_) {
    if (!request.user || !request.kernel) return std::nullopt;
    return counts[0];
  }
  const unsigned asked =
      request.ia64.levels != 0 ? request.ia64.levels : (request.user ? 8u : 0u) | (request.kernel ? 1u : 0u);
  std::uint64_t sum = 0;
  for (unsigned level = 0; level < levels; ++level) sum += (asked >> level & 1) != 0 ? counts[level] : 0;
  return sum;
}

}  // namespace pmusim::testbench
