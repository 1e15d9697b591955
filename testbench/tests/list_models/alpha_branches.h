// List model of branch prediction in order (docs/targets/alpha-core.md, "Prediction"; Alpha Architecture Handbook,
// table 4-4). The program alone says every prediction: branches are predicted once each, in program order.
#pragma once

#include <vector>

#include "alpha_lists.h"
#include "alpha_watch.h"
#include "models/common/parameters.h"

namespace pmusim::testbench::alpha::lists {

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
