// Counts that follow from the instructions of an Alpha trace alone. PALcode that the hardware enters on its own is not
// in the trace. On the 21264 conditional branches always retire once; the total of instructions is known only if no
// translation misses. The 21064 and 21164 count at issue, and instructions stopped by a trap or a replay issue again:
// operates of the 21064, on which only accesses are stopped, are known in any case, those of the 21164 only if nothing
// loads or stores.
#include <algorithm>

#include "pmusim/trace/alpha.h"
#include "testbench/judge/trial/trace_tellers.h"
#include "testbench/targets/alpha/judging.h"

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Directive;
using trace::Instruction;

/// What a chip executes, and whether what a trap or a replay stops issues, and counts, again.
struct Chip {
  std::string_view target;
  bool bwx, mvi, fix, cix;
  bool issues_again;
};
constexpr Chip chips[] = {{"alpha-ev4", false, false, false, false, false},
                          {"alpha-ev5", true, false, false, false, true},
                          {"alpha-pca56", true, true, false, false, true},
                          {"alpha-ev6", true, true, true, false, false},
                          {"alpha-ev67", true, true, true, true, false}};
const Chip& chip_of(std::string_view target) {
  return *std::find_if(std::begin(chips), std::end(chips), [&](const Chip& chip) { return chip.target == target; });
}

class AlphaTeller final : public TableTeller {
 public:
  explicit AlphaTeller(std::string_view target) : TableTeller(target), chip_(chip_of(target)) {}
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
    if (accesses_ && chip_.issues_again) return ~Rows{0};
    return flows_ ? row("RETINST") | row("PF6_MUX0_RET_INSTRUCTIONS") : 0;
  }
  static unsigned opcode(const Code& code) { return code.bytes[3] >> 2; }
  const Chip& chip_;
  bool accesses_ = false, flows_ = false;
};

}  // namespace

namespace targets::alpha {

std::unique_ptr<Teller> make_teller(std::string_view target) { return std::make_unique<AlphaTeller>(target); }

}  // namespace targets::alpha

}  // namespace pmusim::testbench
