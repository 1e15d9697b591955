// Counts that follow from the instructions of an IA-32 trace alone. Without interrupts and self-modifying code exactly
// these instructions retire.
#include <algorithm>
#include <set>

#include "pmusim/trace/x86.h"
#include "testbench/judge/trial/trace_tellers.h"
#include "testbench/targets/athlon/judging.h"

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Directive;
using trace::Instruction;

class X86Teller final : public TableTeller {
 public:
  explicit X86Teller(std::string_view target) : TableTeller(target) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name == "snoop") restarts_ = true;  // it may hit code in flight
    if (directive.name == "if") return true;
    if (directive.name != "cpl") return TableTeller::directive(directive, level);
    if (const auto cpl = level_operand(directive, "")) level = *cpl;
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
    if (op.mnemonic == "into")  // it does not always transfer
      told.untold = row("RETIRED_FAR_CONTROL_TRANSFERS") | row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    // INT n of a program returns to the next instruction; its kernel part is not in the trace.
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

}  // namespace

std::unique_ptr<Teller> targets::athlon::make_teller(std::string_view target) {
  return std::make_unique<X86Teller>(target);
}

}  // namespace pmusim::testbench
