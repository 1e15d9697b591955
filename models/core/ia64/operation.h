// A decoded bundle as the core sees it: ports, kinds, registers; made once per static bundle.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/activity/ia64.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::core::ia64 {

namespace act = activity::ia64;
namespace isa = trace::ia64;

/// Which ports may take an instruction (the rules that GCC's scheduler has for this processor).
enum class Port : std::uint8_t {
  m_load,   ///< M0, M1
  m_store,  ///< M2, M3
  m_any,
  m0,
  m2,
  i0,
  i_any,
  a_type,  ///< any M or I
  f,
  b,
  long_i,  ///< L+X: an I port
};

/// Who makes a result, for bypasses and for naming what a group waits for.
enum class Producer : std::uint8_t {
  none,
  integer,
  multimedia,
  load,
  getf,
  fp,
  predicate,
  fp_predicate,
  branch,
  application
};

struct Operation {
  const isa::Slot* slot = nullptr;
  act::SlotType type = act::SlotType::m;
  act::BranchClass branch_class = act::BranchClass::none;
  std::uint32_t kinds = 0;
  Port port = Port::m_any;
  Producer producer = Producer::none;
  std::uint8_t number = 0;    ///< slot
  bool branch_to_b0 = false;  ///< nop.b or brp
  bool ends_group = false;    ///< nothing of the window goes with what is behind it
  bool loop_branch = false;
  bool memory = false;  ///< may access memory
  [[nodiscard]] bool has(act::Kind kind) const { return (kinds & act::bit(kind)) != 0; }
};

struct StaticBundle {
  isa::Bundle decoded;
  std::array<Operation, 3> operations;
  std::uint8_t first = 0;           ///< bit n: slot n holds an instruction (not the L of MLX)
  bool multiway = false;            ///< BBB or MBB
  bool single_branch = false;       ///< MIB, MMB, MFB
  bool single_branch_free = false;  ///< its B slot is nop.b or brp
  bool mii = false, mlx = false, bbb = false;
  std::uint8_t memory_operations = 0, stores = 0;
  [[nodiscard]] bool holds(unsigned slot) const { return (first >> slot & 1) != 0; }
};

/// All bundles met so far, by the trace's code number.
class Bundles {
 public:
  const StaticBundle& of(const trace::Code& code) {
    if (code.id >= known_.size()) known_.resize(code.id + 1);
    if (known_[code.id] == nullptr) known_[code.id] = make(code);
    return *known_[code.id];
  }

  /// A bundle of the synthetic interrupt handler: nop.m, nop.i, nop.i, then a stop.
  const StaticBundle& handler() {
    if (handler_ == nullptr) {
      trace::Code code;
      code.length = static_cast<std::uint8_t>(code.bytes.size());
      code.bytes = {0x01, 0, 0, 0, 0x01, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0x04, 0};
      handler_ = make(code);
    }
    return *handler_;
  }

 private:
  static std::unique_ptr<StaticBundle> make(const trace::Code& code);
  std::unique_ptr<StaticBundle> handler_;
  std::vector<std::unique_ptr<StaticBundle>> known_;
};

}  // namespace pmusim::core::ia64
