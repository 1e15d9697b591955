#include "models/activity/vocabulary.h"

#include <fmt/format.h>

#include <bit>
#include <initializer_list>
#include <iterator>
#include <sstream>

namespace pmusim::activity {
namespace {

namespace d = detail;
namespace id = ia64::detail;
namespace ad = alpha::detail;
namespace qc = ia64::queue_cancel;
namespace fc = ia64::fetch_cancel;
namespace rd = ia64::recirculate;

/// Families whose cores report a field.
constexpr unsigned x86 = static_cast<unsigned>(Family::x86), ppc = static_cast<unsigned>(Family::ppc),
                   itanium = static_cast<unsigned>(Family::itanium), digital = static_cast<unsigned>(Family::digital),
                   any = x86 | ppc | itanium | digital;

struct Entry {
  unsigned families;
  Field field;
};
using Entries = std::vector<Entry>;

Entry flag(const char* name, std::uint64_t mask, unsigned families = any) { return {families, {name, mask}}; }
Entry number(const char* name, std::uint64_t mask, unsigned families = any) { return {families, {name, mask}}; }
Entry choice(const char* name, std::uint64_t mask, const char* values, unsigned families = any) {
  return {families, {name, mask, names_in(values)}};
}

Entries join(std::initializer_list<Entries> lists) {
  Entries all;
  for (const Entries& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

constexpr const char* line_states = "invalid shared exclusive owned modified";
constexpr const char* agents = "self other_processor io other_core";
constexpr const char* switch_causes = "none l3_miss timer hint low_power debug";

const Entries side{flag("data_side", d::side_data)};
const Entries lookup{flag("hit", d::lookup_hit), flag("pending", d::lookup_pending), flag("miss", d::lookup_miss)};
const Entries access{flag("load", d::access_load),           flag("store", d::access_store),
                     flag("prefetch", d::access_prefetch),   flag("cache_operation", d::access_cache_operation),
                     flag("walk", d::access_walk),           flag("second_half", d::access_second_half),
                     flag("writeback", d::access_writeback), flag("wrong_path", d::access_wrong_path)};
const Entries replayed{flag("replayed", id::access_replayed, itanium)};
const Entries streaming{flag("streaming", id::fetch_streaming, itanium),
                        flag("stream_buffer", id::fetch_stream_buffer, itanium)};
const Entries shared_write{flag("shared_write", ad::access_shared_write, digital),
                           flag("clean", ad::found_clean, digital)};
const Entries branch{flag("conditional", d::branch_conditional),
                     flag("taken", d::branch_taken),
                     flag("predicted", d::branch_predicted),
                     flag("level_2", d::branch_level_2),
                     flag("correct", d::branch_correct),
                     flag("unresolved", d::branch_unresolved),
                     flag("predicted_taken", d::branch_predicted_taken),
                     flag("wrong_path", d::branch_wrong_path)};
const Entries interface_queue{
    choice("queue", ia64::interface_queue_mask, "request write clean_castout snoop_coalescing in_order write_address"),
    number("kind", std::uint64_t{7} << ia64::interface_kind_shift), flag("other_core", ia64::interface_other_core)};

/// A row for each signal, in the order of Signal.
struct Row {
  const char* name;
  Entries entries = {};
};
const std::vector<Row>& signal_rows() {
  static const std::vector<Row> rows{
      {"fetch", join({side, lookup, access, streaming})},
      {"translation", join({side,
                            {flag("second_level_hit", d::tlb_second_level_hit), flag("walk", d::tlb_walk),
                             flag("fault", id::tlb_fault, itanium)}})},
      {"return_stack",
       {flag("push", d::ras_push), flag("overwrites_live", d::ras_overwrites_live), flag("predicts", d::ras_predicts)}},
      {"dispatch"},
      {"issue"},
      {"finish"},
      {"retire", {flag("after_exception", d::retire_after_exception)}},
      {"operation_retire", {number("of_two_operations", 0xffff)}},
      {"iteration_retire"},
      {"kill", {flag("in_order", d::kill_in_order)}},
      {"fold"},
      {"trap",
       {flag("exception", d::trap_exception), flag("maskable", d::trap_maskable), flag("nmi", d::trap_nmi),
        flag("smi", d::trap_smi), flag("monitor", d::trap_monitor)}},
      {"resync", {flag("code_store", d::resync_code_store), flag("snoop", d::resync_snoop)}},
      {"register_access", {flag("write", d::register_write)}},
      {"branch_handled", branch},
      {"branch_resolved", branch},
      {"segment_load", {choice("segment", 7, "es cs ss ds fs gs")}},
      {"dcache_lookup", join({side,
                              access,
                              lookup,
                              {flag("update", d::access_update, x86), flag("delayed", ad::access_delayed, digital)},
                              replayed})},
      {"load_return", join({side, access})},
      {"code_store"},
      {"line_request", join({side, access, streaming, {flag("update", d::access_update, x86)}})},
      {"line_fill", join({side,
                          {choice("found", std::uint64_t{7} << d::fill_found_shift, line_states),
                           choice("installed", std::uint64_t{7} << d::fill_installed_shift, line_states)}})},
      {"line_evict",
       {choice("cache", d::cache_mask, "l1i l1d l2 l3"),
        choice("state", std::uint64_t{7} << d::evict_state_shift, line_states),
        flag("replacement", d::evict_replacement), flag("snoop", d::evict_snoop),
        flag("cache_operation", d::evict_cache_operation), flag("to_l2", d::evict_to_l2)}},
      {"l2_lookup", join({side, access, lookup, shared_write, {flag("update", d::access_update, x86)}})},
      {"l2_array",
       {choice("requester", d::l2_array_requester_mask, "fetch load store data_cache system l2"),
        flag("data", d::l2_array_data), flag("write", d::l2_array_write)}},
      {"bus_request",
       {choice("memory_type", d::bus_type_mask, "uncacheable write_combining write_through write_protected write_back"),
        flag("dram", d::bus_dram), flag("write", d::bus_write)}},
      {"snoop",
       {flag("hits_l1i", d::snoop_hits_l1i), flag("hits_l1d", d::snoop_hits_l1d), flag("hits_l2", d::snoop_hits_l2),
        flag("retried", d::snoop_retried), flag("pushed_modified_l2", d::snoop_pushed_modified_l2),
        flag("invalidates", d::snoop_invalidates)}},
      {"ecc_correction", {flag("from_l2", d::ecc_from_l2)}},
      {"cross_invalidate", {flag("by_data", d::cross_by_data), flag("from_data", d::cross_from_data)}},
      {"syllable_held",
       {flag("explicit_stop", id::held_explicit_stop), flag("implicit_stop", id::held_implicit_stop),
        flag("front_end", id::held_front_end), flag("long_immediate", id::held_long_immediate)}},
      {"bundle_pair_in"},
      {"fetch_return"},
      {"request_kill"},
      {"prefetch_lost"},
      {"tlb_insert", side},
      {"tlb_purge"},
      {"walk_read"},
      {"data_reference", join({side, access, replayed})},
      {"access_retire"},
      {"alat_displace"},
      {"safety_stall", {flag("traps", d::trap_exception)}},
      {"l1i_snoop"},
      {"l2_reference", join({side, access, lookup, replayed})},
      {"queue_issue", {choice("operation", 7, "integer_load fp_load read_modify_write store other prefetch")}},
      {"queue_cancel",
       {choice("cause", qc::cause_mask,
               "missed_bypass acquire release bypass_of_release sync fence compare_value semaphore "
               "sibling_order uncacheable store_data store_order bank fill l1d_fill write_back_read "
               "return_port l2_error system_error fetch recirculating no_attempt_left still_missing"),
        flag("first", qc::first), flag("adjacent", qc::adjacent), flag("store", qc::store), flag("walker", qc::walker),
        flag("same_set", qc::same_set), choice("stage", std::uint64_t{3} << qc::stage_shift, "l2a l2m l2d l2c")}},
      {"fetch_cancel",
       {choice("cause", fc::cause_mask, "data recirculating fill_or_write_back snoop still_missing"),
        flag("first", fc::first), flag("prefetch", fc::prefetch),
        number("after_data", std::uint64_t{3} << fc::after_data_shift)}},
      {"force_recirculate",
       {choice("cause", rd::cause_mask,
               "miss line_under_way self_modifying l1d_line_written tags_written snoop write_back "
               "no_fill_buffer no_victim_buffer set_under_way"),
        flag("store", rd::store), flag("prefetch", rd::prefetch), flag("for_code_prefetch", rd::for_code_prefetch),
        choice("phase", std::uint64_t{3} << rd::phase_shift, "requested accepted in_tags arrives")}},
      {"recirculate_try", side},
      {"recirculate_done", side},
      {"bypass",
       {flag("to_l3", id::bypass_l3), flag("instruction", id::bypass_instruction), flag("late", id::bypass_late)}},
      {"l2_probe"},
      {"l2_valid_victim"},
      {"l2_store_shared"},
      {"l3_lookup", join({side,
                          access,
                          lookup,
                          shared_write,
                          {flag("for_ownership", id::l3_for_ownership, itanium),
                           choice("state", std::uint64_t{7} << id::l3_state_shift, line_states, itanium)}})},
      {"l3_cancel",
       {choice("reason", ia64::l3_cancel_reason_mask,
               "l2_hit no_fill_buffer uncacheable_in_flight l3_busy bus_queue_full snoop_of_request "
               "snoop_of_victim fill write_back"),
        flag("by_data", ia64::l3_cancel_by_data), flag("by_fetch", ia64::l3_cancel_by_fetch),
        flag("during_write_back", ia64::l3_cancel_during_write_back)}},
      {"bus_transaction",
       {choice("kind", id::bus_kind_mask,
               "read_line read_invalidate_line invalidate_line read_current read_partial write_line "
               "write_partial io_read io_write lock other"),
        choice("agent", std::uint64_t{3} << id::bus_agent_shift, agents), flag("full_line", id::bus_full_line),
        flag("answer_hit", id::bus_answer_hit), flag("answer_modified", id::bus_answer_modified),
        flag("for_data", id::bus_for_data), flag("clean_castout", id::bus_clean_castout)}},
      {"bus_queue_insert"},
      {"bus_snoop",
       {choice("agent", std::uint64_t{3} << id::bus_agent_shift, agents),
        flag("found_modified", id::snoop_found_modified), flag("reaches_l1i", id::snoop_reaches_l1i),
        flag("self", id::snoop_self)}},
      {"ia32_retire"},
      {"pin_assert", {number("pin", 0xffff)}},
      {"thread_switch",
       {choice("cause", ia64::detail::switch_cause_mask, switch_causes),
        number("stall", 0xffff & ~std::uint64_t{id::switch_cause_mask})}},
      {"thread_switch_missed", {choice("cause", id::switch_cause_mask, switch_causes)}},
      {"thread_switch_gated", {choice("gate", 3, "low_power pipeline forward_progress")}},
      {"l2i_lookup", join({access, lookup})},
      {"l2i_retry", join({access,
                          lookup,
                          {flag("recirculated", id::retry_recirculated), flag("rejected", id::retry_rejected),
                           flag("conflict", id::retry_conflict)}})},
      {"l2i_evict"},
      {"l2i_abort"},
      {"l2i_snoop_hit"},
      {"l2_fill", {choice("state", 7, line_states), flag("pending", id::l2_fill_pending)}},
      {"l3_insert", {choice("state", 7, line_states)}},
      {"interface_insert", interface_queue},
      {"interface_collision", interface_queue},
      {"interface_signoff", interface_queue},
      {"interface_ecc",
       {flag("double_error", ia64::interface_double_error), flag("other_core", ia64::interface_other_core)}},
      {"instruction_fetch"},
      {"replay_trap",
       {choice("cause", 31,
               "none load_use write_buffer_full miss_file_full memory_order store_then_load load_load_order "
               "store_load_order load_queue_full store_queue_full wrong_size cache_alias load_missed")}},
      {"pal_entry",
       {choice("cause", 31,
               "none replay dtb_double_3 dtb_double_4 fp_disabled unaligned dtb_single dstream_fault opcdec "
               "machine_check arithmetic mt_fpcr reset itb_miss istream_access interrupt mispredict call_pal")}},
      {"load_merged"},
      {"read_miss", {number("outstanding", 0xffff)}},
      {"bcache_fill", join({side, access, lookup, shared_write})},
      {"system_command",
       {choice("command", ad::system_command_mask, "read flush invalidate set_shared probe other"),
        flag("hit", ad::system_hit)}},
  };
  return rows;
}

Entries missing_bundles() {
  return {number("missing", 3),
          choice("cause", 0xff00,
                 "none flush tlb_miss instruction_miss fill_recirculate branch_interlock branch_queue "
                 "perfect_loop_prediction branch_immediate bubble buffer_full unreached")};
}

Entries interface_entries() {
  namespace q = ia64::interface_queues;
  constexpr std::uint64_t eight = 0xff;
  return {number("request", eight << q::request_shift), number("write", eight << q::write_shift),
          number("clean_castout", eight << q::clean_castout_shift),
          number("snoop_coalescing", eight << q::snoop_coalescing_shift),
          number("in_order", eight << q::in_order_shift)};
}

/// A row for each state, in the order of State. Registers of the processor are plain numbers.
const std::vector<Row>& state_rows() {
  namespace b = branch_wait;
  namespace h = dispatch_hold;
  namespace f = ia64::fetch_buffers;
  namespace l = ia64::l2_queue;
  namespace q = ia64::bus_queues;
  namespace c = ia64::bus_clocks;
  namespace s = ia64::switching;
  namespace r = ia64::request_reject;
  constexpr std::uint64_t eight = 0xff;
  static const std::vector<Row> rows{
      {"clock", {flag("on", 1)}},
      {"cpl", {number("level", 3)}},
      {"msr"},
      {"interrupt_flag", {flag("on", 1)}},
      {"interrupt_pending", {flag("on", 1)}},
      {"operating_mode", {choice("mode", 3, "protected real virtual_8086 system_management")}},
      {"process"},
      {"thread", {number("number", 1)}},
      {"bus_ratio", {number("denominator", 0xffff), number("numerator", 0xffff0000)}},
      {"table_walk", {flag("instruction", 1), flag("data", 2)}},
      {"load_misses"},
      {"branch_unit",
       {flag("link_or_condition", b::link_or_condition), flag("count_register", b::count_register),
        flag("both_levels_used", b::both_levels_used)}},
      {"dispatch_hold",
       {flag("second_stream", h::second_stream), flag("completion_full", h::completion_full),
        flag("rename_full", h::rename_full), flag("unit_busy", h::unit_busy), flag("serialize", h::serialize),
        flag("branch_abort", h::branch_abort), flag("segment_load", h::segment_load),
        flag("reorder_buffer_full", h::reorder_buffer_full), flag("reservation_full", h::reservation_full),
        flag("fp_full", h::fp_full), flag("load_store_full", h::load_store_full), flag("all_quiet", h::all_quiet),
        flag("far_or_resync", h::far_or_resync)}},
      {"decoder_empty", {flag("on", 1)}},
      {"fetch_stall", {flag("on", 1)}},
      {"l2_fill_wait"},
      {"psr"},
      {"dcr"},
      {"back_end",
       {choice("stage", 15, "issuing flush l1d_fpu execute register_stack front_end"), number("cause", 0xff00)}},
      {"front_end", missing_bundles()},
      {"buffer_exit", missing_bundles()},
      {"fetch_buffers",
       {flag("full", f::full), flag("almost_full", f::almost_full), flag("prefetch_held", f::prefetch_held),
        flag("prefetch_flow", f::prefetch_flow)}},
      {"l2_queue",
       {flag("full", l::full), flag("data_full", l::data_full), flag("victims_full", l::victims_full),
        flag("fills_full", l::fills_full), flag("has_acquire", l::has_acquire), flag("has_release", l::has_release)}},
      {"bus_queues",
       {number("memory_reads", eight << q::memory_reads_shift), number("in_order", eight << q::in_order_shift),
        number("deferred", eight << q::deferred_shift), number("requests", eight << q::requests_shift),
        number("snoops", eight << q::snoops_shift)}},
      {"bus_clocks",
       {flag("data", c::data), flag("snoop_stall_self", c::snoop_stall_self),
        flag("snoop_stall_other", c::snoop_stall_other), flag("back_to_back", c::back_to_back),
        choice("data_agent", std::uint64_t{3} << c::data_agent_shift, agents),
        choice("stall_agent", std::uint64_t{3} << c::stall_agent_shift, agents)}},
      {"pins"},
      {"background_cpl", {number("level", 3)}},
      {"background_psr"},
      {"switching",
       {flag("due", s::due), flag("request_buffer", s::request_buffer), flag("l2d_return", s::l2d_return),
        flag("disabled", s::disabled), flag("gated", s::gated)}},
      {"request_reject", {flag("instruction", r::instruction), flag("data", r::data)}},
      {"interface_self", interface_entries()},
      {"interface_both", interface_entries()},
      {"pal_mode", {flag("on", 1)}},
      {"ipl", {number("level", 7)}},
      {"process_marked", {flag("on", 1)}},
      {"idle_thread", {flag("on", 1)}},
      {"issue_stall",
       {choice("cause", 15,
               "issuing no_instructions registers unit_busy load_miss write_buffer after_jump memory_barrier "
               "trap")}},
  };
  return rows;
}

std::vector<Name> names_of(const std::vector<Row>& rows, std::string_view target) {
  std::vector<Name> names;
  for (const Row& row : rows) {
    Name& name = names.emplace_back(Name{row.name, {}});
    for (const Entry& entry : row.entries) {
      if ((entry.families & static_cast<unsigned>(family_of(target))) != 0) name.fields.push_back(entry.field);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> names_in(const char* text) {
  std::istringstream names(text);
  return {std::istream_iterator<std::string>(names), {}};
}

Family family_of(std::string_view target) {
  if (target.starts_with("alpha")) return Family::digital;
  if (target.starts_with("ppc")) return Family::ppc;
  return target == "itanium2" || target == "montecito" ? Family::itanium : Family::x86;
}

std::vector<Name> signal_names(std::string_view target) { return names_of(signal_rows(), target); }
std::vector<Name> state_names(std::string_view target) { return names_of(state_rows(), target); }

std::string words(const Fields& fields, std::uint64_t value) {
  if (fields.empty()) return value == 0 ? "" : fmt::format("{:#x}", value);
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  for (const Field& field : fields) {
    const std::uint64_t part = (value & field.mask) >> std::countr_zero(field.mask);
    value &= ~field.mask;
    if (part < field.values.size())
      add(field.name + '=' + field.values[part]);
    else if (!field.values.empty() || std::popcount(field.mask) > 1)
      add(fmt::format("{}={}", field.name, part));
    else if (part != 0)
      add(field.name);
  }
  if (value != 0) add(fmt::format("{:#x}", value));
  return text;
}

}  // namespace pmusim::activity
