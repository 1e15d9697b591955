// Questions of the Alphas. Each counter has its own events; modes, frequencies and marked processes are settings of the
// run. Sources: manuals of the 21064, 21164, 21164PC, 21264 and 21264A, and the header sys/pfcntr.h.
#include <array>

#include "testbench/judge/question/attributes.h"
#include "testbench/judge/question/covering.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/targets/alpha/chips.h"

namespace pmusim::testbench::questions {
namespace {

using alphas::are_together;
using alphas::counter_of;
using alphas::has_modes;
using alphas::periods_of;

constexpr std::string_view no_user_mode = "Tru64 does not enter the hardware's user mode (pmu.os_user_mode)";

/// Every combination of Ku, Kp and Kk.
Dimension modes() {
  Dimension dimension{"modes", {{"all", {}}}};
  for (unsigned set = 0; set < 7; ++set) {
    const bool kernel = (set & 1) != 0, user = (set & 2) != 0, pal = (set & 4) != 0;
    dimension.values.push_back({std::to_string(set), [kernel, user, pal](Question& question) {
                                  Check& check = check_of(question);
                                  check.request.kernel = kernel;
                                  check.request.user = user;
                                  check.request.alpha.pal = pal;
                                  const bool none = !kernel && !user && !pal;
                                  check.request.alpha.executive_and_supervisor = none;
                                  if (kernel) check.attributes.emplace_back("k", 1);
                                  if (user) check.attributes.emplace_back("u", 1);
                                  if (pal) check.attributes.emplace_back("pal", 1);
                                  if (none) check.attributes.emplace_back("es", 1);
                                }});
  }
  return dimension;
}

Dimension marked() {
  return flag("pme", [](oracle::Request& request) { request.marked = true; });
}

/// The 21164's counters interrupt every 256 events, or when they wrap.
Dimension interrupt(unsigned counter) {
  const auto every = [](std::uint32_t period) {
    return [period](Question& question) {
      question.group.sampling = question.interrupts = true;
      if (period != 0) check_of(question).attributes.emplace_back("freq", period);
    };
  };
  return {"interrupt",
          {{"off", {}}, {"sampling", every(0)}, {"wrap", every(counter == 2 ? 16384 : 65536)}, {"256", every(256)}}};
}

/// The 21064's periods, and start values of the 21264: each interrupt is judged, including the handler's accesses.
Dimension sampled(std::string_view target, unsigned counter) {
  Dimension dimension{"period", {{"left out", {}}}};
  if (target != "alpha-ev4") {
    constexpr std::uint64_t period = 400;
    dimension.values.push_back({"by start values", [](Question& question) {
                                  question.group.sampled = Sampled{Sampled::By::presets, period};
                                }});
    return dimension;
  }
  for (const std::uint32_t period : periods_of(target, counter)) {
    dimension.values.push_back({std::to_string(period), [period](Question& question) {
                                  question.group.sampled = Sampled{Sampled::By::hardware, period};
                                  check_of(question).attributes.emplace_back("freq", period);
                                }});
  }
  return dimension;
}

/// The 21264A's statistics of profiled instructions, with short periods.
void statistics_of(const Family& family, Extent extent, std::vector<Question>& questions) {
  constexpr std::array<std::uint64_t, 2> periods{41, 16};
  std::size_t number = 0;
  const auto names = judging_facts(family.target).more_rows;
  if (names == nullptr) return;
  for (const std::string& name : names()) {
    if (event_facts(family.target, name).occurs.never()) continue;
    for (std::size_t i = 0; i < periods.size(); ++i) {
      if (extent == Extent::quick && i != number % periods.size()) continue;
      Question question;
      question.group.checks = {{.request = {.event = name, .umasks = {}}, .attributes = {}, .raw = {}}};
      question.group.sampled = Sampled{Sampled::By::profile_me, periods[i]};
      questions.push_back(std::move(question));
    }
    ++number;
  }
}

/// Sets with one event per counter: all pairs of events.
void pairs_of(const Family& family, const std::vector<Check>& rows, Extent extent, std::vector<Question>& questions) {
  std::vector<std::vector<Check>> of(family.counters.size());
  for (const Check& row : rows) of[counter_of(family.target, row.request.event)].push_back(row);
  std::vector<std::size_t> sizes;
  sizes.reserve(of.size());
  for (auto& list : of) sizes.push_back(list.size());
  const Excluded excluded = [&](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    return !are_together(family.target, of[i][a].request.event, of[j][b].request.event);
  };
  if (family.target == "alpha-ev67") {
    for (const Check& first : of[0]) {
      for (const Check& second : of[1]) {
        const bool fits = are_together(family.target, first.request.event, second.request.event);
        Question question = illegal(fits ? "" : "no value of SL0 and SL1 selects both", {first, second});
        questions.push_back(std::move(question));
      }
    }
    return;
  }
  std::size_t number = 0;
  for (const auto& values : covering_array(sizes, excluded)) {
    if (extent == Extent::quick && number++ % 8 != 0) continue;
    Question question;
    for (std::size_t i = 0; i < values.size(); ++i) question.group.checks.push_back(of[i][values[i]]);
    questions.push_back(std::move(question));
  }
}

/// Start values for the shortest and the longest period, and for two between. The 21064's counters cannot be written.
/// 21264: a counter is written at least 16, or 4, events before its overflow (EV67 manual, 6.10.2).
void start_values_of(const Family& family, const std::vector<Check>& rows, Extent extent,
                     std::vector<Question>& questions) {
  if (family.target == "alpha-ev4") return;
  std::size_t number = 0;
  for (const Check& row : rows) {
    if (row.holds) continue;  // it never overflows
    const unsigned counter = counter_of(family.target, row.request.event);
    const unsigned bits = !has_modes(family.target) ? 20 : counter == 2 ? 14 : 16;
    const std::uint64_t range = std::uint64_t{1} << bits;
    const std::uint64_t shortest = has_modes(family.target) ? 1 : counter == 0 ? 16 : 4;
    const std::array<std::uint64_t, 4> periods{shortest, 400, range / 2, range};
    ++number;
    for (std::size_t i = 0; i < periods.size(); ++i) {
      const bool few = rows.size() <= family.counters.size() * periods.size();
      if (extent == Extent::quick && !few && i != number % periods.size()) continue;
      Question question;
      question.group.checks = {row};
      question.group.period = periods[i];
      question.group.sampling = question.interrupts = true;
      questions.push_back(std::move(question));
    }
  }
}

/// Each is asked with every event: an encoder that lacks the event answers `unsupported`, which tells nothing.
void illegal_ones(const Family& family, const std::vector<Check>& rows, std::vector<Question>& questions) {
  const auto add = [&](const std::string& why, std::vector<Check> checks, std::vector<unsigned> unavailable) {
    questions.push_back(illegal(why, std::move(checks), std::move(unavailable)));
  };
  std::vector<std::vector<Check>> of(family.counters.size());
  for (const Check& row : rows) of[counter_of(family.target, row.request.event)].push_back(row);
  for (unsigned counter = 0; counter < of.size(); ++counter) {
    const std::vector<Check>& own = of[counter];
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own.size() > 1) add("two events of one counter", {own[i], own[(i + 1) % own.size()]}, {});
      add("the event's counter is not available", {own[i]}, {counter});
    }
  }
  std::vector<const std::vector<Check>*> with_two;
  for (const auto& own : of)
    if (own.size() > 1) with_two.push_back(&own);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // An event of each counter, and one more of a counter that has two.
    std::vector<Check> too_many;
    for (const auto& own : of) {
      const std::size_t turn = i / with_two.size();
      too_many.push_back(own[turn % own.size()]);
      if (&own == with_two[i % with_two.size()]) too_many.push_back(own[(turn + 1) % own.size()]);
    }
    add("more events than counters", too_many, {});
    if (!has_modes(family.target)) continue;
    Check user = of[0][i % of[0].size()], kernel = of[1][i % of[1].size()];
    user.attributes.emplace_back("u", 1);
    kernel.attributes.emplace_back("k", 1);
    add("modes are those of the run", {user, kernel}, {});
  }
}

