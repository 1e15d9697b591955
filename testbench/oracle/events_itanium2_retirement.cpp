// Itanium 2: instructions, checks and register stack operations that retire.

#include "testbench/oracle/events_itanium2.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::Kind;
using activity::ia64::Requester;
using activity::ia64::SlotType;
using activity::ia64::Syllable;
namespace d = activity::detail;

/// Whether it executed, that is, its qualifying predicate was true.
bool executed(const EventSite& s, Kind kind) { return s.syllable().predicate && s.syllable().has(kind); }
template <Kind kind>
Classes retired(const EventSite& s) {
  return when(executed(s, kind));
}

// --- instructions -----------------------------------------------------------------------------------
// Channels 2 and 3 exclude everything executed in IA-32 mode, that is, IA-32 instructions; no others retire in it.
Classes every_channel(const EventSite&) { return places({0, 1, 2, 3}); }
Classes ia32_channels(const EventSite& s) { return when(!s.choices.ia32_left_out, places({0, 1})); }
Classes ia32_instruction(const EventSite& s) { return when(!s.choices.ia32_left_out); }
Classes walker_load(const EventSite& s) { return when(!s.choices.walker_loads_left_out); }
Classes tagged(const EventSite& s) {
  constexpr Classes every_tag = 0xf;
  if (!restricts_instructions(s.asked)) return every_tag;
  const Subject subject = s.signal == Signal::retire ? subject_of(s, false) : Subject{};
  Classes tags = not_counted;
  for (unsigned channel = 0; channel < 4; ++channel) {
    if (passes_channel(subject, channel, s.asked, s.choices)) tags |= Classes{1} << channel;
  }
  return tags;
}

// The second half of an L+X pair, where it counts.
Classes long_pair(const EventSite& s) { return when(s.syllable().type == SlotType::x); }
Classes long_pair_by_channel(const EventSite& s) {
  return s.syllable().type == SlotType::x ? every_channel(s) : not_counted;
}
Classes nop(const EventSite& s) {
  return when(s.syllable().has(Kind::nop) && (s.syllable().predicate || s.choices.nops_all));
}

// A branch that is predicated off is a branch not taken.
Classes predicated_off(const EventSite& s) { return when(!s.syllable().predicate && s.syllable().type != SlotType::b); }

std::uint32_t fp_operations(const EventSite& s) { return s.syllable().fp_operations; }
std::uint32_t zeroed_results(const EventSite& s) { return s.syllable().flushed_to_zero; }
Classes counts_operations(const EventSite& s) { return when(executed(s, Kind::fp_operation)); }
Classes flushes_to_zero(const EventSite& s) { return when(s.syllable().predicate && s.syllable().flushed_to_zero > 0); }
Classes failed_flags_check(const EventSite& s) {
  return when(executed(s, Kind::fp_check_flags) && s.syllable().check_failed);
}

// --- checks: INT, FP, ALL ---------------------------------------------------------------------------------
Classes by_register_file(bool fp) { return fp ? places({1, 2}) : places({0, 2}); }

/// Whether the loaded or checked register is a floating-point register.
bool of_fp_register(const EventSite& s) { return s.syllable().has(Kind::fp_check) || s.syllable().has(Kind::fp_load); }

bool checks_alat(const EventSite& s) { return executed(s, Kind::check_advanced) || executed(s, Kind::check_load); }
Classes alat_check(const EventSite& s) { return when(checks_alat(s), by_register_file(of_fp_register(s))); }
Classes failed_alat_check(const EventSite& s) {
  return when(checks_alat(s) && s.syllable().check_failed, by_register_file(of_fp_register(s)));
}
Classes failed_speculation_check(const EventSite& s) {
  return when(executed(s, Kind::check_speculative) && s.syllable().check_failed, by_register_file(of_fp_register(s)));
}
// The instruction that needs the entry decides, not the one whose entry is lost.
Classes displacing(const EventSite& s) { return by_register_file(s.has_ref() && of_fp_register(s)); }

