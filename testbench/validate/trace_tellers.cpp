// What the instructions of a PowerPC, an IA-32 and an Alpha trace count by themselves: tables of rows, and which
// instructions count in which. The rules are the manuals'; no core's code is used.
#include "testbench/validate/trace_tellers.h"

#include <algorithm>
#include <bit>
#include <set>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/x86.h"

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Directive;
using trace::Instruction;

/// The value of a directive's operand; of the bare one for an empty key.
std::optional<unsigned> operand(const Directive& directive, std::string_view key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key && value.size() == 1 && value[0] >= '0' && value[0] <= '7')
      return static_cast<unsigned>(value[0] - '0');
    if (key.empty() && name.size() == 1 && value.empty() && name[0] >= '0' && name[0] <= '7')
      return static_cast<unsigned>(name[0] - '0');
  }
  return std::nullopt;
}

// --- PowerPC: a branch that writes neither LR nor CTR is folded and never completes (User's Manual 2.3.3)
// ---------------

constexpr std::string_view ppc_rows[] = {"INSTRUCTIONS_COMPLETED",
                                         "LOADS_AND_STORES",
                                         "FPU_INSTRUCTIONS",
                                         "INTEGER_OPERATIONS",
                                         "SYSTEM_UNIT_INSTRUCTIONS",
                                         "EIEIO_INSTRUCTIONS",
                                         "SYNC_INSTRUCTIONS",
                                         "RESERVED_LOADS",
                                         "STORE_CONDITIONAL_INSTRUCTIONS",
                                         "STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT"};

class PpcTeller final : public TableTeller {
 public:
  PpcTeller() : TableTeller(ppc_rows) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name != "msr") return TableTeller::directive(directive, level);
    if (const auto problem = operand(directive, "pr")) level = *problem != 0 ? 3 : 0;
    return true;
  }

 private:
  [[nodiscard]] Told decode(const Code& code) const override {
    using trace::ppc::Kind;
    const trace::ppc::Operation op = trace::ppc::classify(code);
    const bool folded = op.kind == Kind::branch && !op.links && !op.decrements_count;
    Told told;
    told.always = folded ? 0 : row("INSTRUCTIONS_COMPLETED");
    switch (op.kind) {
      case Kind::integer:
      case Kind::integer_extended:
      case Kind::compare:
      case Kind::multiply:
      case Kind::multiply_high:
      case Kind::multiply_high_unsigned:
      case Kind::multiply_immediate:
      case Kind::divide:
      case Kind::trap_word:  // one that traps has an interrupt after it
        told.always |= row("INTEGER_OPERATIONS");
        break;
      case Kind::load:
      case Kind::store:
      case Kind::load_multiple:
      case Kind::store_multiple:
      case Kind::load_string:
      case Kind::store_string:
        told.always |= row("LOADS_AND_STORES");
        break;
      case Kind::load_reserve:
        told.always |= row("LOADS_AND_STORES") | row("RESERVED_LOADS");
        break;
      case Kind::store_conditional:
        told.always |= row("LOADS_AND_STORES") | row("STORE_CONDITIONAL_INSTRUCTIONS");
        told.stored |= row("STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT");
        break;
      case Kind::fp_single:
      case Kind::fp_double_add:
      case Kind::fp_double_multiply:
      case Kind::fp_compare:
      case Kind::fp_divide_single:
      case Kind::fp_divide_double:
      case Kind::fp_reciprocal:
      case Kind::fp_move:
      case Kind::fp_status:
        told.always |= row("FPU_INSTRUCTIONS");
        break;
      case Kind::sync:
        told.always |= row("SYSTEM_UNIT_INSTRUCTIONS") | row("SYNC_INSTRUCTIONS");
        break;
      case Kind::eieio:
        told.always |= row("SYSTEM_UNIT_INSTRUCTIONS") | row("EIEIO_INSTRUCTIONS");
        break;
      case Kind::condition_logical:
      case Kind::move_to_special:
      case Kind::move_from_special:
      case Kind::move_condition:
      case Kind::move_from_msr:
      case Kind::segment_register:
      case Kind::tlb_management:
      case Kind::isync:
      case Kind::system_call:  // back at the next instruction, the system's part left out
        told.always |= row("SYSTEM_UNIT_INSTRUCTIONS");
        break;
      case Kind::illegal:
      case Kind::move_to_msr:
      case Kind::return_from_interrupt:
        told.silent = true;
        break;
      default:  // branches, no-operations, cache operations
        break;
    }
    return told;
  }
  bool look(const Instruction&) override { return true; }
  [[nodiscard]] Rows untold() const override { return 0; }
};

// --- IA-32: where no interrupt comes and no code is written to, the instructions are all that retires
// -------------------

constexpr std::string_view athlon_rows[] = {"RETIRED_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS",
                                            "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "RETIRED_FAR_CONTROL_TRANSFERS",
                                            "RETIRED_NEAR_RETURNS"};

