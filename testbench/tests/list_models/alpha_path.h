// List model of what the 21264 predicts: directions (local, global, choice), targets, return stack, and which fetch
// block comes next (21264/EV67 manual 2.1.1.1, 2.1.1.2, 2.2.1; docs/targets/alpha-core-ev6.md, "Pipeline"). The
// histories and the top of the return stack follow the predicted path, the wrong one included, and go back with what is
// killed; counters learn at retirement.
//
// From activity the model takes what is fetched in which cycle, and what resolves, is killed, and retires.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/alpha_lists.h"

namespace pmusim::testbench::alpha::lists {

/// Local and global predictor, and the choice between them.
struct Directions {
  struct Told {
    bool taken = false, local = false, global = false;
    unsigned history = 0;  ///< the global one that it was told with
  };
  [[nodiscard]] Told tell(std::uint64_t pc) const;
  void learn(std::uint64_t pc, const Told& told, bool taken);
  static unsigned shift(unsigned history, bool taken, unsigned bits) {
    return (2 * history + (taken ? 1u : 0u)) % (1u << bits);
  }
  unsigned history = 0;
  std::vector<unsigned> locals = std::vector<unsigned>(1024);  ///< histories of ten outcomes
  std::vector<Counter> local = std::vector<Counter>(1024, Counter{0, 7});
  std::vector<Counter> global = std::vector<Counter>(4096), choice = std::vector<Counter>(4096);
};

/// The successor of each fetch block. A jump that has retired there more than once keeps its successor (two-bit
/// counter).
struct Successors {
  struct Place {
    std::uint64_t next = 0;  ///< 0: the following block
    unsigned trust = 0;
  };
  explicit Successors(std::size_t blocks) : places(blocks) {}
  [[nodiscard]] std::uint64_t of(std::uint64_t pc) const;
  void learn(std::uint64_t pc, std::uint64_t next);
  std::vector<Place> places;
};

class Path : public Watcher {
 public:
  /// `program` has the outcomes. Successors of blocks, and with them the targets of jumps, are compared in runs without
  /// wrong paths: which instructions of a wrong path are known depends on how far the trace has been read.
  Path(const models::Parameters& parameters, const Program& program);

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  struct Fetched {
    std::uint64_t id = 0;
    Word word;
    unsigned history = 0;  ///< before it
    std::size_t top = 0;
    Directions::Told told;
    std::uint64_t next = 0;  ///< predicted
    bool predicted = false, half = false;
  };
  void resolved(Cycle now, const Seen& seen);
  void killed(Cycle now, std::span<const Seen> seen);
  void retired(Cycle now, std::span<const Seen> seen);
  void fetched(Cycle now, std::span<const Seen> seen);
  void predict(Fetched& f);
  void end_group(Cycle now, std::uint64_t start, const Fetched& last);
  [[nodiscard]] Fetched* find(std::uint64_t id);
  [[nodiscard]] bool of_program(std::uint64_t id) const { return id < program_.steps.size(); }
  void push(std::uint64_t back);
  std::uint64_t pop();
  std::string held(const Fetched& f) const;

  const Program& program_;
  bool wrong_paths_;
  Cycle bubble_;
  Directions directions_;
  Successors successors_;
  std::vector<std::uint64_t> stack_;
  std::size_t top_ = 0;
  std::deque<Fetched> flight_;                   ///< fetched and not retired
  std::uint64_t corrected_ = ~std::uint64_t{0};  ///< the branch that resolves in this cycle and was mispredicted
  bool line_comes_ = false;                      ///< fetch waits for a line of the Icache
  Cycle not_before_ = 0;                         ///< the next fetch, after a wrong successor
};

// List model of branch prediction in order (docs/targets/alpha-core.md, "Prediction"; Alpha Architecture Handbook,
// table 4-4). The program alone says every prediction: branches are predicted once each, in program order.

class InOrderBranches : public Watcher {
 public:
  InOrderBranches(const models::Parameters& parameters, const Program& program);

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  struct Prediction {
    bool taken = true, right = true;
  };
  /// History of an instruction's place. Another branch in the place begins with the sign of its displacement.
  struct Place {
    std::uint64_t pc = 0;
    Counter counter;
    bool used = false;
  };
  void find_next();
  Prediction predict(const Program::Step& step);
  bool direction(const Word& word, bool taken);
  [[nodiscard]] bool returns_to(std::uint64_t next);
  void calls(std::uint64_t back);

  const Program& program_;
  std::vector<Place> places_;
  unsigned highest_;
  std::size_t depth_;
  std::vector<std::uint64_t> stack_;  ///< return addresses, the next one last
  std::size_t next_ = 0;              ///< first branch that has not resolved
};

}  // namespace pmusim::testbench::alpha::lists
