#include "testbench/cli/profiled_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "testbench/cli/perf_names.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/sampling_pmu.h"
#include "testbench/explain/disassembler.h"
#include "testbench/explain/raw_counters.h"

namespace pmusim::testbench {
namespace {

/// The PMUs of one event: one that observes each thread, and one for sampling on request.
struct AskedEvent {
  std::string name;
  Programmed programmed;
  std::unique_ptr<SamplingPlan> plan;
  std::vector<std::unique_ptr<SamplingPmu>> samplers;
};

struct RawSample {
  std::size_t event;
  Sample sample;
  std::vector<std::uint64_t> stack;
};

Location location_of(const CodeNames& names, std::uint64_t address) {
  Location at{names.symbols().function_of(address), "", 0};
  if (const auto line = names.line_of(address)) {
    at.file = line->file;
    at.line = line->line;
  }
  return at;
}

/// The innermost entry is the function of the sample, or forms a separate frame.
std::vector<StackFrame> frames_of(const CodeNames& names, const RawSample& raw) {
  std::vector<StackFrame> frames;
  const StackFrame leaf{raw.sample.ip, location_of(names, raw.sample.ip)};
  for (const std::uint64_t entry : raw.stack) frames.push_back({entry, location_of(names, entry)});
  if (!frames.empty() && frames.back().location.function == leaf.location.function) frames.pop_back();
  frames.push_back(leaf);
  return frames;
}

std::vector<AskedEvent> events_of(const Arguments& arguments, const SessionSetup& setup, Json& notes) {
  const encoder::EncodeOptions options = counting_options(arguments, setup);
  std::vector<AskedEvent> events;
  for (const std::string& name : named_event_list(arguments, setup.target->name)) {
    AskedEvent event;
    event.name = name;
    event.programmed = programmed_events(setup, {name}, options);
    if (event.programmed.counters.empty()) throw UsageError("{} counts nothing; see pmusim record", name);
    for (const auto& [key, value] : event.programmed.notes.items()) notes[key] = value;
    if (arguments.has("period")) event.plan = std::make_unique<SamplingPlan>(sampling_plan(setup, arguments, {name}));
    events.push_back(std::move(event));
  }
  return events;
}

/// Stall events count over the whole run, independent of the filters of the requested events.
void add_stalls(const SessionSetup& setup, ProfileRequest& request) {
  const auto known = encoder::events(setup.target->name);
  if (!known) throw UsageError(known.error().message);
  for (const StallEvent& stall : stall_events(*known)) {
    const Programmed programmed = programmed_events(setup, {std::string(stall.event)}, plain_options(setup));
    const ProgrammedCounter& counter = programmed.counters.at(0);
    request.events.push_back({{counter.counter, counter.event, counter.index},
                              bus_writes(setup, programmed.registers),
                              std::string(stall.title)});
  }
}

void complain(const SessionSetup& setup, const Profile& profile, const std::vector<AskedEvent>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!events[i].plan || profile.events[i].samples != 0) continue;
    for (const auto& pmu : events[i].samplers) {
      for (const std::string& why :
           why_no_sample(*setup.target, profile.session.monitors[pmu->monitor()], events[i].plan->awaited))
        std::cerr << "pmusim: " << why << '\n';
    }
  }
}

std::uint64_t cycles_of(const ProfiledProgram& program) {
  return program.profile.session.end_cycle - program.profile.session.first_cycle;
}

Json share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return nullptr;
  return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

Json cpi(const ProfileRow& row) {
  if (row.instructions == 0) return nullptr;
  return static_cast<double>(row.cycles) / static_cast<double>(row.instructions);
}

/// The name without target, unit masks and attributes.
std::string short_name(const ProfiledEvent& event) {
  const std::string name = without_target(event.counter.event);
  return name.substr(0, name.find(':'));
}

