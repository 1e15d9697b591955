#include "testbench/lab/native/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "testbench/explain/disassembler.h"

namespace pmusim::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t shown = 20'000;  ///< instructions of a recorded trace

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Program from_json(const Json& one, const fs::path& data) {
  Program program{one.at("id"), one.at("title"), one.at("targets"), {}, region_of(one.at("region")), {}};
  for (const std::string name : one.at("traces"))
    program.traces.push_back(data / "isa-traces/recorded" / (name + ".pmt"));
  program.source = data / "isa-traces/programs" / one.at("source").get<std::string>();
  return program;
}

}  // namespace

std::vector<std::string> targets_of(trace::Isa isa) {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets())
    if (target.isa == isa) names.emplace_back(target.name);
  return names;
}

Programs::Programs(const fs::path& folder, const fs::path& data, const std::vector<fs::path>& recorded) {
  const fs::path list = folder / "programs.json";
  if (!fs::exists(list))
    throw std::runtime_error(fmt::format("{}: is not there; expected the laboratory's programs", list.string()));
  for (const Json& one : Json::parse(text_of(list))) all_.push_back(from_json(one, data));
  for (const fs::path& file : recorded) {
    const std::string name = file.stem().string();
    all_.push_back({"trace-" + name, name, targets_of(trace::open(file)->info().isa), {file}, {0, shown}});
  }
}

void Programs::add_own(Program own) { all_.insert(all_.begin(), std::move(own)); }

Json Programs::catalogue() const {
  Json list = Json::array();
  for (const Program& one : all_) {
    Json traces = Json::array();
    for (const fs::path& trace : one.traces) traces.push_back(trace.stem().string());
    list.push_back({{"id", one.id},
                    {"title", one.title},
                    {"targets", one.targets},
                    {"traces", traces},
                    {"region", fmt::format("{}:{}", one.region.begin, one.region.end)},
                    {"source", fs::exists(one.source) ? one.source.filename().string() : ""},
                    {"threads", one.traces.size()}});
  }
  return list;
}

const Program& Programs::find(const std::string& id, const std::string& target) const {
  const auto found = std::ranges::find(all_, id, &Program::id);
  if (found == all_.end()) throw std::invalid_argument("there is no program " + id);
  if (std::ranges::find(found->targets, target) == found->targets.end())
    throw std::invalid_argument(target + " does not run the program " + id);
  return *found;
}

Json listing_of(const Program& program, const models::Target& target) {
  Json code = Json::array();
  const bool slots = target.isa == trace::Isa::ia64;
  for (const auto& [place, text] :
       testbench::disassemble(target.isa, code_near(target, program.traces, program.region))) {
    const auto& [address, slot] = place;
    code.push_back({slots ? fmt::format("{:x}.{}", address, slot) : fmt::format("{:x}", address), text});
  }
  return {{"source", program.source.empty() ? "" : text_of(program.source)}, {"code", code}};
}

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
