// The verdicts on the parts of one job, in one entry of the cache.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/cache.h"

namespace pmusim::testbench {

class KeptVerdicts {
 public:
  /// Nothing is kept.
  KeptVerdicts() = default;
  /// `prefix` is the beginning of the command that reproduces a mismatch; the file does not contain it.
  KeptVerdicts(Cache& cache, CacheKey key, std::string prefix);
  [[nodiscard]] bool keeps() const { return cache_ != nullptr; }
  /// Null if no part with this identity has been judged.
  [[nodiscard]] std::optional<JobVerdict> find(const std::string& identity) const;
  void put(const std::string& identity, const JobVerdict& verdict);
  /// Writes the file if there are new verdicts. Verdicts that this run did not request are kept up to a limit.
  void save();

 private:
  Cache* cache_ = nullptr;
  std::optional<CacheKey> key_;
  std::string prefix_;
  std::map<std::string, std::string> known_;         ///< packed, by digest of the identity
  mutable std::map<std::string, std::string> used_;  ///< in this run
  bool changed_ = false;
};

}  // namespace pmusim::testbench
