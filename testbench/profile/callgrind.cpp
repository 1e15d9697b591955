// The callgrind profile format, version 1: positions are instruction and line, costs are cycles, instructions, events.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <iterator>
#include <map>
#include <ostream>
#include <tuple>

#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

/// In this format an event's name is one word.
std::string word_of(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
  }
  return name;
}

struct CodePlace {
  std::string file, function;
  auto operator<=>(const CodePlace&) const = default;
};

void add_costs(const ProfileRow& row, std::vector<std::uint64_t>& sums) {
  sums.resize(row.events.size() + 2);
  sums[0] += row.cycles;
  sums[1] += row.instructions;
  for (std::size_t i = 0; i < row.events.size(); ++i) sums[i + 2] += row.events[i].exact;
}

std::string costs(const std::vector<std::uint64_t>& sums) {
  std::string text;
  for (const std::uint64_t sum : sums) text += fmt::format(" {}", sum);
  return text;
}

CodePlace place_of(const ProfileRow& row) {
  return {row.location.file.empty() ? "???" : row.location.file,
          row.instruction ? row.location.function : "[no instruction]"};
}

/// The row of an instruction; null if none was executed there.
const ProfileRow* row_at(const Profile& profile, unsigned thread, std::uint64_t ip) {
  const auto row = std::ranges::partition_point(profile.rows, [&](const ProfileRow& one) {
    return std::tuple(one.thread, one.ip, one.instruction) < std::tuple(thread, ip, true);
  });
  return row != profile.rows.end() && row->thread == thread && row->ip == ip ? &*row : nullptr;
}

/// The row of the last instruction before an address: that of a call, before the address to which it returns.
const ProfileRow* row_before(const Profile& profile, unsigned thread, std::uint64_t ip) {
  const auto row = std::ranges::partition_point(
      profile.rows, [&](const ProfileRow& one) { return std::tuple(one.thread, one.ip) < std::tuple(thread, ip); });
  if (row == profile.rows.begin()) return nullptr;
  const ProfileRow& before = *std::prev(row);
  return before.thread == thread && before.instruction ? &before : nullptr;
}

/// The lines of the calls, by the place of the caller.
std::map<CodePlace, std::string> call_lines(const Profile& profile) {
  std::map<CodePlace, std::string> lines;
  for (unsigned thread = 0; thread < profile.calls.size(); ++thread) {
    for (const Call& call : profile.calls[thread]) {
      const ProfileRow* const site = row_before(profile, thread, call.site);
      const ProfileRow* const callee = row_at(profile, thread, call.callee);
      if (site == nullptr || callee == nullptr) continue;  // outside of the region that is counted
      std::vector<std::uint64_t> sums{call.cycles, call.instructions};
      sums.insert(sums.end(), call.events.begin(), call.events.end());
      const CodePlace to = place_of(*callee);
      lines[place_of(*site)] +=
          fmt::format("cfi={}\ncfn={}\ncalls={} 0x{:x} {}\n0x{:x} {}{}\n", to.file, to.function, call.count, callee->ip,
                      callee->location.line, site->ip + site->slot, site->location.line, costs(sums));
    }
  }
  return lines;
}

}  // namespace

void write_callgrind(const ExportSubject& subject, std::ostream& out) {
  const Profile& profile = subject.profile;
  std::string command;
  for (const std::string& trace : subject.traces) command += (command.empty() ? "" : " ") + trace;
  out << "# callgrind format\nversion: 1\ncreator: pmusim\n"
      << fmt::format("cmd: {}\ndesc: Target: {}\n", command, subject.target) << "positions: instr line\n"
      << "event: Cycles : cycles until the instruction retires\nevent: Instructions : instructions retired\n";
  std::string names = "Cycles Instructions";
  const std::vector<std::string> events = event_names(profile);
  for (std::size_t i = 0; i < events.size(); ++i) {
    out << fmt::format("event: {} : {}\n", word_of(events[i]), profile.events[i].counter.event);
    names += ' ' + word_of(events[i]);
  }
  out << "events: " << names << '\n';
  std::vector<std::uint64_t> sums(profile.events.size() + 2);
  // Costs are written once per location, as the sum over all threads.
  std::map<CodePlace, std::map<std::uint64_t, std::pair<unsigned, std::vector<std::uint64_t>>>> places;
  for (const ProfileRow& row : profile.rows) {
    add_costs(row, sums);
    auto& entry = places[place_of(row)][row.ip + row.slot];
    entry.first = row.location.line;
    add_costs(row, entry.second);
  }
  out << "summary:" << costs(sums) << "\n";
  const std::map<CodePlace, std::string> calls = call_lines(profile);
  for (const auto& [place, addresses] : places) {
    out << fmt::format("\nob={}\nfl={}\nfn={}\n", subject.traces[0], place.file, place.function);
    for (const auto& [address, entry] : addresses)
      out << fmt::format("0x{:x} {}{}\n", address, entry.first, costs(entry.second));
    if (const auto lines = calls.find(place); lines != calls.end()) out << lines->second;
  }
  out << "\ntotals:" << costs(sums) << '\n';
}

}  // namespace pmusim::testbench
