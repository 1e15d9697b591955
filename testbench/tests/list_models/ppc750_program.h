// What the 750GX does with a program, as lists: branch history, target instructions, the link and count registers, both
// TLBs, and the order of its accesses.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/list_models/cycles.h"
#include "testbench/tests/list_models/ppc750_caches.h"
#include "testbench/tests/list_models/ppc750_lists.h"

namespace pmusim::testbench::ppc750_lists {

/// The instruction word.
[[nodiscard]] std::uint32_t word_of(const trace::Code& code);

/// One access to the data cache that an instruction makes (UM 6.4.4: an operand that crosses a double word takes two, a
/// multiple or string instruction one a word).
struct Piece {
  std::uint64_t address = 0;
  bool store = false;
  bool operation = false;  ///< of a whole block
  bool touch = false;      ///< dcbt, dcbtst: may be dropped
  StoreKind kind = StoreKind::store;
};
[[nodiscard]] std::vector<Piece> pieces_of(const trace::Instruction& instruction);

/// Predictions. UM 6.4.1: conditional branches follow a table of 512 two-bit counters; the BTIC has 16 sets of 4 target
/// addresses and gives the first two instructions at once; LR and CTR give the targets of indirect branches.
class BranchModel {
 public:
  BranchModel(const models::Parameters& parameters, trace::Reader& program);
  static constexpr std::array signals = {Signal::branch_handled, Signal::branch_resolved, Signal::retire, Signal::fold,
                                         Signal::finish};
  bool step(const CycleView& view);
  void finish();
  [[nodiscard]] const std::string& error() const { return error_; }
  std::uint64_t predicted = 0, wrong = 0, targets_found = 0, targets_missed = 0, indirect = 0, waited = 0, at_once = 0;

 private:
  struct Fact {
    std::uint32_t word;
    bool taken;
    std::uint64_t pc, next;
  };
  struct Followed {
    Cycle when;
    bool found;          ///< in the BTIC
    bool may_lack_room;  ///< the branch keeps its place in the instruction queue
  };
  void handle(const CycleView& view, const Occurrence& o);
  void resolve(const CycleView& view, const Occurrence& o);
  list_models::Counter& history(std::uint64_t pc) { return history_[pc / 4 % history_.size()]; }
  void follow(Cycle now, std::uint64_t target, bool right, std::uint64_t id);
  [[nodiscard]] Cycle ready(std::uint64_t id, unsigned spr) const;
  void fetched(const activity::InstructionRecord& record);
  void fail(Cycle cycle, const activity::InstructionRecord& record, const std::string& what);

  std::vector<Fact> facts_;
  std::vector<list_models::Counter> history_;
  UseLists targets_;
  std::map<std::uint64_t, Followed> expected_;  ///< by the ordinal of the target's instruction
  std::map<std::uint64_t, Cycle> finished_;
  bool clears_;  ///< the program empties the BTIC at a time that activity does not show
  std::string error_;
};

/// Order of loads and of translations.
class OrderModel {
 public:
  OrderModel(const models::Parameters& parameters, trace::Reader& program);
  static constexpr std::array signals = {Signal::dcache_lookup, Signal::fetch, Signal::translation};
  bool step(const CycleView& view);
  void finish();
  [[nodiscard]] const std::string& error() const { return error_; }
  std::uint64_t loads = 0, data_walks = 0, code_walks = 0;

 private:
  struct Walk {
    std::uint64_t number, address;
  };
  void fail(Cycle cycle, const std::string& what);
  std::deque<Piece> loads_;
  std::deque<Walk> walks_;
  UseLists code_pages_;
  std::uint64_t searched_ = ~std::uint64_t{0};
  std::string error_;
};

}  // namespace pmusim::testbench::ppc750_lists
