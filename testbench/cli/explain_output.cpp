#include "testbench/cli/explain_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/activity/vocabulary.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/explain/names.h"

namespace pmusim::testbench {
namespace {

using pmu::Step;

Json to_json(const Neighbour& n) {
  return Json{{"register", n.reg},    {"field", n.field},
              {"bits", n.bits},       {"from", n.from},
              {"to", n.to},           {"meaning", n.meaning},
              {"counted", n.counted}, {"event", n.event ? Json(*n.event) : Json(nullptr)}};
}

const Symbols& symbols_of(const ExplainOutput& output, unsigned thread) {
  return output.symbols[std::min<std::size_t>(thread, output.symbols.size() - 1)];
}

/// Signals and states that are inputs of the event.
std::vector<std::string> input_names(std::string_view target, const CounterRecord& record) {
  static const auto signals = activity::signal_names(target), states = activity::state_names(target);
  std::vector<std::string> names;
  for (const activity::Signal signal : record.signals)
    names.push_back(signals.at(static_cast<std::size_t>(signal)).name);
  for (const activity::State state : record.states) names.push_back(states.at(static_cast<std::size_t>(state)).name);
  return names;
}

std::string unit_of(const Explanation& e) { return e.unit == 2 ? "1/2" : "1"; }

/// The text for CPU_OP_CYCLES_QUAL of the Montecito if it counts more cycles than those of retirement
/// (pmu.qualified_cycles).
constexpr std::string_view added_with_waits =
    "added to the counter: the cycles of retirement, and those since the retirement before each";

/// One object per counter. The text output takes its values from here as well.
Json to_json(const ExplainOutput& output, const Explanation& e) {
  const CounterRecord& record = e.record;
  Json object{{"counter", e.counter.name},
              {"event", e.counter.event},
              {"value", e.value},
              {"unit", unit_of(e)},
              {"start", record.base},
              {"pending", e.pending},
              {"overwritten", record.overwritten},
              {"inputs", input_names(output.setup.target->name, record)},
              {"steps", Json::array()}};
  if (output.setup.traces.size() > 1) object["thread"] = e.thread;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < pmu::step_count; ++i) {
    const auto step = static_cast<Step>(i);
    if (!record.left[i]) continue;
    const bool awaited =
        output.setup.target->isa == trace::Isa::ia64 && step == Step::added && *record.left[i] > before;
    object["steps"].push_back({{"step", name_of(step)},
                               {"left", *record.left[i]},
                               {"meaning", awaited ? added_with_waits : meaning_of(step)}});
    before = *record.left[i];
  }
  const Symbols& symbols = symbols_of(output, e.thread);
  object["instructions"] = Json::array();
  for (std::size_t i = 0; i < std::min(output.top, e.contributors.size()); ++i) {
    const Contributor& c = e.contributors[i];
    if (!c.culprit.instruction) {
      object["instructions"].push_back(
          {{"ip", nullptr}, {"slot", nullptr}, {"amount", c.amount}, {"function", ""}, {"instruction", ""}});
      continue;
    }
    const bool slots = output.setup.target->isa == trace::Isa::ia64;
    object["instructions"].push_back({{"ip", fmt::format("0x{:x}", c.culprit.ip)},
                                      {"slot", slots ? Json(c.culprit.slot) : Json(nullptr)},
                                      {"amount", c.amount},
                                      {"function", symbols.of(c.culprit.ip)},
                                      {"instruction", c.instruction}});
  }
  object["instructions_in_all"] = e.contributors.size();
  object["unnamed"] = record.unnamed;
  object["addresses"] = Json::array();
  for (std::size_t i = 0; i < std::min(output.top, e.addresses.size()); ++i)
    object["addresses"].push_back(
        {{"address", fmt::format("0x{:x}", e.addresses[i].first)}, {"amount", e.addresses[i].second}});
  object["addresses_in_all"] = e.addresses.size();
  object["neighbours"] = Json::array();
  for (const Neighbour& neighbour : e.neighbours) object["neighbours"].push_back(to_json(neighbour));
  object["same_neighbours"] = e.same_neighbours;
  return object;
}

void indent(const Table& table, std::string_view title) {
  std::cout << '\n' << title << '\n';
  table.print(std::cout, Format::text);
}

void print_more(std::size_t shown, const Json& all, std::string_view what) {
  const auto count = all.get<std::size_t>();
  if (count > shown)
    std::cout << fmt::format("... and {} more {}; --top shows more rows\n", grouped(count - shown), what);
}

void print_steps(const Json& e) {
  Table table({{"left", "left", true}, {"lost", "lost", true}, {"step", "step"}});
  std::optional<std::uint64_t> before;
  for (const Json& step : e.at("steps")) {
    const auto left = step.at("left").get<std::uint64_t>();
    std::string meaning = step.at("meaning");
    if (step.at("step") == "signal" && !e.at("inputs").empty())
      meaning = fmt::format("in {}", fmt::join(e.at("inputs").get<std::vector<std::string>>(), ", "));
    if (step.at("step") == "added") {
      constexpr std::string_view counter = "the counter";
      meaning.replace(meaning.find(counter), counter.size(), e.at("counter").get<std::string>());
      if (e.at("unit") == "1/2") meaning += ", which counts in half events";
    }
    const bool comparable = before && *before > left;
    table.row({left, comparable ? Json(*before - left) : Json(""), meaning});
    before = left;
  }
  table.print(std::cout, Format::text);
  const auto number = [&](const char* key) { return e.at(key).get<std::uint64_t>(); };
  if (number("overwritten") != 0)
    std::cout << fmt::format("{} of it were overwritten by software\n", grouped(number("overwritten")));
  if (number("start") != 0) std::cout << fmt::format("software has set the counter to {}\n", grouped(number("start")));
  if (number("pending") != 0)
    std::cout << fmt::format("{} more are pending when the run ends; the register includes them\n",
                             grouped(number("pending")));
}

std::string share(const Json& amount, std::uint64_t all) {
  return all == 0 ? "" : fmt::format("{:.1f}%", 100.0 * amount.get<double>() / static_cast<double>(all));
}

void print_culprits(const Json& e, std::uint64_t added) {
  if (!e.at("instructions").empty()) {
    Table table({{"share", "share", true},
                 {"amount", "amount", true},
                 {"ip", "address"},
                 {"function", "function", false, Table::Fit::cut},
                 {"instruction", "instruction", false, Table::Fit::cut}});
    for (const Json& row : e.at("instructions")) {
      const std::string ip = row.at("ip").is_null()     ? "no instruction's"
                             : row.at("slot").is_null() ? row.at("ip").get<std::string>()
                                                        : fmt::format("{}.{}", row.at("ip").get<std::string>(),
                                                                      row.at("slot").get<unsigned>());
      const bool named = row.at("ip") != row.at("function");
      table.row({share(row.at("amount"), added), row.at("amount"), ip, named ? row.at("function") : Json(""),
                 row.at("instruction")});
    }
    indent(table, "by instruction, exact:");
    print_more(e.at("instructions").size(), e.at("instructions_in_all"), "instructions");
  }
  const auto unnamed = e.at("unnamed").get<std::uint64_t>();
  if (unnamed != 0) {
    if (e.at("instructions").empty()) std::cout << '\n';
    print_wrapped(std::cout, fmt::format("{} of {} are attributed to no instruction: cycles of states and clocks, and "
                                         "occurrences without an instruction",
                                         grouped(unnamed), grouped(added)));
  }
  if (e.at("addresses").empty()) return;
  Table table({{"share", "share", true}, {"amount", "amount", true}, {"address", "address"}});
  for (const Json& row : e.at("addresses"))
    table.row({share(row.at("amount"), added), row.at("amount"), row.at("address")});
  indent(table, "by address of the request, exact:");
  print_more(e.at("addresses").size(), e.at("addresses_in_all"), "addresses");
}

/// The neighbours that change one field of one register.
struct Kind {
  const Json* shown;  ///< the one that counts something and differs most
  std::vector<std::uint64_t> others;
};
std::vector<Kind> kinds_of(const Json& e) {
  const auto value = e.at("value").get<std::uint64_t>();
  const auto effect = [&](const Json& n) {
    const auto counted = n.at("counted").get<std::uint64_t>();
    return counted == 0 ? 0 : std::max(value, counted) - std::min(value, counted);
  };
  std::vector<Kind> kinds;
  for (const Json& n : e.at("neighbours")) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) {
      return one.shown->at("register") == n.at("register") && one.shown->at("field") == n.at("field");
    });
    if (kind == kinds.end()) {
      kinds.push_back({&n, {}});
      continue;
    }
    const Json* const less = effect(n) > effect(*kind->shown) ? std::exchange(kind->shown, &n) : &n;
    kind->others.push_back(less->at("counted"));
  }
  return kinds;
}

