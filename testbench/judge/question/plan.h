// The checks on a trace: every event without modifiers, in sets that use all counters, and the captures and interrupts.
// The questions have the modifiers. A plan is made from the oracle's names and from the vocabulary of event strings.
// The encoder that is judged supplies the registers later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pmusim/encoder/qualifiers.h"
#include "testbench/oracle/oracle.h"
#include "testbench/store/input_file.h"

namespace pmusim::testbench {

/// Extent of a plan: on short traces users and kernel are also counted apart, and every capture is judged.
enum class Depth { basic, full };

/// One attribute of an event string: a flag (`u`, `e`, `marked`) has value 1.
using Attribute = std::pair<std::string, std::uint32_t>;

/// One event on one counter.
struct Check {
  oracle::Request request;
  std::vector<Attribute> attributes;
  bool holds =
      false;  ///< counts nothing by definition, or under the default parameters: the counter must keep its start value
  std::string raw;  ///< names the selection instead of event and attributes, for selections without a name
  [[nodiscard]] std::string text() const;  ///< the event string of the request
};

/// A register that the request needs in addition to those that an encoder programs: a breakpoint address.
struct ExtraWrite {
  std::string reg;  ///< the manual's name
  std::uint64_t value = 0;
};

/// Judges the captures of a unit instead of the count of a counter. The only check of the group names the event that
/// counts the captures. Every `period`-th capture freezes the unit, and a handler reads it.
struct Captures {
  enum class Unit : std::uint8_t { data_ear, fetch_ear, branch_buffer, ip_ear };
  Unit unit = Unit::data_ear;
  std::uint64_t period = 1;
  bool prediction = false;  ///< the branch buffer records predictions in place of targets
};

/// Alpha: the interrupts of the only check are judged, one per period of events.
struct Sampled {
  enum class By : std::uint8_t {
    hardware,   ///< the counter has the period
    presets,    ///< the handler writes the counter's next start value
    profile_me  ///< 21264A: the check is a statistic of profiled instructions, one chosen per period of fetched
                ///< instructions
  };
  By by = By::hardware;
  std::uint64_t period = 1;
  /// Events between the cycles that the oracle records. A late handler finds a counter that may have wrapped, and
  /// computes the next start value from the counter; both the period and the counter's value are multiples of this.
  [[nodiscard]] std::uint64_t grain() const { return by == By::presets ? period & (0 - period) : period; }
};

/// Events that are programmed together.
struct Group {
  std::vector<Check> checks;
  std::vector<unsigned> unavailable_counters = {};  ///< forces an event onto one counter
  std::vector<ExtraWrite> extra = {};
  encoder::QualifierTexts filters = {};  ///< Itanium: filters and capture units of the whole run
  /// Number of the family's filter that depends on landmarks: number and landmarks determine `filters`.
  unsigned filter = 0;
  std::optional<Captures> captures = {};
  std::optional<Sampled> sampled = {};
  bool sampling = false;     ///< the request to the encoder enables overflow interrupts, whether or not the check uses
                             ///< them
  std::uint64_t period = 0;  ///< events until the overflow, for which start values are requested; 0: none are requested
  unsigned thread = 0;       ///< the thread whose registers are programmed, on a core of several threads
  bool whole = false;        ///< the filters need every check: `--only` keeps all or none of them
  std::string asked = {};    ///< the question that was asked, where a policy of the tool changed the group
  /// True if the encoder must enable interrupts.
  [[nodiscard]] bool samples() const { return captures || sampled || sampling; }
  [[nodiscard]] std::string question() const;
};
/// True if `known` contains all events of the group. Null stands for all events.
[[nodiscard]] bool knows_all(const std::set<std::string>* known, const Group& group);
/// A list of filters: its name in requests and on the command line, and the member of QualifierTexts.
struct FilterList {
  std::string_view name;
  std::vector<std::string> encoder::QualifierTexts::*texts;
};
inline constexpr std::array filter_lists{
    FilterList{"irange", &encoder::QualifierTexts::irange}, FilterList{"drange", &encoder::QualifierTexts::drange},
    FilterList{"opcode", &encoder::QualifierTexts::opcode}, FilterList{"ear", &encoder::QualifierTexts::ear},
    FilterList{"btb", &encoder::QualifierTexts::btb},       FilterList{"etb", &encoder::QualifierTexts::etb},
    FilterList{"ipear", &encoder::QualifierTexts::ipear},   FilterList{"fetch", &encoder::QualifierTexts::fetch}};
/// The filters of a group as options of the command line; empty without filters.
[[nodiscard]] std::string words_of(const encoder::QualifierTexts& filters);

/// Addresses in a trace at which breakpoints and ranges can be set.
struct Landmarks {
  std::uint64_t instruction = 0;  ///< the first target of a taken branch
  std::uint64_t load = 0;
  std::uint64_t store = 0;
  std::uint32_t load_size = 1;
  std::uint32_t store_size = 1;
  // IA-64: from the first lines of the trace
  std::uint64_t hot_code = 0;       ///< the most frequently executed 64 bytes begin here
  std::uint64_t hot_data = 0;       ///< ... the most frequently accessed
  std::uint64_t load_syllable = 0;  ///< encoding of the first load, 41 bits
  friend bool operator==(const Landmarks&, const Landmarks&) = default;
  /// A number in which traces differ: a plan of part of the filters begins with another one on each trace.
  [[nodiscard]] std::uint64_t turn() const { return hot_code / 64 + hot_data / 64 + load_syllable; }
};
/// A long trace has one filter in this many: what a filter restricts does not depend on the program.
inline constexpr unsigned turns_on_long = 4;
[[nodiscard]] Landmarks find_landmarks(const InputFile& trace);
/// The same for an activity file.
[[nodiscard]] Landmarks find_landmarks_of_activity(const InputFile& file);

/// The groups to judge on a trace, always in the same order. `only` has patterns (see only.h) for the checks to keep,
/// matched against their text without the target prefix.
[[nodiscard]] std::vector<Group> make_plan(const std::string& target, Depth depth, const Landmarks& landmarks,
                                           const std::string& only = {});

/// The groups to judge when two traces run together, one on each thread. `thread` is the thread whose registers are
/// programmed.
[[nodiscard]] std::vector<Group> make_pair_plan(const std::string& target, Depth depth, unsigned thread,
                                                const Landmarks& landmarks, const std::string& only = {});

/// Sets the breakpoints of a group at other landmarks.
void move_to(const std::string& target, const Landmarks& landmarks, Group& group);

/// The rows of the oracle's table as plain requests: events with each of their unit masks.
[[nodiscard]] std::vector<oracle::Request> oracle_rows(std::string_view target);
/// `EVENT` or `EVENT:UMASK`: the table row of a request.
[[nodiscard]] std::string row_name(const oracle::Request& request);
/// Rows that count nothing by definition or under the default parameters. Their checks are that the counter keeps its
/// value.
[[nodiscard]] std::vector<std::string> holding_rows(const std::string& target);
/// All rows of a target, in table order.
[[nodiscard]] std::vector<std::string> row_names(const std::string& target);

}  // namespace pmusim::testbench
