// Shared parts of the plans of IA-64 processors: levels, code and data ranges, opcodes, tag channels, and the captures
// of the address registers and the branch buffer.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {

/// Sources of the relations among counts of IA-64 processors.
inline constexpr std::string_view event_table = "libpfm's event table", caliper = "HP Caliper's user guide",
                                  one_reason = "libpfm's event table: a cycle has one reason",
                                  unconfirmed = "the meaning that the target's page gives the events, unconfirmed";

}  // namespace pmusim::testbench

namespace pmusim::testbench::ia64 {

using oracle::Request;
using Rows = std::vector<Request>;
namespace asked = oracle::ia64;

/// The differences between the processors of the family.
struct Processor {
  std::string_view target;
  std::uint64_t fine_page;                               ///< bytes of the page that must contain a fine range
  std::uint64_t fine_granule;                            ///< granule in bytes to which its ends are rounded
  std::uint64_t uncompared;                              ///< bits of a syllable that matchers do not compare
  std::uint64_t (*opcode_bits)(std::uint64_t syllable);  ///< in the order of oracle::ia64::OpcodeMatch
  bool has_ia32;                                         ///< executes IA-32 code: monitors have an instruction set mask
  bool has_prediction_details;                           ///< predictions in the branch buffer
  bool names_fetches;                                    ///< the fetches that use a code range are named to the encoder
  bool has_threads;                                      ///< two hardware threads: counters of one or of both
  bool traces_addresses;                                 ///< the branch buffer can capture the addresses of bundles
  std::string_view branch_event;
  std::vector<std::string> encoder::QualifierTexts::*branch_texts;  ///< the encoder's texts with the branch buffer's
                                                                    ///< filter
  std::string_view first_channel_row;                               ///< of IA64_TAGGED_INST_RETIRED
};

/// Traces and parameters under which those rows occur that do not by default.
[[nodiscard]] const std::vector<TraceVariant>& variants();
/// The relations that hold for all these processors.
[[nodiscard]] std::span<const Identity> identities();
/// The facts about the events of all these processors.
[[nodiscard]] std::span<const EventFacts> events();
/// Counts the events that follow from the instructions of a trace.
[[nodiscard]] std::unique_ptr<LineCounter> make_line_counter(std::string_view target);
/// Facts of the processor that do not depend on its plan.
[[nodiscard]] JudgingFacts common_facts(const Processor& processor, const RingLayout& ring);

// --- rows -------------------------------------------------------------------------------------------------------

[[nodiscard]] bool is_data_ear(const Request& row);
[[nodiscard]] bool is_fetch_ear(const Request& row);
/// Rows that configure a unit shared by the whole PMU: two rows with different configurations cannot share a run.
[[nodiscard]] bool is_capture(const Processor& processor, const Request& row);

/// The filters that restrict a row.
[[nodiscard]] Filters filters_of(const Processor& processor, const Request& row);

template <class Condition>
Rows select(const Rows& rows, Condition condition) {
  Rows chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), condition);
  return chosen;
}
/// The rows with these names.
[[nodiscard]] Rows named(const Rows& rows, const std::set<std::string>& names);

// --- filters ----------------------------------------------------------------------------------------------------

/// Filters of a run. Registers can cover all ranges exactly, or, in fine mode, the covered pairs of bundles are known.
enum Filter : unsigned {
  none,
  fine,        ///< two pairs of bundles
  fine_odd,    ///< ... beginning and ending within a pair
  fine_twice,  ///< the same range for both kinds of fetches
  fine_again,  ///< the same range in channels 0 and 1
  fine_inverse,
  fine_demand,    ///< for demand fetches only
  fine_prefetch,  ///< for prefetches only
  coarse,         ///< a block by mask
  coarse_inverse,
  large,        ///< a block larger than a page
  other_level,  ///< the range holds at level 0 only
  load_kind,    ///< the major opcode of the first load, in M slots
  load_itself,  ///< all bits that can be compared
  m_slots,
  i_slots,
  f_slots,
  b_slots,
  data_block,
  data_two_pairs,  ///< a range that needs two register pairs
  data_two_ranges,
  code_and_opcode,
  code_and_data,
  code_and_two_pairs,
  opcode_and_data,
  everything,
  channels_coarse,  ///< one range per channel
  channels_fine,    ///< one for channels 0 and 2, one for 1 and 3
  channels_opcode,  ///< a matcher for channels 0 and 2, one for 1 and 3
  as_asked,         ///< the filters of the group itself: its addresses do not depend on landmarks
};
/// A matcher of instructions in slots of these types, of "mifb".
[[nodiscard]] asked::OpcodeMatch opcode_match(const Processor& processor, std::uint64_t match, std::uint64_t ignored,
                                              std::string_view slots);
