// The code dictionary of a trace: every static instruction met, found by address, with dense and lasting ids.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Address to number: open addressing with linear probing, at most half full.
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
  /// The entry for these bytes at this address, made if it is new; from now on the latest one there.
  const Code& intern(std::uint64_t pc, std::span<const std::uint8_t> bytes);
  /// The latest entry at an address; null if there is none.
  [[nodiscard]] const Code* find(std::uint64_t pc) const {
    const std::uint32_t id = latest_.find(pc);
    return id == PcMap::none ? nullptr : &codes_[id];
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(codes_.size()); }

 private:
  PcMap latest_;
  std::deque<Code> codes_;            // a deque: entries never move
  std::vector<std::uint32_t> older_;  // by id: the version at the same address used before it
};

/// True when an entry holds exactly these bytes.
[[nodiscard]] bool same_bytes(const Code& code, std::span<const std::uint8_t> bytes);
[[nodiscard]] inline std::span<const std::uint8_t> bytes_of(const Code& code) {
  return {code.bytes.data(), code.length};
}

}  // namespace pmusim::trace