std::vector<Question> all_questions(const Family& family, Extent extent) {
  const std::vector<Check> rows = rows_of(family.target);
  std::vector<Question> questions;
  std::size_t number = 0;
  for (const Check& row : rows) {
    Form form{{{row}}, {marked()}};
    const unsigned counter = counter_of(family.target, row.request.event);
    if (has_modes(family.target)) {
      form.dimensions.push_back(modes());
      form.dimensions.push_back(interrupt(counter));
    } else {
      form.dimensions.push_back(sampled(family.target, counter));
    }
    add_covered(std::make_shared<const Form>(std::move(form)), {counter}, family.counters.size(), extent, number++,
                questions);
  }
  pairs_of(family, rows, extent, questions);
  statistics_of(family, extent, questions);
  start_values_of(family, rows, extent, questions);
  illegal_ones(family, rows, questions);
  return questions;
}

std::string_view equal(const Question& question, const Question& other) {
  if (question.group.checks.front().holds) return "a reserved select that counts nothing";
  const oracle::Request &mine = question.group.checks.front().request, &others = other.group.checks.front().request;
  const auto silent = [](const oracle::Request& r) {
    return !r.kernel && !r.alpha.pal && !r.alpha.executive_and_supervisor;
  };
  if (silent(mine) && silent(others)) return no_user_mode;
  if (mine.user != others.user && mine.kernel == others.kernel && mine.alpha == others.alpha) return no_user_mode;
  const auto& sampled = question.group.sampled ? question.group.sampled : other.group.sampled;
  const bool one_period = question.group.sampled.has_value() != other.group.sampled.has_value();
  if (!one_period || sampled->by != Sampled::By::hardware) return {};
  const std::vector<std::uint32_t> periods = periods_of("alpha-ev4", counter_of("alpha-ev4", mine.event));
  return sampled->period == periods.front() ? "the period without a word" : "";
}

