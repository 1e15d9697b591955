// Programs for measurements on any target but ia64: chains, streams, walks over memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"

namespace pmusim::timing {

/// Keys of an access that hits.
inline constexpr auto hits = "dtlb=hit data=l1";

/// An instruction. Each access hits, unless the keys specify otherwise.
struct Line {
  std::string bytes, accesses = "", keys = "";
};
using Lines = std::vector<Line>;
using Clocks = std::function<double()>;

/// Measurements of one target. The functions returned may outlive the object.
class Programs {
 public:
  /// A load whose result is the address of the next one.
  struct Load {
    std::string bytes;
    unsigned size;  ///< of its access
  };
  /// `start`: what every program begins with.
  Programs(std::string_view target, Load load, Code start = Code())
      : chip_(std::make_shared<const Chip>(target)), load_(std::move(load)), start_(std::move(start)) {}
  [[nodiscard]] const Chip& chip() const { return *chip_; }

  /// Clocks of a repeated group of instructions.
  [[nodiscard]] double group(const Lines& lines, unsigned times = 256) const;
  [[nodiscard]] Clocks repeated(const Lines& lines, unsigned times = 256) const;
  /// Clocks of an instruction that waits for the previous one.
  [[nodiscard]] Clocks chain(const std::string& bytes, const std::string& accesses = "") const {
    return repeated({{bytes, accesses}});
  }
  /// Clocks of each of these instructions, which are independent of one another.
  [[nodiscard]] Clocks stream(const Lines& lines) const;
  /// Additional clocks of the second group.
  [[nodiscard]] Clocks more(const Lines& without, const Lines& with) const;
  /// Clocks of a load that waits for the previous one, in a walk over `bytes` with a load every `apart` bytes.
  [[nodiscard]] Clocks walk(unsigned bytes, unsigned apart) const;
  /// The size in units of `unit`: the number of addresses `apart` bytes apart that a walk accesses as fast as `few` of
  /// them.
  [[nodiscard]] Clocks fit(unsigned apart, unsigned few, unsigned most, double unit = 1) const;
  /// Bytes of a line, by walks over that many bytes.
  [[nodiscard]] Clocks line(unsigned bytes) const;
  /// Number of pages that the data TLB holds: as many as a walk accesses as fast as `few` of them.
  [[nodiscard]] Clocks pages(std::uint64_t page, unsigned few, unsigned most) const;

 private:
  [[nodiscard]] Walk walk_with(const std::string& keys) const;

  std::shared_ptr<const Chip> chip_;
  Load load_;
  Code start_;
};

/// The largest depth of nested calls at which all returns are predicted: one more level then costs less than
/// `penalty` clocks more than the second one. `nest`: clocks of that number of nested calls with their returns.
[[nodiscard]] double return_stack(const std::function<double(unsigned depth)>& nest, double penalty);

}  // namespace pmusim::timing