class X86Teller final : public TableTeller {
 public:
  X86Teller() : TableTeller(athlon_rows) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name == "snoop") restarts_ = true;  // it may meet code in flight
    if (directive.name == "if") return true;
    if (directive.name != "cpl") return TableTeller::directive(directive, level);
    if (const auto cpl = operand(directive, "")) level = *cpl;
    return true;
  }

 private:
  [[nodiscard]] Told decode(const Code& code) const override {
    using trace::x86::BranchKind;
    const trace::x86::Operation op = trace::x86::classify(code);
    Told told;
    told.always = row("RETIRED_INSTRUCTIONS");
    told.silent = op.kind == trace::x86::Kind::illegal;
    told.iterates = op.repeats;
    if (op.mnemonic == "into")  // which need not transfer
      told.untold = row("RETIRED_FAR_CONTROL_TRANSFERS") | row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    // INT n of a program comes back to the next instruction, its kernel part left out.
    const bool far = op.branch == BranchKind::far_transfer || op.kind == trace::x86::Kind::far_transfer;
    if (far || op.software_interrupt) {
      told.always |= row("RETIRED_FAR_CONTROL_TRANSFERS") | row("RETIRED_BRANCH_INSTRUCTIONS") |
                     row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    } else if (op.branch != BranchKind::none) {
      told.always |= row("RETIRED_BRANCH_INSTRUCTIONS");
      told.taken |= row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    }
    if (op.branch == BranchKind::ret) told.always |= row("RETIRED_NEAR_RETURNS");
    return told;
  }
  bool look(const Instruction& executed) override {
    code_.insert(executed.code->pc / page);
    for (const trace::Access& access : executed.accesses) {
      if (access.store) written_.insert(access.address / page);
    }
    return true;
  }
  // A restart of the pipeline counts as an instruction.
  [[nodiscard]] Rows untold() const override {
    const bool written =
        std::any_of(written_.begin(), written_.end(), [&](std::uint64_t number) { return code_.contains(number); });
    return restarts_ || written ? row("RETIRED_INSTRUCTIONS") : 0;
  }
  static constexpr std::uint64_t page = 4096;
  std::set<std::uint64_t> code_, written_;  ///< pages
  bool restarts_ = false;
};

// --- Alpha
// ----------------------------------------------------------------------------------------------------------------
// PALcode that the hardware enters on its own is not in the trace. On the 21264 conditional branches retire once
// whatever comes; all instructions together only where no translation misses. The 21064 and 21164 count at issue, and
// what a trap or a replay stops issues again: operates of the 21064, on which accesses alone are stopped, are told in
// any case, those of the 21164 where nothing loads or stores.

constexpr std::string_view ev4_rows[] = {"PF_FPINST", "PF_INTOPS"};
constexpr std::string_view ev5_rows[] = {"PF5_MUX1_INTEGER_OPERATE", "PF5_MUX1_C_FP_INSTRUCTIONS",
                                         "PF5_MUX1_C_LOAD_INSTRUCTIONS", "PF5_MUX1_C_STORE_INSTRUCTIONS",
                                         "PF5_MUX2_C_LOAD_LOCKED"};
constexpr std::string_view ev6_rows[] = {"PF6_MUX1_RET_COND_BRANCHES", "PF6_MUX0_RET_INSTRUCTIONS"};
constexpr std::string_view ev67_rows[] = {"RETINST"};

struct AlphaChipRows {
  std::string_view target;
  std::span<const std::string_view> rows;
  bool bwx, mvi, fix, cix;
};
constexpr AlphaChipRows alphas[] = {{"alpha-ev4", ev4_rows, false, false, false, false},
                                    {"alpha-ev5", ev5_rows, true, false, false, false},
                                    {"alpha-pca56", ev5_rows, true, true, false, false},
                                    {"alpha-ev6", ev6_rows, true, true, true, false},
                                    {"alpha-ev67", ev67_rows, true, true, true, true}};

class AlphaTeller final : public TableTeller {
 public:
  explicit AlphaTeller(const AlphaChipRows& chip) : TableTeller(chip.rows), chip_(chip) {}
  bool directive(const Directive& directive, unsigned& level) override {
    return directive.name == "cpl" || directive.name == "ipl" || directive.name == "process" ||
           TableTeller::directive(directive, level);
  }

