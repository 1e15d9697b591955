// Questions of Itanium 2 and Montecito: levels by masks, thresholds, instruction sets, privileged monitors, threads,
// interrupts; events of the caches on the counters that select their sets.
#include "testbench/targets/ia64/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

#include "testbench/judge/question/covering.h"

namespace pmusim::testbench::questions {
namespace {

using ia64::default_levels;
using oracle::ia64::InstructionSet;

constexpr unsigned most_of_threshold = 7, every_level = 15;

Value at_mask(unsigned mask) {
  return asked(fmt::format("plm={}", mask), {{"plm", mask}}, [mask](oracle::Request& request) {
    request.ia64.levels = mask;
    request.user = request.kernel = mask != 0;
  });
}

Dimension levels() {
  Dimension dimension{"levels", {{"both", {}}, ia64::at_levels("u", {"u", 1}, 8), ia64::at_levels("k", {"k", 1}, 1)}};
  for (const unsigned mask : {2u, 4u, 6u, 8u, 1u, 15u}) dimension.values.push_back(at_mask(mask));
  const std::size_t all = dimension.values.size() - 1;
  dimension.near = [all](std::size_t own) {
    return own == 0 ? std::vector<std::size_t>{1, 2, all} : std::vector<std::size_t>{0, 1, 2};
  };
  return dimension;
}

/// Adds every mask of levels on every counter; `quick` asks each on one counter.
void add_level_masks(const Family& family, const Check& row, Extent extent, std::vector<Question>& questions) {
  Dimension masks{"levels", {{"both", {}}}};
  for (unsigned mask = 0; mask <= every_level; ++mask) masks.values.push_back(at_mask(mask));
  // One level more or less; value 0 leaves the mask out.
  masks.near = [](std::size_t own) {
    std::vector<std::size_t> others;
    for (std::size_t level = 1; own != 0 && level <= every_level; level *= 2) others.push_back(((own - 1) ^ level) + 1);
    return others;
  };
  const auto form = std::make_shared<const Form>(Form{{{row}}, {masks}});
  for (unsigned mask = 0; mask <= every_level; ++mask) {
    for (unsigned counter = 0; counter < family.counters.size(); ++counter) {
      if (extent == Extent::quick && counter != mask % family.counters.size()) continue;
      questions.push_back(on_counter(make(form, {mask + 1}), counter, family.counters.size()));
    }
  }
}

Dimension threshold() {
  Dimension dimension =
      number("t", most_of_threshold, [](oracle::Request& request, std::uint32_t t) { request.threshold = t; });
  dimension.near = [](std::size_t own) {
    std::vector<std::size_t> others{std::max<std::size_t>(own + 1, 2)};
    if (own > 1) others.push_back(own - 1);
    return others;
  };
  return dimension;
}

/// True for the event of a capture unit that is configured by a text; the questions about captures contain it.
bool is_set_up_apart(const std::string& row) { return row.ends_with("_EAR_EVENTS"); }

bool wants_states(const Family& family, const oracle::Request& row) {
  return event_facts(family.target, row.event).filters.lines();
}

/// Lines of all states, of one state, and of two.
Dimension line_states() {
  Dimension dimension{"lines", {}};
  for (const std::string_view states : {"MESI", "M", "E", "S", "I", "MS", "EI"}) {
    std::vector<Attribute> attributes;
    for (const char state : states) attributes.emplace_back(std::string(1, state), 1);
    const auto has = [states](char state) { return states.find(state) != std::string_view::npos; };
    dimension.values.push_back(asked(std::string(states), std::move(attributes), [has](oracle::Request& request) {
      request.ia64.line_states = {has('M'), has('E'), has('S'), has('I')};
    }));
  }
  dimension.leaves_out = [](std::size_t, std::size_t) { return false; };  // an event must name at least one
  return dimension;
}

/// The attributes that an event accepts, with thresholds up to `most`.
std::shared_ptr<const Form> form_of(const Family& family, Check row, std::size_t most) {
  const std::string name = row.request.event;
  row.request.ia64.levels = default_levels;
  Form form{{{row}}, {levels(), threshold(), interrupt(), flag("pm", [](oracle::Request& request) {
                        request.ia64.privileged_monitor = true;
                      })}};
  form.dimensions[1].values.resize(most + 2);  // left out, and 0 to `most`
  if (ia64::processor_of(family).has_threads) {
    form.dimensions.push_back(flag("all", [](oracle::Request& request) { request.ia64.all_threads = true; }));
  } else if (!name.starts_with("IA64_TAGGED_INST_RETIRED_")) {  // two of its channels count no IA-32 code
    form.dimensions.push_back(ia64::instruction_set());
  }
  if (wants_states(family, row.request)) form.dimensions.push_back(line_states());
  return std::make_shared<const Form>(std::move(form));
}

/// Adds questions with thresholds of 1, of 2 and of one larger value, which varies with the event; of all values if the
/// event has line states. Few events reach the larger thresholds, which hide all other attributes; therefore the other
/// values are asked without a threshold.
void add_thresholds(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                    std::size_t all_counters, std::size_t number, std::vector<Question>& questions) {
  const bool has_lines = form->dimensions.back().name == "lines";
  for (std::size_t t = 1; t <= most_of_threshold; ++t) {
    if (t > 2 && t != 3 + number % (most_of_threshold - 2) && !has_lines) continue;
    std::vector<std::size_t> values;
    for (const Dimension& dimension : form->dimensions) {
      const std::size_t own = (number + t * values.size()) % dimension.values.size();
      const bool nothing_counts = dimension.name == "ism" && own == 1;  // no trace has IA-32 code
      values.push_back(dimension.name == "t" ? t + 1 : nothing_counts ? 0 : own);
    }
    questions.push_back(on_counter(make(form, values), counters[(number + t) % counters.size()], all_counters));
  }
}

/// The attributes of the events of a set, used in turn.
std::vector<Value> dresses(const Family& family) {
  using ia64::at_levels;
  std::vector<Value> values{
      at_levels("u", {"u", 1}, 8),
      asked("pm", {{"pm", 1}}, [](oracle::Request& request) { request.ia64.privileged_monitor = true; }),
      at_levels("k", {"k", 1}, 1),
      {"plain", {}},
      at_levels("plm=6", {"plm", 6}, 6)};
  if (ia64::processor_of(family).has_threads) {
    values.push_back(asked("all", {{"all", 1}}, [](oracle::Request& request) { request.ia64.all_threads = true; }));
  } else {
    values.push_back(asked("ism=2", {{"ism", 2}},
                           [](oracle::Request& request) { request.ia64.instruction_set = InstructionSet::ia64; }));
  }
  return values;
}

/// Sets of events without counter restrictions, from two events to one per counter, with different attributes.
void sets_of(const Family& family, const std::vector<Check>& rows, std::vector<Question>& questions) {
  std::size_t first = 0;
  const std::size_t counters = family.counters.size();
  const std::vector<Value> attributes = dresses(family);
  for (std::size_t number = 0; number < 12; ++number) {
    const std::size_t size = 2 + number % (counters - 1);
    Group group;
    for (std::size_t i = 0; i < size; ++i) group.checks.push_back(rows[(first + i) % rows.size()]);
    first += size;
    if (size < counters) group.unavailable_counters = {static_cast<unsigned>(size % counters)};
    questions.push_back(dressed(group, attributes, number, number % 2 != 0));
  }
  for (const std::size_t begin : {std::size_t{0}, counters + 1}) {
    Group group;
    for (std::size_t i = 0; i <= counters; ++i) group.checks.push_back(rows[begin + i]);
    questions.push_back(illegal("more events than counters", group.checks));
  }
}

std::vector<unsigned> every_counter(const Family& family) {
  std::vector<unsigned> numbers(family.counters.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

/// `rows` can be counted anywhere, each of `alone` on one counter. Each row is asked in turn, because an encoder that
/// lacks an event answers `unsupported`, which tells nothing.
void illegal_ones(const Family& family, const std::vector<Check>& rows, const std::multimap<unsigned, Check>& alone,
                  std::vector<Question>& questions) {
  for (const Check& row : rows) {
    questions.push_back(illegal("the threshold has three bits", {with(row, {"t", most_of_threshold + 1})}));
    questions.push_back(illegal("there are four levels", {with(row, {"plm", 16})}));
    questions.push_back(illegal("no counter is left", {row}, every_counter(family)));
  }
  for (const auto& [counter, own] : alone)
    questions.push_back(illegal("the only counter for the event is not available", {own}, {counter}));
}

std::vector<Question> all_questions(const Family& family, Extent extent) {
  std::vector<Question> questions;
  const auto& processor = ia64::processor_of(family);
  std::vector<Check> anywhere;
  std::multimap<unsigned, Check> alone;
  std::size_t number = 0, with_lines = 0;
  for (const Check& row : rows_of(family.target)) {
    const std::string& name = row.request.event;
    if (is_set_up_apart(name)) continue;
    const auto form = form_of(family, row, most_of_threshold);
    const std::vector<unsigned> counters = counters_of_row(family.target, name);
    // There are some hundred events: every value with each event, and every pair of attributes with some event.
    add_covered(form, counters, family.counters.size(), Extent::quick, number, questions);
    if (extent == Extent::full) {
      add_each_value(form_of(family, row, 0), counters, family.counters.size(), number, questions);
      const bool has_lines = wants_states(family, row.request);
      add_thresholds(form, counters, family.counters.size(), has_lines ? with_lines++ : number, questions);
      questions.push_back(make(form, std::vector<std::size_t>(form->dimensions.size())));  // on any counter
    }
    ++number;
    if (counters.size() == 1) alone.emplace(counters.front(), form->group.checks.front());
    const bool is_plain = !wants_states(family, row.request) && !testbench::ia64::is_capture(processor, row.request);
    if (counters.size() == family.counters.size() && is_plain) anywhere.push_back(form->group.checks.front());
  }
  ia64::add_filters(family, extent, questions);
  ia64::add_captures(family, extent, questions);
  ia64::add_sets(family, questions);
  sets_of(family, anywhere, questions);
  for (const char* name : {"IA64_INST_RETIRED", "NOPS_RETIRED"})
    add_level_masks(family, ia64::row_named(family, name), extent, questions);
  std::vector<Placeable> placeable;
  for (std::size_t i = 0; i < anywhere.size(); i += extent == Extent::quick ? 4 : 1)
    placeable.push_back({anywhere[i], every_counter(family)});
  add_periods(family, placeable, 1, questions);
  illegal_ones(family, anywhere, alone, questions);
  return questions;
}

std::string_view equal(const Question& question, const Question& other) {
  const oracle::Request &own = question.group.checks.front().request, &its = other.group.checks.front().request;
  const auto ia32 = [](const oracle::Request& r) { return r.ia64.instruction_set == InstructionSet::ia32; };
  // A difference is visible only if the other attributes of the question let the event occur.
  constexpr std::uint32_t reached = 1;
  if (own.threshold > reached && its.threshold > reached)
    return "a threshold that few events reach; it is asked for without one, too";
  if (ia32(own) && ia32(its)) return "no IA-32 code, so that nothing counts";
  const auto ia64 = [](const oracle::Request& r) { return r.ia64.instruction_set == InstructionSet::ia64; };
  if (own.event == "IA32_INST_RETIRED" && ia64(own) == ia64(its)) return "IA-32 instructions are of that set";
  if (own.ia64.all_threads != its.ia64.all_threads && ia64::unit_of(own))
    return "a thread's own unit takes in what that thread does";
  const auto finds_none = [](const oracle::Request& r) {
    const auto& lines = r.ia64.line_states;
    return (r.event.ends_with("_MISS") && !lines.invalid) ||
           (r.event.ends_with("_HIT") && !lines.modified && !lines.exclusive && !lines.shared);
  };
  if (finds_none(own) && finds_none(its)) return "a miss finds its line invalid and a hit does not: nothing counts";
  const auto silent = [](const oracle::Request& r) {
    const auto& branches = r.ia64.branches;
    return (!branches.taken && (!branches.not_taken || !branches.target_right)) ||
           (!branches.path_right && !branches.path_wrong) || (!branches.target_right && !branches.target_wrong);
  };
  if (silent(own) && silent(its)) return "no branch is such, so that nothing counts";
  return {};
}

}  // namespace

Value ia64::at_levels(std::string name, Attribute attribute, unsigned mask) {
  return questions::asked(std::move(name), {std::move(attribute)},
                          [mask](oracle::Request& request) { request.ia64.levels = mask; });
}

std::optional<Captures::Unit> ia64::unit_of(const oracle::Request& request) {
  if (request.event == "BRANCH_EVENT" || request.event == "ETB_EVENT") return Captures::Unit::branch_buffer;
  if (testbench::ia64::is_data_ear(request)) return Captures::Unit::data_ear;
  if (testbench::ia64::is_fetch_ear(request)) return Captures::Unit::fetch_ear;
  return std::nullopt;
}

Family ia64::make_family(std::string_view target, std::vector<std::string> counters, std::string_view taken_for,
                         const Rules& rules, std::span<const Excuse> excuses) {
  return {.target = target,
          .counters = std::move(counters),
          .count_bits = 47,
          .longest_period = std::uint64_t{1} << 47,
          .started_at_once = true,
          .stop = {"PMC0", 1},  // fr
          .freezes = true,
          .questions = all_questions,
          .equal = equal,
          .threshold = {"t", most_of_threshold},
          .taken_for = taken_for,
          .excuses = excuses,
          .ia64 = &rules,
          .unit_of = unit_of};
}

}  // namespace pmusim::testbench::questions

// Combinations of events of an IA-64 processor: events of one set of the L1 or L2 caches, one event on the only counter
// that can count it, one setup of a capture unit.
namespace pmusim::testbench::questions::ia64 {
namespace {

/// Sets of the L1 caches (libpfm_itanium2(3), libpfm_montecito(3), and the tables after pfm_get_event_set()).
constexpr std::array l1_sets{
    OfOneSet{"L1DTLB_TRANSFER", "L2DTLB_MISSES"}, OfOneSet{"L1D_READS_SET1", "L1D_READ_MISSES_ALL"},
    OfOneSet{"BE_L1D_FPU_BUBBLE_ALL", "BE_L1D_FPU_BUBBLE_L1D"}, OfOneSet{"LOADS_RETIRED", "MISALIGNED_LOADS_RETIRED"},
    OfOneSet{"STORES_RETIRED", "MISALIGNED_STORES_RETIRED"}};
class Sets {
 public:
  Sets(const Family& family, std::vector<Question>& questions) : family_(family), questions_(questions) {
    for (const Check& row : rows_of(family.target)) names_.push_back(row.request.event);
  }

