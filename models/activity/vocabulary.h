// The names of signals and states, and the fields of their details and values. A file of activity contains them, so
// that it can be read after numbers here have changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity/signals.h"

namespace pmusim::activity {

/// Adjacent bits of a number with one meaning.
struct Field {
  std::string name;        ///< its name in files and in `activity dump`
  std::uint64_t mask = 0;  ///< the bits, without gaps
  /// Names of the values 0, 1, 2, ...; if empty, the field is a number, or a flag if it has one bit.
  std::vector<std::string> values = {};
  friend bool operator==(const Field&, const Field&) = default;
};
/// Fields of one number do not overlap. Without fields it is a plain number.
using Fields = std::vector<Field>;

/// A signal or a state by its name.
struct Name {
  std::string name;  ///< the identifier of signals.h
  Fields fields;     ///< of a signal's detail, or of a state's value
  friend bool operator==(const Name&, const Name&) = default;
};

/// Processor families whose cores report the same things in the same bits, one bit each.
enum class Family : unsigned { x86 = 1, ppc = 2, itanium = 4, digital = 8 };
/// The family of a target; an unknown target counts as an x86.
[[nodiscard]] Family family_of(std::string_view target);

/// Of the activity of one target: bits mean different things in different families. In the order of Signal and State.
[[nodiscard]] std::vector<Name> signal_names(std::string_view target);
/// The same of states, in the order of State.
[[nodiscard]] std::vector<Name> state_names(std::string_view target);

/// "data_side miss state=owned"; bits without a field are a hexadecimal number. Empty for 0 without a name.
[[nodiscard]] std::string words(const Fields& fields, std::uint64_t value);

// Where the reference of an occurrence leads: into the instructions or the requests of its block (signals.h).

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
