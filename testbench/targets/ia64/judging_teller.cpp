// Counts that follow from the instructions of an IA-64 trace alone: the syllables that the mask marks as executed or
// predicated off.
#include "pmusim/trace/ia64.h"
#include "testbench/targets/ia64/judging.h"
#include "testbench/validate/trace_tellers.h"

namespace pmusim::testbench {
namespace {

using trace::Instruction;

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
      // The instruction changes the PSR, the level or the instruction set.
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
  unsigned depth_ = 0, interrupted_ = 0;  ///< depth of nested interrupts, and the level of the interrupted code
};

constexpr std::string_view ia64_rows[] = {"IA64_INST_RETIRED",
                                          "PREDICATE_SQUASHED_RETIRED",
                                          "NOPS_RETIRED",
                                          "BR_MISPRED_DETAIL_ALL_ALL_PRED",
                                          "BR_MISPRED_DETAIL_IPREL_ALL_PRED",
                                          "BR_MISPRED_DETAIL_RETURN_ALL_PRED",
                                          "INST_CHKA_LDC_ALAT_ALL",
                                          "INST_CHKA_LDC_ALAT_INT",
                                          "INST_CHKA_LDC_ALAT_FP"};

}  // namespace

RowNames ia64::told_rows() { return ia64_rows; }
std::unique_ptr<Teller> ia64::make_teller() { return std::make_unique<Ia64Teller>(); }

}  // namespace pmusim::testbench
