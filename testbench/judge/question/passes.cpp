
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "testbench/judge/question/covering.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {
namespace {

/// The rows of one run, each with a counter of its own.
class Pass {
 public:
  /// Adds a row, and moves others to other counters where necessary. False if it does not fit.
  bool add(std::size_t row, const std::vector<std::vector<unsigned>>& counters) {
    std::vector<unsigned> tried;
    if (!place(row, counters, tried)) return false;
    rows_.push_back(row);
    return true;
  }
  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }

 private:
  /// An augmenting path of the bipartite matching between rows and counters.
  bool place(std::size_t row, const std::vector<std::vector<unsigned>>& counters, std::vector<unsigned>& tried) {
    for (const unsigned counter : counters[row]) {
      if (std::find(tried.begin(), tried.end(), counter) != tried.end()) continue;
      tried.push_back(counter);
      const auto holder = holder_.find(counter);
      if (holder != holder_.end() && !place(holder->second, counters, tried)) continue;
      holder_[counter] = row;
      return true;
    }
    return false;
  }

  std::vector<std::size_t> rows_;
  std::map<unsigned, std::size_t> holder_;  ///< the row of each counter
};

std::vector<std::vector<std::size_t>> distribute(const std::string& target, const std::vector<std::string>& names) {
  const JudgingFacts& facts = judging_facts(target);
  std::vector<std::vector<unsigned>> counters;
  for (const std::string& name : names) {
    counters.push_back(counters_of_row(target, name));
  }
  // Rows with few counters first, so that the others fill the places that are left.
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counters[a].size() < counters[b].size(); });
  std::vector<Pass> passes;
  for (const std::size_t row : order) {
    const auto agrees = [&](std::size_t other) {
      return facts.together == nullptr ||
             (facts.together(target, names[row], names[other]) && facts.together(target, names[other], names[row]));
    };
    const auto home = std::find_if(passes.begin(), passes.end(), [&](Pass& pass) {
      return std::all_of(pass.rows().begin(), pass.rows().end(), agrees) && pass.add(row, counters);
    });
    if (home == passes.end()) passes.emplace_back().add(row, counters);
  }
  std::vector<std::vector<std::size_t>> result;
  for (const Pass& pass : passes) result.push_back(pass.rows());
  return result;
}

}  // namespace

std::vector<unsigned> counters_of_row(std::string_view target, std::string_view row) {
  return event_facts(target, row).counters.numbers(questions::family_of(target)->counters.size());
}

const std::vector<std::vector<std::size_t>>& passes_of(const std::string& target,
                                                       const std::vector<oracle::Request>& rows) {
  static std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::vector<std::size_t>>> known;
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const oracle::Request& row : rows) names.push_back(row_name(row));
  const auto found = known.find({target, names});
  if (found != known.end()) return found->second;
  std::vector<std::vector<std::size_t>> passes = distribute(target, names);
  return known.emplace(std::pair(target, std::move(names)), std::move(passes)).first->second;
}

}  // namespace pmusim::testbench
