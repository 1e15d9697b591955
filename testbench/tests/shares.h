// Compares the shares of a sampled profile with the exact ones, in standard errors of a sample of that size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace pmusim::testbench {

/// The exact shares: for each address the sum and the variance of what a sample drawn there adds.
class ExactShares {
 public:
  using ByAddress = std::map<std::uint64_t, double>;

  /// Adds a possible draw: one that adds `value` at an address.
  void add(std::uint64_t address, double value) {
    Place& place = places_[address];
    place.sum += value;
    place.squares += value * value;
    place.hits += value != 0 ? 1 : 0;
    sum_ += value;
    squares_ += value * value;
    draws_ += value != 0 ? 1 : 0;
  }
  /// Adds a possible draw that adds nothing to this histogram.
  void add_nothing() { ++draws_; }
  [[nodiscard]] bool knows(std::uint64_t address) const { return places_.contains(address); }
  [[nodiscard]] std::size_t addresses() const { return places_.size(); }

  /// The largest difference between a share and the exact one, in standard errors of the share of `samples` draws.
  /// Addresses with fewer than `fewest` expected samples are merged: a limit of four standard errors means little for
  /// fewer.
  [[nodiscard]] double worst(ByAddress got, std::uint64_t samples) const {
    double got_sum = 0;
    for (const auto& [address, value] : got) got_sum += value;
    if (got_sum == 0 || sum_ == 0) return 0;
    double most = 0;
    Place rare;
    double got_rare = got_sum;
    for (const auto& [address, place] : places_) {
      if (due(place, samples)) {
        most = std::max(most, distance(place, got[address] / got_sum, samples));
        got_rare -= got[address];
      } else {
        rare.sum += place.sum;
        rare.squares += place.squares;
        rare.hits += place.hits;
      }
    }
    return due(rare, samples) ? std::max(most, distance(rare, got_rare / got_sum, samples)) : most;
  }
  /// Number of addresses that are compared individually with this many samples.
  [[nodiscard]] std::size_t compared(std::uint64_t samples) const {
    return static_cast<std::size_t>(
        std::count_if(places_.begin(), places_.end(), [&](const auto& entry) { return due(entry.second, samples); }));
  }

 private:
  static constexpr double fewest = 30;
  struct Place {
    double sum = 0, squares = 0, hits = 0;
  };
  [[nodiscard]] bool due(const Place& place, std::uint64_t samples) const {
    return place.hits / draws_ * static_cast<double>(samples) >= fewest;
  }
  /// The difference in standard errors, from the variance of a ratio of sums: that of value * (here - share), in one
  /// draw.
  [[nodiscard]] double distance(const Place& place, double got, std::uint64_t samples) const {
    const double share = place.sum / sum_;
    const double squares = place.squares * (1 - share) * (1 - share) + (squares_ - place.squares) * share * share;
    const double error = std::sqrt(squares / draws_ / static_cast<double>(samples)) / (sum_ / draws_);
    return error == 0 ? 0 : std::abs(got - share) / error;
  }
  std::map<std::uint64_t, Place> places_;
  double sum_ = 0, squares_ = 0, draws_ = 0;
};

}  // namespace pmusim::testbench
