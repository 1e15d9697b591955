#include "testbench/judge/verdict/verdict.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "pmusim/trace/byte_cursor.h"
#include "pmusim/trace/bytes.h"
#include "testbench/judge/diagnosis/causes.h"

namespace pmusim::testbench {

namespace {

constexpr std::array<std::string_view, 3> provenance_names{"real", "text", "directive"};

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

/// Of a row: it may have none.
bool is_absent(const Comparison& sample) { return sample.event.empty(); }
bool is_absent(const auto&) { return false; }

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

void Findings::add(Findings more) {
  driver.add(more.driver);
  unsupported += more.unsupported;
  if (!more.not_modelled.empty()) {
    std::set<std::string> all(not_modelled.begin(), not_modelled.end());
    all.insert(more.not_modelled.begin(), more.not_modelled.end());
    not_modelled.assign(all.begin(), all.end());
  }
  for (const auto& [cause, count] : more.causes) causes[cause] += count;
  std::move(more.questions.begin(), more.questions.end(), std::back_inserter(questions));
  for (const IdentityVerdict& identity : more.identities) testbench::add(identities, identity);
  for (const auto& [policy, count] : more.policies) policies[policy] += count;
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
    std::move(job.mismatches.begin(), job.mismatches.end(), std::back_inserter(merged.mismatches));
    merged.Findings::add(std::move(job));
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
  return merged;
}

namespace {

template <class T, class Structure>
concept Is = std::same_as<std::remove_const_t<T>, Structure>;

// The members of each structure, with their names in a journal; a structure without names is an array there, too.
// `true`: the member may be absent.
void members(Is<Comparison> auto& v, auto visit) {
  visit("trace", v.trace);
  visit("event", v.event);
  visit("registers", v.registers);
  visit("counter", v.counter);
  visit("counted", v.counted);
  visit("expected", v.expected);
}
void members(Is<RowVerdict> auto& v, auto visit) {
  visit("checks", v.checks);
  visit("vacuous", v.vacuous);
  visit("mismatches", v.mismatches);
  visit("unsupported", v.unsupported);
  visit("encoded", v.encoded);
  visit("exercised", v.exercised);
  visit("best", v.best, true);
  visit("failed", v.failed, true);
}
void members(Is<Mismatch> auto& v, auto visit) {
  visit("sample", v.sample);
  visit("problem", v.problem);
  visit("diagnosis", v.diagnosis);
  visit("reproduce", v.reproduce);
  visit("cause", v.cause);
}
void members(Is<DriverCounts> auto& v, auto visit) {
  for (auto* count : {&v.counts, &v.ticks, &v.untaken, &v.remainder}) visit(nullptr, *count);
}
void members(Is<QuestionVerdict> auto& v, auto visit) {
  for (auto* text : {&v.question, &v.verdict, &v.detail}) visit(nullptr, *text);
  visit(nullptr, v.traces);
  visit(nullptr, v.number);
  visit(nullptr, v.at_once);
}
void members(Is<IdentityVerdict> auto& v, auto visit) {
  visit(nullptr, v.relation);
  for (auto* count : {&v.traces, &v.exercised, &v.broken}) visit(nullptr, *count);
  visit(nullptr, v.example);
}
void members(Is<JobVerdict> auto& v, auto visit) {
  visit("job", v.job);
  visit("target", v.target);
  visit("trace", v.trace);
  visit("provenance", v.provenance);
  visit("rows", v.rows);
  visit("mismatches", v.mismatches);
  visit("unsupported", v.unsupported);
  visit("driver", v.driver);
  visit("not_modelled", v.not_modelled);
  visit("causes", v.causes);
  visit("questions", v.questions);
  visit("identities", v.identities);
  visit("policies", v.policies);
  visit("seconds", v.seconds);
}

template <class T>
concept Structure = requires(T& v) {
  members(v, [](const char*, auto&, bool = false) {});
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};
template <class T>
concept List = !std::same_as<T, std::string> && requires {
  typename T::value_type;
}
&&!Map<T>;

template <class T>
Json written(const T& value) {
  if constexpr (Structure<const T>) {
    Json result;
    members(value, [&](const char* name, const auto& member, bool may_be_absent = false) {
      if (name == nullptr)
        result.push_back(written(member));
      else if (!may_be_absent || !is_absent(member))
        result[name] = written(member);
    });
    return result;
  } else if constexpr (Map<T>) {
    Json result = Json::object();
    for (const auto& [name, element] : value) result[name] = written(element);
    return result;
  } else if constexpr (List<T>) {
    Json result = Json::array();
    for (const auto& element : value) result.push_back(written(element));
    return result;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else {
    return value;
  }
}

/// Texts are moved out of `from`.
template <class T>
void read(Json& from, T& value) {
  if constexpr (Structure<T>) {
    std::size_t number = 0;
    members(value, [&](const char* name, auto& member, bool may_be_absent = false) {
      if (may_be_absent && !from.contains(name)) return;
      read(name != nullptr ? from.at(name) : from.at(number++), member);
    });
  } else if constexpr (Map<T>) {
    for (auto& [name, element] : from.template get_ref<Json::object_t&>()) read(element, value[name]);
  } else if constexpr (List<T>) {
    for (Json& element : from.template get_ref<Json::array_t&>()) read(element, value.emplace_back());
  } else if constexpr (std::same_as<T, std::string>) {
    value = std::move(from.template get_ref<std::string&>());
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(from.template get<int>());
  } else {
    from.get_to(value);
  }
}

template <class T>
void pack(std::string& bytes, const T& value) {
  if constexpr (Structure<const T>) {
    members(value, [&](const char*, const auto& member, bool = false) { pack(bytes, member); });
  } else if constexpr (Map<T>) {
    trace::put_varint(bytes, value.size());
    for (const auto& [name, element] : value) {
      trace::put_text(bytes, name);
      pack(bytes, element);
    }
  } else if constexpr (List<T>) {
    trace::put_varint(bytes, value.size());
    for (const auto& element : value) pack(bytes, element);
  } else if constexpr (std::same_as<T, std::string>) {
    trace::put_text(bytes, value);
  } else if constexpr (std::same_as<T, double>) {
    trace::put_varint(bytes, std::bit_cast<std::uint64_t>(value));
  } else {
    trace::put_varint(bytes, static_cast<std::uint64_t>(value));
  }
}

template <class T>
void unpack(trace::ByteCursor& from, T& value) {
  if constexpr (Structure<T>) {
    members(value, [&](const char*, auto& member, bool = false) { unpack(from, member); });
  } else if constexpr (Map<T>) {
    for (std::uint64_t left = from.varint(); left != 0; --left) {
      const std::string_view name = from.text();
      unpack(from, value[std::string(name)]);
    }
  } else if constexpr (List<T>) {
    for (std::uint64_t left = from.varint(); left != 0; --left) unpack(from, value.emplace_back());
  } else if constexpr (std::same_as<T, std::string>) {
    value = from.text();
  } else if constexpr (std::same_as<T, double>) {
    value = std::bit_cast<double>(from.varint());
  } else {
    value = static_cast<T>(from.varint());
  }
}

}  // namespace

Json to_json(const JobVerdict& verdict) { return written(verdict); }

JobVerdict verdict_from_json(const Json& object) {
  require_whole_numbers(object);
  JobVerdict verdict;
  Json taken = object;
  read(taken, verdict);
  if (verdict.provenance < Provenance::real || verdict.provenance > Provenance::directive)
    throw std::invalid_argument("no provenance of a trace");
  return verdict;
}

std::string packed(const JobVerdict& verdict) {
  std::string bytes;
  pack(bytes, verdict);
  return bytes;
}

JobVerdict unpacked(std::string_view bytes) {
  trace::ByteCursor from(bytes);
  JobVerdict verdict;
  unpack(from, verdict);
  if (from.left() != 0) from.fail("a verdict is followed by other bytes");
  return verdict;
}

}  // namespace pmusim::testbench
