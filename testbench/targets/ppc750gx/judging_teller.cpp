// Counts that follow from the instructions of a PowerPC trace alone. A branch that writes neither LR nor CTR is folded
// and never completes (User's Manual 2.3.3).
#include <algorithm>

#include "pmusim/trace/ppc.h"
#include "testbench/judge/trial/trace_tellers.h"
#include "testbench/targets/ppc750gx/judging.h"

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Directive;
using trace::Instruction;

class PpcTeller final : public TableTeller {
 public:
  explicit PpcTeller(std::string_view target) : TableTeller(target) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name != "msr") return TableTeller::directive(directive, level);
    if (const auto problem = level_operand(directive, "pr")) level = *problem != 0 ? 3 : 0;
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
      case Kind::trap_word:  // if it traps, an interrupt follows in the trace
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
      case Kind::system_call:  // returns to the next instruction; the system's part is not in the trace
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

}  // namespace

std::unique_ptr<Teller> targets::ppc750gx::make_teller(std::string_view target) {
  return std::make_unique<PpcTeller>(target);
}

}  // namespace pmusim::testbench
