// Which issue ports take which instructions.
#include "models/core/ia64/ports.h"

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
  a_type,  ///< any M or I
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

PortChoice choice_of(Port port, bool m_slot) {
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
    case Port::i0:
      return {{i0, i0}};
    case Port::i_any:
    case Port::long_i:
      return {{i, i}, 0, true};
    // An A-type instruction takes the port of its slot's type if it can; M ports that few others use come first.
    case Port::a_type:
      return m_slot ? PortChoice{{m, m}, i, true} : PortChoice{{i, i}, m, true};
    case Port::f:
      return {{f0, f1}};
    case Port::b:
      break;
  }
  return {.none_needed = true};
}

}  // namespace

PortChoice choose_ports(act::SlotType type, const isa::Slot& slot) {
  return choice_of(port_of(type, slot), type == act::SlotType::m);
}

}  // namespace pmusim::core::ia64
