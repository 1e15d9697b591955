// Fuzzes the reader of activity files. Input that begins like a file is read as one. Otherwise byte 0 specifies the
// content of the rest: 0 the description of a file without blocks, 1 to 4 the payload of a block of this target;
// lengths and checksums are made correct.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "models/activity_file/reader.h"
#include "models/activity_file/rules.h"
#include "models/activity_file/tables.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/reader.h"
#include "testbench/fuzz/input.h"

namespace {

using namespace pmusim;
using namespace pmusim::activity_file;
using fuzz::require;

constexpr std::string_view targets[] = {"athlon", "ppc750gx", "itanium2", "alpha-ev67"};
constexpr activity::Cycle cycles = 1000;

/// This program's description of a target, made once.
const Description& description_of(std::size_t target) {
  static const std::vector<Description> all = [] {
    std::vector<Description> list;
    for (const std::string_view name : targets) {
      list.push_back(describe(name));
      list.back().properties.set("target", std::string(name));
    }
    return list;
  }();
  return all[target];
}

std::string file_around(const std::string& description, const std::string* payload) {
  std::string file(magic);
  trace::put_fixed(file, version);
  trace::put_fixed(file, static_cast<std::uint32_t>(description.size()));
  file += description;
  trace::put_fixed(file, trace::crc32(0, file));
  trace::IndexSum sum;
  std::string entries;
  if (payload != nullptr) {
    BlockHeader header;
    header.raw_size = header.packed_size = static_cast<std::uint32_t>(payload->size());
    header.end = cycles;
    header.crc =
        trace::crc32(trace::crc32(0, std::string_view(encode(header)).substr(0, block_checked_size)), *payload);
    entries = sum.add(file.size(), 0);
    file += block_tag;
    file += encode(header);
    file += *payload;
  }
  return file + trace::index_bytes(entries, sum, payload == nullptr ? 0 : cycles, file.size(), end_mark);
}

/// Writes, reads and writes again a block that was read; it must be unchanged if the file's target has all names.
void check_block(const activity::Block& block, std::string_view target, Rules& rules) {
  rules.consume(block);  // its messages are not checked here
  const auto known = std::find(std::begin(targets), std::end(targets), target);
  if (known == std::end(targets)) return;
  BlockEncoder encoder;
  const std::string payload(encoder.encode(block));
  BlockDecoder decoder(description_of(static_cast<std::size_t>(known - std::begin(targets))));
  activity::Block again;
  again.begin = block.begin;
  again.end = block.end;
  decoder.decode(payload, again);
  require(encoder.encode(again) == payload, "a block is written as it was read");
}

/// The number of blocks before the end or the defect. Error messages must begin with the file's name.
std::size_t read(const std::string& input, bool salvage) {
  std::size_t blocks = 0;
  const auto check = [](std::string_view said) {
    require(said.starts_with("input: "), "an error has the file's name");
    fuzz::require_one_line(said);
  };
  try {
    Reader reader(input, "input", {salvage, check});
    const std::string target = reader.properties().get("target").value_or("");
    Rules rules(target, [](const std::string& said) { fuzz::require_one_line(said); });
    for (activity::Block block; reader.next(block); ++blocks) check_block(block, target, rules);
  } catch (const trace::TraceError& error) {
    check(error.what());
  }
  return blocks;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string input(reinterpret_cast<const char*>(data), size);
  if (data[0] != static_cast<std::uint8_t>(magic[0])) {
    input.erase(0, 1);
    if (const unsigned target = data[0] % 5; target == 0) {
      input = file_around(input, nullptr);
    } else {
      static const std::vector<std::string> encoded = [] {
        std::vector<std::string> list;
        for (std::size_t i = 0; i < std::size(targets); ++i) list.push_back(encode(description_of(i)));
        return list;
      }();
      input = file_around(encoded[target - 1], &input);
    }
  }
  require(read(input, true) == read(input, false), "salvage gives what is before the defect");
  return 0;
}