/// Fills in the group's filter, the oracle's qualifiers, and the data breakpoints for events that compare with them.
void complete(const Processor& processor, Group& group, const Landmarks& landmarks);

// --- groups -----------------------------------------------------------------------------------------------------

/// The settings shared by all checks of a group.
struct Setting {
  std::vector<Attribute> attributes = {};
  unsigned levels = 9;
  Filter filter = none;
  bool all_threads = false;
};
[[nodiscard]] Setting at_levels(const Levels& levels);
[[nodiscard]] inline Setting filtered(Filter filter) { return {.filter = filter}; }

/// On long traces one capture in this many is read.
inline constexpr std::uint64_t sampled_period = 997;

/// Makes the groups of a plan for a trace.
class Planner {
 public:
  Planner(const Processor& processor, const Landmarks& landmarks, std::vector<Group>& groups)
      : processor_(processor), landmarks_(landmarks), groups_(groups) {}

  /// Adds the groups that every short trace gets on all these processors besides the sets: the filters, the
  /// channels, and all captures.
  void add_short(const Rows& rows);
  /// Adds all rows, in as few runs as fit the counters and the units.
  void add_all(const Rows& rows, const Setting& setting);
  /// Adds the rows under each filter that they honour; with `every`, under one filter in that many, of which the trace
  /// chooses the first.
  void add_filters(const Rows& rows, unsigned every = 1);
  /// Adds events that ignore a part of the qualification, with that part programmed.
  void add_ignored_filters(const Rows& rows);
  void add_channels(const Rows& rows);
  /// Adds the groups of long traces: some rows under some filters, the channels, and every `period`-th capture of some
  /// rows. Each filter's turn comes on some traces.
  void add_sampled(const Rows& rows, std::uint64_t period);
  void add_sampled_captures(const Rows& rows, std::uint64_t period);
  /// Adds every row of an address register, with each sample read, and every filter of the branch buffer.
  void add_captures(const Rows& rows);
  void add_ear_captures(const Rows& rows, std::uint64_t period, const Setting& setting = {});
  /// Adds a run of the branch buffer. `fields`: tm, ptm, ppm, brt, ds in a user's terms, which are also the register's
  /// values.
  void add_branch_capture(const Rows& rows, std::uint64_t period, const std::array<unsigned, 5>& fields);
  /// Adds the rows without a unit, in as few runs as fit the counters.
  void deal(const Rows& rows, const Setting& setting);
  [[nodiscard]] Group group_of(const Rows& rows, const Setting& setting) const;

 private:
  void deal_captures(const Rows& rows, const Setting& setting);
  [[nodiscard]] Check check_of(const Request& row, const Setting& setting) const;

  const Processor& processor_;
  const Landmarks& landmarks_;
  std::vector<Group>& groups_;
};

/// The same, including the functions of a plan that depend only on the processor.
template <const Processor& processor>
[[nodiscard]] JudgingFacts common_facts(const RingLayout& ring) {
  JudgingFacts facts = common_facts(processor, ring);
  facts.sets = [](const std::string&, const Rows& rows, const Landmarks& landmarks, const Levels& levels) {
    std::vector<Group> groups;
    Planner(processor, landmarks, groups).add_all(rows, at_levels(levels));
    return groups;
  };
  facts.complete = [](Group& group, const Landmarks& landmarks) { complete(processor, group, landmarks); };
  return facts;
}

// --- questions without a right answer under some parameters --------------------------------------------------------

/// Whether code or opcodes restrict a memory event.
[[nodiscard]] bool memory_is_tagged_by_code(const Processor& processor, const Check& check);
/// Whether a data range of a memory event needs more than one pair of registers: it is not one aligned block of a power
/// of two.
[[nodiscard]] bool data_take_several_pairs(const Processor& processor, const Check& check);

template <const Processor& processor>
inline constexpr BrokenPromise memory_tag_of_pmc13{
    "pmu.memory_tag", 1, [](const Group&, const Check& check) { return memory_is_tagged_by_code(processor, check); },
    "code ranges and opcodes do not restrict memory events"};
template <const Processor& processor>
inline constexpr BrokenPromise all_data_channels{
    "pmu.data_channels", 1, [](const Group&, const Check& check) { return data_take_several_pairs(processor, check); },
    "no address passes a data range that takes two pairs of registers"};

}  // namespace pmusim::testbench::ia64
