// The code dictionary of a trace: all static instructions so far, found by address, with consecutive permanent ids.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Maps addresses to numbers: a hash table with open addressing and linear probing, at most half full.
class PcMap {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] std::uint32_t find(std::uint64_t pc) const {
    if (slots_.empty()) return none;
    for (std::size_t i = place(pc);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].value == none || slots_[i].pc == pc) return slots_[i].value;
    }
  }
  void set(std::uint64_t pc, std::uint32_t value);
  /// Empties the map and keeps its memory.
  void clear();

 private:
  struct Slot {
    std::uint64_t pc = 0;
    std::uint32_t value = none;
  };
  [[nodiscard]] std::size_t place(std::uint64_t pc) const {
    return (pc * 0x9e3779b97f4a7c15u >> 32) & (slots_.size() - 1);
  }
  void grow();
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class CodeDictionary {
 public:
  /// The entry for these bytes at this address, created if necessary. It becomes the latest entry of the address.
  const Code& intern(std::uint64_t pc, std::span<const std::uint8_t> bytes);
  /// The latest entry at an address; null if there is none.
  [[nodiscard]] const Code* find(std::uint64_t pc) const {
    const std::uint32_t id = latest_.find(pc);
    return id == PcMap::none ? nullptr : &codes_[id];
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(codes_.size()); }

 private:
  PcMap latest_;
  std::deque<Code> codes_;            // a deque, because entries must not move
  std::vector<std::uint32_t> older_;  // by id: the previously used version at the same address
};

/// True if an entry has exactly these bytes.
[[nodiscard]] bool same_bytes(const Code& code, std::span<const std::uint8_t> bytes);
[[nodiscard]] inline std::span<const std::uint8_t> bytes_of(const Code& code) {
  return {code.bytes.data(), code.length};
}

}  // namespace pmusim::trace
