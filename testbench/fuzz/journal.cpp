// Fuzzes journals of sweeps. Input that begins with '{' is the journal. Of other input, byte 0 is skipped and every
// line gets its checksum, which random changes would never produce. A line "---" separates two journals that are
// merged.
#include "testbench/sweep/journal.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "testbench/fuzz/input.h"
#include "testbench/store/this_program.h"
#include "testbench/support/error.h"

namespace {

using namespace pmusim::testbench;
using pmusim::fuzz::require;

/// Adds the checksum to every line that ends with a brace.
std::string sealed(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '}') {
      line.pop_back();
      line += ",\"check\":\"" + digest_of(line) + "\"}";
    }
    result += line + '\n';
  }
  return result;
}

/// True if `body` throws a UsageError of one line; no other exception is allowed.
template <class Body>
bool refused(Body body) {
  try {
    body();
    return false;
  } catch (const UsageError& error) {
    pmusim::fuzz::require_one_line(error.what());
    return true;
  }
}

/// The journal must be refused for a sweep that differs in any way.
void check_other_sweeps(const std::string& file, const Sweep& sweep) {
  for (unsigned i = 0; i < 5; ++i) {
    Sweep other = sweep;
    if (i == 0) other.program += "x";
    if (i == 1) other.targets.emplace_back("x");
    if (i == 2) other.only += "x";
    if (i == 3) other.jobs.emplace_back("x");
    if (i == 4) other.traces += "x";
    require(refused([&] { const Journal journal(file, other); }), "a journal goes with its sweep alone");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string text = input.empty() || input[0] == '{' ? input : sealed(input.substr(1));
  constexpr std::string_view border = "\n---\n";
  const std::size_t end = std::min(text.find(border), text.size());
  const pmusim::fuzz::MemoryFile file(text.substr(0, end == text.size() ? end : end + 1));
  if (end < text.size()) {
    const pmusim::fuzz::MemoryFile second(text.substr(end + border.size()));
    (void)refused([&] {
      const auto both = read_journals({file.name(), second.name()});
      require(both.second.size() >= both.first.jobs.size(), "a merge has every job");
    });
  }
  std::pair<Sweep, Finished> read;
  if (refused([&] { read = read_journals({file.name()}); })) {
    static const Sweep ours{this_program(), {}, {}, {}, {}};
    (void)refused([&] { const Journal journal(file.name(), ours); });
    return 0;
  }
  // The sweep continues in the journal: nothing is judged again, and the file is unchanged except for a truncated end.
  {
    Journal journal(file.name(), read.first);
    require(refused([&] { const Journal second(file.name(), read.first); }), "a journal has one writer");
    require(journal.finished().size() == read.second.size(), "what was finished is finished");
    if (!read.second.empty()) journal.add(read.second.begin()->second);
  }
  const auto again = read_journals({file.name(), file.name()});
  require(again.first == read.first && again.second.size() == read.second.size(), "a journal merges with itself");
  check_other_sweeps(file.name(), read.first);
  std::vector<JobVerdict> jobs;
  for (const auto& [job, verdict] : read.second) jobs.push_back(verdict);
  const std::string target = read.first.targets.empty() ? "" : read.first.targets.front();
  const TargetVerdict merged = merge(target, {"RETIRED_INSTRUCTIONS"}, {}, jobs);
  require(merged.rows.size() == 1 && merged.questions_with("ok") <= merged.questions.size(), "every row has a verdict");
  for (const auto& [job, verdict] : read.second)
    require(to_json(verdict) == to_json(verdict_from_json(to_json(verdict))) &&
                to_json(verdict) == to_json(unpacked(packed(verdict))),
            "a verdict is written as it was read");
  return 0;
}
