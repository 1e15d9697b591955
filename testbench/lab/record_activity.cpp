// Runs a target's core over a region of one or two traces, writes its activity as an image for the laboratory's page,
// and prints the executed code: `ADDRESS BYTES`, one instruction (IA-64: bundle) per line.
//   lab_activity TARGET BEGIN:END IMAGE TRACE...
#include <charconv>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <string>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/lab/activity_image.h"

namespace pmusim::lab {
namespace {

using testbench::Engine;
using testbench::Session;
using testbench::SessionOptions;

std::unique_ptr<trace::Reader> open(const models::Target& target, const std::string& file) {
  trace::ReadOptions options;
  options.isa = target.isa;
  return trace::open(file, options);
}

void print_code(const models::Target& target, const std::string& file, testbench::Region region) {
  std::set<std::uint64_t> printed;
  const auto reader = open(target, file);
  trace::Item item;
  for (std::uint64_t instruction = 0; instruction < region.end && reader->next(item);) {
    if (item.directive != nullptr) continue;
    // Instructions fetched and dispatched near the region are shown, too.
    constexpr std::uint64_t margin = 200;
    if (++instruction + margin < region.begin) continue;
    const trace::Code& code = *item.instruction.code;
    if (!printed.insert(code.pc).second) continue;
    std::cout << std::hex << code.pc << ' ';
    for (unsigned i = 0; i < code.length; ++i)
      std::cout << "0123456789abcdef"[code.bytes[i] >> 4] << "0123456789abcdef"[code.bytes[i] & 15];
    std::cout << '\n';
  }
}

testbench::Region region_of(const std::string& text) {
  testbench::Region region;
  const char* const last = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), last, region.begin);
  const auto end = begin.ptr == last ? begin : std::from_chars(begin.ptr + 1, last, region.end);
  if (end.ec != std::errc{} || end.ptr != last || *begin.ptr != ':')
    throw std::invalid_argument(text + " is not of the form BEGIN:END");
  return region;
}

int run(std::span<const std::string> words) {
  const models::Target* const target = models::find_target(words[0]);
  if (target == nullptr) throw std::invalid_argument("there is no target " + words[0]);
  SessionOptions options;
  options.engine = Engine::direct;
  options.region = region_of(words[1]);
  Session session(*target, target->parameters(), options);
  std::vector<activity::Block> blocks;
  session.add_observer([&](const activity::Block& block) { blocks.push_back(block); });
  std::vector<std::unique_ptr<trace::Reader>> readers;
  for (const std::string& file : words.subspan(3)) readers.push_back(open(*target, file));
  const testbench::SessionResult result = session.run(std::move(readers));
  std::ofstream out(words[2], std::ios::binary);
  out << image_of(blocks);
  if (!out.flush()) throw std::runtime_error("cannot write " + words[2]);
  std::cerr << words[2] << ": " << result.instructions << " instructions, " << result.end_cycle - result.first_cycle
            << " cycles\n";
  for (const std::string& file : words.subspan(3)) print_code(*target, file, options.region);
  return 0;
}

}  // namespace
}  // namespace pmusim::lab

int main(int count, char** words) {
  if (count < 5) {
    std::cerr << "usage: lab_activity TARGET BEGIN:END IMAGE TRACE...\n";
    return 2;
  }
  try {
    const std::vector<std::string> list(words + 1, words + count);
    return pmusim::lab::run(list);
  } catch (const std::exception& error) {
    std::cerr << "lab_activity: " << error.what() << '\n';
    return 2;
  }
}
