// Line-sized buffers that gather stores which do not go to a write-back cache. Stores are combined while their line is
// in the buffer. A line goes to the bus when it is full, the oldest line when room is needed, and all lines at a
// barrier.
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
  /// Returns the entry that must be sent to make room, if any.
  std::optional<Entry> store(std::uint64_t address, unsigned size, MemoryType type, bool combine, std::uint64_t now);
  /// Removes an entry with all bytes written, if there is one.
  std::optional<Entry> take_full();
  /// Removes the oldest entry created at `cycle` or before, if there is one.
  std::optional<Entry> take_born_by(std::uint64_t cycle);
  /// Removes the oldest entry, if there is one (a barrier calls this until the buffer is empty).
  std::optional<Entry> take_oldest();
  /// Removes the entry of a line, if there is one (an access to the line must see the data).
  std::optional<Entry> take_line(std::uint64_t address);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Cycle in which the oldest entry was created; the buffer must not be empty.
  [[nodiscard]] std::uint64_t oldest_born() const { return entries_.front().born; }

 private:
  Entry take(std::size_t index);
  unsigned capacity_;
  std::uint64_t line_mask_;
  std::uint64_t full_ = 0;      ///< Entry::bytes of a full line
  std::vector<Entry> entries_;  ///< oldest first; never grows past capacity_
};

}  // namespace pmusim::core
