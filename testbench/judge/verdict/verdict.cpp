#include "testbench/judge/verdict/verdict.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "testbench/judge/diagnosis/causes.h"

namespace pmusim::testbench {

namespace {

constexpr std::array<std::string_view, 3> provenance_names{"real", "text", "directive"};

Json to_json(const Comparison& sample) {
  return Json{{"trace", sample.trace},     {"event", sample.event},     {"registers", sample.registers},
              {"counter", sample.counter}, {"counted", sample.counted}, {"expected", sample.expected}};
}

Comparison sample_from_json(const Json& object) {
  return {object.at("trace"),   object.at("event"),   object.at("registers"),
          object.at("counter"), object.at("counted"), object.at("expected")};
}

/// All numbers of a verdict except its seconds are 64-bit integers, and its nesting is limited to its comparisons.
void require_whole_numbers(const Json& value, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (depth > deepest) throw std::invalid_argument("no verdict nests so deep");
  const bool negative = value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (value.is_number_float() || negative) throw std::invalid_argument("no whole number of 64 bits");
  if (value.is_array()) {
    for (const Json& element : value) require_whole_numbers(element, depth + 1);
  } else if (value.is_object()) {
    for (const auto& [key, element] : value.items())
      if (key != "seconds") require_whole_numbers(element, depth + 1);
  }
}

/// Compares by simplicity: fewer attributes come first, an empty comparison last.
bool asks_less(const Comparison& a, const Comparison& b) {
  if (a.event.empty() || b.event.empty()) return !a.event.empty();
  const auto rank = [](const Comparison& s) {
    return std::make_tuple(s.trace.empty(), s.event.size(), s.event, s.trace);
  };
  return rank(a) < rank(b);
}

}  // namespace

void add(std::vector<IdentityVerdict>& identities, const IdentityVerdict& more) {
  const auto same = [&](const IdentityVerdict& known) { return known.relation == more.relation; };
  const auto known = std::find_if(identities.begin(), identities.end(), same);
  if (known == identities.end()) {
    identities.push_back(more);
    return;
  }
  known->traces += more.traces;
  known->exercised += more.exercised;
  known->broken += more.broken;
  if (known->example.empty()) known->example = more.example;
}

void RowVerdict::fail(const Comparison& check) {
  ++mismatches;
  if (asks_less(check, failed)) failed = check;
}

std::string_view name_of(Provenance provenance) { return provenance_names[static_cast<std::size_t>(provenance)]; }

void add(RowVerdict& row, const RowVerdict& more) {
  row.checks += more.checks;
  row.vacuous += more.vacuous;
  row.mismatches += more.mismatches;
  row.unsupported += more.unsupported;
  row.encoded += more.encoded;
  row.exercised = row.exercised || more.exercised;
  row.seconds += more.seconds;
  if (asks_less(more.failed, row.failed)) row.failed = more.failed;
  const auto rank = [](const Comparison& s) { return std::make_tuple(s.event.empty(), ~s.expected, s.trace, s.event); };
  if (rank(more.best) < rank(row.best)) row.best = more.best;
}

Json to_json(const JobVerdict& verdict) {
  Json rows = Json::object();
  for (const auto& [name, row] : verdict.rows) {
    Json& of_row = rows[name] =
        Json{{"checks", row.checks},           {"vacuous", row.vacuous}, {"mismatches", row.mismatches},
             {"unsupported", row.unsupported}, {"encoded", row.encoded}, {"exercised", row.exercised}};
    if (!row.best.event.empty()) of_row["best"] = to_json(row.best);
    if (!row.failed.event.empty()) of_row["failed"] = to_json(row.failed);
  }
  Json mismatches = Json::array();
  for (const Mismatch& mismatch : verdict.mismatches) {
    mismatches.push_back({{"sample", to_json(mismatch.sample)},
                          {"problem", mismatch.problem},
                          {"diagnosis", mismatch.diagnosis},
                          {"reproduce", mismatch.reproduce},
                          {"cause", mismatch.cause}});
  }
  Json questions = Json::array();
  for (const QuestionVerdict& question : verdict.questions)
    questions.push_back(
        {question.question, question.verdict, question.detail, question.traces, question.number, question.at_once});
  Json identities = Json::array();
  for (const IdentityVerdict& identity : verdict.identities)
    identities.push_back({identity.relation, identity.traces, identity.exercised, identity.broken, identity.example});
  return Json{
      {"job", verdict.job},
      {"target", verdict.target},
      {"trace", verdict.trace},
      {"provenance", static_cast<int>(verdict.provenance)},
      {"rows", rows},
      {"mismatches", mismatches},
      {"unsupported", verdict.unsupported},
      {"driver", {verdict.driver.counts, verdict.driver.ticks, verdict.driver.untaken, verdict.driver.remainder}},
      {"not_modelled", verdict.not_modelled},
      {"causes", verdict.causes},
      {"questions", questions},
      {"identities", identities},
      {"policies", verdict.policies},
      {"seconds", verdict.seconds}};
}

JobVerdict verdict_from_json(const Json& object) {
  require_whole_numbers(object);
  JobVerdict verdict;
  verdict.job = object.at("job");
  verdict.target = object.at("target");
  verdict.trace = object.at("trace");
  verdict.provenance = static_cast<Provenance>(object.at("provenance").get<int>());
  if (verdict.provenance < Provenance::real || verdict.provenance > Provenance::directive)
    throw std::invalid_argument("no provenance of a trace");
  for (const auto& [name, row] : object.at("rows").items()) {
    const auto sample_of = [&row = row](const char* key) {
      return row.contains(key) ? sample_from_json(row.at(key)) : Comparison{};
    };
    verdict.rows[name] = {row.at("checks"),  row.at("vacuous"),   row.at("mismatches"), row.at("unsupported"),
                          row.at("encoded"), row.at("exercised"), sample_of("best"),    sample_of("failed")};
  }
  for (const Json& mismatch : object.at("mismatches")) {
    verdict.mismatches.push_back({sample_from_json(mismatch.at("sample")), mismatch.at("problem"),
                                  mismatch.at("diagnosis"), mismatch.at("reproduce"), mismatch.at("cause")});
  }
  verdict.unsupported = object.at("unsupported");
  const Json& driver = object.at("driver");
  verdict.driver = {driver.at(0), driver.at(1), driver.at(2), driver.at(3)};
  verdict.not_modelled = object.at("not_modelled").get<std::vector<std::string>>();
  verdict.causes = object.at("causes").get<std::map<std::string, std::uint64_t>>();
  for (const Json& question : object.at("questions"))
    verdict.questions.push_back(
        {question.at(0), question.at(1), question.at(2), question.at(3), question.at(4), question.at(5)});
  for (const Json& identity : object.at("identities"))
    verdict.identities.push_back({identity.at(0), identity.at(1), identity.at(2), identity.at(3), identity.at(4)});
  verdict.policies = object.at("policies").get<std::map<std::string, std::uint64_t>>();
  verdict.seconds = object.at("seconds");
  return verdict;
}

std::uint64_t TargetVerdict::questions_with(std::string_view verdict) const {
  return static_cast<std::uint64_t>(
      std::count_if(questions.begin(), questions.end(),
                    [&](const QuestionVerdict& question) { return question.verdict == verdict; }));
}

std::uint64_t TargetVerdict::broken_identities() const {
  return static_cast<std::uint64_t>(std::count_if(
      identities.begin(), identities.end(), [](const IdentityVerdict& identity) { return identity.broken != 0; }));
}

namespace {

void simplify_causes(TargetVerdict& verdict) {
  for (const auto& [cause, simpler] : diagnose::simplest_causes(verdict.causes)) {
    if (cause == simpler) continue;
    verdict.causes[simpler] += verdict.causes.at(cause);
    verdict.causes.erase(cause);
    for (Mismatch& mismatch : verdict.mismatches) {
      if (mismatch.cause == cause) mismatch.cause = simpler;
    }
  }
}

}  // namespace

TargetVerdict merge(const std::string& target, const std::vector<std::string>& rows,
                    const std::vector<std::string>& holding, std::vector<JobVerdict> jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const JobVerdict& a, const JobVerdict& b) { return a.job < b.job; });
  TargetVerdict merged;
  merged.target = target;
  std::map<std::string, RowVerdict> by_row;
  std::map<std::string, Provenance> realest;
  std::set<std::string> not_modelled;
  for (JobVerdict& job : jobs) {
    if (job.target != target) continue;
    std::uint64_t checks = 0;
    for (const auto& [name, row] : job.rows) checks += row.checks;
    for (auto& [name, row] : job.rows) {
      if (checks != 0) row.seconds = job.seconds * static_cast<double>(row.checks) / static_cast<double>(checks);
      add(by_row[name], row);
      if (!row.exercised) continue;
      const auto [place, added] = realest.emplace(name, job.provenance);
      if (!added) place->second = std::min(place->second, job.provenance);
    }
    merged.unsupported += job.unsupported;
    merged.driver.add(job.driver);
    not_modelled.insert(job.not_modelled.begin(), job.not_modelled.end());
    std::move(job.mismatches.begin(), job.mismatches.end(), std::back_inserter(merged.mismatches));
    for (const auto& [cause, count] : job.causes) merged.causes[cause] += count;
    std::move(job.questions.begin(), job.questions.end(), std::back_inserter(merged.questions));
    for (const IdentityVerdict& identity : job.identities) add(merged.identities, identity);
    for (const auto& [policy, count] : job.policies) merged.policies[policy] += count;
  }
  for (const std::string& name : rows) {
    const RowVerdict& row = by_row[name];
    merged.rows.emplace_back(name, row);
    merged.checks += row.checks;
    merged.vacuous += row.vacuous;
    merged.mismatched += row.mismatches;
    const bool holds = std::find(holding.begin(), holding.end(), name) != holding.end();
    if (row.unknown()) {
      merged.unknown.push_back(name);
    } else if (!holds && !row.exercised) {
      merged.unexercised.push_back(name);
    }
  }
  for (const auto& [name, provenance] : realest) ++merged.exercised_by[provenance];
  simplify_causes(merged);
  merged.not_modelled.assign(not_modelled.begin(), not_modelled.end());
  return merged;
}

