#include "testbench/judge/question/question.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "testbench/judge/question/covering.h"
#include "testbench/judge/question/event_facts.h"

namespace pmusim::testbench::questions {
namespace {

/// Rows of a covering array of the form's attributes and, last, of the counters; computed once for equal sizes.
const std::vector<std::vector<std::size_t>>& rows_for(const Form& form, std::size_t counters) {
  static std::map<std::vector<std::size_t>, std::vector<std::vector<std::size_t>>> known;
  std::vector<std::size_t> sizes;
  for (const Dimension& dimension : form.dimensions) sizes.push_back(dimension.values.size());
  sizes.push_back(counters);
  const auto [place, is_new] = known.try_emplace(sizes);
  if (is_new) place->second = covering_array(sizes);
  return place->second;
}

}  // namespace

Question make(const std::shared_ptr<const Form>& form, const std::vector<std::size_t>& values) {
  Question question;
  question.group = form->group;
  question.interrupts = form->group.captures.has_value();
  question.form = form;
  question.values = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value& value = form->dimensions[i].values[values[i]];
    if (value.apply) value.apply(question);
  }
  return question;
}

void apply(const Policy& policy, Question& question) {
  if (policy == Policy{}) return;
  question.policy = policy;
  testbench::apply(policy, question.group);
  if (!policy.interrupts) return;
  question.interrupts = true;
  question.silent.clear();
}

Question on_counter(Question question, unsigned counter, std::size_t counters) {
  for (unsigned other = 0; other < counters; ++other) {
    if (other != counter) question.group.unavailable_counters.push_back(other);
  }
  return question;
}

std::vector<Neighbour> neighbours_of(const Question& question) {
  std::vector<Neighbour> neighbours;
  if (!question.form || !question.illegal.empty()) return neighbours;
  for (std::size_t i = 0; i < question.values.size(); ++i) {
    const Dimension& dimension = question.form->dimensions[i];
    const std::size_t own = question.values[i];
    std::vector<std::size_t> others;
    if (dimension.near) {
      others = dimension.near(own);
    } else {
      for (std::size_t value = 0; value < dimension.values.size(); ++value) others.push_back(value);
    }
    if (own != 0 && !dimension.leaves_out) others.push_back(0);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::size_t other : others) {
      if (other == own || other >= dimension.values.size()) continue;
      std::vector<std::size_t> values = question.values;
      values[i] = other;
      const bool left_out = dimension.leaves_out ? dimension.leaves_out(own, other) : other == 0;
      Neighbour neighbour{dimension.name, left_out, make(question.form, values)};
      apply(question.policy, neighbour.other);
      if (!same_meaning(question, neighbour.other)) neighbours.push_back(std::move(neighbour));
    }
  }
  return neighbours;
}

bool same_meaning(const Question& a, const Question& b) {
  const auto same = [](const Check& x, const Check& y) {
    const oracle::Request &p = x.request, &q = y.request;
    return p.event == q.event && p.umasks == q.umasks && p.user == q.user && p.kernel == q.kernel &&
           p.threshold == q.threshold && p.invert == q.invert && p.edge == q.edge && p.marked == q.marked &&
           p.time_base_bit == q.time_base_bit && p.pin_control == q.pin_control && p.same_qualifiers(q) &&
           x.raw == y.raw;
  };
  const auto predictions = [](const Question& q) { return q.group.captures && q.group.captures->prediction; };
  const auto period = [](const Question& q) { return q.group.sampled ? q.group.sampled->period : 0; };
  return a.interrupts == b.interrupts && predictions(a) == predictions(b) && period(a) == period(b) &&
         a.group.checks.size() == b.group.checks.size() &&
         std::equal(a.group.checks.begin(), a.group.checks.end(), b.group.checks.begin(), same);
}

std::vector<std::string> numbered(const std::string& name, unsigned first, unsigned last) {
  std::vector<std::string> names;
  for (unsigned number = first; number <= last; ++number) names.push_back(name + std::to_string(number));
  return names;
}

std::vector<Question> questions_of(const std::string& target, Extent extent) {
  const Family* const family = family_of(target);
  if (family == nullptr) return {};
  std::vector<Question> questions = family->questions(*family, extent);
  if (extent == Extent::full) {  // a mismatch of a quick run can be reproduced with the full set
    for (Question& question : family->questions(*family, Extent::quick)) questions.push_back(std::move(question));
  }
  std::set<std::string> seen;
  std::erase_if(questions, [&](const Question& question) { return !seen.insert(question.group.question()).second; });
  return questions;
}

namespace {

std::vector<Check> list_of_rows(std::string_view target) {
  std::vector<Check> rows;
  for (oracle::Request& request : oracle_rows(target)) {
    const bool holds = event_facts(target, row_name(request)).occurs.never();
    rows.push_back({.request = std::move(request), .attributes = {}, .holds = holds, .raw = {}});
  }
  return rows;
}

}  // namespace

const std::vector<Check>& rows_of(std::string_view target) {
  static std::map<std::string, std::vector<Check>, std::less<>> known;
  const auto found = known.find(target);
  return found != known.end() ? found->second : known.emplace(target, list_of_rows(target)).first->second;
}

void add_covered(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                 std::size_t all_counters, Extent extent, std::size_t number, std::vector<Question>& questions) {
  const auto& rows = rows_for(*form, counters.size());
  const auto add = [&](const std::vector<std::size_t>& row) {
    const std::vector<std::size_t> values(row.begin(), row.end() - 1);
    questions.push_back(on_counter(make(form, values), counters[row.back()], all_counters));
  };
  if (extent == Extent::full)
    questions.push_back(make(form, std::vector<std::size_t>(form->dimensions.size())));  // on any counter
  std::vector<std::size_t> plain(form->dimensions.size() + 1);
  plain.back() = number % counters.size();
  add(plain);
  if (extent == Extent::full) {
    // Each event has its values in another order, so that over all events more than pairs of values are combined.
    for (auto row : rows) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i)
        row[i] = (row[i] + number * i) % form->dimensions[i].values.size();
      add(row);
    }
    return;
  }
  // Rows per event, such that all events together cover every row.
  constexpr std::size_t of_each = 3;
  for (std::size_t i = 0; i < of_each; ++i) add(rows[(number * of_each + i) % rows.size()]);
}

void add_each_value(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                    std::size_t all_counters, std::size_t number, std::vector<Question>& questions) {
  std::size_t most = counters.size();
  for (const Dimension& dimension : form->dimensions) most = std::max(most, dimension.values.size());
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<std::size_t> values;
    // Each attribute steps through its values at its own pace from one event to the next, which varies the
    // combinations. If the pace has a common divisor with the number of values, it is shifted by one after each round.
    for (std::size_t d = 0; d < form->dimensions.size(); ++d) {
      const std::size_t all = form->dimensions[d].values.size();
      const bool passes_by = d != 0 && std::gcd(d, all) != 1;
      values.push_back((i + number * d + (passes_by ? number / all : 0)) % all);
    }
    questions.push_back(on_counter(make(form, values), counters[(i + number) % counters.size()], all_counters));
  }
}

}  // namespace pmusim::testbench::questions

#define FACTS questions::Family
#define MEMBER questions
#define FINDER questions::family_of
#include "testbench/targets/find_facts.inc"