// --- loads and stores ---------------------------------------------------------------------------------------
bool reads(const EventSite& s) { return s.ia64_request().load && !s.ia64_request().prefetch; }
bool by_program(const EventSite& s) { return s.ia64_request().requester == Requester::data; }

// The walker's reads have their own signal.
Classes load(const EventSite& s) { return when(reads(s) && s.ia64_request().requester != Requester::page_walker); }
Classes store(const EventSite& s) { return when(s.ia64_request().store); }
Classes misaligned_load(const EventSite& s) { return when(by_program(s) && reads(s) && s.ia64_request().misaligned); }
Classes misaligned_store(const EventSite& s) {
  return when(by_program(s) && s.ia64_request().store && s.ia64_request().misaligned);
}
Classes uncacheable_load(const EventSite& s) { return when(reads(s) && s.ia64_request().uncacheable); }
Classes uncacheable_store(const EventSite& s) { return when(s.ia64_request().store && s.ia64_request().uncacheable); }

// LOAD, STORE, ALL
Classes register_stack_access(const EventSite& s) {
  if (s.ia64_request().requester != Requester::register_stack) return not_counted;
  return s.ia64_request().store ? places({1, 2}) : places({0, 2});
}

// --- register stack: the size of the frame or of what is dirty, in the cycle of an RSE event --------------------
template <std::uint8_t Syllable::*registers, unsigned shift, unsigned mask>
std::uint32_t bits_of(const EventSite& s) {
  return (s.syllable().*registers >> shift) & mask;
}
template <std::uint8_t Syllable::*registers, unsigned shift, unsigned mask>
Event registers_at_event(std::string_view name) {
  return {.name = name,
          .rules = {{Signal::retire, retired<Kind::rse_event>, nullptr, false, bits_of<registers, shift, mask>}},
          .most = mask};
}

// --- data breakpoints ---------------------------------------------------------------------------------------
bool watched(const EventSite& s) {
  const auto& request = s.ia64_request();
  const std::uint64_t address = s.request().address;
  const auto level = static_cast<unsigned>(value_of(s.states, State::cpl) & 3);
  for (const ia64::DataBreakpoint& b : s.asked.ia64.breakpoints) {
    const bool inside = address >= b.range.start && address <= b.range.end - 1;
    const bool kind = (b.read && request.load) || (b.write && request.store);
    if (inside && kind && (b.levels >> level & 1u) != 0) return true;
  }
  return false;
}
// A cancelled and repeated passage is not another access.
Classes data_access(const EventSite& s) {
  return when(s.ia64_request().requester != Requester::page_walker && !s.any(activity::ia64::detail::access_replayed));
}
Classes breakpoint_matches(const EventSite& s) { return watched(s) ? any_class : not_counted; }
Classes breakpoint_faults(const EventSite& s) {
  return watched(s) && (value_of(s.states, State::psr) & activity::ia64::psr::db) != 0 ? any_class : not_counted;
}

Event instructions(std::string_view name) {
  return {.name = name,
          .rules = {{Signal::retire, each},
                    {Signal::ia32_retire, ia32_instruction, nullptr, true},
                    {Signal::retire, long_pair, nullptr, false, nullptr, &Choices::long_is_two}},
          .most = 6,
          .filters = by_instruction};
}

}  // namespace

