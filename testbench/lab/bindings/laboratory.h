// The laboratory behind the page: one activity, and the answers to requests about it. The WebAssembly module
// (exports.cpp) and the server of `pmusim lab` (server.h) answer the same requests with it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "testbench/driver/activity_source.h"
#include "testbench/lab/bindings/answers.h"
#include "testbench/lab/bindings/steps.h"
#include "testbench/lab/bindings/timeline.h"

namespace pmusim::lab {

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
