// Tables of which the models of the 750GX are made, written from the words and tables of the IBM PowerPC 750GX and
// 750GL User's Manual, version 1.2 (UM). They share nothing with the cores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/activity/signals.h"
#include "testbench/tests/list_models/lists.h"

namespace pmusim::testbench::ppc750_lists {

using activity::LineState;
using list_models::UseLists;  // TLBs (UM 5.4.3), the branch target instruction cache (UM 1.2.4)

/// A set of an L1: eight blocks L0 to L7 and the bits B0 to B6 (UM 3.5.1).
class L1Set {
 public:
  struct Block {
    std::uint64_t line = 0;  ///< physical address / 32
    LineState state = LineState::invalid;
  };
  Block* find(std::uint64_t line) {
    const auto at = std::find_if(blocks_.begin(), blocks_.end(),
                                 [line](const Block& b) { return b.state != LineState::invalid && b.line == line; });
    return at == blocks_.end() ? nullptr : &*at;
  }
  /// UM Table 3-2.
  void use(const Block* block) {
    struct Row {
      int b0, b1, b2, b3, b4, b5, b6;  // -1: does not change
    };
    static constexpr Row rows[8] = {{1, 1, -1, 1, -1, -1, -1}, {1, 1, -1, 0, -1, -1, -1}, {1, 0, -1, -1, 1, -1, -1},
                                    {1, 0, -1, -1, 0, -1, -1}, {0, -1, 1, -1, -1, 1, -1}, {0, -1, 1, -1, -1, 0, -1},
                                    {0, -1, 0, -1, -1, -1, 1}, {0, -1, 0, -1, -1, -1, 0}};
    const Row& row = rows[block - blocks_.data()];
    const int values[7] = {row.b0, row.b1, row.b2, row.b3, row.b4, row.b5, row.b6};
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (values[i] >= 0) bits_[i] = values[i];
    }
  }
  /// The lowest invalid block, or that of UM Table 3-3.
  Block* to_replace() {
    for (Block& block : blocks_) {
      if (block.state == LineState::invalid) return &block;
    }
    if (bits_[0] == 0) {
      if (bits_[1] == 0) return &blocks_[bits_[3] == 0 ? 0 : 1];
      return &blocks_[bits_[4] == 0 ? 2 : 3];
    }
    if (bits_[2] == 0) return &blocks_[bits_[5] == 0 ? 4 : 5];
    return &blocks_[bits_[6] == 0 ? 6 : 7];
  }
  std::array<Block, 8>& blocks() { return blocks_; }

 private:
  std::array<Block, 8> blocks_{};
  std::array<int, 7> bits_{};
};

class L1 {
 public:
  explicit L1(std::size_t sets) : sets_(sets) {}
  L1Set& set(std::uint64_t line) { return sets_[line % sets_.size()]; }
  [[nodiscard]] LineState state(std::uint64_t line) {
    const auto* const block = set(line).find(line);
    return block == nullptr ? LineState::invalid : block->state;
  }
  [[nodiscard]] bool holds(std::uint64_t line) { return set(line).find(line) != nullptr; }
  void use(std::uint64_t line) { set(line).use(set(line).find(line)); }
  void mark(std::uint64_t line, LineState state) { set(line).find(line)->state = state; }
  /// Puts the line in as the last used one; returns what was there, if that was another line.
  std::optional<L1Set::Block> add(std::uint64_t line, LineState state) {
    std::optional<L1Set::Block> gone;
    L1Set::Block* block = set(line).find(line);
    if (block == nullptr) {
      block = set(line).to_replace();
      if (block->state != LineState::invalid) gone = *block;
    }
    *block = {line, state};
    set(line).use(block);
    return gone;
  }

 private:
  std::vector<L1Set> sets_;
};

/// L2: four ways of 64 bytes in two sectors, three LRU bits a set (UM 9.2).
class L2 {
 public:
  struct Way {
    std::uint64_t tag = ~std::uint64_t{0};  ///< physical address / 64
    std::array<LineState, 2> sectors{};
  };
  explicit L2(std::size_t sets) : sets_(sets) {}

  [[nodiscard]] LineState state(std::uint64_t line) {
    const auto way = find(line);
    return way ? set(line).ways[*way].sectors[line % 2] : LineState::invalid;
  }
  /// A reference that hits.
  void use(std::uint64_t line) { point_away(set(line), *find(line)); }
  void mark(std::uint64_t line, LineState state) { set(line).ways[*find(line)].sectors[line % 2] = state; }
  /// UM Table 9-2: what is invalidated is what is replaced next.
  void invalidate(std::uint64_t line) {
    Set& s = set(line);
    const std::size_t way = *find(line);
    s.ways[way].sectors[line % 2] = LineState::invalid;
    s.lru[0] = way < 2 ? 0 : 1;
    s.lru[way < 2 ? 1 : 2] = way % 2 == 0 ? 0 : 1;
  }
  /// Puts a sector in; returns the way that gave way to it, if its tag was not there. UM Table 9-2 has the bits alone
  /// decide: a way that holds nothing is not preferred.
  std::optional<Way> add(std::uint64_t line, LineState state) {
    Set& s = set(line);
    std::optional<Way> gone;
    auto way = find(line);
    if (!way) {
      way = s.lru[0] == 0 ? static_cast<std::size_t>(s.lru[1]) : 2 + static_cast<std::size_t>(s.lru[2]);
      gone = s.ways[*way];
      s.ways[*way] = {line / 2, {}};
    }
    s.ways[*way].sectors[line % 2] = state;
    point_away(s, *way);
    return gone;
  }

 private:
  struct Set {
    std::array<Way, 4> ways{};
    std::array<int, 3> lru{};
  };
  Set& set(std::uint64_t line) { return sets_[line / 2 % sets_.size()]; }
  /// The way with this tag. Each sector has its own valid bit: a tag without a valid sector is none.
  std::optional<std::size_t> find(std::uint64_t line) {
    const auto& ways = set(line).ways;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const bool valid = ways[i].sectors[0] != LineState::invalid || ways[i].sectors[1] != LineState::invalid;
      if (valid && ways[i].tag == line / 2) return i;
    }
    return std::nullopt;
  }
  // UM Table 9-2, hits: 11-, 10-, 0-1, 0-0.
  static void point_away(Set& s, std::size_t way) {
    s.lru[0] = way < 2 ? 1 : 0;
    s.lru[way < 2 ? 1 : 2] = way % 2 == 0 ? 1 : 0;
  }
  std::vector<Set> sets_;
};

// Random PowerPC programs for small caches: pieces of code in a few lines and pages, loads, stores and cache operations
// on blocks that share sets, calls, returns and jumps through CTR, and snoops.

struct RandomProgram {
  unsigned seed = 1;
  unsigned pieces = 300;    ///< executed
  bool operations = false;  ///< dcbz, dcbf, dcbst, dcbi, dcbt, icbi
  bool snoops = false;      ///< by another agent, some while blocks are under way
  unsigned data_pages = 2;  ///< pages of data
  unsigned code_pages = 3;  ///< pages of code
};

[[nodiscard]] std::string text_of(const RandomProgram& program);

}  // namespace pmusim::testbench::ppc750_lists