std::vector<Event> retirement_events() {
  const std::vector<std::string_view> files = {"INT", "FP", "ALL"};
  return {
      instructions("IA64_INST_RETIRED"),
      instructions("IA64_INST_RETIRED_THIS"),
      {.name = "IA64_TAGGED_INST_RETIRED",
       .umasks = {"IBRP0_PMC8", "IBRP1_PMC9", "IBRP2_PMC8", "IBRP3_PMC9"},
       .rules = {{Signal::retire, every_channel, tagged},
                 {Signal::ia32_retire, ia32_channels, tagged},
                 {Signal::retire, long_pair_by_channel, tagged, false, nullptr, &Choices::long_is_two}},
       .states = {State::psr, State::cpl},
       .most = 6,
       .filters = by_instruction,
       .by_channel = true},
      occurring("NOPS_RETIRED", 6, by_instruction, Signal::retire, nop),
      occurring("PREDICATE_SQUASHED_RETIRED", 6, by_instruction, Signal::retire, predicated_off),
      {.name = "LOADS_RETIRED",
       .rules = {{Signal::access_retire, load}, {Signal::walk_read, walker_load, nullptr, true}},
       .most = 4,
       .filters = by_all},
      occurring("STORES_RETIRED", 2, by_all, Signal::access_retire, store),
      occurring("MISALIGNED_LOADS_RETIRED", 4, by_all, Signal::access_retire, misaligned_load),
      occurring("MISALIGNED_STORES_RETIRED", 2, by_all, Signal::access_retire, misaligned_store),
      occurring("UC_LOADS_RETIRED", 4, by_all, Signal::access_retire, uncacheable_load),
      occurring("UC_STORES_RETIRED", 2, by_all, Signal::access_retire, uncacheable_store),
      {.name = "FP_OPS_RETIRED",
       .rules = {{Signal::retire, counts_operations, nullptr, false, fp_operations}},
       .most = 4,
       .filters = by_code},
      {.name = "FP_FLUSH_TO_ZERO",
       .rules = {{Signal::retire, flushes_to_zero, nullptr, false, zeroed_results}},
       .most = 2,
       .filters = by_code},
      occurring("FP_FAILED_FCHKF", 1, by_code, Signal::retire, failed_flags_check),
      occurring("FP_TRUE_SIRSTALL", 1, by_code, Signal::safety_stall, where<d::trap_exception>),
      occurring("FP_FALSE_SIRSTALL", 1, by_code, Signal::safety_stall, where<d::trap_exception, 0>),
      occurring("IA32_INST_RETIRED", 2, {}, Signal::ia32_retire, each),
      occurring("SERIALIZATION_EVENTS", 1, {}, Signal::retire, retired<Kind::serialize_instruction>),
      occurring("INST_CHKA_LDC_ALAT", 2, by_all, Signal::retire, alat_check, files),
      occurring("INST_FAILED_CHKA_LDC_ALAT", 1, by_all, Signal::retire, failed_alat_check, files),
      occurring("INST_FAILED_CHKS_RETIRED", 1, {}, Signal::retire, failed_speculation_check, files),
      occurring("ALAT_CAPACITY_MISS", 2, by_all, Signal::alat_displace, displacing, files),
      occurring("RSE_REFERENCES_RETIRED", 2, by_all, Signal::access_retire, register_stack_access,
                {"LOAD", "STORE", "ALL"}),
      occurring("RSE_EVENT_RETIRED", 1, {}, Signal::retire, retired<Kind::rse_event>),
      registers_at_event<&Syllable::frame_registers, 0, 7>("RSE_CURRENT_REGS_2_TO_0"),
      registers_at_event<&Syllable::frame_registers, 3, 7>("RSE_CURRENT_REGS_5_TO_3"),
      registers_at_event<&Syllable::frame_registers, 6, 1>("RSE_CURRENT_REGS_6"),
      registers_at_event<&Syllable::dirty_registers, 0, 7>("RSE_DIRTY_REGS_2_TO_0"),
      registers_at_event<&Syllable::dirty_registers, 3, 7>("RSE_DIRTY_REGS_5_TO_3"),
      registers_at_event<&Syllable::dirty_registers, 6, 1>("RSE_DIRTY_REGS_6"),
      {.name = "DATA_DEBUG_REGISTER_FAULT",
       .rules = {{Signal::access_retire, data_access, breakpoint_faults}},
       .states = {State::cpl, State::psr},
       .most = 1},
      {.name = "DATA_DEBUG_REGISTER_MATCHES",
       .rules = {{Signal::data_reference, data_access, breakpoint_matches}},
       .states = {State::cpl},
       .most = 1,
       .filters = by_all},
  };
}

}  // namespace pmusim::oracle::itanium2
