// Questions of the IBM 750GX and 750GL. Source: user's manual, section 11.3 and tables 11-2 to 11-5. Each counter has
// its own events; levels, marked processes, threshold and time-base bit are settings of the whole run.
#include <algorithm>

#include "testbench/judge/question/attributes.h"
#include "testbench/judge/question/covering.h"
#include "testbench/judge/question/event_facts.h"

namespace pmusim::testbench::questions {
namespace {

constexpr unsigned counters = 4;
constexpr std::uint32_t most_of_threshold = 63, most_of_bit = 3;
constexpr std::string_view threshold_event = "L1_LOAD_MISSES", bit_event = "TBL_BIT_TRANSITIONS";

const EventFacts& facts_of(const oracle::Request& row) { return event_facts("ppc750gx", row.event); }
std::vector<unsigned> counters_of(const Check& row) { return counters_of_row("ppc750gx", row.request.event); }

Dimension marked() {
  const auto only = [](std::string name, bool value) {
    return asked(name, {{name, 1}}, [value](oracle::Request& request) { request.marked = value; });
  };
  return {"marked", {{"both", {}}, only("marked", true), only("unmarked", false)}};
}

std::shared_ptr<const Form> form_of(const Check& row) {
  Form form{{{row}}, {levels_by_name(), marked(), interrupt()}};
  if (row.request.event == threshold_event)
    form.dimensions.push_back(
        number("t", most_of_threshold, [](oracle::Request& request, std::uint32_t t) { request.threshold = t; }));
  if (row.request.event == bit_event)
    form.dimensions.push_back(
        number("tb", most_of_bit, [](oracle::Request& request, std::uint32_t bit) { request.time_base_bit = bit; }));
  return std::make_shared<const Form>(std::move(form));
}

/// The events that only one counter can count, by counter, so that a set can always be placed.
std::vector<std::vector<Check>> rows_by_counter(const std::vector<Check>& rows) {
  std::vector<std::vector<Check>> of(counters);
  for (const Check& row : rows) {
    const std::vector<unsigned> able = counters_of(row);
    if (able.size() == 1) of[able.front()].push_back(row);
  }
  return of;
}

/// Sets of two to four events, each of a different counter, for each event in turn; every second set is sampled.
void sets_of(const std::vector<Check>& rows, std::vector<Question>& questions) {
  const auto of = rows_by_counter(rows);
  std::size_t most = 0;
  for (const auto& list : of) most = std::max(most, list.size());
  for (std::size_t turn = 0; turn < most; ++turn) {
    for (std::size_t size = 2; size <= counters; ++size) {
      Question question;
      for (std::size_t i = 0; i < size; ++i) {
        const auto& list = of[(turn + i) % counters];
        question.group.checks.push_back(list[turn % list.size()]);
      }
      question.group.sampling = question.interrupts = turn % 2 != 0;
      // PMC1 has its own interrupt enable, PMC2 to PMC4 share one: one of the two is disabled in turn.
      for (std::size_t i = 0; i < size && question.interrupts; ++i) {
        const bool is_first = (turn + i) % counters == 0;
        question.silent.push_back(is_first == (turn % 4 == 1));
        if (question.silent.back()) question.group.checks[i].attributes.emplace_back("intr", 0);
      }
      if (size < counters) question.group.unavailable_counters = {static_cast<unsigned>((turn + size) % counters)};
      questions.push_back(std::move(question));
    }
  }
}

void illegal_ones(const std::vector<Check>& rows, std::vector<Question>& questions) {
  const auto add = [&](const std::string& why, const std::vector<Check>& checks, std::vector<unsigned> unavailable) {
    questions.push_back(illegal(why, checks, std::move(unavailable)));
  };
  const auto of = rows_by_counter(rows);
  std::size_t most = 0;
  for (unsigned counter = 0; counter < counters; ++counter) {
    const std::size_t size = of[counter].size();
    most = std::max(most, size);
    for (std::size_t i = 0; i < size; ++i) {
      add("two events that the same counter alone knows", {of[counter][i], of[counter][(i + 1) % size]}, {});
      add("the only counter that knows the event is not available", {of[counter][i]}, {counter});
    }
  }
  const auto turn = [&](unsigned counter, std::size_t i) { return of[counter][i % of[counter].size()]; };
  for (std::size_t i = 0; i < most; ++i) {
    add("five events for four counters", {turn(0, i), turn(1, i), turn(2, i), turn(3, i), turn(i % counters, i + 1)},
        {});
    add("levels are those of the whole run", {with(turn(0, i), {"u", 1}), with(turn(1, i), {"k", 1})}, {});
    add("marked processes are those of the whole run",
        {with(turn(0, i), {"marked", 1}), with(turn(2, i), {"unmarked", 1})}, {});
  }
  for (const Check& row : rows) {
    if (row.request.event == threshold_event)
      add("the threshold has six bits", {with(row, {"t", most_of_threshold + 1})}, {});
    if (row.request.event == bit_event) add("there are four time-base bits", {with(row, {"tb", most_of_bit + 1})}, {});
  }
}

std::vector<Question> all_questions(const Family& family, Extent extent) {
  std::vector<Check> rows = rows_of(family.target);
  std::erase_if(rows, [](const Check& row) { return facts_of(row.request).occurs.reserved(); });
  std::vector<Question> questions;
  std::size_t number = 0;
  for (const Check& row : rows) {
    const auto form = form_of(row);
    const std::vector<unsigned> able = counters_of(row);
    add_covered(form, able, counters, extent, number, questions);
    if (row.request.event == threshold_event || row.request.event == bit_event)
      add_each_value(form, able, counters, number, questions);
    ++number;
  }
  sets_of(rows, questions);
  std::vector<Placeable> placeable;
  for (const Check& row : rows) {
    if (!row.holds) placeable.push_back({row, counters_of(row)});  // one that holds never overflows
  }
  add_periods(family, placeable, extent == Extent::quick ? 1 : counters, questions);
  illegal_ones(rows, questions);
  return questions;
}

std::string_view equal(const Question& question, const Question& other) {
  const oracle::Request &own = question.group.checks.front().request, &its = other.group.checks.front().request;
  const auto silent = [](const oracle::Request& r) { return !r.user && !r.kernel; };
  if (facts_of(own).occurs.never()) return "an event that counts nothing";
  if (own.event == threshold_event && own.threshold == 1 && its.threshold == 0) return "no miss is over in one cycle";
  if (silent(own) && silent(its)) return "no level, so that nothing counts";
  return {};
}

constexpr Excuse excuses[] = {
    {"sets-MMCR0.ENINT", "without a condition that is enabled ENINT signals nothing (user's manual, 11.2)"}};

Family of(std::string_view target, std::string_view taken_for) {
  return {.target = target,
          .counters = numbered("PMC", 1, 4),
          .count_bits = 31,
          .longest_period = 0x8000'0000,
          .started_at_once = true,
          .stop = {"MMCR0", 0x8000'0000},  // DIS
          .may_stop = true,                // DISCOUNT
          .questions = all_questions,
          .equal = equal,
          .threshold = {"t", 63},
          .taken_for = taken_for,
          .excuses = excuses};
}

}  // namespace

}  // namespace pmusim::testbench::questions

namespace pmusim::testbench::targets {

const questions::Family ppc750gx::questions = questions::of("ppc750gx", "ppc750gl");
const questions::Family ppc750gl::questions = questions::of("ppc750gl", "ppc750gx");

}  // namespace pmusim::testbench::targets
