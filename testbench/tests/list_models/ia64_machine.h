// List model of the first level of an IA-64 core, on top of that of what is behind it: both levels of the TLBs, L1D
// with what the store buffer keeps from it, L1I with the streaming buffer and prefetches. The rules are those of
// docs/targets/itanium2-core.md, "Instruction memory" and "Data memory".
#pragma once

#include <deque>
#include <utility>

#include "ia64_memory.h"

namespace pmusim::testbench::ia64::lists {

/// A prefetch that a hint has asked for.
struct Hinted {
  std::uint64_t line = 0;
  bool streaming = false;
  bool lost = false;  ///< nothing says of what kind it was
  [[nodiscard]] bool fits(const Hinted& seen) const {
    return line == seen.line && (seen.lost || streaming == seen.streaming);
  }
};

class Machine {
 public:
  Machine(const models::Parameters& parameters, bool split, Findings& findings);

  /// The requests one after the other.
  void take(Trip&& trip);
  /// The outside acts before the next request.
  void act(const Outside& outside, Cycle at);
  void finish();
  /// Prefetches that were not those of the line after one that missed, in their order.
  [[nodiscard]] std::deque<Hinted>& hinted() { return hinted_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

 private:
  /// A side's TLB: granules of 4 KB, and pages.
  struct Tlb {
    PageList granules, pages;
    enum class Found : std::uint8_t { first, second, none };
    Found find(std::uint64_t address, std::uint64_t page, bool through_first);
  };
  struct Store {
    std::uint64_t begin, end;
    Cycle cycle;
  };
  struct Streamed {
    std::uint64_t line;
    Arrival ready;
  };

  void complete(const Trip* walk);
  bool translate(const Trip& trip, Wanted& wanted, bool& replayed);
  void access(const Trip& trip, Wanted& wanted, bool replayed);
  act::Served load(const Trip& trip, Wanted& wanted, std::uint64_t detail, bool replayed);
  void store(const Trip& trip, Wanted& wanted, std::uint64_t detail);
  [[nodiscard]] bool follows_store(const Trip& trip, Cycle at) const;
  void demand(const Trip& trip, Wanted& wanted);
  void prefetch(const Trip& trip, Wanted& wanted);
  void fill_code(const Trip& trip, Wanted& wanted, std::uint64_t line, act::Served from);
  [[nodiscard]] static bool comes_later(const Arrival& arrival, Cycle at, bool reported);
  void check_served(const Trip& trip, act::Served served);

  Findings& findings_;
  Memory memory_;
  Tlb data_tlb_, code_tlb_;
  std::uint64_t page_, table_, table_entry_, forward_, ahead_;
  bool prefetches_;
  std::deque<Store> stores_;
  std::unordered_map<std::uint64_t, Cycle> data_due_;    ///< lines on their way into L1D
  std::unordered_map<std::uint64_t, Arrival> code_due_;  ///< lines asked of L2 by L1I
  std::deque<Streamed> streamed_;                        ///< the streaming buffer, oldest first
  std::deque<std::uint64_t> next_lines_;                 ///< prefetches that have to come next
  std::deque<Hinted> hinted_;
  Trip waiting_;  ///< the latest request: the next one may be its walk
  std::uint64_t requests_ = 0;
};

}  // namespace pmusim::testbench::ia64::lists