/// `6 more: 0 to 12`; empty if there are no others.
std::string others_of(const Kind& kind) {
  if (kind.others.empty()) return "";
  const auto [least, most] = std::minmax_element(kind.others.begin(), kind.others.end());
  return fmt::format("{} more: {}{}", kind.others.size(), grouped(*least),
                     *least == *most ? "" : " to " + grouped(*most));
}

void print_neighbours(const ExplainOutput& output, const Json& e) {
  const auto same = e.at("same_neighbours").get<std::uint64_t>();
  if (e.at("neighbours").empty() && same == 0) return;
  Table table({{"counted", "counts", true},
               {"register", "register"},
               {"field", "field"},
               {"bits", "bits"},
               {"from", "now", true},
               {"to", "instead", true},
               {"others", "other values"},
               {"meaning", "meaning", false, Table::Fit::below}});
  const std::vector<Kind> kinds = kinds_of(e);
  const std::size_t rows = std::min(output.top, kinds.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const Json& n = *kinds[i].shown;
    table.row({n.at("counted"), n.at("register"), n.at("field"), n.at("bits"), n.at("from"), n.at("to"),
               others_of(kinds[i]), n.at("meaning")});
  }
  if (!table.empty()) indent(table, "counts with one field changed:");
  print_more(rows, kinds.size(), "fields");
  std::cout << fmt::format("{}{} other values of a field make no difference\n", table.empty() ? "\n" : "",
                           grouped(same));
}

}  // namespace