/// A column of amounts.
struct AmountColumn {
  Table::Column column;
  std::string place;           ///< of its value in amounts_json(): a JSON pointer
  std::string_view form = {};  ///< of the value in text; empty: as it is
};
std::vector<AmountColumn> columns_of(const ProfiledProgram& program, bool cumulative, Format format) {
  constexpr Table::Fit kept = Table::Fit::wrap, drop = Table::Fit::drop;
  constexpr std::string_view percent = "{:.1f}%", points = "{:+.1f}";
  std::vector<AmountColumn> columns;
  const auto& events = program.profile.events;
  const std::size_t asked = program.profile.asked();
  for (std::size_t i = 0; i < asked; ++i) {
    const auto add = [&](std::string_view key, std::string_view title, Table::Fit fit, std::string_view form,
                         bool share = false) {
      columns.push_back({{fmt::format("{}_{}", key, i + 1),
                          asked > 1 ? fmt::format("{}:{}", i + 1, title) : std::string(title), true, fit, share},
                         fmt::format("/events/{}/{}", i, key),
                         form});
    };
    const Table::Fit fit = i == 0 ? kept : drop;
    add("exact_share", "exact", fit, percent, true);
    if (cumulative) add("cumulative_share", "sum", drop, percent);
    add("exact", "amount", fit, {});
    if (events[i].period == 0) continue;
    add("sampled_share", "sampled", fit, percent, true);
    add("difference", "differs", fit, points);
    add("samples", "samples", drop, {});
  }
  const Table::Fit fit = asked == 0 ? kept : drop;
  columns.push_back({{"cycles_share", "time", true, fit, true}, "/cycles_share", percent});
  columns.push_back({{"cycles", "cycles", true, fit}, "/cycles"});
  columns.push_back({{"instructions", "instructions", true, drop}, "/instructions"});
  columns.push_back({{"cpi", "CPI", true, drop}, "/cpi", "{:.2f}"});
  for (std::size_t i = asked; i < events.size(); ++i) {
    if (format == Format::text && events[i].counted == 0) continue;
    const std::size_t stall = i - asked;
    columns.push_back(
        {{fmt::format("stall_{}", stall + 1), events[i].stall, true, drop}, fmt::format("/stalls/{}", stall)});
  }
  return columns;
}

}  // namespace

Options profile_options() {
  return session_options() +
         Options{{"event,e", po::texts(), "event to profile, or several separated by commas; each has its own PMU"}} +
         period_options() + name_options() +
         Options{{"top", po::number<unsigned>(20), "maximum number of rows of a table or functions of a listing"},
                 {"percent-limit", po::real(0, "0"),
                  "leave out rows, or functions of a listing, with less than this share of the first event, or of the "
                  "time"},
                 {"no-stalls", po::flag(), "omit the columns of the target's stall events; faster"}} +
         qualifier_options();
}

bool ProfiledProgram::named() const {
  return std::ranges::any_of(names, [](const CodeNames& one) { return !one.symbols().empty(); });
}

bool ProfiledProgram::has_lines() const { return std::ranges::any_of(names, &CodeNames::has_lines); }

