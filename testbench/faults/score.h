// How many wrong bits of a target's answers the questions notice, by register field.
#pragma once

#include <cstdint>
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
  std::uint64_t questions = 0;
  std::uint64_t verified = 0;                    ///< unchanged answers that were judged
  std::vector<std::string> disagreements = {};   ///< ... that were called wrong: then what is noticed is meaningless
  std::uint64_t checked = 0;                     ///< equivalent ones that were judged nevertheless
  std::vector<std::string> contradictions = {};  ///< ... and noticed, although a rule calls them equivalent
  std::vector<Missed> missed = {};
  void add(const Score& other);
  [[nodiscard]] Cell total() const;
  /// At least `floor` percent of the bits that make a difference are noticed, and nothing else is wrong.
  [[nodiscard]] bool good(double floor) const;
};
/// As one line, between processes.
[[nodiscard]] std::string packed(const Score& score);
[[nodiscard]] Score unpacked(const std::string& text);

}  // namespace pmusim::testbench::faults