void print_text(const ExplainOutput& output) {
  const SessionResult& session = output.result.session;
  print_wrapped(std::cout,
                fmt::format("{} on {}: {} {}, {} cycles", fmt::join(output.setup.names, " and "),
                            output.setup.target->name, grouped(session.instructions), instruction_word(output.setup),
                            grouped(session.end_cycle - session.first_cycle)));
  for (const std::string& line : note_lines(output.programmed.notes)) print_wrapped(std::cout, line);
  for (const Explanation& explanation : output.result.explanations) {
    const Json e = to_json(output, explanation);
    std::cout << '\n';
    print_wrapped(std::cout,
                  fmt::format("{}{}: {}, counts {}",
                              e.contains("thread") ? fmt::format("thread {}, ", e.at("thread").get<unsigned>()) : "",
                              explanation.counter.name, explanation.counter.event, grouped(explanation.value)));
    std::cout << '\n';
    print_steps(e);
    print_culprits(e, explanation.record.left_after(Step::added));
    print_neighbours(output, e);
  }
}

void print_json(const ExplainOutput& output) {
  const SessionSetup& setup = output.setup;
  const bool threads = setup.traces.size() > 1;
  const SessionResult& session = output.result.session;
  Json object{{"target", std::string(setup.target->name)},
              {threads ? "traces" : "trace", threads ? Json(setup.names) : Json(setup.names[0])},
              {"cycles", session.end_cycle - session.first_cycle},
              {"first_instruction", session.first_instruction},
              {"instructions", session.instructions},
              {"counters", Json::array()}};
  for (const Explanation& explanation : output.result.explanations)
    object["counters"].push_back(to_json(output, explanation));
  object.update(output.programmed.notes);
  std::cout << line_of(object) << '\n';
}

}  // namespace pmusim::testbench
