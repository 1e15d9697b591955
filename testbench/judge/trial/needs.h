// The needs of questions: for each attribute, activity on which the question and its neighbour count differently.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/stimuli.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench::questions {

/// All counts that questions and their neighbours need, each once.
class NeededCounts {
 public:
  /// Adds one of the checks of a group; returns its number.
  [[nodiscard]] std::size_t add(const Group& group, std::size_t check);
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// Number of the oracle's pass that counts it; below size().
  [[nodiscard]] std::size_t pass(std::size_t number, const std::string& target) const;
  /// True if landmarks change its request.
  [[nodiscard]] bool moves(std::size_t number, const std::string& target) const;
  /// The request on a trace with these landmarks; valid until the next call for the same number.
  [[nodiscard]] const oracle::Request& request(std::size_t number, const std::string& target,
                                               const Landmarks& landmarks) const;

 private:
  /// A single check, under the filters of its group.
  struct One {
    Group group;
    std::optional<std::size_t> pass = {};
    std::optional<bool> moves = {};  ///< landmarks change it
    Group moved = {};
  };
  mutable std::vector<One> all_;
  mutable std::map<std::string_view, std::size_t> passes_;
  std::map<std::string, std::size_t, std::less<>> known_;
};

struct Need {
  enum class Effect : std::uint8_t {
    nothing,      ///< any trace: the counter must hold
    happens,      ///< the event occurs
    counts,       ///< the counter counts
    count,        ///< the counts of both questions differ
    captured,     ///< the counts differ, and the capture unit has data to capture
    overflow,     ///< a count of at least `least`: the counter overflows
    handled,      ///< the registers that the handler reads
    second_event  ///< a count of two: the pin distinguishes the first event from the overflow
  };
  std::string attribute;
  bool required = false;
  Effect effect = Effect::count;
  std::size_t own = 0, other = 0;  ///< numbers in NeededCounts
  bool met = false;
  std::uint64_t least = 1;
};

/// The attribute of a question about a free-running counter that names no period.
inline constexpr const char* default_period = "period without a word";

/// The needs of a question; `excused` receives the attributes whose effect the manual makes invisible, with the reason.
/// `thorough`: every event must count on some activity.
[[nodiscard]] std::vector<Need> needs_of(const Family& family, const Question& question, bool thorough,
                                         NeededCounts& asked, std::map<std::string, std::string>& excused);

/// The oracle's counts of some of the requests on a stimulus.
class Counts {
  struct Pass {
    std::vector<std::size_t> numbers;
    std::vector<const oracle::Request*> requests;
  };

 public:
  /// The oracle's counters, reused from one stimulus to the next.
  class Counters {
   private:
    friend class Counts;
    struct One {
      std::vector<std::size_t> numbers;  ///< in order
      std::unique_ptr<oracle::LastingCounter> counter;
    };
    std::map<std::size_t, One> by_pass_;
  };
  using ByBlock = std::span<const oracle::Tally>;
  /// `target` and `parameters` must outlive it.
  Counts(const std::string& target, const models::Parameters& parameters) : target_(target), parameters_(parameters) {}

  /// Counts these requests; `numbers` are sorted.
  void count(const NeededCounts& asked, const std::vector<std::size_t>& numbers, const Stimulus& stimulus,
             Counters& counters);
  [[nodiscard]] ByBlock of(std::size_t number) const {
    return std::span(tallies_).subspan(places_.at(number), blocks_);
  }
  [[nodiscard]] const oracle::Tally& total(std::size_t number) const {
    return tallies_.at(places_.at(number) + blocks_ - 1);
  }
  /// Cycles in which a count reaches 1 and a given number of events.
  struct Crossings {
    Cycle first = activity::never, last = activity::never;
  };
  /// For each number the cycles in which its count reaches 1 and `events`.
  [[nodiscard]] std::map<std::size_t, Crossings> crossings(const NeededCounts& asked,
                                                           const std::map<std::size_t, std::uint64_t>& events,
                                                           const Stimulus& stimulus) const;

 private:
  [[nodiscard]] std::vector<Pass> passes(const NeededCounts& asked, const std::vector<std::size_t>& numbers,
                                         const Stimulus& stimulus) const;
  [[nodiscard]] std::unique_ptr<oracle::LastingCounter> counter(const Pass& pass) const;
  /// A counter of all requests of a pass, and possibly of more.
  Counters::One& counter(const NeededCounts& asked, const Pass& pass, Counters& counters) const;
  const std::string& target_;
  const models::Parameters& parameters_;
  std::size_t blocks_ = 0;
  std::vector<std::size_t> places_;     ///< by number, the index of its first tally
  std::vector<oracle::Tally> tallies_;  ///< by block
};

}  // namespace pmusim::testbench::questions
