// Which issue ports take which instructions.
#include "models/core/ia64/ports.h"

#include <bit>

namespace pmusim::core::ia64 {

namespace {

// Sets of ports that instructions share. The rules are those of GCC's scheduler and of Intel's machine description.
constexpr std::uint8_t m_load = 0x03;   ///< M0, M1
constexpr std::uint8_t m_store = 0x0c;  ///< M2, M3
constexpr std::uint8_t m_any = m_load | m_store, m0 = 0x01, m2 = 0x04;
constexpr std::uint8_t i0 = 0x10, i_any = 0x30;
constexpr std::uint8_t a_type = m_any | i_any;
constexpr std::uint8_t f0 = 0x40, f1 = 0x80;

/// Advanced loads and check loads.
bool meets_alat(const isa::Slot& slot) {
  return is_one_of(slot.load_kind, {isa::LoadKind::advanced, isa::LoadKind::speculative_advanced}) ||
         slot.is_check_load();
}

/// Ports of an M-unit instruction.
std::uint8_t m_ports(const isa::Slot& slot) {
  using enum isa::Kind;
  const auto is = [&](std::initializer_list<isa::Kind> kinds) { return is_one_of(slot.kind, kinds); };
  if (is({load, fp_load_pair, prefetch, check_advanced, invalidate_alat})) return m_load;
  if (is({fp_load})) return meets_alat(slot) ? m_load : m_any;
  if (is({store, fp_store, semaphore, setf, check_speculation})) return m_store;
  if (is({getf, alloc, move_from_ar, move_to_ar})) return m2;
  if (is({nop, hint})) return m_any;
  return slot.a_type || slot.kind == multimedia_alu ? a_type : m0;
}

std::uint8_t i_ports(const isa::Slot& slot, const Settings& settings) {
  using enum isa::Kind;
  if (slot.kind == bit_field && settings.shifters > 1) return i_any;  // the Montecito has a shifter at each I port
  if (is_one_of(slot.kind, {bit_field, test, multimedia_multiply, move_from_br, move_to_br, move_from_pr, move_to_pr,
                            move_from_ar, move_to_ar}))
    return i0;
  return slot.a_type ? a_type : i_any;
}

}  // namespace

PortChoice choose_ports(act::SlotType type, const isa::Slot& slot, const Settings& settings) {
  const auto any_of = [](std::uint8_t ports) { return PortChoice{{ports, ports}}; };
  switch (type) {
    case act::SlotType::m:
      return any_of(m_ports(slot));
    case act::SlotType::i:
      return any_of(i_ports(slot, settings));
    case act::SlotType::f:
      return {{f0, f1}};
    case act::SlotType::x:
      if (slot.kind != isa::Kind::branch) return any_of(i_any);
      break;
    case act::SlotType::b:
      break;
  }
  return {.none_needed = true};
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
