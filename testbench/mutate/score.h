// The score: how many mutants of a target's encodings the comparison notices, by register field.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/mutate/mutants.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::mutate {

struct Cell {
  std::uint64_t killed = 0;
  std::uint64_t equivalent = 0;
  std::uint64_t survived = 0;
  std::map<std::string, std::uint64_t> by_rule = {};  ///< number of equivalent mutants by rule
  [[nodiscard]] std::uint64_t made() const { return killed + equivalent + survived; }
  void add(const Cell& other);
};

struct Survivor {
  std::string request;
  std::string change;
  std::string registers;  ///< NAME=VALUE of the changed registers
};

/// Register and field; the field is empty for mutants of the whole register.
using Place = std::pair<std::string, std::string>;

struct Score {
  std::map<Place, Cell> fields = {};
  std::array<Cell, kinds> by_kind = {};
  std::uint64_t requests = 0;
  std::uint64_t verified = 0;                    ///< comparisons of unchanged requests with the oracle
  std::vector<std::string> disagreements = {};   ///< ... that failed: then kills are meaningless
  std::vector<std::string> contradictions = {};  ///< mutants that differ although a rule calls them equivalent
  std::vector<Survivor> survivors = {};
  void add(const Score& other);
  [[nodiscard]] Cell total() const;
  [[nodiscard]] bool good(double floor = 100) const;
};
[[nodiscard]] Json to_json(const Score& score);
[[nodiscard]] Score score_from_json(const Json& object);

struct ScoreOptions {
  std::string only = {};                 ///< requests whose text starts with it
  std::uint64_t sample = 0;              ///< approximate number of mutants that are run; 0: all
  unsigned jobs = 1;                     ///< processes
  std::size_t traces = ~std::size_t{0};  ///< number of traces used, the shortest ones
  std::uint64_t shard = 1, shards = 1;   ///< the share of the work, from 1, and the number of shares
  bool as_shipped = false;               ///< only wrong bits, judged by the questions (noticed.h)
  double floor = 100;                    ///< percentage of the differing mutants that must be killed
};
/// Makes and runs the mutants of a target. `progress(done, all)` is called as parts end.
[[nodiscard]] Score score_target(const std::string& target, const ScoreOptions& options,
                                 const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace pmusim::testbench::mutate
