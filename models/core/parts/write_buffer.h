// A few line-sized buffers that gather stores which do not go into a write-back cache: combined while they
// stay, sent to the bus when they are full, the oldest when room is needed, or all of them on a barrier.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/activity/signals.h"

namespace pmusim::core {

using activity::MemoryType;

class WriteBuffer {
 public:
  struct Entry {
    std::uint64_t line = 0;   ///< first byte of the line
    std::uint64_t bytes = 0;  ///< one bit for each byte written
    MemoryType type = MemoryType::write_combining;
    std::uint64_t born = 0;  ///< cycle of the first store
  };
  /// `line_bytes` a power of two, at most 64.
  WriteBuffer(unsigned entries, unsigned line_bytes);

  /// Adds a store that lies within one line. Combines with the entry of the same line and type if `combine`.
  /// Returns the entry that had to be sent to make room, if any.
  std::optional<Entry> store(std::uint64_t address, unsigned size, MemoryType type, bool combine, std::uint64_t now);
  /// Takes out an entry with all bytes written, if there is one.
  std::optional<Entry> take_full();
  /// Takes out the oldest entry born at `cycle` or before, if there is one.
  std::optional<Entry> take_born_by(std::uint64_t cycle);
  /// Takes out the oldest entry, if there is one (a barrier takes until empty).
  std::optional<Entry> take_oldest();
  /// Takes out the entry of a line, if there is one (an access to it must see the data).
  std::optional<Entry> take_line(std::uint64_t address);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Cycle of birth of the oldest entry; only if not empty.
  [[nodiscard]] std::uint64_t oldest_born() const { return entries_.front().born; }

 private:
  Entry take(std::size_t index);
  unsigned capacity_;
  std::uint64_t line_mask_;
  std::uint64_t full_ = 0;      ///< Entry::bytes of a full line
  std::vector<Entry> entries_;  ///< oldest first; never grows past capacity_
};

}  // namespace pmusim::core
