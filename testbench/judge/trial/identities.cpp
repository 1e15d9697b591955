#include "testbench/judge/trial/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "testbench/judge/question/event_facts.h"
#include "testbench/support/only.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

struct Sides {
  std::string_view left, right;
  bool equal = false;
};
Sides sides_of(std::string_view relation) {
  for (const std::string_view sign : {" <= ", " = "}) {
    const auto parts = split(relation, sign);
    if (parts.size() == 2) return {parts[0], parts[1], sign == " = "};
  }
  throw std::invalid_argument(fmt::format("identity '{}' is not of the form SUM = SUM or SUM <= SUM", relation));
}

struct Factor {
  std::uint64_t factor = 1;
  std::string_view row;
};
Factor factor_of(std::string_view term) {
  Factor result{1, term};
  const std::size_t space = term.find(' ');
  if (space == std::string_view::npos) return result;
  const auto [end, error] = std::from_chars(term.data(), term.data() + space, result.factor);
  if (error != std::errc{} || end != term.data() + space)
    throw std::invalid_argument(fmt::format("term '{}' of an identity is not of the form NUMBER ROW", term));
  result.row = term.substr(space + 1);
  return result;
}

/// Whether a term is a count of the trace.
bool is_told(std::string_view row) { return row.starts_with("trace:"); }

/// A request at every level and in every mode.
oracle::Request request_for(const std::string& target, std::string_view row) {
  oracle::Request request;
  request.ia64.levels = 15;
  if (is_told(row)) {
    request.event = row;
    return request;
  }
  const auto parts = split(row, ":");
  request.event = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] != "*") {
      request.umasks.emplace_back(parts[i]);
      continue;
    }
    for (const oracle::EventName& event : oracle::events(target)) {
      if (event.name == request.event) request.umasks.assign(event.umasks.begin(), event.umasks.end());
    }
  }
  return request;
}

}  // namespace

std::vector<Identity> identities_of(std::string_view target) {
  std::vector<Identity> list;
  for (const std::span<const Identity>& part : count_facts(target).identities) {
    list.insert(list.end(), part.begin(), part.end());
  }
  return list;
}

std::vector<std::string> rows_in(std::string_view relation) {
  const Sides sides = sides_of(relation);
  std::vector<std::string> rows;
  for (const std::string_view side : {sides.left, sides.right}) {
    for (const std::string_view term : split(side, " + ")) {
      if (const auto row = factor_of(term).row; !is_told(row)) rows.emplace_back(row);
    }
  }
  return rows;
}

IdentityChecks::IdentityChecks(const std::string& target, const std::string& only, const models::Parameters& parameters)
    : target_(target) {
  if (!are_defaults(parameters, "pmu.")) return;  // not read as in the manuals
  const Only chosen(only);
  for (const Identity& identity : identities_of(target)) {
    const std::vector<std::string> rows = rows_in(identity.relation);
    const auto admitted = [&](const std::string& row) { return chosen.admits(row); };
    if (!chosen.empty() && !std::all_of(rows.begin(), rows.end(), admitted)) continue;
    const Sides sides = sides_of(identity.relation);
    relations_.push_back({identity.relation, sum(target, sides.left), sum(target, sides.right), sides.equal});
  }
}

std::vector<IdentityChecks::Term> IdentityChecks::sum(const std::string& target, std::string_view text) {
  std::vector<Term> terms;
  for (const std::string_view term : split(text, " + ")) {
    const auto [factor, row] = factor_of(term);
    if (is_told(row)) {
      terms.push_back({factor, 0, row});
      continue;
    }
    oracle::Request request = request_for(target, row);
    const auto same = [&](const oracle::Request& other) {
      return other.event == request.event && other.umasks == request.umasks;
    };
    const auto known = std::find_if(requests_.begin(), requests_.end(), same);
    terms.push_back({factor, static_cast<std::size_t>(known - requests_.begin())});
    if (known == requests_.end()) requests_.push_back(std::move(request));
  }
  return terms;
}

std::vector<IdentityVerdict> IdentityChecks::check(std::span<const oracle::Tally> tallies,
                                                   const TraceCounts* from_trace, const std::string& trace) const {
  const auto tally_of = [&](const Term& term) -> std::optional<oracle::Tally> {
    if (term.from_trace.empty()) return tallies[term.request];
    const auto count = from_trace == nullptr ? std::nullopt : from_trace->of(request_for(target_, term.from_trace));
    if (!count) return std::nullopt;
    return oracle::Tally{*count, *count, false};
  };
  const auto is_unknown = [&](const Term& term) { return !tally_of(term); };
  // In halves of an event, which the 21064 counts.
  const auto value_of = [&](const std::vector<Term>& terms) {
    std::uint64_t value = 0;
    for (const Term& term : terms) {
      const oracle::Tally tally = *tally_of(term);
      value += term.factor * (2 * tally.expected + (tally.half ? 1 : 0));
    }
    return value;
  };
  const auto counts_of = [&](const std::vector<Term>& terms) {
    std::string text;
    for (const Term& term : terms) {
      const oracle::Tally tally = *tally_of(term);
      text +=
          fmt::format("{}{}{}{}", text.empty() ? "" : " + ", term.factor == 1 ? "" : fmt::format("{} x ", term.factor),
                      tally.expected, tally.half ? ".5" : "");
    }
    return text;
  };
  std::vector<IdentityVerdict> verdicts;
  for (const Relation& relation : relations_) {
    if (std::any_of(relation.left.begin(), relation.left.end(), is_unknown) ||
        std::any_of(relation.right.begin(), relation.right.end(), is_unknown))
      continue;
    const std::uint64_t left = value_of(relation.left), right = value_of(relation.right);
    const bool holds = relation.equal ? left == right : left <= right;
    IdentityVerdict verdict{std::string(relation.text), 1, left + right != 0 ? 1u : 0u, 0, ""};
    if (!holds) {
      verdict.broken = 1;
      verdict.example = fmt::format("{}: {} {} {}", trace, counts_of(relation.left), relation.equal ? "!=" : ">",
                                    counts_of(relation.right));
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace pmusim::testbench
