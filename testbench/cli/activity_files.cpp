#include "testbench/cli/activity_files.h"

#include <fmt/format.h>

#include "testbench/cli/command.h"
#include "testbench/driver/silence.h"
#include "testbench/store/this_program.h"
#include "testbench/support/arguments.h"
#include "testbench/support/words.h"
#include "testbench/sweep/journal.h"

namespace pmusim::testbench {
namespace {

constexpr std::string_view parameter_key = "parameter.";
constexpr std::string_view pmu_prefix = "pmu.";

}  // namespace

activity_file::Properties properties_of(const models::Target& target, const models::Parameters& parameters,
                                        const std::vector<InputFile>& traces) {
  activity_file::Properties properties;
  properties.set("target", std::string(target.name));
  properties.set("program", this_program());
  properties.set("threads", std::to_string(traces.size()));
  for (std::size_t i = 0; i < traces.size(); ++i) {
    properties.set(fmt::format("trace.{}", i), utf8(traces[i].path().filename().string()));
    properties.set(fmt::format("crc32.{}", i), fmt::format("{:08x}", traces[i].crc32()));
  }
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with(pmu_prefix))
      properties.set(std::string(parameter_key) + std::string(info.name), parameters.text(info.name));
  }
  return properties;
}

Recorded record_activity(const std::string& file, activity_file::Properties properties,
                         std::unique_ptr<core::Core> core, const Region& region, Cycle block_cycles, int level) {
  core->subscribe(activity::Subscription::everything());
  CoreSource source(std::move(core), region, false);
  properties.set("first_instruction", std::to_string(source.first()));
  activity_file::Writer writer(file, properties, level);
  const Cycle first = source.now();
  Silence silence(silence_of_run);
  while (const Block* const block = source.next(block_cycles)) {
    silence.add(*block);
    writer.write(*block, {source.instructions_of(0), source.instructions_of(1)});
  }
  writer.close();
  return {writer.blocks(), source.now() - first, source.instructions(), writer.bytes()};
}

const models::Target& target_of(const activity_file::Reader& reader, const std::string& wanted) {
  const auto name = reader.properties().get("target");
  if (!name)
    throw UsageError(fmt::format("{}: does not specify its target; the property 'target' is missing", reader.name()));
  const models::Target* const target = models::find_target(*name);
  if (target == nullptr)
    throw UsageError(fmt::format("{}: activity of '{}', which is no target; pmusim targets lists them", reader.name(),
                                 printable(*name)));
  if (!wanted.empty() && wanted != *name)
    throw UsageError(fmt::format("{}: activity of {}, not of {}", reader.name(), *name, wanted));
  return *target;
}

std::vector<std::string> take_parameters(const activity_file::Reader& reader, models::Parameters& parameters) {
  std::vector<std::string> notes;
  for (const auto& [key, value] : reader.properties().all()) {
    if (!key.starts_with(parameter_key)) continue;
    const std::string name = key.substr(parameter_key.size());
    if (parameters.has(name) && !name.starts_with(pmu_prefix))
      parameters.set(name, std::string_view(value));
    else
      notes.push_back(fmt::format("{}: parameter '{}' of the recording is unknown", reader.name(), printable(name)));
  }
  return notes;
}

std::uint64_t first_instruction_of(const activity_file::Properties& properties, const std::string& file) {
  return parse_number(properties.get("first_instruction").value_or("0"), file + ": property 'first_instruction'");
}

unsigned threads_of(const activity_file::Reader& reader, const models::Target& target) {
  const std::string text = reader.properties().get("threads").value_or("1");
  const std::uint64_t threads = parse_number(text, reader.name() + ": property 'threads'");
  if (threads == 0 || threads > target.threads())
    throw UsageError(fmt::format("{}: {} hardware threads; target {} has {}", reader.name(), threads, target.name,
                                 target.threads()));
  return static_cast<unsigned>(threads);
}

}  // namespace pmusim::testbench
