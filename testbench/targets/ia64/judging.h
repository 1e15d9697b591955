// What the plans of the IA-64 processors have in common: levels, thresholds, code and data ranges, opcodes, tag
// channels, and what the address registers and the branch buffer take in.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/validate/judging_facts.h"

namespace pmusim::testbench {

/// Sources of what IA-64 processors' counts have to do with each other.
inline constexpr std::string_view event_table = "libpfm's event table", caliper = "HP Caliper's user guide",
                                  one_reason = "libpfm's event table: a cycle has one reason";

}  // namespace pmusim::testbench

namespace pmusim::testbench::ia64 {

using oracle::Request;
using Rows = std::vector<Request>;
namespace asked = oracle::ia64;

/// In what the processors of the family differ.
struct Processor {
  std::string_view target;
  std::uint64_t fine_page;                               ///< bytes in which a fine range has to lie
  std::uint64_t fine_granule;                            ///< bytes that its ends are rounded to
  std::uint64_t uncompared;                              ///< bits of a syllable that matchers do not compare
  std::uint64_t (*opcode_bits)(std::uint64_t syllable);  ///< in the order of oracle::ia64::OpcodeMatch
  bool has_ia32;                                         ///< executes IA-32 code: monitors have an instruction set mask
  bool has_prediction_details;                           ///< in the branch buffer
  bool names_fetches;                                    ///< an encoder is told which fetches a code range is for
  bool has_threads;                                      ///< two of them: counters of one or of both
  bool traces_addresses;                                 ///< the branch buffer can take in the addresses of bundles
  std::string_view branch_event;
  std::vector<std::string> encoder::QualifierTexts::*branch_texts;  ///< where the branch buffer's filter is told
  std::string_view first_channel_row;                               ///< of IA64_TAGGED_INST_RETIRED
  bool (*needs_line_states)(const Request& row);                    ///< an event string has to say them
  std::set<std::string_view> prefetch_rows;                         ///< that the second code range serves
};

/// Rows that no trace makes happen under the default parameters.
[[nodiscard]] bool holds(std::string_view row);
/// Traces and parameters under which they happen all the same.
[[nodiscard]] const std::vector<TraceVariant>& variants();
/// The relations that hold for all these processors.
[[nodiscard]] std::span<const Identity> identities();
/// Rows of all these processors that the instructions of a trace tell, and what reads them.
[[nodiscard]] RowNames told_rows();
[[nodiscard]] std::unique_ptr<Teller> make_teller();
/// Facts of the processor that do not depend on its plan; `identities` and `told` are its own.
[[nodiscard]] JudgingFacts common_facts(const Processor& processor, const CaptureLayout& captures,
                                        std::span<const Identity> identities, RowNames told);
/// PMDn, PMDn+1, ...
[[nodiscard]] std::vector<std::string> numbered_pmds(unsigned first, unsigned count);

// --- rows -------------------------------------------------------------------------------------------------------

[[nodiscard]] bool is_data_ear(const Request& row);
[[nodiscard]] bool is_fetch_ear(const Request& row);
/// Rows that set up a unit of the whole PMU: two that want it differently cannot share a run.
[[nodiscard]] bool is_capture(const Processor& processor, const Request& row);

struct Honours {
  bool code, opcode, data;
};
[[nodiscard]] Honours honours_of(const Processor& processor, const Request& row);

template <class Condition>
Rows select(const Rows& rows, Condition condition) {
  Rows chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), condition);
  return chosen;
}
/// The rows with these names.
[[nodiscard]] Rows named(const Rows& rows, const std::set<std::string>& names);

// --- filters ----------------------------------------------------------------------------------------------------