namespace {

/// An array without the search for keys that an object needs.
using Packed = nlohmann::json;

Packed pack(const Comparison& sample) {
  return {sample.trace, sample.event, sample.registers, sample.counter, sample.counted, sample.expected};
}

/// Of a row: it may have none.
Packed pack_any(const Comparison& sample) { return sample.event.empty() ? Packed() : pack(sample); }

/// Moves a text out of the array: it is read once.
std::string text(Packed& value) { return std::move(value.get_ref<std::string&>()); }

Comparison comparison(Packed& p) {
  if (p.is_null()) return {};
  return {text(p.at(0)), text(p.at(1)), text(p.at(2)), text(p.at(3)), p.at(4), p.at(5)};
}

Packed pack(const std::map<std::string, std::uint64_t>& numbers) {
  Packed list = Packed::array();
  for (const auto& [name, number] : numbers) list.push_back({name, number});
  return list;
}

std::map<std::string, std::uint64_t> numbers(Packed& list) {
  std::map<std::string, std::uint64_t> result;
  for (Packed& entry : list) result.emplace(text(entry.at(0)), entry.at(1));
  return result;
}

}  // namespace

std::string packed(const JobVerdict& v) {
  Packed rows = Packed::array(), mismatches = Packed::array(), asked = Packed::array(), identities = Packed::array();
  for (const auto& [name, row] : v.rows) {
    rows.push_back({name, row.checks, row.vacuous, row.mismatches, row.unsupported, row.encoded, row.exercised,
                    pack_any(row.best), pack_any(row.failed)});
  }
  for (const Mismatch& m : v.mismatches)
    mismatches.push_back({pack(m.sample), m.problem, m.diagnosis, m.reproduce, m.cause});
  for (const QuestionVerdict& q : v.questions)
    asked.push_back({q.question, q.verdict, q.detail, q.traces, q.number, q.at_once});
  for (const IdentityVerdict& i : v.identities)
    identities.push_back({i.relation, i.traces, i.exercised, i.broken, i.example});
  const Packed driver = {v.driver.counts, v.driver.ticks, v.driver.untaken, v.driver.remainder};
  const Packed whole = {v.job,
                        v.target,
                        v.trace,
                        static_cast<int>(v.provenance),
                        rows,
                        mismatches,
                        driver,
                        v.unsupported,
                        v.not_modelled,
                        pack(v.causes),
                        asked,
                        identities,
                        pack(v.policies),
                        v.seconds};
  std::string bytes;
  Packed::to_cbor(whole, bytes);
  return bytes;
}

