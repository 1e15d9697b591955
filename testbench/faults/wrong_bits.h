// Wrong bits in an encoder's answers, judged as `pmusim validate` judges them: by the same questions, traces and
// comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pmusim::testbench::faults {

/// Numbers of wrong bits by outcome.
struct Cell {
  std::uint64_t noticed = 0;
  std::uint64_t equivalent = 0;
  std::uint64_t missed = 0;
  std::map<std::string, std::uint64_t> by_rule = {};  ///< number of equivalent ones by rule
  [[nodiscard]] std::uint64_t made() const { return noticed + equivalent + missed; }
  void add(const Cell& other);
};

struct Missed {
  std::string question;
  std::string change;
  std::string registers;  ///< NAME=VALUE of the changed register
};

/// Register and field.
using RegisterField = std::pair<std::string, std::string>;

struct Score {
  std::map<RegisterField, Cell> fields = {};
  std::uint64_t questions = 0;                   ///< whose unchanged answers were judged as well
  std::vector<std::string> disagreements = {};   ///< unchanged, but called wrong: then what is noticed is meaningless
  std::uint64_t checked = 0;                     ///< equivalent ones that were judged nevertheless
  std::vector<std::string> contradictions = {};  ///< ... and noticed, although a rule calls them equivalent
  std::vector<Missed> missed = {};
  [[nodiscard]] Cell total() const;
  /// At least `floor` percent of the bits that make a difference are noticed, and nothing else is wrong.
  [[nodiscard]] bool good(double floor) const;
};

struct WrongBitOptions {
  std::string only = {};                ///< patterns of events (validate/only.h)
  std::uint64_t sample = 0;             ///< number of bits that are judged; 0: all
  unsigned jobs = 1;                    ///< processes
  std::uint64_t shard = 1, shards = 1;  ///< the share of the work, from 1, and the number of shares
};

/// Judges `options.sample` bits of the answers to a target's questions, one wrong at a time, and the unchanged answers.
/// Bits that a rule of equivalence excuses come in addition, at the same rate; some of them are judged as well, which
/// checks the rules. Bits that the manual reserves are left out. `progress(done, all)` is called as parts end.
[[nodiscard]] Score noticed_by_questions(const std::string& target, const WrongBitOptions& options,
                                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace pmusim::testbench::faults
