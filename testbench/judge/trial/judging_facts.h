// The facts about a target that judging needs: its plan, its traces, the relations between its counts, the rows that
// follow from the instructions of a trace, and the registers of its capture units.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/targets.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/question/covering.h"

namespace pmusim::testbench {

// The building blocks of the families' plans.

/// The privilege filters.
struct Levels {
  bool user;
  bool kernel;
};
inline constexpr std::array<Levels, 3> all_levels{{{true, true}, {true, false}, {false, true}}};
/// A check of a row under a privilege filter, without other modifiers.
[[nodiscard]] Check plain_check(const oracle::Request& row, const Levels& levels);

/// Appends what no full set can have: selections without a name, captures, interrupts, filters.
using Apart = void (*)(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                       std::vector<Group>& groups);
/// Sets that use every counter, under one privilege filter.
using Sets = std::vector<Group> (*)(const std::string& target, const std::vector<oracle::Request>& rows,
                                    const Landmarks& landmarks, const Levels& levels);
/// The plan for each of two threads that run together.
using Pair = void (*)(Depth depth, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                      std::vector<Group>& groups);
/// Adds the registers with which a group's events are compared.
using Complete = void (*)(Group& group, const Landmarks& landmarks);

/// Sets with one event per counter, in table order, distributed so that each set can be placed.
[[nodiscard]] std::vector<Group> full_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                           const Landmarks& landmarks, const Levels& levels);
class InterruptTrials;
class LineCounter;
struct Task;
namespace ia64 {
struct Processor;
}

/// Rows that do not occur under the default parameters, and a trace with parameters under which they occur.
struct TraceVariant {
  std::string_view trace;
  std::vector<std::string> settings;
};

/// The fields of the index and flags of a branch buffer (CaptureRegisters::ring).
struct RingLayout {
  std::uint64_t full;  ///< bit of the index register; the index of the next entry is in its low bits
  std::uint64_t flags;
  unsigned (*flags_shift)(std::size_t entry);
};

using RowNames = std::span<const std::string_view>;

struct JudgingFacts {
  // The plan.
  Apart apart = nullptr;          ///< what short traces have besides the sets; null: nothing
  Apart apart_on_long = nullptr;  ///< what long traces have besides the sets; null: nothing
  Sets sets = full_sets;          ///< sets for short and for long traces
  Together together = nullptr;    ///< whether rows of different counters can share a run; null: always
  Complete complete = [](Group&, const Landmarks&) {};
  Pair pair = nullptr;                                  ///< plan for each of two threads
  std::vector<std::string> (*more_rows)() = nullptr;    ///< rows in addition to the oracle's events
  std::span<const BrokenPromise> broken_promises = {};  ///< checks that have no right answer under some parameters
  // The traces.
  RowNames traces;  ///< folders of micro-traces: its own, and those of a processor that runs the same ones
  /// The depth of the plan for a micro-trace if its length does not decide; null: its length always decides.
  std::optional<Depth> (*depth)(const std::filesystem::path& trace) = nullptr;
  bool (*leaves_out)(const std::filesystem::path& trace) =
      nullptr;               ///< traces in those folders that the target cannot run
  RowNames on_request = {};  ///< shipped traces, without extension, that a run judges only if `--trace` or
                             ///< `--all-traces` asks for them
  const std::vector<TraceVariant>* variants = nullptr;
  /// Counts the events that follow from the instructions of a trace.
  std::unique_ptr<LineCounter> (*line_counter)(std::string_view target) = nullptr;
  /// Judge groups with `sampled`; both must outlive it. Null if the plan has none.
  std::unique_ptr<InterruptTrials> (*interrupts)(const Task& task, const models::Target& target) = nullptr;
  // IA-64.
  const RingLayout* ring = nullptr;
  const ia64::Processor* ia64 = nullptr;
};

/// Null for a target without a plan.
[[nodiscard]] const JudgingFacts* find_judging_facts(std::string_view target);
/// Throws std::invalid_argument for a target without a plan.
[[nodiscard]] const JudgingFacts& judging_facts(std::string_view target);

}  // namespace pmusim::testbench

#define FACTS JudgingFacts
#define MEMBER judging
#include "testbench/targets/declare_facts.inc"
