// Counts that follow from the instructions of an IA-64 trace alone: the syllables that the mask marks as executed or
// predicated off.
#include <span>

#include "pmusim/trace/ia64.h"
#include "testbench/judge/trial/trace_counts.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {
namespace {

using trace::Instruction;

namespace isa = trace::ia64;

/// The rows of a branch, besides that of all branches: its class, as each processor names it.
std::span<const std::string_view> rows_of(isa::BranchKind kind) {
  static constexpr std::string_view returns[] = {"BR_MISPRED_DETAIL_RETURN_ALL_PRED"},
                                    relative[] = {"BR_MISPRED_DETAIL_IPREL_ALL_PRED"},
                                    others[] = {"BR_MISPRED_DETAIL_NTRETIND_ALL_PRED",
                                                "BR_MISPRED_DETAIL_NRETIND_ALL_PRED"};
  using enum isa::BranchKind;
  if (kind == ret) return returns;
  if (kind == indirect || kind == indirect_call || kind == ia) return others;
  return relative;
}

/// The weight of an instruction in FP_OPS_RETIRED (unconfirmed): a multiply-add is two operations, or
/// one if an operand is the constant of f0 or f1; others are one; parallel forms are twice as many.
std::uint64_t operations_of(const isa::Slot& s) {
  std::string_view name = s.mnemonic;
  const bool parallel = name.starts_with("fp");
  name.remove_prefix(parallel ? 2 : name.starts_with("f") ? 1 : 0);
  const auto begins = [&](std::string_view word) { return name.starts_with(word); };
  std::uint64_t operations = 0;
  if (begins("ma.") || begins("ms.") || begins("nma.") || name == "ma" || name == "ms" || name == "nma") {
    operations = 2;
    for (const unsigned operand : {13u, 20u, 27u}) {
      if ((s.encoding >> operand & 0x7f) < 2) operations = 1;
    }
  }
  for (const std::string_view word : {"rcpa", "rsqrta", "cvt", "min", "max", "amin", "amax"}) {
    if (begins(word)) operations = 1;
  }
  if (parallel && begins("cmp")) operations = 1;
  return parallel ? 2 * operations : operations;
}

class Ia64LineCounter final : public LineCounter {
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
    for (std::size_t i = 0; i < executed.accesses.size(); ++i) {
      const trace::Access& access = executed.accesses[i];
      // A semaphore reads and writes at once, however many accesses its line names.
      const isa::Slot& by = bundle.slots[access.slot];
      const bool again = i > 0 && executed.accesses[i - 1].slot == access.slot;
      if (by.kind != isa::Kind::semaphore || !again) count(access, by, counts, level);
    }
    return true;
  }
  void finish(TraceCounts::Counts& counts) override {
    // Two parallel instructions in a cycle make more operations than a counter adds.
    if (parallel_) counts.erase("FP_OPS_RETIRED");
    counts.try_emplace(loads), counts.try_emplace(stores);
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
  /// lfetch and fc have an access, but neither load nor store.
  static void count(const trace::Access& access, const isa::Slot& by, TraceCounts::Counts& counts, unsigned level) {
    const std::uint64_t natural = access.size == 10 ? 16 : access.size;  // ldfe, stfe
    const bool misaligned = natural != 0 && access.address % natural != 0;
    if (by.is_load()) {
      ++counts[loads][level];
      if (misaligned) ++counts["MISALIGNED_LOADS_RETIRED"][level];
      if (by.kind == isa::Kind::load) ++counts["LOADS_RETIRED_INTG"][level];
    }
    if (by.is_store()) {
      ++counts[stores][level];
      if (misaligned) ++counts["MISALIGNED_STORES_RETIRED"][level];
    }
  }
  void count(const isa::Slot& s, bool executes, TraceCounts::Counts& counts, unsigned level) {
    const auto add = [&](std::string_view row) { ++counts[row][level]; };
    add("IA64_INST_RETIRED");
    add("IA64_INST_RETIRED_THIS");
    if (!executes && s.unit != isa::Unit::B) add("PREDICATE_SQUASHED_RETIRED");
    if (s.kind == isa::Kind::branch) {
      add("BR_MISPRED_DETAIL_ALL_ALL_PRED");
      for (const std::string_view name : rows_of(s.branch)) add(name);
    }
    if (!executes) return;
    if (s.kind == isa::Kind::nop) add("NOPS_RETIRED");
    if (const std::uint64_t operations = operations_of(s); operations != 0) {
      counts["FP_OPS_RETIRED"][level] += operations;
      parallel_ |= operations == 4;
    }
    const bool load = s.kind == isa::Kind::load || s.kind == isa::Kind::fp_load || s.kind == isa::Kind::fp_load_pair;
    if (s.kind == isa::Kind::check_advanced || (load && s.is_check_load())) {
      add("INST_CHKA_LDC_ALAT_ALL");
      add(s.on_fp_register() ? "INST_CHKA_LDC_ALAT_FP" : "INST_CHKA_LDC_ALAT_INT");
    }
  }
  /// Terms of identities, because register stack and page walker also access.
  static constexpr std::string_view loads = "trace:loads", stores = "trace:stores";
  Decodings<isa::Bundle> bundles_;
  bool parallel_ = false;                 ///< a parallel multiply-add was executed
  unsigned depth_ = 0, interrupted_ = 0;  ///< depth of nested interrupts, and the level of the interrupted code
};

}  // namespace

std::unique_ptr<LineCounter> ia64::make_line_counter(std::string_view) { return std::make_unique<Ia64LineCounter>(); }

}  // namespace pmusim::testbench
