#include "testbench/mutate/order.h"

#include <algorithm>
#include <numeric>

namespace pmusim::testbench::mutate {
namespace {

/// The quickest stimulus is retried once in this many mutants that another stimulus kills.
constexpr unsigned patience = 16;

}  // namespace

Order::Order(const std::vector<std::size_t>& sizes) : order_(sizes.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  quickest_ = order_.empty() ? 0 : order_.front();
}

bool Order::find(const std::string& like, const std::function<bool(std::size_t)>& kills) {
  const std::size_t count = order_.size();
  std::vector<bool> tried(count, false);
  const auto hint = hints_.find(like);
  const bool is_known = hint != hints_.end();
  std::vector<std::size_t> first;
  if (is_known && ++hint->second.slow % patience != 0) {
    first.push_back(hint->second.killer);
  } else {
    first.push_back(quickest_);
    if (is_known) first.push_back(hint->second.killer);
  }
  // If stimuli differ in one address bit, the next stimulus kills the mutant with the next bit.
  if (!order_.empty()) first.insert(first.end(), {order_.front(), (order_.front() + 1) % count});
  const auto try_one = [&](std::size_t stimulus) {
    if (stimulus >= count || tried[stimulus]) return false;
    tried[stimulus] = true;
    if (!kills(stimulus)) return false;
    if (is_known && hint->second.killer == stimulus) {
      if (stimulus == quickest_) hint->second.slow = patience - 1;
    } else {
      hints_.insert_or_assign(like, Hint{stimulus, stimulus == quickest_ ? patience - 1 : 0});
    }
    const auto place = std::find(order_.begin(), order_.end(), stimulus);
    std::rotate(order_.begin(), place, place + 1);
    return true;
  };
  for (const std::size_t stimulus : first) {
    if (try_one(stimulus)) return true;
  }
  const std::vector<std::size_t> rest = order_;
  return std::any_of(rest.begin(), rest.end(), try_one);
}

}  // namespace pmusim::testbench::mutate
