#include "testbench/judge/verdict/kept_verdicts.h"

#include <sstream>
#include <utility>

#include "testbench/store/digest.h"

namespace pmusim::testbench {
namespace {

/// How many verdicts of other runs are kept along with those of this run.
constexpr std::size_t most_others = 3;

}  // namespace

KeptVerdicts::KeptVerdicts(Cache& cache, CacheKey key, std::string prefix)
    : cache_(&cache), key_(std::move(key)), prefix_(std::move(prefix)) {
  const auto content = cache_->find(*key_);
  if (!content) return;
  std::istringstream lines(*content);
  for (std::string identity, verdict; std::getline(lines, identity) && std::getline(lines, verdict);)
    known_.emplace(std::move(identity), std::move(verdict));
}

std::optional<JobVerdict> KeptVerdicts::find(const std::string& identity) const {
  if (known_.empty()) return std::nullopt;
  const auto found = known_.find(digest_of(identity));
  if (found == known_.end()) return std::nullopt;
  used_.insert(*found);
  JobVerdict verdict = verdict_from_json(Json::parse(found->second));
  for (Mismatch& mismatch : verdict.mismatches) mismatch.reproduce.insert(0, prefix_);
  return verdict;
}

void KeptVerdicts::put(const std::string& identity, const JobVerdict& verdict) {
  JobVerdict kept = verdict;
  for (Mismatch& mismatch : kept.mismatches) {
    if (!mismatch.reproduce.starts_with(prefix_)) return;  // made by another command
    mismatch.reproduce.erase(0, prefix_.size());
  }
  used_[digest_of(identity)] = line_of(to_json(kept));
  changed_ = true;
}

void KeptVerdicts::save() {
  if (cache_ == nullptr || !changed_) return;
  std::string content;
  const auto add = [&](const auto& entry) { content += entry.first + '\n' + entry.second + '\n'; };
  for (const auto& entry : used_) add(entry);
  std::size_t others = most_others * used_.size();
  for (const auto& entry : known_) {
    if (used_.contains(entry.first) || others == 0) continue;
    --others;
    add(entry);
  }
  cache_->put(*key_, content);
}

}  // namespace pmusim::testbench
