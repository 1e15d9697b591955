// The properties of a static instruction that the pipeline needs, computed once from the classifier's result.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/ppc750/machine.h"
#include "pmusim/trace/ppc.h"

namespace pmusim::core::ppc750 {

using activity::Cycle;
using activity::Trait;
using activity::Unit;

/// A set of the classifier's registers: GPRs and FPRs in `low`, CR fields, LR, CTR, XER, FPSCR in `high`.
struct RegisterSet {
  std::uint64_t low = 0;
  std::uint32_t high = 0;

  void add(unsigned number) {
    if (number < 64) {
      low |= std::uint64_t{1} << number;
    } else {
      high |= 1u << (number - 64);
    }
  }
  void remove(unsigned number) {
    if (number < 64) {
      low &= ~(std::uint64_t{1} << number);
    } else {
      high &= ~(1u << (number - 64));
    }
  }
  /// Calls `f` with every register number of the set.
  template <class F>
  void for_each(F f) const {
    for (std::uint64_t left = low; left != 0; left &= left - 1) f(static_cast<unsigned>(std::countr_zero(left)));
    for (std::uint32_t left = high; left != 0; left &= left - 1) f(64 + static_cast<unsigned>(std::countr_zero(left)));
  }
  [[nodiscard]] unsigned conditions() const { return high & 0xFFu; }  ///< one bit for each CR field
  [[nodiscard]] bool link() const { return (high & (1u << (trace::ppc::reg_lr - 64))) != 0; }
  [[nodiscard]] bool count() const { return (high & (1u << (trace::ppc::reg_ctr - 64))) != 0; }
};

struct Operation {
  static constexpr std::uint8_t no_factor = 0xFF;
  trace::ppc::Kind kind = trace::ppc::Kind::illegal;
  trace::ppc::BranchKind branch = trace::ppc::BranchKind::none;
  Unit unit = Unit::none;         ///< Unit::integer: IU1 or IU2
  std::uint8_t latency = 1;       ///< cycles in execution
  std::uint8_t throughput = 1;    ///< cycles until the unit can start the next operation
  bool execution_serial = false;  ///< starts when it is the oldest in the completion queue
  bool dispatch_serial = false;   ///< no younger instruction dispatches before it has retired
  bool refetch = false;           ///< younger instructions are fetched again after it has retired
  bool conditional = false, reads_condition = false, decrements_count = false, links = false;
  bool static_taken = false;
  bool load = false;  ///< loads data from memory into a register
  bool store = false;
  bool cache_operation = false;
  bool words = false;               ///< load/store multiple or string: one word at a time
  bool discarded = false;           ///< a no-op that ends at dispatch
  bool early_out = false;           ///< its operands determine its latency: the trace may give it
  std::uint8_t factor = no_factor;  ///< GPR that may let a multiply end early
  /// li, lis: bytes of the value that matter, negative for a negative value; 0: the value is not known.
  std::int8_t constant_bytes = 0;
  std::uint8_t gpr_renames = 0, fpr_renames = 0;
  std::uint64_t target = 0;  ///< of a direct branch
  RegisterSet reads, writes;
  activity::InstructionRecord record{.length = 4};  ///< what the record of an instruction begins as

  [[nodiscard]] bool is_branch() const { return kind == trace::ppc::Kind::branch; }
  [[nodiscard]] bool folds() const { return is_branch() && !links && !decrements_count; }
};

/// Operations by the identity of their code. References stay valid.
class OperationTable {
 public:
  explicit OperationTable(const Settings& settings) : settings_(settings) {}
  const Operation& get(const trace::Code& code) {
    if (code.id < operations_.size() && operations_[code.id] != nullptr) return *operations_[code.id];
    return decode(code);
  }
  /// The instruction of which a synthetic interrupt handler consists: ori 0,0,0.
  const Operation& handler() const { return handler_; }
  void make_handler();

 private:
  const Operation& decode(const trace::Code& code);
  const Settings& settings_;
  std::vector<std::unique_ptr<Operation>> operations_;
  trace::Code handler_code_;
  Operation handler_;
};

}  // namespace pmusim::core::ppc750
