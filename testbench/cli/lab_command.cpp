// pmusim lab: the laboratory in the browser.
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "isa-traces/import/elf_file.h"
#include "testbench/cli/command.h"
#include "testbench/cli/command_facts.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/trace_command.h"
#include "testbench/lab/native/server.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText lab_help{
    "pmusim lab [-t TARGET] [TRACE]\n"
    "       pmusim lab [-t TARGET] [--] PROGRAM [ARGUMENT ...]",
    "Opens the laboratory in the browser: events and register bits, the pipeline and the counters cycle by cycle, the\n"
    "reasons for each count, and lessons (docs/laboratory.md). With a TRACE it begins with that; a PROGRAM is "
    "recorded\n"
    "first (pmusim trace capture). All recorded traces that come with pmusim can be chosen in the page.\n"
    "The page is served by this command to this machine's browser alone, under an address with a random token, until\n"
    "Ctrl-C. --no-browser prints the address and opens nothing.",
    examples::lab};

constexpr const char* first_instructions = "0:20000";
constexpr std::uint64_t most_instructions = 500'000;  ///< more would not fit in a browser's memory

/// The program or trace that the user named.
struct Own {
  std::string target;
  lab::Program program;
  std::unique_ptr<RecordedProgram> recorded;  ///< removes its trace at the end
};

/// The target that the user named, which must run this instruction set; otherwise the first one that does.
std::string target_for(const Arguments& arguments, trace::Isa isa, const std::string& what) {
  const std::vector<std::string> fitting = lab::targets_of(isa);
  const auto named = arguments.maybe<std::string>("target");
  if (!named) return fitting.at(0);
  if (std::ranges::find(fitting, *named) == fitting.end())
    throw UsageError("{}: {}, which target {} does not run; expected -t {}", what, trace::name_of(isa), *named,
                     fitting.at(0));
  return *named;
}

/// The instruction set of an executable; empty if the file is none.
std::optional<trace::Isa> program_isa(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const trace::ElfFile elf(file);
  if (!elf.is_elf()) return std::nullopt;
  if (const auto isa = elf.isa()) return isa;
  throw UsageError("{}: a program for another machine; expected one for i386, PowerPC, Alpha or IA-64", file);
}

Region shown_region(const Arguments& arguments) {
  const auto text = arguments.get<std::string>("roi");
  const Region region = parse_region(text);
  if (region.end - region.begin > most_instructions)
    throw UsageError("--roi '{}': the page shows at most {} instructions", text, most_instructions);
  return region;
}

/// Runs the program once, so that its errors end the command.
void check_runs(const Own& own, const std::string& name) {
  try {
    (void)lab::record(*models::find_target(own.target), own.program.traces, own.program.region);
  } catch (const trace::TraceError&) {  // names the file itself
    throw;
  } catch (const std::exception& error) {
    throw UsageError("{}: {}", name, error.what());
  }
}

std::optional<Own> own_of(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positional();
  if (words.empty()) return std::nullopt;
  Own own;
  std::filesystem::path trace;
  if (const auto isa = program_isa(words[0])) {
    own.target = target_for(arguments, *isa, words[0]);
    own.recorded = std::make_unique<RecordedProgram>(*models::find_target(own.target), words, Format::text);
    own.program.targets = lab::targets_of(*isa);
    trace = own.recorded->trace();
  } else {
    if (words.size() > 1)
      throw UsageError("{}: no program of a modelled machine; expected an ELF executable", words[0]);
    trace = shipped(words[0]);
    const trace::Isa isa_of_trace = trace::open(trace)->info().isa;
    own.target = target_for(arguments, isa_of_trace, words[0]);
    own.program.targets = lab::targets_of(isa_of_trace);
  }
  own.program.id = "own";
  own.program.title = std::filesystem::path(words[0]).filename().string();
  own.program.traces = {trace};
  own.program.region = shown_region(arguments);
  check_runs(own, words[0]);
  return own;
}

/// The event with which the page begins, by target: one that counts something in every program.
lab::Json first_events() {
  lab::Json events = lab::Json::object();
  for (const models::Target& target : models::targets()) {
    const auto generic = generic_events_of(target.name);
    for (const std::string_view name : {"cycles", "instructions"})  // the second one if there is one
      for (const GenericEvent& one : generic)
        if (one.name == name && !one.event.empty()) events[std::string(target.name)] = one.event;
  }
  return events;
}

/// Starts xdg-open; false if there is none.
bool open_browser(const std::string& address) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::string program = "xdg-open", word = address;
  char* const words[] = {program.data(), word.data(), nullptr};
  pid_t child = 0;
  const bool started = posix_spawnp(&child, program.c_str(), nullptr, &attributes, words, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  if (started) std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
  return started;
}

/// Serves until the user ends the command. The signals are blocked in all threads, so that one can wait for them.
void serve(lab::Server& server, bool browser) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::thread waiting([&] {
    int signal = 0;
    sigwait(&ends, &signal);
    server.stop();
  });
  std::cout << server.address() << '\n' << std::flush;
  if (browser && !open_browser(server.address()))
    std::cerr << "pmusim: lab: xdg-open is missing; open the address above in a browser\n";
  server.serve();
  waiting.join();
}

Options lab_options() {
  return {{"target,t", po::text(), "target with which the page begins"},
          {"roi", po::text(first_instructions),
           "BEGIN:END: these instructions of TRACE or PROGRAM, numbered from 0 (ia64: bundles)"},
          {"no-browser", po::flag(), "only print the address"}};
}

int run_lab(const Arguments& arguments) {
  if (const auto target = arguments.maybe<std::string>("target")) check_target(*target);
  (void)shown_region(arguments);
  if (arguments.has("roi") && arguments.positional().empty())
    throw UsageError("--roi chooses instructions of a TRACE or PROGRAM; name one");
  const std::filesystem::path folder = data_folder() / "testbench/lab";
  std::optional<Own> own = own_of(arguments);
  lab::Programs programs(folder, data_folder(), shipped_traces());
  std::string target = arguments.maybe<std::string>("target").value_or("");
  if (own) {
    target = own->target;
    programs.add_own(own->program);
  }
  lab::Server server(folder, std::move(programs), {{"target", target}, {"events", first_events()}});
  serve(server, !arguments.get<bool>("no-browser"));
  return exit_good;
}

}  // namespace

const CommandBody lab_body{lab_help, lab_options, run_lab, any_number, ""};

}  // namespace pmusim::testbench