/// Filters of a run. All ranges are such that registers can cover them exactly, or, in fine mode, such that it is known
/// that pairs of bundles are covered.
enum Filter : unsigned {
  none,
  fine,        ///< two pairs of bundles
  fine_odd,    ///< ... that begins and ends within a pair
  fine_twice,  ///< the same for both kinds of fetches
  fine_inverse,
  fine_demand,    ///< for demand fetches only
  fine_prefetch,  ///< for prefetches only
  coarse,         ///< a block by mask
  coarse_inverse,
  large,        ///< a block beyond a page
  other_level,  ///< the range holds at level 0 only
  load_kind,    ///< the major opcode of the first load, in M slots
  load_itself,  ///< all bits that can be compared
  m_slots,
  i_slots,
  f_slots,
  b_slots,
  data_block,
  data_two_pairs,  ///< a range that takes two pairs
  data_two_ranges,
  code_and_opcode,
  code_and_data,
  code_and_two_pairs,
  opcode_and_data,
  everything,
  channels_coarse,  ///< a range for each channel
  channels_fine,    ///< one for channels 0 and 2, one for 1 and 3
  channels_opcode,  ///< a matcher for channels 0 and 2, one for 1 and 3
  as_asked,         ///< what the group has: addresses of its own, whatever the landmarks
};
/// Fills in the group's filter, what its checks ask of the oracle, and breakpoints where its events compare with some.
void complete(const Processor& processor, Group& group, const Landmarks& landmarks);

// --- groups -----------------------------------------------------------------------------------------------------

/// What all checks of a group have in common.
struct Setting {
  std::vector<Attribute> attributes = {};
  unsigned levels = 9;
  std::uint32_t threshold = 0;
  bool privileged = false;
  asked::InstructionSet instruction_set = asked::InstructionSet::both;
  Filter filter = none;
  bool all_threads = false;
  asked::LineStates line_states = {};
};
[[nodiscard]] Setting at_levels(const Levels& levels);
[[nodiscard]] Setting at_levels(unsigned mask);
[[nodiscard]] inline Setting filtered(Filter filter) { return {.filter = filter}; }

/// Of long traces one capture in this many is read.
inline constexpr std::uint64_t sampled_period = 997;

/// Makes the groups of a plan for a trace.
class Matrix {
 public:
  Matrix(const Processor& processor, const Landmarks& landmarks, std::vector<Group>& groups)
      : processor_(processor), landmarks_(landmarks), groups_(groups) {}

  /// What every short trace gets on all these processors.
  void add_common(const Rows& rows);
  /// Each row that is no unit's, alone.
  void add_alone(const Rows& rows);
  /// All rows, in as few runs as fit the counters and the units.
  void add_all(const Rows& rows, const Setting& setting);
  void add_levels(const Rows& rows);
  void add_modes(const Rows& rows);
  void add_thresholds(const Rows& rows);
  void add_filters(const Rows& rows);
  /// Events that ignore a part of the qualification, where that part is programmed.
  void add_ignored_filters(const Rows& rows);
  void add_channels(const Rows& rows);
  /// What long traces get: some rows under every filter, the channels, and every `period`-th capture of some.
  void add_sampled(const Rows& rows, std::uint64_t period);
  /// Every row of an address register, each sample read; every filter of the branch buffer.
  void add_captures(const Rows& rows);
  void add_ear_captures(const Rows& rows, std::uint64_t period, const Setting& setting = {});
  /// The branch buffer: tm, ptm, ppm, brt, ds as a user names them, which are also the register's values.
  void add_branch_capture(const Rows& rows, std::uint64_t period, const std::array<unsigned, 5>& fields);
  /// The rows, no unit's, in as few runs as fit the counters.
  void deal(const Rows& rows, const Setting& setting);
  [[nodiscard]] Group group_of(const Rows& rows, const Setting& setting) const;

 private:
  void deal_captures(const Rows& rows, const Setting& setting);
  [[nodiscard]] Check check_of(const Request& row, const Setting& setting) const;

  const Processor& processor_;
  const Landmarks& landmarks_;
  std::vector<Group>& groups_;
};

/// The same, with the functions of a plan that depend on the processor alone.
template <const Processor& processor>
[[nodiscard]] JudgingFacts common_facts(const CaptureLayout& captures, std::span<const Identity> identities,
                                        RowNames told) {
  JudgingFacts facts = common_facts(processor, captures, identities, told);
  facts.sets = [](const std::string&, const Rows& rows, const Landmarks& landmarks, const Levels& levels) {
    std::vector<Group> groups;
    Matrix(processor, landmarks, groups).add_all(rows, at_levels(levels));
    return groups;
  };
  facts.complete = [](Group& group, const Landmarks& landmarks) { complete(processor, group, landmarks); };
  return facts;
}

}  // namespace pmusim::testbench::ia64
