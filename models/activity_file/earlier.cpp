#include "models/activity_file/earlier.h"

#include <algorithm>
#include <iterator>

#include "models/activity/ia64.h"
#include "models/activity/signals.h"

namespace pmusim::activity_file {
namespace {

namespace d = activity::detail;
namespace qc = activity::ia64::queue_cancel;
namespace fc = activity::ia64::fetch_cancel;
namespace rd = activity::ia64::recirculate;
using activity::L2Requester;
using activity::ia64::FetchCancel;
using activity::ia64::L3Cancel;
using activity::ia64::line_phase;
using activity::ia64::LinePhase;
using activity::ia64::queue_stage;
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;

constexpr std::uint16_t detail(auto value, unsigned bits = 0) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(value) | bits);
}

// Version 1.0.0 recorded one value for each unit mask of an event. The values of one signal are adjacent.
// clang-format off
constexpr EarlierValue values[] = {
    {"fetch_cancel", "cause", "bypass", detail(FetchCancel::data, fc::first)},
    {"fetch_cancel", "cause", "did_not_recirculate", detail(FetchCancel::still_missing)},
    {"fetch_cancel", "cause", "recirculate_oversubscribed", detail(FetchCancel::recirculating)},
    {"fetch_cancel", "cause", "store_fill_write_back", detail(FetchCancel::fill_or_write_back)},
    {"fetch_cancel", "cause", "data_read", detail(FetchCancel::data)},
    {"fetch_cancel", "cause", "preempted", detail(FetchCancel::data, 3u << fc::after_data_shift)},
    {"fetch_cancel", "cause", "changed_priority", detail(FetchCancel::snoop)},
    {"fetch_cancel", "cause", "fetch_bypass", detail(FetchCancel::data, fc::first | fc::prefetch)},
    {"force_recirculate", "cause", "self_modifying_hit", detail(Recirculate::self_modifying)},
    {"force_recirculate", "cause", "l1_write", detail(Recirculate::l1d_line_written)},
    {"force_recirculate", "cause", "tag_not_ok", detail(Recirculate::tags_written)},
    {"force_recirculate", "cause", "transaction_prefetch", detail(Recirculate::line_under_way, rd::prefetch)},
    {"force_recirculate", "cause", "snoop_or_l3", detail(Recirculate::snoop)},
    {"force_recirculate", "cause", "victim_pending", detail(Recirculate::write_back)},
    {"force_recirculate", "cause", "fill_hit", detail(Recirculate::line_under_way, line_phase(LinePhase::arrives))},
    {"force_recirculate", "cause", "prefetch_miss", detail(Recirculate::line_under_way, rd::for_code_prefetch)},
    {"force_recirculate", "cause", "victim_buffer_full", detail(Recirculate::no_victim_buffer)},
    {"force_recirculate", "cause", "queue_miss", detail(Recirculate::miss)},
    {"force_recirculate", "cause", "same_index", detail(Recirculate::set_under_way)},
    {"force_recirculate", "cause", "forced", detail(Recirculate::no_fill_buffer)},
    {"force_recirculate", "cause", "limbo", detail(Recirculate::line_under_way, line_phase(LinePhase::requested))},
    {"force_recirculate", "cause", "tag_ok", detail(Recirculate::line_under_way, line_phase(LinePhase::in_tags))},
    {"force_recirculate", "cause", "secondary_read", detail(Recirculate::line_under_way, line_phase(LinePhase::accepted))},
    {"force_recirculate", "cause", "secondary_write", detail(Recirculate::line_under_way, line_phase(LinePhase::accepted) | rd::store)},
    {"l2_array", "operation", "tag_read", detail(L2Requester::load)},
    {"l2_array", "operation", "tag_write", detail(L2Requester::load, d::l2_array_write)},
    {"l2_array", "operation", "instruction_read", detail(L2Requester::fetch, d::l2_array_data)},
    {"l2_array", "operation", "load_read", detail(L2Requester::load, d::l2_array_data)},
    {"l2_array", "operation", "store_read", detail(L2Requester::store, d::l2_array_data)},
    {"l2_array", "operation", "system_write", detail(L2Requester::system, d::l2_array_data | d::l2_array_write)},
    {"l2_array", "operation", "data_cache_write", detail(L2Requester::data_cache, d::l2_array_data | d::l2_array_write)},
    {"l2_array", "operation", "self_write", detail(L2Requester::l2, d::l2_array_data | d::l2_array_write)},
    {"l3_cancel", "reason", "speculative_bypass", detail(L3Cancel::l2_hit)},
    {"l3_cancel", "reason", "fill_data_full", detail(L3Cancel::no_fill_buffer)},
    {"l3_cancel", "reason", "uncacheable_blocked", detail(L3Cancel::uncacheable_in_flight)},
    {"l3_cancel", "reason", "invalid_bypass", detail(L3Cancel::l3_busy)},
    {"l3_cancel", "reason", "bus_reject", detail(L3Cancel::bus_queue_full)},
    {"l3_cancel", "reason", "other", detail(L3Cancel::l3_busy, activity::ia64::l3_cancel_during_write_back)},
    {"l3_cancel", "reason", "fill_without_snoop", detail(L3Cancel::fill)},
    {"l3_cancel", "reason", "tail_disabled", detail(L3Cancel::write_back)},
    {"queue_cancel", "cause", "late_speculative_bypass", detail(QueueCancel::missed_bypass)},
    {"queue_cancel", "cause", "late_release", detail(QueueCancel::release, qc::first)},
    {"queue_cancel", "cause", "late_acquire", detail(QueueCancel::acquire, qc::first | qc::adjacent)},
    {"queue_cancel", "cause", "late_bypass_effective_release", detail(QueueCancel::bypass_of_release)},
    {"queue_cancel", "cause", "bank_conflict", detail(QueueCancel::bank)},
    {"queue_cancel", "cause", "l2d_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2d))},
    {"queue_cancel", "cause", "walker_or_fetch_conflict", detail(QueueCancel::fetch, qc::walker)},
    {"queue_cancel", "cause", "l2m_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2m))},
    {"queue_cancel", "cause", "l1_fill_conflict", detail(QueueCancel::fill)},
    {"queue_cancel", "cause", "store_fill_conflict", detail(QueueCancel::fill, qc::store | qc::same_set)},
    {"queue_cancel", "cause", "ccv", detail(QueueCancel::compare_value)},
    {"queue_cancel", "cause", "l2m_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2m))},
    {"queue_cancel", "cause", "fence_acceptance", detail(QueueCancel::fence)},
    {"queue_cancel", "cause", "l2a_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2a))},
    {"queue_cancel", "cause", "l1d_fill_l2m", detail(QueueCancel::l1d_fill)},
    {"queue_cancel", "cause", "ecc", detail(QueueCancel::l2_error)},
    {"queue_cancel", "cause", "recirculate_oversubscribed", detail(QueueCancel::recirculating)},
    {"queue_cancel", "cause", "l2c_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2c))},
    {"queue_cancel", "cause", "l2c_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2c))},
    {"queue_cancel", "cause", "scrub", detail(QueueCancel::system_error)},
    {"queue_cancel", "cause", "read_write_back_conflict", detail(QueueCancel::write_back_read)},
    {"queue_cancel", "cause", "data_conflict", detail(QueueCancel::return_port)},
    {"queue_cancel", "cause", "l2_fill_store_conflict", detail(QueueCancel::fill, qc::store)},
    {"queue_cancel", "cause", "did_not_recirculate", detail(QueueCancel::still_missing)},
    {"queue_cancel", "cause", "weird", detail(QueueCancel::uncacheable)},
    {"queue_cancel", "cause", "oversubscribed", detail(QueueCancel::no_attempt_left)},
    {"queue_cancel", "cause", "l2d_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2d))},
    {"queue_cancel", "cause", "data_or_fetch", detail(QueueCancel::fetch)},
    {"queue_cancel", "cause", "preempted", detail(QueueCancel::recirculating, qc::first)},
    {"queue_cancel", "cause", "other_order", detail(QueueCancel::sync)},
    {"queue_cancel", "cause", "l2m_to_l2c_store", detail(QueueCancel::store_order)},
};
// clang-format on

}  // namespace

std::span<const EarlierValue> earlier_values(std::string_view signal) {
  const auto of_signal = [&](const EarlierValue& value) { return value.signal == signal; };
  const auto first = std::find_if(std::begin(values), std::end(values), of_signal);
  return {first, std::find_if_not(first, std::end(values), of_signal)};
}

}  // namespace pmusim::activity_file
