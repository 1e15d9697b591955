#include "tally.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <iostream>

namespace pmusim::perturbation {

Tally::~Tally() {
  std::cout << table_ << ": caught " << caught_ << " of " << tried_ - same_;
  if (same_ != 0) std::cout << ", and " << same_ << " changes are equivalent";
  if (every_ != 1) std::cout << " (every " << every_ << "th of " << number_ << " tried)";
  std::cout << '\n';
  EXPECT_GT(caught_, 0u);
  if (every_ != 1) return;
  for (std::size_t i = 0; i < equivalents_.size(); ++i) {
    EXPECT_TRUE(met_[i]) << table_ << ": listed as equivalent, but never made: " << equivalents_[i].change;
  }
}

bool Tally::next() { return number_++ % every_ == 0; }

const Equivalent* Tally::equivalent(const std::string& change) {
  for (std::size_t i = 0; i < equivalents_.size(); ++i) {
    if (fnmatch(std::string(equivalents_[i].change).c_str(), change.c_str(), 0) != 0) continue;
    met_[i] = true;
    return &equivalents_[i];
  }
  return nullptr;
}

void Tally::expect_noticed(const std::string& change, const Rows& rows, const Exchange& exchange) {
  ++tried_;
  const bool noticed = bench_.notices(rows, exchange) || bench_.notices_in_sets(rows, exchange);
  if (const Equivalent* const known = equivalent(change)) {
    ++same_;
    EXPECT_FALSE(noticed) << table_ << ": " << change << ": noticed, though " << known->reason;
    return;
  }
  caught_ += noticed ? 1 : 0;
  EXPECT_TRUE(noticed) << table_ << ": not noticed: " << change;
}

}  // namespace pmusim::perturbation