JobVerdict unpacked(std::string_view bytes) {
  Packed whole = Packed::from_cbor(bytes);
  JobVerdict v;
  v.job = text(whole.at(0));
  v.target = text(whole.at(1));
  v.trace = text(whole.at(2));
  v.provenance = static_cast<Provenance>(whole.at(3).get<int>());
  for (Packed& p : whole.at(4)) {
    RowVerdict& row = v.rows[text(p.at(0))];
    row = {p.at(1), p.at(2), p.at(3), p.at(4), p.at(5), p.at(6), comparison(p.at(7)), comparison(p.at(8))};
  }
  for (Packed& p : whole.at(5)) {
    v.mismatches.push_back({comparison(p.at(0)), text(p.at(1)), text(p.at(2)), text(p.at(3)), text(p.at(4))});
  }
  const Packed& driver = whole.at(6);
  v.driver = {driver.at(0), driver.at(1), driver.at(2), driver.at(3)};
  v.unsupported = whole.at(7);
  v.not_modelled = whole.at(8).get<std::vector<std::string>>();
  v.causes = numbers(whole.at(9));
  for (Packed& p : whole.at(10))
    v.questions.push_back({text(p.at(0)), text(p.at(1)), text(p.at(2)), p.at(3), p.at(4), p.at(5)});
  for (Packed& p : whole.at(11)) v.identities.push_back({text(p.at(0)), p.at(1), p.at(2), p.at(3), text(p.at(4))});
  v.policies = numbers(whole.at(12));
  v.seconds = whole.at(13);
  return v;
}

}  // namespace pmusim::testbench