constexpr std::string_view always_run = "the counters always run, and each call sets fields of its own";
constexpr Excuse excuses_ev4[] = {
    {"last-written-first", always_run},
    {"reversed", always_run},
    {"cuts-WRPERFMON_OPTIONS.ALL", "without an option processes are not told apart, as after a reset"},
    {"sets-WRPERFMON_OPTIONS.MARKED", "of both options the one for all processes counts"}};
constexpr Excuse excuses_ev5[] = {{"user-added,ignores-u-beside-k,ignores-u-beside-pal", no_user_mode}};

/// For the 21064 and 21164: the distance from which a carry out of the low eight bits is also one of the whole counter.
constexpr std::uint64_t to_first_carry = 256;

Family of_ev4() {
  return {.target = "alpha-ev4",
          .counters = numbered("CTR", 0, 1),
          .count_bits = 16,
          .always_counting = true,
          .periods =
              [](const Check& check) { return periods_of("alpha-ev4", counter_of("alpha-ev4", check.request.event)); },
          .interrupts = Interrupts::unjudged,
          .most_to_overflow = to_first_carry,
          .questions = all_questions,
          .equal = equal,
          .excuses = excuses_ev4};
}
Family of_ev5(std::string_view target, std::string_view taken_for) {
  return {.target = target,
          .counters = numbered("CTR", 0, 2),
          .count_bits = 16,
          .started_at_once = true,
          .most_to_overflow = to_first_carry,
          .questions = all_questions,
          .equal = equal,
          .taken_for = taken_for,
          .excuses = excuses_ev5};
}
Family of_ev6(std::string_view target, std::string_view taken_for) {
  return {.target = target,
          .counters = numbered("PCTR", 0, 1),
          .count_bits = 20,
          .started_at_once = true,
          .interrupts = Interrupts::unjudged,
          .questions = all_questions,
          .equal = equal,
          .taken_for = taken_for,
          .excuses = {}};
}

}  // namespace

}  // namespace pmusim::testbench::questions

namespace pmusim::testbench::targets {

const questions::Family alpha_ev4::questions = questions::of_ev4();
const questions::Family alpha_ev5::questions = questions::of_ev5("alpha-ev5", "alpha-pca56");
const questions::Family alpha_pca56::questions = questions::of_ev5("alpha-pca56", "alpha-ev5");
const questions::Family alpha_ev6::questions = questions::of_ev6("alpha-ev6", "alpha-ev67");
const questions::Family alpha_ev67::questions = questions::of_ev6("alpha-ev67", "alpha-ev6");

}  // namespace pmusim::testbench::targets
