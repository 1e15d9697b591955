// Fuzzes event strings and qualifiers. The first byte selects target, sampling and unavailable counters; every further
// line is one event of the request, or a qualifier as on the command line: `--irange TEXT`.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/fuzz/input.h"
#include "testbench/tests/encoder/qualifier_words.h"

namespace {

using namespace pmusim::encoder;
using pmusim::fuzz::require;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines{""};
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

void check_refusal(const Error& error) {
  require(!error.message.empty(), "an error without a sentence");
  for (const char c : error.message)
    require(c >= 0x20 && c < 0x7f, "an error with a control character: " + error.message);
}

/// Removes the lines that are qualifiers and returns them.
QualifierTexts take_qualifiers(std::vector<std::string>& lines) {
  QualifierTexts texts;
  std::vector<std::string> events;
  for (const std::string& line : lines) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string option = line.substr(0, space);
    const std::string rest = line.substr(std::min(space + 1, line.size()));
    if (!test::take_qualifier(texts, option, rest)) events.push_back(line);
  }
  lines = events;
  return texts;
}

/// The canonical names of an encoding must be encoded to the same events.
void check_encoding(std::string_view target, const std::vector<std::string>& asked, const Encoding& encoding) {
  require(encoding.events.size() >= asked.size(), "an event got lost");  // an EV67 constant may name two
  for (const EncodedEvent& event : encoding.events) {
    const std::vector<std::string> words{event.canonical};
    const auto again = encode(target, words);
    require(static_cast<bool>(again), event.canonical + " is not understood");
    require(again->events[0].canonical == event.canonical, event.canonical + " became " + again->events[0].canonical);
  }
  const auto found = selections(target, encoding.registers);
  const std::size_t running = target == "alpha-ev4" ? 2 : encoding.events.size();  // an EV4's counters always run
  require(found && found->size() <= running, "more counters are enabled than events were asked");
  for (const RegisterValue& reg : encoding.registers)
    require(static_cast<bool>(decode(target, reg.name, reg.value)), reg.name + " does not decode");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto all = targets();
  const std::string_view target = all[(data[0] & 0x0f) % all.size()].name;
  EncodeOptions options;
  options.sampling = (data[0] & 0x40) != 0;
  if (data[0] & 0x80) options.unavailable_counters.push_back(data[0] % 5);
  auto events = lines_of(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  const auto qualifiers = parse_qualifiers(target, take_qualifiers(events));
  if (!qualifiers) return check_refusal(qualifiers.error()), 0;
  options.qualifiers = *qualifiers;
  const auto result = encode(target, events, options);
  if (result)
    check_encoding(target, events, *result);
  else
    check_refusal(result.error());
  if (events.size() <= 16)
    if (const auto passes = split_passes(target, events, options); !passes) check_refusal(passes.error());
  return 0;
}
