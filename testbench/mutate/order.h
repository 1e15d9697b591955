// The order in which stimuli are tried on a mutant: the one that killed the last similar mutant comes first, so that
// the first run kills most mutants.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pmusim::testbench::mutate {

class Order {
 public:
  /// `sizes`: the relative run time of each stimulus.
  explicit Order(const std::vector<std::size_t>& sizes);

  /// True if `kills(stimulus)` is true for one of them. `like` is the same for mutants that the same stimulus may kill.
  bool find(const std::string& like, const std::function<bool(std::size_t)>& kills);

 private:
  struct Hint {
    std::size_t killer;
    unsigned slow = 0;  ///< how often it was the killer since the quickest one was tried
  };
  std::vector<std::size_t> order_;  ///< latest killer first
  std::size_t quickest_;
  std::map<std::string, Hint> hints_;
};

}  // namespace pmusim::testbench::mutate
