// In which order stimuli are tried on a mutant: what killed the last one like it comes first, so that most mutants are
// killed by the first run.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pmusim::testbench::mutate {

class Order {
 public:
  /// `sizes`: how long each stimulus takes, in any unit.
  explicit Order(const std::vector<std::size_t>& sizes);

  /// Whether `kills(stimulus)` of any. `like` is the same for mutants that the same stimulus may kill.
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
