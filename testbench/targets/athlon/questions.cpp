// Questions of the Athlon. Source: publication 22007, appendix D. Each of four counters can count any event; the
// selectors have unit mask, USR, OS, E, PC, INT, EN, INV and an eight-bit counter mask.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "testbench/judge/question/attributes.h"
#include "testbench/judge/question/event_facts.h"

namespace pmusim::testbench::questions {
namespace {

constexpr unsigned counters = 4;
constexpr std::uint32_t most_of_mask = 255;

/// Privilege levels by u, k and plm. Bit 0 of plm is OS, every other bit USR. Naming one level excludes the other.
Dimension levels() {
  Dimension dimension = levels_by_name();
  for (const unsigned mask : {1u, 8u}) {
    dimension.values.push_back(asked(fmt::format("plm={}", mask), {{"plm", mask}}, [mask](oracle::Request& request) {
      request.user = (mask & 8) != 0;
      request.kernel = (mask & 1) != 0;
    }));
  }
  dimension.near = [](std::size_t) { return std::vector<std::size_t>{0, 1, 2, 4}; };
  return dimension;
}

/// Counter masks: both limits, every single bit, and values that cores reach. Neighbours differ in one bit.
Dimension counter_mask() {
  static const std::vector<std::uint32_t> masks{0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 129, 255};
  Dimension dimension{"c", {{"left out", {}}}};
  for (const std::uint32_t mask : masks) {
    dimension.values.push_back(
        asked(std::to_string(mask), {{"c", mask}}, [mask](oracle::Request& request) { request.threshold = mask; }));
  }
  dimension.near = [](std::size_t value) {
    std::vector<std::size_t> others;
    if (value == 0) return std::vector<std::size_t>{2, 3};
    const std::uint32_t own = masks[value - 1];
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const std::uint32_t changed = masks[i] ^ own;
      const bool one_bit = changed != 0 && (changed & (changed - 1)) == 0;
      const bool next = masks[i] + 1 == own || own + 1 == masks[i];
      if (one_bit || next) others.push_back(i + 1);
    }
    return others;
  };
  return dimension;
}

std::shared_ptr<const Form> form_of(const Check& row) {
  return std::make_shared<const Form>(
      Form{{{row}},
           {levels(), counter_mask(), flag("i", &oracle::Request::invert), flag("e", &oracle::Request::edge),
            flag("pc", &oracle::Request::pin_control), interrupt()}});
}

/// The names of an event's unit masks without ALL.
std::map<std::string, std::vector<std::string>> unit_masks() {
  std::map<std::string, std::vector<std::string>> masks;
  for (const oracle::EventName& event : oracle::events("athlon")) {
    for (const std::string_view mask : event.umasks) {
      if (mask != "ALL") masks[std::string(event.name)].emplace_back(mask);
    }
  }
  return masks;
}

Dimension masks_of(const std::vector<std::vector<std::string>>& sets) {
  Dimension dimension{"unit mask", {}};
  for (const std::vector<std::string>& set : sets) {
    dimension.values.push_back({fmt::format("{}", fmt::join(set, "+")),
                                [set](Question& question) { check_of(question).request.umasks = set; }});
  }
  // One mask more or less; the first value is a set, too, and not an omission.
  dimension.near = [sets](std::size_t value) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto in = [&](const std::vector<std::string>& set) {
        return [&set](const std::string& mask) { return std::find(set.begin(), set.end(), mask) != set.end(); };
      };
      const auto &own = sets[value], &other = sets[i];
      const bool less = other.size() + 1 == own.size() && std::all_of(other.begin(), other.end(), in(own));
      const bool more = own.size() + 1 == other.size() && std::all_of(own.begin(), own.end(), in(other));
      if (less || more) others.push_back(i);
    }
    return others;
  };
  dimension.leaves_out = [sets](std::size_t own, std::size_t other) { return sets[other].size() < sets[own].size(); };
  return dimension;
}

