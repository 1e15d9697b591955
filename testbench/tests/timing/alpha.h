// Programs for measurements on any Alpha: chains, streams, walks over memory, branches.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "measures.h"

namespace pmusim::timing::alpha {

/// Each access hits, unless a program specifies otherwise.
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
/// One instruction for each destination register from `first` on.
[[nodiscard]] Lines lines(unsigned first, unsigned count, const std::function<std::string(unsigned c)>& word);

/// Measurements of one target. The functions returned may outlive the object.
class Programs {
 public:
  explicit Programs(std::string_view target, const Changes& changes = {})
      : chip_(std::make_shared<const Chip>(target, changes)) {}
  [[nodiscard]] const Chip& chip() const { return *chip_; }

  /// Clocks of a repeated group of instructions.
  [[nodiscard]] double group(const Lines& lines, unsigned times = 256) const;
  [[nodiscard]] Clocks repeated(const Lines& lines, unsigned times = 256) const;
  /// Clocks of an instruction that waits for the previous one.
  [[nodiscard]] Clocks chain(const std::string& word) const { return repeated({{word}}); }
  /// Clocks of each of these instructions, which are independent of one another.
  [[nodiscard]] Clocks stream(const Lines& lines) const;
  /// Additional clocks of the second group.
  [[nodiscard]] Clocks more(const Lines& without, const Lines& with) const;
  /// Clocks of a load that waits for the previous one, in a walk over `bytes` with a load every `apart` bytes.
  [[nodiscard]] Clocks walk(unsigned bytes, unsigned apart) const;
  /// The size in units of `unit`: the number of addresses `apart` bytes apart that a walk accesses as fast as `few` of
  /// them.
  [[nodiscard]] Clocks fit(unsigned apart, unsigned few, unsigned most, double unit = 1) const;
  /// Number of pages that the DTB holds.
  [[nodiscard]] Clocks pages(unsigned most) const;
  /// Nested calls and their returns: the largest depth at which all returns are predicted.
  [[nodiscard]] Clocks return_stack() const;

 private:
  std::shared_ptr<const Chip> chip_;
};

}  // namespace pmusim::timing::alpha

namespace pmusim::timing {

/// Measurements of the loops that have a reference for the target.
[[nodiscard]] Measures alpha_loops(std::string_view target);

}  // namespace pmusim::timing
