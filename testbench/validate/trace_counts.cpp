#include "testbench/validate/trace_counts.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "pmusim/trace/ia64.h"
#include "pmusim/trace/names.h"
#include "testbench/validate/trace_tellers.h"

namespace pmusim::testbench {
namespace {

using trace::Instruction;

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
  bool directive(const trace::Directive& directive, unsigned& level) override {
    if (directive.name == "interrupt") {
      if (depth_++ == 0) interrupted_ = level;
    } else if (directive.name == "return") {
      depth_ -= depth_ != 0 ? 1 : 0;
    } else {
      return leaves_instructions_alone(directive.name);
    }
    level = depth_ == 0 ? interrupted_ : 0;
    return true;
  }

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
  unsigned depth_ = 0, interrupted_ = 0;  ///< of interrupts, and the level of what they interrupt
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

std::vector<std::string_view> rows_of(const std::string& target) {
  std::vector<std::string_view> rows;
  const auto add = [&](std::span<const std::string_view> more) { rows.insert(rows.end(), more.begin(), more.end()); };
  const bool ia64 = target == "itanium2" || target == "montecito";
  if (!ia64) {
    add(table_rows(target));
    return rows;
  }
  add(ia64_rows);
  add(target == "itanium2" ? std::span<const std::string_view>(itanium2_rows) : montecito_rows);
  return rows;
}

std::unique_ptr<Teller> teller_of(const std::string& target, trace::Isa isa) {
  if (isa == trace::Isa::ia64) return std::make_unique<Ia64Teller>();
  return make_table_teller(target);
}

bool are_defaults(const models::Parameters& parameters) {
  return std::all_of(parameters.infos().begin(), parameters.infos().end(), [&](const models::ParameterInfo& info) {
    return info.name == "pmu.thread" || parameters.get(info.name) == info.default_value;
  });
}

}  // namespace

bool TraceCounts::tells(const std::string& target) { return !rows_of(target).empty(); }

TraceCounts::TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters)
    : isa_(trace.info().isa) {
  const std::vector<std::string_view> rows = rows_of(target);
  const std::unique_ptr<Teller> teller = teller_of(target, trace.info().isa);
  silent_ = rows.empty() || teller == nullptr || !are_defaults(parameters);
  if (silent_) return;
  constexpr unsigned user = 3;
  unsigned level = parameters.has("core.cpl") ? static_cast<unsigned>(parameters.get("core.cpl")) : user;
  Counts counts;
  for (trace::Item item; !silent_ && trace.next(item);) {
    if (item.directive == nullptr)
      silent_ = !teller->line(item.instruction, counts, level);
    else if (!trace::is_name(*item.directive))
      silent_ = !teller->directive(*item.directive, level);
  }
  // IA-64: what a trace has none of is zero. A table says so itself, or that it does not know.
  if (isa_ == trace::Isa::ia64) {
    for (const std::string_view row : rows) counts_[row] = {};
  }
  teller->finish(counts);
  for (const auto& [row, count] : counts) {
    if (std::find(rows.begin(), rows.end(), row) != rows.end()) counts_[row] = count;
  }
}

namespace {

/// The levels that a request counts, a bit each; none if they are not told apart.
std::optional<unsigned> levels_of(trace::Isa isa, const oracle::Request& request) {
  constexpr unsigned all = 0xf;
  switch (isa) {
    case trace::Isa::ia64:
      if (request.ia64.levels != 0) return request.ia64.levels;
      return (request.user ? 8u : 0u) | (request.kernel ? 1u : 0u);
    case trace::Isa::alpha:  // a 21164 alone filters, by modes that are the operating system's choice
      if (!request.user || !request.kernel) return std::nullopt;
      return all;
    default:  // CPL 0, MSR[PR] = 0
      return (request.user ? all & ~1u : 0u) | (request.kernel ? 1u : 0u);
  }
}

}  // namespace

std::optional<std::uint64_t> TraceCounts::of(const oracle::Request& request) const {
  const auto found = counts_.find(request.event);
  if (silent_ || found == counts_.end() || !request.umasks.empty()) return std::nullopt;
  oracle::Request plain;
  plain.ia64.levels = request.ia64.levels;
  const bool more = request.threshold != 0 || request.invert || request.edge || request.marked ||
                    request.ia64 != plain.ia64 || request.alpha != plain.alpha;
  const auto asked = levels_of(isa_, request);
  if (more || !asked) return std::nullopt;
  std::uint64_t sum = 0;
  for (unsigned level = 0; level < levels; ++level) sum += (*asked >> level & 1) != 0 ? found->second[level] : 0;
  return sum;
}

}  // namespace pmusim::testbench
