// Programs that measure any Alpha: chains, streams, walks over memory, branches.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"

namespace pmusim::timing::alpha {

/// Each access hits, unless a program says otherwise.
inline constexpr auto hits = "dtlb=hit data=l1";

struct Line {
  std::string word, accesses = "", keys = "";
};
using Lines = std::vector<Line>;
using Clocks = std::function<double()>;

[[nodiscard]] inline Line load(const std::string& word, const std::string& place) {
  return {word, "L " + place + " 8", hits};
}
[[nodiscard]] inline Line store(const std::string& word, const std::string& place) {
  return {word, "S " + place + " 8", hits};
}
/// A word for each destination register from `first` on.
[[nodiscard]] Lines lines(unsigned first, unsigned count, const std::function<std::string(unsigned c)>& word);

/// Measures of one target. What they return may outlive it.
class Programs {
 public:
  explicit Programs(std::string_view target, const Changes& changes = {})
      : chip_(std::make_shared<const Chip>(target, changes)) {}
  [[nodiscard]] const Chip& chip() const { return *chip_; }

  /// Clocks of a group of instructions, repeated.
  [[nodiscard]] double group(const Lines& lines, unsigned times = 256) const;
  [[nodiscard]] Clocks repeated(const Lines& lines, unsigned times = 256) const;
  /// Of an instruction that waits for the one before it.
  [[nodiscard]] Clocks chain(const std::string& word) const { return repeated({{word}}); }
  /// Of each of these instructions, of which none waits for another.
  [[nodiscard]] Clocks stream(const Lines& lines) const;
  /// What the second group takes more than the first.
  [[nodiscard]] Clocks more(const Lines& without, const Lines& with) const;
  /// A load that waits for the one before, in a walk over `bytes` with a load in each `apart`.
  [[nodiscard]] Clocks walk(unsigned bytes, unsigned apart) const;
  /// Bytes, or addresses `apart` bytes apart, that a walk finds in the first level as fast as `few` of them.
  [[nodiscard]] Clocks fit(unsigned apart, unsigned few, unsigned most, double unit = 1) const;
  /// Pages that the DTB holds.
  [[nodiscard]] Clocks pages(unsigned most) const;
  /// Calls inside one another, as many returns; the deepest nest of which all returns are predicted.
  [[nodiscard]] Clocks return_stack() const;

 private:
  std::shared_ptr<const Chip> chip_;
};

}  // namespace pmusim::timing::alpha
