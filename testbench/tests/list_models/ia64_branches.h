// List model of branch prediction: what must become of each branch of a trace, from the trace alone. The rules are
// those of docs/targets/itanium2-core.md, "Branches".
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "ia64_machine.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench::ia64::lists {

struct Predicted {
  std::uint64_t bundle = 0;  ///< its ordinal
  std::uint64_t ip = 0;
  unsigned slot = 0;
  bool predicted_taken = false, taken = false, unknown = false, flush = false;
  act::Prediction prediction = act::Prediction::correct;
  [[nodiscard]] std::string text() const;
};

class Branches {
 public:
  Branches(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters);
  /// The next branch of the program, or false at its end.
  bool next(Predicted& branch);
  /// The prefetches that hints of the bundles so far have asked for, in their order.
  std::deque<Hinted>& hinted() { return hinted_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  /// What the predictor knows of a branch.
  struct Known {
    std::uint64_t bundle = 0;
    unsigned slot = 0;
    std::uint64_t target = 0;  ///< where it went last; 0: it was not taken since it is known
  };
  struct Guess {
    bool taken = false, unknown = false, corrected = false;
    std::uint64_t target = 0;
  };
  const trace::ia64::Bundle& decoded(const trace::Code& code);
  void step(const trace::Instruction& executed);
  [[nodiscard]] Guess guess(const trace::ia64::Slot& slot, std::uint64_t pc, unsigned number, bool taken);
  void learn(const trace::ia64::Slot& slot, std::uint64_t pc, unsigned number, bool taken, std::uint64_t target);
  [[nodiscard]] Known& place(std::uint64_t pc, unsigned number);
  [[nodiscard]] unsigned& counter(std::uint64_t pc, unsigned number);
  void ask(std::uint64_t address, std::uint64_t lines, bool streaming);

  std::unique_ptr<trace::Reader> trace_;
  std::uint64_t line_, lines_, return_places_;
  unsigned history_bits_;
  bool loops_, late_target_, prefetches_;
  std::vector<std::unique_ptr<trace::ia64::Bundle>> bundles_;
  std::vector<unsigned> counters_;
  std::vector<Known> known_;
  std::deque<std::uint64_t> returns_;  ///< the youngest last
  std::deque<bool> history_;           ///< the youngest first
  std::deque<Predicted> ready_;
  std::deque<Hinted> hinted_;
  std::uint64_t ordinal_ = 0, count_ = 0;
};

}  // namespace pmusim::testbench::ia64::lists
