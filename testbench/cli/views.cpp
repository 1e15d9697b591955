#include "testbench/cli/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "testbench/cli/command.h"
#include "testbench/cli/waveform_names.h"

namespace pmusim::testbench {

void add_view_options(Arguments::Description& options) {
  options.add_options()("vcd", po::value<std::string>(),
                        "write a waveform of PMU and core for GTKWave and its layout (.gtkw); runs clock by clock")(
      "vcd-signals", po::value<std::string>(),
      "with --vcd: groups of signals: core,counters,fields,pmu (the default), clock,states,signals; or all")(
      "vcd-cycles", po::value<std::string>(),
      "with --vcd: how many cycles the file shows, or all (default: the first 100,000)")(
      "perfetto", po::value<std::string>(),
      "write a timeline for ui.perfetto.dev: functions, the first 200,000 instructions, counters, interrupts")(
      "konata", po::value<std::string>(),
      "write the pipeline of the first 200,000 instructions as a Kanata log for Konata");
}

ViewFiles view_files(const Arguments& arguments) {
  ViewFiles files{arguments.maybe<std::string>("vcd").value_or(""),
                  arguments.maybe<std::string>("perfetto").value_or(""),
                  arguments.maybe<std::string>("konata").value_or("")};
  if (const auto groups = arguments.maybe<std::string>("vcd-signals")) {
    if (files.vcd.empty()) throw UsageError("--vcd-signals selects the signals of --vcd; give --vcd FILE, too");
    files.groups = wave_groups(*groups);
  }
  if (const auto cycles = arguments.maybe<std::string>("vcd-cycles")) {
    if (files.vcd.empty()) throw UsageError("--vcd-cycles limits the file of --vcd; give --vcd FILE, too");
    files.cycles = wave_cycles(*cycles);
  }
  return files;
}

Views::Views(ViewFiles files, SessionSetup& setup, std::span<const ProgrammedCounter> counters,
             std::span<const std::string_view> latched) {
  SessionOptions& options = setup.options;
  for (const ProgrammedCounter& counter : counters) events_.push_back(short_event(setup.target->name, counter.event));
  if (!files.vcd.empty()) {
    options.engine = Engine::signals;
    options.wave = waveform_plan(setup, counters, latched);
    if (files.groups != 0) options.wave.groups = files.groups;
    options.wave.cycles = vcd_cycles_ = files.cycles;
    options.vcd = files.vcd;
    std::error_code ignored;
    const auto status = std::filesystem::status(options.vcd, ignored);
    const bool device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (!device) options.vcd.replace_extension(".vcd");
    vcd_ = options.vcd;
  }
  if (!files.perfetto.empty()) {
    if (options.engine == Engine::blocks) options.engine = Engine::direct;  // each cycle once
    PerfettoNames names{
        std::string(setup.target->name), static_cast<unsigned>(setup.traces.size()), {}, std::move(files.symbols)};
    for (const ProgrammedCounter& counter : counters) {
      if (counter.index >= names.counters.size()) names.counters.resize(counter.index + 1);
      names.counters[counter.index] =
          fmt::format("{} {}", counter.counter, short_event(setup.target->name, counter.event));
    }
    timeline_ = std::make_unique<PerfettoWriter>(files.perfetto, std::move(names));
  }
  if (!files.konata.empty()) pipeline_ = std::make_unique<KonataWriter>(files.konata, setup.target->isa);
}

void Views::watch(MonitorSetup& monitor, unsigned number) {
  if (!timeline_) return;
  monitor.probe = timeline_->probe(number);
  monitor.taken = [this, number](const pmu::EntryState& entry) { timeline_->interrupt(number, entry); };
}

void Views::observe(Session& session) {
  if (timeline_) session.add_observer([this](const activity::Block& block) { timeline_->add(block); });
  if (pipeline_) session.add_observer([this](const activity::Block& block) { pipeline_->add(block); });
}

void Views::sample(const Sample& sample) {
  if (timeline_) timeline_->sample(sample, sample.counter < events_.size() ? events_[sample.counter] : "none");
}

void Views::close(const SessionResult& result) {
  const Cycle cycles = result.end_cycle - result.first_cycle;
  if (cycles > vcd_cycles_)
    std::cerr << fmt::format("pmusim: {}: the first {} of {} cycles; --vcd-cycles all writes all\n", vcd_.string(),
                             grouped(vcd_cycles_), grouped(cycles));
  if (timeline_) timeline_->close();
  if (pipeline_) pipeline_->close();
}

}  // namespace pmusim::testbench