/// Each pair of unit masks, all but one, and all of them by name, on every counter.
void combine_masks(const std::string& event, const std::vector<std::string>& masks, Extent extent, std::size_t number,
                   std::vector<Question>& questions) {
  std::vector<std::vector<std::string>> sets;
  sets.reserve(masks.size());
  for (const std::string& mask : masks) sets.push_back({mask});
  const std::size_t singles = sets.size();
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::size_t j = i + 1; j < masks.size(); ++j) sets.push_back({masks[i], masks[j]});
  }
  for (std::size_t i = 0; masks.size() > 3 && i < masks.size(); ++i) {
    sets.push_back(masks);
    sets.back().erase(sets.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (masks.size() > 2) sets.push_back(masks);
  Check row;
  row.request.event = event;
  const auto form = std::make_shared<const Form>(Form{{{row}}, {masks_of(sets), levels(), interrupt()}});
  for (std::size_t set = singles; set < sets.size(); ++set) {
    for (unsigned counter = 0; counter < counters; ++counter) {
      if (extent == Extent::quick && (number + set) % counters != counter) continue;
      for (std::size_t with = 0; with < 3; ++with) {  // plain; user level only; sampling
        if (extent == Extent::quick && with != 0) continue;
        questions.push_back(on_counter(make(form, {set, with == 1 ? 1u : 0u, with == 2 ? 1u : 0u}), counter, counters));
      }
    }
  }
}

/// The attributes of the events of a set, used in turn.
std::vector<Value> dresses() {
  return {asked("u", {{"u", 1}}, [](oracle::Request& request) { request.kernel = false; }),
          asked("e", {{"e", 1}}, [](oracle::Request& request) { request.edge = true; }),
          asked("k", {{"k", 1}}, [](oracle::Request& request) { request.user = false; }),
          {"plain", {}},
          asked("c=2", {{"c", 2}}, [](oracle::Request& request) { request.threshold = 2; }),
          asked("i, c=1", {{"c", 1}, {"i", 1}}, [](oracle::Request& request) {
            request.threshold = 1;
            request.invert = true;
          })};
}

/// Sets of two to four events in the order of the table, with reserved counters and different attributes; and sets with
/// one event more than there are counters, which must be refused.
void sets_of(const std::vector<Check>& rows, std::vector<Question>& questions) {
  const std::vector<Value> attributes = dresses();
  for (std::size_t size = 2; size <= counters + 1; ++size) {
    for (std::size_t first = 0; first + size <= rows.size(); first += size) {
      Group group;
      for (std::size_t i = 0; i < size; ++i) group.checks.push_back(rows[first + i]);
      // Each counter is reserved in turn, as long as enough are left.
      if (size < counters) group.unavailable_counters = {static_cast<unsigned>(first / size % counters)};
      const bool sampling = size <= counters && first / size % 2 != 0;
      questions.push_back(dressed(group, attributes, first / size, sampling));
      if (size <= counters) continue;
      questions.back().illegal = "five events for four counters";
      if (first > 4 * size) break;
    }
  }
}

/// Each is asked with every event: an encoder that lacks the event answers `unsupported`, which tells nothing.
void illegal_ones(const std::vector<Check>& rows, std::vector<Question>& questions) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Check &row = rows[i], &next = rows[(i + 1) % rows.size()];
    questions.push_back(illegal("the counter mask has eight bits", {with(row, {"c", most_of_mask + 1})}));
    questions.push_back(illegal("no counter is left", {row}, {0, 1, 2, 3}));
    questions.push_back(illegal("two events for one counter", {row, next}, {0, 2, 3}));
  }
}

std::vector<Question> all_questions(const Family& family, Extent extent) {
  const std::vector<Check> rows = rows_of(family.target);
  const std::vector<unsigned> all{0, 1, 2, 3};
  std::vector<Question> questions;
  std::size_t number = 0;
  for (const Check& row : rows) add_covered(form_of(row), all, counters, extent, number++, questions);
  for (const auto& [event, masks] : unit_masks()) {
    // An event that has masks and is named without one counts with all of them.
    Check check;
    check.request.event = event;
    check.request.umasks = {"ALL"};
    check.raw = event;
    const auto form = std::make_shared<const Form>(Form{{{check}}, {interrupt()}});
    for (const unsigned counter : all) questions.push_back(on_counter(make(form, {0}), counter, counters));
    combine_masks(event, masks, extent, number++, questions);
  }
  sets_of(rows, questions);
  std::vector<Placeable> placeable;
  for (const Check& row : rows)
    if (!row.holds) placeable.push_back({row, all});
  add_periods(family, placeable, extent == Extent::quick ? 2 : counters, questions);
  illegal_ones(rows, questions);
  return questions;
}

const EventFacts& facts_of(const std::string& row) { return event_facts("athlon", row); }

std::string_view equal(const Question& question, const Question& other) {
  const oracle::Request &own = question.group.checks.front().request, &its = other.group.checks.front().request;
  const auto counting = [](const oracle::Request& r) {
    std::vector<std::string> masks = r.umasks;
    std::erase_if(masks, [&](const std::string& mask) { return facts_of(r.event + ':' + mask).occurs.never(); });
    return masks;
  };
  if (own.umasks != its.umasks && counting(own) == counting(its)) return "a unit mask that never counts";
  const auto silent = [](const oracle::Request& r) { return !r.user && !r.kernel; };
  const auto unreached = [](const oracle::Request& r) { return r.threshold > facts_of(r.event).occurs.most(); };
  const bool every_cycle = facts_of(own.event).occurs.every_cycle();
  /// Only the counter mask differs.
  const bool by_mask = own.threshold != its.threshold;
  if (silent(own) && silent(its)) return "no level, so that nothing counts";
  if (own.invert != its.invert && own.threshold == 0) return "INV beside a counter mask of 0";
  if (by_mask && unreached(own) && unreached(its) && own.invert) return "every cycle is below the mask";
  if ((unreached(own) || silent(own)) && (unreached(its) || silent(its)) && !own.invert && !its.invert)
    return "mask out of reach, so that nothing counts";
  const bool all_below = unreached(own) && own.invert;
  if (own.pin_control != its.pin_control && own.edge && own.user && own.kernel && (all_below || every_cycle))
    return "it holds in every cycle that is counted: there is one edge, so that the first one overflows";
  if (every_cycle && !own.kernel && own.invert && own.threshold > 1 && its.threshold == 0)
    return "users do not halt: every cycle has its clock, and is below the mask";
  if (by_mask && own.threshold <= 1 && its.threshold <= 1 && own.edge && !own.invert)
    return "an edge of a mask of 0 is that of 1";
  return {};
}

constexpr std::string_view own_selectors =
    "each selector starts its own counter and no other, so that their order is free";
constexpr Excuse excuses[] = {{"last-written-first", own_selectors}, {"reversed", own_selectors}};

}  // namespace

}  // namespace pmusim::testbench::questions

namespace pmusim::testbench::targets::athlon {

extern const questions::Family questions{.target = "athlon",
                                         .counters = questions::numbered("PerfCtr", 0, 3),
                                         .count_bits = 48,
                                         .signed_starts = true,
                                         .has_pins = true,
                                         .questions = questions::all_questions,
                                         .equal = questions::equal,
                                         .threshold = {"c", 255},
                                         .excuses = questions::excuses};

}  // namespace pmusim::testbench::targets::athlon