 private:
  [[nodiscard]] Told decode(const Code& code) const override {
    using trace::alpha::BranchKind;
    using trace::alpha::Kind;
    const trace::alpha::Operation op = trace::alpha::classify(code);
    Told told;
    told.silent = op.kind == Kind::illegal || !has(op.extension) || op.kind >= Kind::hw_mfpr;
    if (op.is_integer_operate()) told.always |= row("PF_INTOPS") | row("PF5_MUX1_INTEGER_OPERATE");
    if (op.is_fp_operate()) told.always |= row("PF_FPINST") | row("PF5_MUX1_C_FP_INSTRUCTIONS");
    if (op.is_load() && !op.nop) told.always |= row("PF5_MUX1_C_LOAD_INSTRUCTIONS");
    if (op.is_store()) told.always |= row("PF5_MUX1_C_STORE_INSTRUCTIONS");
    if (op.kind == Kind::load_locked) told.always |= row("PF5_MUX2_C_LOAD_LOCKED");
    if (op.branch == BranchKind::conditional) told.always |= row("PF6_MUX1_RET_COND_BRANCHES");
    // No-operations and trap barriers are squashed when they are mapped, and never retire.
    const bool squashed = op.nop || op.kind == Kind::trap_barrier || op.kind == Kind::exception_barrier;
    if (!squashed) told.always |= row("RETINST") | row("PF6_MUX0_RET_INSTRUCTIONS");
    return told;
  }
  [[nodiscard]] bool has(trace::alpha::Extension extension) const {
    using trace::alpha::Extension;
    switch (extension) {
      case Extension::bwx:
        return chip_.bwx;
      case Extension::mvi:
        return chip_.mvi;
      case Extension::fix:
        return chip_.fix;
      case Extension::cix:
        return chip_.cix;
      default:
        return true;
    }
  }
  bool look(const Instruction& executed) override {
    using trace::TlbOutcome;
    const trace::Annotations* const says = executed.annotations;
    const TlbOutcome code = says == nullptr ? TlbOutcome::unset : says->itlb;
    const TlbOutcome data = says == nullptr ? TlbOutcome::unset : says->dtlb;
    const bool accesses = !executed.accesses.empty();
    accesses_ |= accesses;
    flows_ |=
        code != TlbOutcome::hit || (accesses && data != TlbOutcome::hit) || opcode(*executed.code) == 0;  // call_pal
    const bool any_address = opcode(*executed.code) == 0x0b || opcode(*executed.code) == 0x0f;  // ldq_u, stq_u
    const auto unaligned = [&](const trace::Access& a) { return !any_address && a.address % a.size != 0; };
    const bool traps = (says != nullptr && says->trap != trace::Trap::unset) || code == TlbOutcome::fault ||
                       data == TlbOutcome::fault ||
                       std::any_of(executed.accesses.begin(), executed.accesses.end(), unaligned);
    return !traps;
  }
  [[nodiscard]] Rows untold() const override {
    Rows rows = flows_ ? row("RETINST") | row("PF6_MUX0_RET_INSTRUCTIONS") : 0;
    if (accesses_) {
      for (const std::string_view name : ev5_rows) rows |= row(name);
    }
    return rows;
  }
  static unsigned opcode(const Code& code) { return code.bytes[3] >> 2; }
  const AlphaChipRows& chip_;
  bool accesses_ = false, flows_ = false;
};

}  // namespace

TableTeller::Rows TableTeller::row(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? 0 : Rows{1} << (found - names_.begin());
}

bool TableTeller::line(const Instruction& executed, TraceCounts::Counts& /*counts*/, unsigned level) {
  const Told& told = told_.of(*executed.code, [this](const Code& code) { return decode(code); });
  if (told.silent || !look(executed)) return false;
  untold_ |= told.untold;
  if (told.iterates && executed.taken && executed.target == executed.code->pc) return true;
  Rows rows = told.always | (executed.taken ? told.taken : 0);
  if (told.stored != 0) {
    const auto stores = [](const trace::Access& access) { return access.store; };
    if (std::any_of(executed.accesses.begin(), executed.accesses.end(), stores)) rows |= told.stored;
  }
  for (; rows != 0; rows &= rows - 1) ++counts_[static_cast<std::size_t>(std::countr_zero(rows))][level];
  return true;
}

void TableTeller::finish(TraceCounts::Counts& counts) {
  const Rows without = untold() | untold_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if ((without >> i & 1) == 0) counts[names_[i]] = counts_[i];
  }
}

bool TableTeller::directive(const Directive& directive, unsigned& /*level*/) {
  return leaves_instructions_alone(directive.name);
}

bool leaves_instructions_alone(std::string_view directive) {
  constexpr std::string_view names[] = {"isa", "idle", "snoop", "bus"};
  return std::find(std::begin(names), std::end(names), directive) != std::end(names);
}

std::span<const std::string_view> table_rows(std::string_view target) {
  if (target == "athlon") return athlon_rows;
  if (target == "ppc750gx" || target == "ppc750gl") return ppc_rows;
  for (const AlphaChipRows& chip : alphas) {
    if (chip.target == target) return chip.rows;
  }
  return {};
}

std::unique_ptr<Teller> make_table_teller(std::string_view target) {
  if (target == "athlon") return std::make_unique<X86Teller>();
  if (target == "ppc750gx" || target == "ppc750gl") return std::make_unique<PpcTeller>();
  for (const AlphaChipRows& chip : alphas) {
    if (chip.target == target) return std::make_unique<AlphaTeller>(chip);
  }
  return nullptr;
}

}  // namespace pmusim::testbench
