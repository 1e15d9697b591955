// Advanced load address table: the registers whose memory operands no store has changed since their advanced load.
#pragma once

#include <array>
#include <cstdint>

namespace pmusim::trace::ia64 {

/// 32 entries, fully associative; the oldest entry is replaced. A store removes only entries that it overlaps.
class Alat {
 public:
  static constexpr unsigned size = 32;

  void allocate(std::uint32_t register_id, std::uint64_t address, std::uint32_t bytes) {
    remove(register_id);
    entries_[next_] = {true, register_id, address, bytes};
    next_ = (next_ + 1) % size;
    used_ = true;
  }
  /// True if there is a valid entry for an advanced load of this operand into this register.
  [[nodiscard]] bool holds(std::uint32_t register_id, std::uint64_t address, std::uint32_t bytes) const {
    for (const Entry& e : entries_) {
      if (e.valid && e.register_id == register_id) return e.address == address && e.bytes == bytes;
    }
    return false;
  }
  [[nodiscard]] bool holds(std::uint32_t register_id) const {
    for (const Entry& e : entries_) {
      if (e.valid && e.register_id == register_id) return true;
    }
    return false;
  }
  void remove(std::uint32_t register_id) {
    if (!used_) return;
    for (Entry& e : entries_) {
      if (e.register_id == register_id) e.valid = false;
    }
  }
  /// Removes the entries of registers `first` to `last`, which left the register stack.
  void remove_range(std::uint32_t first, std::uint32_t last) {
    if (!used_) return;
    for (Entry& e : entries_) {
      if (e.register_id >= first && e.register_id <= last) e.valid = false;
    }
  }
  void store(std::uint64_t address, std::uint32_t bytes) {
    if (!used_) return;
    for (Entry& e : entries_) {
      if (address < e.address + e.bytes && e.address < address + bytes) e.valid = false;
    }
  }
  void clear() { *this = {}; }

 private:
  struct Entry {
    bool valid = false;
    std::uint32_t register_id = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  std::array<Entry, size> entries_{};
  unsigned next_ = 0;
  bool used_ = false;  // false in most programs: saves the searches
};

}  // namespace pmusim::trace::ia64
