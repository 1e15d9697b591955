// The laboratory behind the page: one activity, and the answers to requests about it. The WebAssembly module
// (exports.cpp) and the server of `pmusim lab` (server.h) answer the same requests with it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/driver/activity_source.h"
#include "testbench/lab/bindings/answers.h"
#include "testbench/lab/bindings/steps.h"

namespace pmusim::lab {

// The upper half of the timeline: instructions with the cycles of their stages, and requests to caches.

/// A cycle that does not exist: of a stage that a core does not report, or of a fate that the instruction did not have.
inline constexpr std::uint32_t no_cycle = 0xffffffff;

/// Cycles are relative to the first of the activity. The layouts are known to page/model.js.
struct InstructionRow {
  std::uint32_t ip_low, ip_high;
  std::uint32_t fetch, dispatch, issue, finish, retire, kill;
  std::uint32_t flags;  ///< bits 0..1 slot, 2 thread, 3 wrong path, 4 mispredicted, 5 load, 6 store, 7 branch
  std::uint32_t id;
};

struct RequestRow {
  std::uint32_t address_low = 0, address_high = 0, ip_low = 0, ip_high = 0;
  std::uint32_t start = 0, end = no_cycle;  ///< end: no_cycle if the activity has none
  std::uint32_t flags = 0;                  ///< bit 0 store, 1 has an instruction, 2 thread, 3 wrong path, 4 fetch side
  std::uint32_t instruction = 0;
  std::uint32_t id = 0;
};

struct Timeline {
  std::vector<InstructionRow> instructions;  ///< by their first cycle
  std::vector<RequestRow> requests;          ///< those with a duration, by their start
};
[[nodiscard]] Timeline timeline_of(const std::vector<activity::Block>& blocks);

/// Takes the rows of tables, which an answer only refers to: rows of 32-bit words in the byte order of this machine.
class Rows {
 public:
  virtual ~Rows() = default;
  /// Returns where the page finds the bytes.
  virtual std::uint64_t place(const void* bytes, std::size_t size) = 0;
};

class Laboratory {
 public:
  /// Replaces the activity.
  void load(testbench::ActivityLog activity);
  /// Replaces it with the content of an activity file; returns `target`, `threads`, `cycles`, `traces`. A file that is
  /// refused (std::exception, with a sentence) changes nothing.
  Json open(std::string_view content, const std::string& name);
  /// `op` names the operation. Tables are `at`, what Rows::place() returned, and `count`, their number of rows. Throws
  /// std::exception with a sentence for a request that cannot be answered.
  Json answer(const Json& request, Rows& rows);

 private:
  Json begin(const Json& request, Rows& rows);
  Json start_steps(const Json& request);
  Json go_on(const Json& request, Rows& rows);

  testbench::ActivityLog activity_;
  Timeline timeline_;
  unsigned threads_ = 1;
  std::unique_ptr<Stepper> stepper_;
  std::map<const void*, std::size_t> sent_;  ///< rows of each table of the steps that answers have had
};

}  // namespace pmusim::lab