ProfiledProgram profiled_program(const Arguments& arguments, bool tables) {
  ProfiledProgram program;
  program.setup = session_setup(arguments);
  const SessionSetup& setup = program.setup;
  program.top = arguments.get<unsigned>("top");
  program.percent_limit = arguments.get<double>("percent-limit");
  if (!(program.percent_limit >= 0 && program.percent_limit <= 100))
    throw UsageError("--percent-limit {}: expected 0 to 100", program.percent_limit);
  if (setup.options.perturb)
    throw UsageError("--perturb: sampling handlers would change the exact counts; see pmusim record");
  check_period_options(arguments);
  std::vector<AskedEvent> events = events_of(arguments, setup, program.notes);
  if (events.empty() && arguments.has("period"))
    throw UsageError("--period needs an event to sample; name one with -e");
  (void)check_input(setup);
  program.names = code_names(arguments, setup);
  ProfileRequest request;
  request.target = setup.target;
  request.parameters = setup.parameters;
  request.options = setup.options;
  request.threads = static_cast<unsigned>(setup.traces.size());
  request.calls = !tables;
  for (const AskedEvent& event : events) {
    const ProgrammedCounter& counter = event.programmed.counters[0];
    request.events.push_back(
        {{counter.counter, counter.event, counter.index}, bus_writes(setup, event.programmed.registers)});
  }
  if (tables && !arguments.get<bool>("no-stalls")) add_stalls(setup, request);
  std::vector<RawSample> samples;
  request.add_samplers = [&](Session& session) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].plan) continue;
      for (unsigned thread = 0; thread < request.threads; ++thread) {
        const auto sink = [&samples, i](const Sample& sample, const std::vector<std::uint64_t>& stack) {
          samples.push_back({i, sample, stack});
        };
        events[i].samplers.push_back(
            std::make_unique<SamplingPmu>(session, setup, arguments, *events[i].plan, thread, sink));
      }
    }
  };
  request.run = [&](Session& session) { return run_session(setup, session); };
  program.profile = profile(request);
  for (const MonitorResult& monitor : program.profile.session.monitors) {
    if (!monitor.not_modelled.empty()) throw UsageError(monitor.not_modelled[0]);
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].plan) program.profile.events[i].period = period_of(arguments);
  }
  for (const RawSample& raw : samples)
    add_sample(program.profile, {raw.event, raw.sample.thread, raw.sample.cycle, raw.sample.period,
                                 frames_of(program.names[raw.sample.thread], raw)});
  add_locations(program.profile,
                [&](unsigned thread, std::uint64_t address) { return location_of(program.names[thread], address); });
  complain(setup, program.profile, events);
  return program;
}

void add_instructions(ProfiledProgram& program) {
  if (!program.setup.activity.empty()) return;
  const auto readers = open_traces(program.setup);
  if (const std::string missing = missing_disassembler(program.setup.target->isa); !missing.empty())
    std::cerr << "pmusim: " << missing << '\n';
  for (unsigned thread = 0; thread < readers.size(); ++thread) {
    std::set<std::uint64_t> wanted;
    for (const ProfileRow& row : program.profile.rows) {
      if (row.thread == thread && row.instruction) wanted.insert(row.ip);
    }
    std::vector<trace::Code> codes;
    for (trace::Item item; !wanted.empty() && readers[thread]->next(item);) {
      if (item.directive == nullptr && wanted.erase(item.instruction.code->pc) != 0)
        codes.push_back(*item.instruction.code);
    }
    const InstructionTexts texts = disassemble(program.setup.target->isa, codes);
    for (ProfileRow& row : program.profile.rows) {
      const auto text = texts.find({row.ip, row.slot});
      if (row.thread == thread && row.instruction && text != texts.end()) row.text = text->second;
    }
  }
}

std::vector<std::string> head_lines(const ProfiledProgram& program) {
  std::vector<std::string> lines{head_line(program.setup, program.profile.session.instructions, cycles_of(program))};
  const auto& events = program.profile.events;
  const std::size_t asked = program.profile.asked();
  for (std::size_t i = 0; i < asked; ++i) {
    const ProfiledEvent& event = events[i];
    std::string line =
        fmt::format("{}{} counts {}{} on {}", asked > 1 ? fmt::format("{}: ", i + 1) : "", event.counter.event,
                    grouped(event.counted), event.unit == 2 ? " half events" : "", event.counter.name);
    if (event.period != 0)
      line += fmt::format("; {} samples, one in {} events, stand for {}", grouped(event.samples), grouped(event.period),
                          grouped(event.estimated));
    lines.push_back(line);
  }
  std::vector<std::string> stalls;
  for (std::size_t i = asked; i < events.size(); ++i)
    stalls.push_back(
        fmt::format("{} {} ({})", events[i].stall, grouped(events[i].counted / events[i].unit), short_name(events[i])));
  if (!stalls.empty()) lines.push_back(fmt::format("cycles of stalls: {}", fmt::join(stalls, ", ")));
  for (const std::string& line : note_lines(program.notes)) lines.push_back(line);
  return lines;
}