  /// Adds two events of the same set, which can be combined, and events of two sets, which cannot.
  void group(std::span<const OfOneSet> sets) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      together({sets[i][0], sets[i][1]}, "");
      together({sets[i][1], "NOPS_RETIRED", sets[i][0]}, "");
      together({sets[i][0], sets[(i + 1) % sets.size()][1]}, "events of two sets of a cache");
    }
  }

  void together(const std::vector<std::string_view>& names, const char* why) {
    Question question;
    for (const std::string_view name : names) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) return;  // an event of another processor
      question.group.checks.push_back(row_named(family_, std::string(name)));
    }
    question.illegal = why;
    questions_.push_back(std::move(question));
  }

 private:
  const Family& family_;
  std::vector<Question>& questions_;
  std::vector<std::string> names_;
};

}  // namespace

void add_sets(const Family& family, std::vector<Question>& questions) {
  Sets sets(family, questions);
  sets.group(l1_sets);
  constexpr const char* one_setup = "two setups of one register";
  sets.group(family.ia64->sets);
  for (const Together& one : family.ia64->together) sets.together(one.names, one.why);
  sets.together({"DATA_EAR_CACHE_LAT4", "DATA_EAR_CACHE_LAT8"}, one_setup);
  sets.together({"L1I_EAR_CACHE_LAT0", "L1I_EAR_TLB_ALL"}, one_setup);
  sets.together({"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT0"}, "");
}

}  // namespace pmusim::testbench::questions::ia64
