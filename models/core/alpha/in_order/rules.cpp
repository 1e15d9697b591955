// Sources: GCC's scheduler descriptions ev4.md and ev5.md; for the 21164 also the 21164PC Hardware Reference Manual,
// pages 2-4, 2-21, 2-25 (slotting, latencies, bypasses).
#include "models/core/alpha/in_order/rules.h"

#include <bit>
#include <initializer_list>

namespace pmusim::core::alpha {
namespace {

using Work = StaticCode::Work;
using Unit = ExecutionUnit;

struct Row {
  std::initializer_list<Work> works;
  Rule rule;
};

RuleSet rules_from(std::span<const Row> rows) {
  RuleSet set;
  for (const Row& row : rows) {
    for (const Work work : row.works) set.rules[static_cast<std::size_t>(work)] = row.rule;
  }
  return set;
}

// --- 21064 ---------------------------------------------------------------------------------------------------------

constexpr std::uint8_t to_integer = user::integer | user::multiply | user::branch;

constexpr Row ev4_rows[] = {
    // work, ports, unit, latency, early for
    {{Work::load_address, Work::add, Work::logical}, {port::ib0, Unit::ebox, 2, 1, to_integer}},
    {{Work::compare}, {port::ib0, Unit::ebox, 2, 1, user::branch}},
    {{Work::shift, Work::conditional_move}, {port::ib0, Unit::ebox, 2, 2, 0}},
    {{Work::multiply_long, Work::multiply_quad, Work::multiply_high}, {port::ib0, Unit::multiplier}},
    {{Work::fp_add, Work::fp_multiply, Work::fp_copy_sign, Work::fp_conditional_move, Work::fp_control},
     {port::ib1, Unit::fbox, 6, 4, user::fp}},
    {{Work::fp_divide_single}, {port::ib1, Unit::divider, 34, 34, 0}},
    {{Work::fp_divide_double}, {port::ib1, Unit::divider, 63, 63, 0}},
    {{Work::load, Work::fp_load, Work::load_locked, Work::hw_load}, {port::ib0 | port::ib1, Unit::abox, 3, 3, 0}},
    {{Work::store, Work::store_conditional, Work::memory_barrier, Work::write_barrier, Work::fetch, Work::write_hint,
      Work::evict, Work::hw_store},
     {port::ib1, Unit::abox, 0, 0, 0}},
    {{Work::fp_store}, {port::ib0, Unit::abox, 0, 0, 0}},
    {{Work::trap_barrier, Work::exception_barrier, Work::hw_mtpr}, {port::ib1, Unit::none, 0, 0, 0}},
    {{Work::read_cycle_counter, Work::read_and_flag}, {port::ib1, Unit::none, 2, 2, 0}},
    {{Work::integer_branch, Work::jump}, {port::ib1, Unit::branch, 2, 1, to_integer}},
    {{Work::call_pal}, {port::ib1, Unit::branch, 2, 2, 0}},
    {{Work::fp_branch}, {port::ib0, Unit::branch, 0, 0, 0}},
    {{Work::hw_mfpr}, {port::ib1, Unit::none, 3, 3, 0}},
    {{Work::hw_return}, {port::ib1, Unit::branch, 0, 0, 0}},
};

// --- 21164, 21164PC ------------------------------------------------------------------------------------------------

constexpr std::uint8_t any_integer = port::e0 | port::e1;
constexpr std::uint8_t same_cycle = user::branch | user::conditional_move;

constexpr Row ev5_rows[] = {
    {{Work::load_address, Work::add}, {any_integer, Unit::none, 1, 1, 0}},
    {{Work::logical, Work::compare}, {any_integer, Unit::none, 1, 0, same_cycle}},
    {{Work::shift}, {port::e0, Unit::none, 1, 1, 0}},
    {{Work::conditional_move, Work::load, Work::fp_load, Work::hw_load}, {any_integer, Unit::none, 2, 2, 0}},
    {{Work::multiply_long, Work::multiply_quad, Work::multiply_high}, {port::e0, Unit::multiplier}},
    {{Work::multimedia, Work::load_locked, Work::read_cycle_counter, Work::read_and_flag},
     {port::e0, Unit::none, 2, 2, 0}},
    {{Work::fp_add, Work::fp_conditional_move, Work::fp_control}, {port::fa, Unit::none, 4, 4, 0}},
    {{Work::fp_multiply}, {port::fm, Unit::none, 4, 4, 0}},
    {{Work::fp_copy_sign}, {port::fa | port::fm, Unit::none, 4, 4, 0}},
    {{Work::fp_divide_single}, {port::fa, Unit::divider, 15, 15, 0}},
    {{Work::fp_divide_double}, {port::fa, Unit::divider, 22, 22, 0}},
    {{Work::store, Work::fp_store, Work::store_conditional, Work::memory_barrier, Work::write_barrier,
      Work::trap_barrier, Work::exception_barrier, Work::fetch, Work::write_hint, Work::evict, Work::hw_mtpr,
      Work::hw_store},
     {port::e0, Unit::none, 0, 0, 0}},
    {{Work::integer_branch, Work::jump, Work::call_pal, Work::hw_mfpr}, {port::e1, Unit::none, 1, 1, 0}},
    {{Work::fp_branch}, {port::fa, Unit::none, 0, 0, 0}},
    {{Work::hw_return}, {port::e1, Unit::none, 0, 0, 0}},
};

RuleSet make_ev4() {
  RuleSet set = rules_from(ev4_rows);
  set.width = 2;
  set.branch_busy = 2;
  set.multiply_hole = 3;
  set.divide_hole = 5;
  set.divide_hole_2 = 6;
  set.integer_port = port::ib0;
  set.divide_port = port::ib1;
  set.jump_delays_branch = true;
  set.full_buffer_freezes = true;
  return set;
}

RuleSet make_ev5() {
  RuleSet set = rules_from(ev5_rows);
  set.width = 4;
  set.slots = true;
  set.multiply_hole = 2;
  set.divide_hole = set.divide_hole_2 = 5;
  set.integer_port = port::e0;
  set.divide_port = port::fa;
  set.assumes_hits = true;
  return set;
}

constexpr std::uint8_t lowest(std::uint8_t ports) { return ports & static_cast<std::uint8_t>(-ports); }

unsigned pair(std::span<Slotted> block) {
  const std::uint8_t first = block[0].rule->ports;
  block[0].port = lowest(first);
  if (block.size() < 2) return 1;
  const std::uint8_t second = block[1].rule->ports;
  const Unit unit = block[0].rule->unit;
  if (unit != Unit::none && unit == block[1].rule->unit && first != 0 && second != 0) return 1;
  if (first == second && std::has_single_bit(first)) return 1;
  const auto others = static_cast<std::uint8_t>(second & ~block[0].port);
  block[1].port = others != 0 ? lowest(others) : lowest(second);
  if (block[0].port != 0 && block[0].port == block[1].port) {
    block[0].port = lowest(static_cast<std::uint8_t>(first & ~block[1].port));
  }
  return 2;
}

/// Assigns the first free port, but E1 to an instruction that can use either, if the next integer instruction of the
/// block needs E0.
unsigned slot(std::span<Slotted> block) {
  std::uint8_t taken = 0;
  for (unsigned i = 0; i < block.size(); ++i) {
    const std::uint8_t fits = block[i].rule->ports;
    std::uint8_t free = fits & static_cast<std::uint8_t>(~taken);
    if (fits != 0 && free == 0) return i;
    if (free == any_integer) {
      for (unsigned j = i + 1; j < block.size(); ++j) {
        const std::uint8_t next = block[j].rule->ports;
        if ((next & any_integer) == 0) continue;
        if (next == port::e0) free = port::e1;
        break;
      }
    }
    block[i].port = lowest(free);
    taken |= block[i].port;
  }
  return static_cast<unsigned>(block.size());
}

}  // namespace

RuleSet rules_of(Chip chip, const InOrderSettings& pipeline) {
  RuleSet set = chip == Chip::ev4 ? make_ev4() : make_ev5();
  const auto multiply = [&set](Work work, unsigned latency, unsigned interval) {
    Rule& rule = set.rules[static_cast<std::size_t>(work)];
    rule.latency = rule.early = static_cast<std::uint8_t>(latency);
    rule.interval = static_cast<std::uint8_t>(interval);
  };
  multiply(Work::multiply_long, pipeline.mull, pipeline.mull_interval);
  multiply(Work::multiply_quad, pipeline.mulq, pipeline.mulq_interval);
  multiply(Work::multiply_high, pipeline.umulh, pipeline.umulh_interval);
  return set;
}

std::uint8_t user_of(const StaticCode& code) {
  if (code.work == Work::conditional_move) return user::integer | user::conditional_move;
  if (code.work >= Work::multiply_long && code.work <= Work::multiply_high) return user::multiply;
  if (code.work == Work::integer_branch) return user::branch;
  if (code.has(act::Kind::integer_operate) || code.has(act::Kind::load_address)) return user::integer;
  return code.has(act::Kind::fp_operate) ? user::fp : 0;
}

unsigned group(const RuleSet& set, std::span<Slotted> block) { return set.slots ? slot(block) : pair(block); }

}  // namespace pmusim::core::alpha