Json head_json(const ProfiledProgram& program) {
  Json head = head_of(program.setup);
  head["cycles"] = cycles_of(program);
  head["instructions"] = program.profile.session.instructions;
  head["events"] = Json::array();
  head["stalls"] = Json::array();
  for (const ProfiledEvent& event : program.profile.events) {
    if (!event.stall.empty()) {
      head["stalls"].push_back(
          {{"title", event.stall}, {"event", event.counter.event}, {"cycles", event.counted / event.unit}});
      continue;
    }
    Json one{{"event", event.counter.event},
             {"counter", event.counter.name},
             {"unit", event.unit == 2 ? "1/2" : "1"},
             {"counted", event.counted}};
    if (event.period != 0) {
      one["period"] = event.period;
      one["samples"] = event.samples;
      one["estimated"] = event.estimated;
    }
    head["events"].push_back(std::move(one));
  }
  head.update(program.notes);
  return head;
}

Json amounts_json(const ProfiledProgram& program, const ProfileRow& row, std::vector<std::uint64_t>& before) {
  before.resize(row.events.size());
  Json amounts{{"cycles", row.cycles},
               {"cycles_share", share(row.cycles, cycles_of(program))},
               {"instructions", row.instructions},
               {"cpi", cpi(row)},
               {"events", Json::array()},
               {"stalls", Json::array()}};
  for (std::size_t i = 0; i < row.events.size(); ++i) {
    const ProfiledEvent& event = program.profile.events[i];
    const EventAmounts& here = row.events[i];
    if (!event.stall.empty()) {
      amounts["stalls"].push_back(here.exact / event.unit);
      continue;
    }
    before[i] += here.exact;
    Json one{{"exact", here.exact},
             {"exact_share", share(here.exact, event.counted)},
             {"cumulative_share", share(before[i], event.counted)}};
    if (event.period != 0) {
      one["samples"] = here.samples;
      one["estimated"] = here.estimated;
      one["sampled_share"] = share(here.estimated, event.estimated);
      const bool both = !one["sampled_share"].is_null() && !one["exact_share"].is_null();
      one["difference"] = both ? Json(one["sampled_share"].get<double>() - one["exact_share"].get<double>()) : nullptr;
    }
    amounts["events"].push_back(std::move(one));
  }
  return amounts;
}

Json place_json(const ProfiledProgram& program, const ProfileRow& row, Grouping grouping) {
  Json place = Json::object();
  if (program.setup.traces.size() > 1) place["thread"] = row.thread;
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  place["function"] = or_null(row.location.function);
  if (grouping == Grouping::function) return place;
  place["file"] = or_null(row.location.file);
  place["line"] = row.location.line == 0 ? Json(nullptr) : Json(row.location.line);
  if (grouping == Grouping::line) return place;
  place["ip"] = row.instruction ? Json(fmt::format("0x{:x}", row.ip)) : Json(nullptr);
  const bool slots = program.setup.target->isa == trace::Isa::ia64;
  place["slot"] = slots && row.instruction ? Json(row.slot) : Json(nullptr);
  place["instruction"] = row.text;
  return place;
}

std::string short_line(const Json& place) {
  if (place.at("line").is_null()) return "";
  const auto file = place.at("file").get<std::string>();
  return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), place.at("line").get<unsigned>());
}

std::vector<Table::Column> amount_columns(const ProfiledProgram& program, bool cumulative, Format format) {
  std::vector<Table::Column> columns;
  for (AmountColumn& one : columns_of(program, cumulative, format)) columns.push_back(std::move(one.column));
  return columns;
}

bool shown(const ProfiledProgram& program, const Json& amounts) {
  const Json& share =
      program.profile.asked() == 0 ? amounts.at("cycles_share") : amounts.at("events").at(0).at("exact_share");
  return share.is_null() ? program.percent_limit == 0 : share.get<double>() >= program.percent_limit;
}

std::vector<Json> amount_cells(const ProfiledProgram& program, const Json& amounts, bool cumulative, Format format) {
  std::vector<Json> cells;
  for (const AmountColumn& one : columns_of(program, cumulative, format)) {
    const Json& value = amounts.at(Json::json_pointer(one.place));
    if (format != Format::text || one.form.empty())
      cells.push_back(value);
    else
      cells.push_back(value.is_null() ? "" : fmt::format(fmt::runtime(one.form), value.get<double>()));
  }
  return cells;
}

}  // namespace pmusim::testbench
