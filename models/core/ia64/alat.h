// The advanced load address table: one entry per register, fully associative; the oldest entry is replaced.
#pragma once

#include <cstdint>
#include <vector>

namespace pmusim::core::ia64 {

class Alat {
 public:
  explicit Alat(std::uint64_t entries) : entries_(static_cast<std::size_t>(entries)) {}

  /// An advanced load of this register. Returns true if a valid entry of another register was replaced.
  bool allocate(std::uint32_t reg, std::uint64_t address, std::uint32_t size) {
    Entry* place = nullptr;
    for (Entry& e : entries_) {
      if (e.valid && e.reg == reg) place = &e;
    }
    bool displaced = false;
    if (place == nullptr) {
      place = &entries_.front();
      for (Entry& e : entries_) {
        if (!e.valid) {
          place = &e;
          break;
        }
        if (e.made < place->made) place = &e;
      }
      displaced = place->valid;
    }
    *place = {reg, address, size, ++clock_, true};
    used_ = true;
    return displaced;
  }
  /// A store removes the entries that it overlaps. Returns true if there were any.
  bool store(std::uint64_t address, std::uint32_t size) {
    if (!used_) return false;
    bool found = false;
    for (Entry& e : entries_) {
      if (!e.valid || e.address >= address + size || address >= e.address + e.size) continue;
      e.valid = false;
      found = true;
    }
    return found;
  }
  void remove(std::uint32_t reg) {
    for (Entry& e : entries_) {
      if (e.reg == reg) e.valid = false;
    }
  }
  void clear() {
    for (Entry& e : entries_) e.valid = false;
    used_ = false;
  }

 private:
  struct Entry {
    std::uint32_t reg = 0;
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    std::uint64_t made = 0;
    bool valid = false;
  };
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
  bool used_ = false;  ///< since it was cleared
};

}  // namespace pmusim::core::ia64
