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

constexpr std::string_view ev4_rows[] = {"PF_FPINST", "PF_INTOPS"};
constexpr std::string_view ev5_rows[] = {"PF5_MUX1_INTEGER_OPERATE", "PF5_MUX1_C_FP_INSTRUCTIONS",
                                         "PF5_MUX1_C_LOAD_INSTRUCTIONS", "PF5_MUX1_C_STORE_INSTRUCTIONS",
                                         "PF5_MUX2_C_LOAD_LOCKED"};
constexpr std::string_view ev6_rows[] = {"PF6_MUX1_RET_COND_BRANCHES", "PF6_MUX0_RET_INSTRUCTIONS"};
constexpr std::string_view ev67_rows[] = {"RETINST"};

struct AlphaChipRows {
  std::span<const std::string_view> rows;
  bool bwx, mvi, fix, cix;
};
constexpr AlphaChipRows ev4{ev4_rows, false, false, false, false}, ev5{ev5_rows, true, false, false, false},
    pca56{ev5_rows, true, true, false, false}, ev6{ev6_rows, true, true, true, false},
    ev67{ev67_rows, true, true, true, true};

class AlphaTeller final : public TableTeller {
 public:
  explicit AlphaTeller(const AlphaChipRows& chip) : TableTeller({chip.rows.begin(), chip.rows.end()}), chip_(chip) {}
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

namespace targets::alpha {

RowNames told_rows_ev4() { return ev4.rows; }
RowNames told_rows_ev5() { return ev5.rows; }
RowNames told_rows_pca56() { return pca56.rows; }
RowNames told_rows_ev6() { return ev6.rows; }
RowNames told_rows_ev67() { return ev67.rows; }

std::unique_ptr<Teller> make_teller_ev4() { return std::make_unique<AlphaTeller>(ev4); }
std::unique_ptr<Teller> make_teller_ev5() { return std::make_unique<AlphaTeller>(ev5); }
std::unique_ptr<Teller> make_teller_pca56() { return std::make_unique<AlphaTeller>(pca56); }
std::unique_ptr<Teller> make_teller_ev6() { return std::make_unique<AlphaTeller>(ev6); }
std::unique_ptr<Teller> make_teller_ev67() { return std::make_unique<AlphaTeller>(ev67); }

}  // namespace targets::alpha

}  // namespace pmusim::testbench
