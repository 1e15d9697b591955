// Which issue ports take which instructions.
#include "models/core/ia64/ports.h"

#include <bit>

namespace pmusim::core::ia64 {

namespace {

/// Sets of ports that instructions share. The rules are those of GCC's scheduler and of Intel's machine description.
enum class Port : std::uint8_t {
  m_load,   ///< M0, M1
  m_store,  ///< M2, M3
  m_any,
  m0,
  m2,
  i0,
  i_any,
  shifter,  ///< I0; the Montecito has one at each I port
  a_type,   ///< any M or I
  f,
  b,
  long_i,  ///< L+X: an I port
};

/// Advanced loads and check loads.
bool meets_alat(const isa::Slot& slot) {
  return slot.load_kind == isa::LoadKind::advanced || slot.load_kind == isa::LoadKind::speculative_advanced ||
         slot.is_check_load();
}

/// Port of an M-unit instruction.
Port m_port(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::load:
    case isa::Kind::fp_load_pair:
    case isa::Kind::prefetch:
    case isa::Kind::check_advanced:
    case isa::Kind::invalidate_alat:
      return Port::m_load;
    case isa::Kind::fp_load:
      return meets_alat(slot) ? Port::m_load : Port::m_any;
    case isa::Kind::store:
    case isa::Kind::fp_store:
    case isa::Kind::semaphore:
    case isa::Kind::setf:
    case isa::Kind::check_speculation:
      return Port::m_store;
    case isa::Kind::getf:
    case isa::Kind::alloc:
    case isa::Kind::move_from_ar:
    case isa::Kind::move_to_ar:
      return Port::m2;
    case isa::Kind::nop:
    case isa::Kind::hint:
      return Port::m_any;
    case isa::Kind::multimedia_alu:
      return Port::a_type;
    default:
      return slot.a_type ? Port::a_type : Port::m0;
  }
}

Port i_port(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::bit_field:
      return Port::shifter;
    case isa::Kind::test:
    case isa::Kind::multimedia_multiply:
    case isa::Kind::move_from_br:
    case isa::Kind::move_to_br:
    case isa::Kind::move_from_pr:
    case isa::Kind::move_to_pr:
    case isa::Kind::move_from_ar:
    case isa::Kind::move_to_ar:
      return Port::i0;
    default:
      return slot.a_type ? Port::a_type : Port::i_any;
  }
}

Port port_of(act::SlotType type, const isa::Slot& slot) {
  switch (type) {
    case act::SlotType::m:
      return m_port(slot);
    case act::SlotType::i:
      return i_port(slot);
    case act::SlotType::f:
      return Port::f;
    case act::SlotType::b:
      return Port::b;
    case act::SlotType::x:
      break;
  }
  return slot.kind == isa::Kind::branch ? Port::b : Port::long_i;
}

PortChoice choice_of(Port port, const Settings& settings) {
  constexpr std::uint8_t m01 = 0x03, m23 = 0x0c, m = 0x0f, m0 = 0x01, m2 = 0x04, i0 = 0x10, i = 0x30, f0 = 0x40,
                         f1 = 0x80;
  switch (port) {
    case Port::m_load:
      return {{m01, m01}};
    case Port::m_store:
      return {{m23, m23}};
    case Port::m_any:
      return {{m, m}};
    case Port::m0:
      return {{m0, m0}};
    case Port::m2:
      return {{m2, m2}};
    case Port::shifter:
      if (settings.shifters > 1) return {{i, i}};
      [[fallthrough]];
    case Port::i0:
      return {{i0, i0}};
    case Port::i_any:
    case Port::long_i:
      return {{i, i}};
    case Port::a_type:
      return {{m | i, m | i}};
    case Port::f:
      return {{f0, f1}};
    case Port::b:
      break;
  }
  return {.none_needed = true};
}

}  // namespace

PortChoice choose_ports(act::SlotType type, const isa::Slot& slot, const Settings& settings) {
  return choice_of(port_of(type, slot), settings);
}

// A port that is free, or one whose instruction can go elsewhere: an augmenting path. `tried`: ports on the path.
bool PortMatching::place(std::uint8_t allowed, std::uint8_t& tried) {
  const auto first_of = [](unsigned ports) { return static_cast<unsigned>(std::countr_zero(ports)); };
  if (const unsigned free = allowed & ~taken_; free != 0) {
    const unsigned port = first_of(free);
    taken_ |= static_cast<std::uint8_t>(1u << port);
    allowed_[port] = allowed;
    return true;
  }
  while (true) {
    const unsigned left = allowed & ~tried;
    if (left == 0) return false;
    const unsigned port = first_of(left);
    tried |= static_cast<std::uint8_t>(1u << port);
    if (place(allowed_[port], tried)) {
      allowed_[port] = allowed;
      return true;
    }
  }
}

PortMatching Ports::taken() const {
  PortMatching matching;
  for (unsigned position = 0; position < parts_.size(); ++position) {
    const BundlePart& part = parts_[position];
    for (unsigned slot = part.first; slot < part.end; ++slot) {
      if (part.bundle->holds(slot)) matching.take(part.bundle->operations[slot].ports, position);
    }
  }
  return matching;
}

Reach Ports::find(const StaticBundle& bundle, unsigned first, unsigned position) const {
  PortMatching matching = taken();
  Reach result{parts_[0], true, static_cast<std::uint8_t>(first), Reach::Ends::no};
  while (result.end < bundle.operations.size() && result.ends == Reach::Ends::no) {
    const Operation& op = bundle.operations[result.end];
    if (bundle.holds(result.end)) {
      if (!matching.take(op.ports, position)) {
        result.ends = Reach::Ends::port;
        break;
      }
      if (op.stop_after) result.ends = Reach::Ends::stop;
    }
    ++result.end;
  }
  return result;
}

}  // namespace pmusim::core::ia64
