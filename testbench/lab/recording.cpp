#include "testbench/lab/recording.h"

#include <charconv>
#include <map>
#include <memory>
#include <stdexcept>

namespace pmusim::lab {
namespace {

std::unique_ptr<trace::Reader> open(const models::Target& target, const std::filesystem::path& file) {
  trace::ReadOptions options;
  options.isa = target.isa;
  return trace::open(file, options);
}

}  // namespace

testbench::Region region_of(const std::string& text) {
  testbench::Region region;
  const char* const last = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), last, region.begin);
  const auto end = begin.ptr == last ? begin : std::from_chars(begin.ptr + 1, last, region.end);
  if (end.ec != std::errc{} || end.ptr != last || *begin.ptr != ':')
    throw std::invalid_argument(text + " is not of the form BEGIN:END");
  return region;
}

Recording record(const models::Target& target, const std::vector<std::filesystem::path>& traces,
                 const testbench::Region& region) {
  testbench::SessionOptions options;
  options.engine = testbench::Engine::direct;
  options.region = region;
  testbench::Session session(target, target.parameters(), options);
  Recording recording;
  session.add_observer([&](const activity::Block& block) { recording.activity.append(block); });
  std::vector<std::unique_ptr<trace::Reader>> readers;
  readers.reserve(traces.size());
  for (const auto& file : traces) readers.push_back(open(target, file));
  recording.instructions = session.run(std::move(readers)).instructions;
  return recording;
}

std::vector<trace::Code> code_near(const models::Target& target, const std::vector<std::filesystem::path>& traces,
                                   const testbench::Region& region) {
  constexpr std::uint64_t margin = 200;
  std::map<std::uint64_t, trace::Code> found;
  for (const auto& file : traces) {
    const auto reader = open(target, file);
    trace::Item item;
    for (std::uint64_t instruction = 0; instruction < region.end && reader->next(item);) {
      if (item.directive != nullptr || ++instruction + margin < region.begin) continue;
      found.try_emplace(item.instruction.code->pc, *item.instruction.code);
    }
  }
  std::vector<trace::Code> codes;
  codes.reserve(found.size());
  for (const auto& [address, code] : found) codes.push_back(code);
  return codes;
}

}  // namespace pmusim::lab
