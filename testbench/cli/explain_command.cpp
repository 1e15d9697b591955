// pmusim explain: explains the value of a count.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "testbench/cli/code_names.h"
#include "testbench/cli/command.h"
#include "testbench/cli/event_pages.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/symbols.h"
#include "testbench/explain/explanation.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {
namespace {

struct ExplainOutput {
  const SessionSetup& setup;
  const Programmed& programmed;
  const ExplainResult& result;
  const std::vector<Symbols>& symbols;  ///< names for each hardware thread's program, or one set for both
  std::size_t top = 0;                  ///< maximum number of rows of a table
};

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
              {"inputs", input_names(output.setup.target->name, record.signals, record.states)},
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
    const bool known = c.culprit.instruction, slots = known && output.setup.target->isa == trace::Isa::ia64;
    object["instructions"].push_back({{"ip", known ? Json(fmt::format("0x{:x}", c.culprit.ip)) : Json()},
                                      {"slot", slots ? Json(c.culprit.slot) : Json()},
                                      {"amount", c.amount},
                                      {"function", known ? symbols.of(c.culprit.ip) : ""},
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
struct FieldNeighbours {
  const Json* shown;  ///< the one that counts something and differs most
  std::vector<std::uint64_t> others;
};
std::vector<FieldNeighbours> by_field(const Json& e) {
  const auto value = e.at("value").get<std::uint64_t>();
  const auto effect = [&](const Json& n) {
    const auto counted = n.at("counted").get<std::uint64_t>();
    return counted == 0 ? 0 : std::max(value, counted) - std::min(value, counted);
  };
  std::vector<FieldNeighbours> fields;
  for (const Json& n : e.at("neighbours")) {
    const auto same = std::ranges::find_if(fields, [&](const FieldNeighbours& one) {
      return one.shown->at("register") == n.at("register") && one.shown->at("field") == n.at("field");
    });
    if (same == fields.end()) {
      fields.push_back({&n, {}});
      continue;
    }
    const Json* const less = effect(n) > effect(*same->shown) ? std::exchange(same->shown, &n) : &n;
    same->others.push_back(less->at("counted"));
  }
  return fields;
}

/// `6 more: 0 to 12`; empty if there are no others.
std::string others_of(const FieldNeighbours& field) {
  if (field.others.empty()) return "";
  const auto [least, most] = std::ranges::minmax_element(field.others);
  return fmt::format("{} more: {}{}", field.others.size(), grouped(*least),
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
  const std::vector<FieldNeighbours> fields = by_field(e);
  const std::size_t rows = std::min(output.top, fields.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const Json& n = *fields[i].shown;
    table.row({n.at("counted"), n.at("register"), n.at("field"), n.at("bits"), n.at("from"), n.at("to"),
               others_of(fields[i]), n.at("meaning")});
  }
  if (!table.empty()) indent(table, "counts with one field changed:");
  print_more(rows, fields.size(), "fields");
  std::cout << fmt::format("{}{} other values of a field make no difference\n", table.empty() ? "\n" : "",
                           grouped(same));
}

/// Tables end after `top` rows and state how many rows are left out.
void print_text(const ExplainOutput& output) {
  const SessionResult& session = output.result.session;
  print_wrapped(std::cout, head_line(output.setup, session.instructions, session.end_cycle - session.first_cycle));
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

/// The same values, with the same number of rows.
void print_json(const ExplainOutput& output) {
  const SessionResult& session = output.result.session;
  Json object = head_of(output.setup);
  object["cycles"] = session.end_cycle - session.first_cycle;
  object["first_instruction"] = session.first_instruction;
  object["instructions"] = session.instructions;
  object["counters"] = Json::array();
  for (const Explanation& explanation : output.result.explanations)
    object["counters"].push_back(to_json(output, explanation));
  object.update(output.programmed.notes);
  std::cout << line_of(object) << '\n';
}

constexpr HelpText explain_help{
    "pmusim explain -t TARGET --trace FILE (-e EVENT ... [FILTER ...] | --write NAME=VALUE ...) [--elf FILE]",
    "Counts as `pmusim run` does and shows for each counter how its count comes about: the number of occurrences of\n"
    "the core's signals, and how many of them pass each step: event code and unit mask, filters, privilege,\n"
    "threshold and edge detector, up to the amount added to the counter. `lost` is what a step removes. The steps\n"
    "come from the PMU model itself and add up to the counter. Steps that do not apply to the target or the\n"
    "programming are omitted.\n"
    "Then come the instructions and memory addresses that caused the counts; they are exact, not sampled. A cycle\n"
    "that adds less than its occurrences, as under a threshold, is attributed to the first of them.\n"
    "Last come the counts that the counter would have had with one register field changed: fields of up to 4 bits\n"
    "are set to every other value, wider fields of up to 8 bits are changed bit by bit. --no-neighbours omits this.",
    examples::explain};

Options explain_options() {
  return session_options() + counted_options() +
         Options{{"top", po::number<unsigned>(10), "maximum number of rows of a table"},
                 {"no-neighbours", po::flag(), "omit the counts with changed register fields"}} +
         name_options() + qualifier_options();
}

int run_explain(const Arguments& arguments) {
  if (arguments.format() == Format::csv) throw UsageError("--format csv: an explanation is no table; use text or json");
  SessionSetup setup = session_setup(arguments);
  const auto [events, writes] = counted(arguments, setup.target->name);
  const encoder::EncodeOptions encoding_options = counting_options(arguments, setup);
  if (!writes.empty() && !encoding_options.qualifiers.empty())
    throw UsageError("filters go with -e EVENT; with --write they are part of the values");
  const Programmed programmed =
      writes.empty() ? programmed_events(setup, events, encoding_options) : programmed_writes(setup, writes);
  if (programmed.counters.empty())
    throw UsageError(
        "the values enable no counter; event address registers and branch buffers count nothing, see pmusim record");
  const std::vector<Symbols> symbols = symbols_of(code_names(arguments, setup));
  (void)check_input(setup);  // bad input is reported before anything runs
  (void)bus_writes(setup, programmed.registers);
  ExplainRequest request;
  request.target = setup.target;
  request.parameters = setup.parameters;
  request.options = setup.options;
  request.threads = static_cast<unsigned>(setup.traces.size());
  request.run = [&](Session& session) { return run_session(setup, session); };
  if (setup.activity.empty()) request.open = [&] { return open_traces(setup); };
  request.registers = programmed.registers;
  for (const ProgrammedCounter& counter : programmed.counters)
    request.counters.push_back({counter.counter, counter.event, counter.index});
  // A core that executes the handler runs differently for each of the neighbours.
  request.neighbours = !arguments.get<bool>("no-neighbours") && !setup.options.perturb;
  const ExplainResult result = explain(request);
  if (!result.session.monitors[0].not_modelled.empty()) throw UsageError(result.session.monitors[0].not_modelled[0]);
  const ExplainOutput output{setup, programmed, result, symbols, arguments.get<unsigned>("top")};
  if (arguments.format() == Format::json)
    print_json(output);
  else
    print_text(output);
  return exit_good;
}

}  // namespace

const CommandBody explain_body{explain_help, explain_options, run_explain, 0};

}  // namespace pmusim::testbench
