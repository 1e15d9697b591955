#include "testbench/judge/verdict/kept_verdicts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pmusim/trace/bytes.h"
#include "testbench/judge/verdict/packed_verdict.h"
#include "testbench/store/digest.h"

namespace pmusim::testbench {
namespace {

/// How many verdicts of other runs are kept along with those of this run.
constexpr std::size_t most_others = 3;

/// An entry is the digest of the identity, the length of the verdict, and the verdict.
constexpr std::size_t head = digest_digits + sizeof(std::uint32_t);

}  // namespace

KeptVerdicts::KeptVerdicts(Cache& cache, CacheKey key, std::string prefix)
    : cache_(&cache), key_(std::move(key)), prefix_(std::move(prefix)) {
  const auto content = cache_->find(*key_);
  if (!content) return;
  std::string_view rest = *content;
  while (rest.size() >= head) {
    std::string identity(rest.substr(0, digest_digits));
    const auto size = trace::get_fixed<std::uint32_t>(rest.data() + digest_digits);
    known_.emplace(std::move(identity), rest.substr(head, size));
    rest.remove_prefix(std::min<std::size_t>(rest.size(), head + size));
  }
}

std::optional<JobVerdict> KeptVerdicts::find(const std::string& identity) const {
  if (known_.empty()) return std::nullopt;
  const auto found = known_.find(digest_of(identity));
  if (found == known_.end()) return std::nullopt;
  used_.insert(*found);
  JobVerdict verdict = unpacked(found->second);
  for (Mismatch& mismatch : verdict.mismatches) mismatch.reproduce.insert(0, prefix_);
  return verdict;
}

void KeptVerdicts::put(const std::string& identity, const JobVerdict& verdict) {
  JobVerdict kept = verdict;
  for (Mismatch& mismatch : kept.mismatches) {
    if (!mismatch.reproduce.starts_with(prefix_)) return;  // made by another command
    mismatch.reproduce.erase(0, prefix_.size());
  }
  used_[digest_of(identity)] = packed(kept);
  changed_ = true;
}

void KeptVerdicts::save() {
  if (cache_ == nullptr || !changed_) return;
  std::string content;
  const auto add = [&](const auto& entry) {
    content += entry.first;
    trace::put_fixed(content, static_cast<std::uint32_t>(entry.second.size()));
    content += entry.second;
  };
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
