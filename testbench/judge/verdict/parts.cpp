#include "testbench/judge/verdict/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "pmusim/trace/bytes.h"
#include "testbench/store/this_program.h"

namespace pmusim::testbench {

std::vector<Part> parts_of(const std::vector<const Group*>& groups) {
  std::vector<Part> parts;
  std::map<std::string, std::size_t> known;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::string events;
    for (const Check& check : groups[g]->checks) events += check.request.event + ' ';
    const auto [place, is_new] = known.try_emplace(events, parts.size());
    if (is_new) parts.push_back({events, {}});
    parts[place->second].groups.push_back(g);
  }
  return parts;
}

std::string identity_of(const Group& group, const Answer& answer) {
  std::string text = fmt::format("{}\n{} {} {}", group.question(), group.thread, group.filter, group.sampling);
  text += fmt::format(" {}", group.period);
  if (group.captures)
    text += fmt::format(" captures {} {} {}", static_cast<int>(group.captures->unit), group.captures->period,
                        group.captures->prediction);
  if (group.sampled) text += fmt::format(" sampled {} {}", static_cast<int>(group.sampled->by), group.sampled->period);
  for (const unsigned counter : group.unavailable_counters) text += fmt::format(" without {}", counter);
  for (const ExtraWrite& extra : group.extra) text += fmt::format(" {}={:x}", extra.reg, extra.value);
  for (const Check& check : group.checks) {
    const oracle::Request& request = check.request;
    text += fmt::format("\n{} {} {} {:x} {:x} {:x} {}", row_name(request), check.raw, check.holds, request.address,
                        request.breakpoint, request.time_base, request.pin_control);
  }
  text += fmt::format("\n{} {}\n", static_cast<int>(answer.status), answer.message);
  for (const encoder::RegisterValue& reg : answer.registers) text += fmt::format("{}={:x} ", reg.name, reg.value);
  for (const std::string& counter : answer.counters) text += counter + ' ';
  for (const std::uint64_t preset : answer.presets) text += fmt::format("{:x} ", preset);
  for (const std::string& counter : answer.reads) text += "reads " + counter + ' ';
  for (const std::string& policy : names_of(answer.policy)) text += "policy " + policy + ' ';
  for (const auto& [reg, bits] : answer.dont_care) text += fmt::format("{}?{:x} ", reg, bits);
  return text + '\n';
}

std::vector<const Group*> groups_of(const AnsweredPlan& plan) {
  std::vector<const Group*> groups;
  for (const auto& asked : plan) groups.push_back(&asked->group);
  return groups;
}

AnsweredPlan answered_plan(std::vector<Group> groups, std::vector<Answer> answers) {
  AnsweredPlan plan;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    AnsweredGroup asked{std::move(groups[g]), std::move(answers.at(g))};
    asked.digest = digest_of(identity_of(asked.group, asked.answer));
    plan.push_back(std::make_shared<const AnsweredGroup>(std::move(asked)));
  }
  return plan;
}

void JobOfParts::find_parts() {
  if (!verdicts_.empty()) return;
  kept_ = open_kept();
  verdicts_.resize(parts());
  identities_.resize(parts());
  for (std::size_t p = 0; p < verdicts_.size(); ++p) {
    if (kept_.keeps()) identities_[p] = identity(p);
    if (auto found = kept_.find(identities_[p]))
      verdicts_[p] = std::move(*found);
    else
      missing_.push_back(p);
  }
}

std::optional<JobVerdict> JobOfParts::kept() {
  find_parts();
  return missing_.empty() && kept_.keeps() ? std::optional(joined(verdicts_)) : std::nullopt;
}

JobVerdict JobOfParts::judged() {
  find_parts();
  if (!missing_.empty()) judge(missing_, verdicts_);
  for (const std::size_t p : missing_) {
    if (kept_.keeps() && answered(p)) kept_.put(identities_[p], verdicts_[p]);
  }
  if (!missing_.empty()) kept_.save();
  return joined(verdicts_);
}

JobVerdict join(JobVerdict job, const std::vector<JobVerdict>& parts, const Listing& listing) {
  std::map<std::string, std::size_t> of_cause;
  for (const JobVerdict& part : parts) {
    for (const auto& [name, more] : part.rows) {
      RowVerdict& row = job.rows[name];
      const Comparison best =
          row.best.event.empty() || (!more.best.event.empty() && more.best.event.size() < row.best.event.size())
              ? more.best
              : row.best;
      add(row, more);
      row.best = best;  // the simplest one of a trace
    }
    for (std::size_t i = 0; i < part.mismatches.size(); ++i) {
      const Mismatch& mismatch = part.mismatches[i];
      if (of_cause[mismatch.cause] >= listing.most_of_cause) continue;
      if (job.mismatches.size() >= listing.most && i > 0) break;
      ++of_cause[mismatch.cause];
      job.mismatches.push_back(mismatch);
    }
    job.add(part);
  }
  return job;
}

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
