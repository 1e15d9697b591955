// Where the reference of an occurrence leads: into the instructions or the requests of its block (signals.h).
#pragma once

#include "models/activity/activity.h"

namespace pmusim::activity {

/// Whether `ref` of this signal's occurrences names a request. Otherwise it names an instruction, or nothing.
[[nodiscard]] constexpr bool refers_to_request(Signal signal) {
  switch (signal) {
    case Signal::fetch:
    case Signal::translation:
    case Signal::dcache_lookup:
    case Signal::load_return:
    case Signal::code_store:
    case Signal::line_request:
    case Signal::line_fill:
    case Signal::line_evict:
    case Signal::l2_lookup:
    case Signal::l2_array:
    case Signal::bus_request:
    case Signal::snoop:
    case Signal::ecc_correction:
    case Signal::cross_invalidate:
    case Signal::bundle_pair_in:
    case Signal::fetch_return:
    case Signal::request_kill:
    case Signal::prefetch_lost:
    case Signal::tlb_insert:
    case Signal::walk_read:
    case Signal::data_reference:
    case Signal::access_retire:
    case Signal::l2_reference:
    case Signal::queue_issue:
    case Signal::queue_cancel:
    case Signal::fetch_cancel:
    case Signal::force_recirculate:
    case Signal::recirculate_try:
    case Signal::recirculate_done:
    case Signal::bypass:
    case Signal::l2_probe:
    case Signal::l2_valid_victim:
    case Signal::l2_store_shared:
    case Signal::l3_lookup:
    case Signal::l3_cancel:
    case Signal::bus_transaction:
    case Signal::bus_queue_insert:
    case Signal::bus_snoop:
    case Signal::l2i_lookup:
    case Signal::l2i_retry:
    case Signal::l2i_evict:
    case Signal::l2i_abort:
    case Signal::l2_fill:
    case Signal::l3_insert:
    case Signal::interface_insert:
    case Signal::load_merged:
    case Signal::read_miss:
    case Signal::bcache_fill:
      return true;
    default:
      return false;
  }
}

}  // namespace pmusim::activity
