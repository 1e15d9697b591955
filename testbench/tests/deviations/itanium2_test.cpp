// The rows of testbench/tests/encoder_itanium2/deviations.jsonl on the modelled monitor: both answers are written to
// its registers, something happens at each probed address, and the counters tell what got through. docs/deviations.md
// shows the counts in its last column.
#include "models/itanium2/itanium2.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testing {
namespace {

using nlohmann::json;
namespace ia64 = activity::ia64;
const std::filesystem::path source = PMUSIM_SOURCE_DIR;

std::uint64_t word(const json& value) {
  return value.is_string() ? std::stoull(value.get<std::string>(), nullptr, 0) : value.get<std::uint64_t>();
}

std::vector<json> deviations() {
  std::vector<json> rows;
  std::ifstream file(source / "testbench/tests/encoder_itanium2/deviations.jsonl");
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
  return rows;
}

/// A floating-point operation retires in each probed bundle, or an access to each probed address; one a cycle.
class Probes : public HandMade {
 public:
  Probes(const json& addresses, bool code) : HandMade(addresses.size()) {
    state(activity::State::cpl, 3);
    state(activity::State::psr, ia64::psr::up);
    Block& block = mutable_block();
    for (Cycle at = 0; at < addresses.size(); ++at) {
      activity::InstructionRecord instruction;
      instruction.ip = code ? word(addresses[at]) : 0x1000;
      const std::uint32_t owner = add(instruction);
      block.syllables.resize(block.instructions.size());
      block.syllables[owner].kinds = bit(ia64::Kind::fp_operation);
      block.syllables[owner].fp_operations = 1;
      occur(Signal::retire, at, 0, owner);
      if (code) continue;
      activity::RequestRecord request;
      request.address = word(addresses[at]);
      request.size = 8;
      const std::uint32_t access = add(request);
      block.ia64_requests.resize(block.requests.size());
      block.ia64_requests[access].owner = owner;
      block.ia64_requests[access].load = true;
      occur(Signal::access_retire, at, 0, access);
    }
  }
};

/// What all counters together count; the enable bit of PMC4 is the operating system's, as libpfm leaves it.
std::uint64_t counted(const json& answer, const json& probe) {
  const auto monitor = pmu::make_itanium2_monitor(pmu::itanium2_pmu_parameters());
  constexpr std::uint64_t enable = 1u << 23;
  const bool code = probe.at("space") == "code";
  put(*monitor, {pmu::Space::pmc, 4}, enable);
  for (const json& reg : answer.at("pmcs")) {
    const auto number = reg[0].get<std::uint32_t>();
    put(*monitor, {pmu::Space::pmc, number}, word(reg[1]) | (number == 4 ? enable : 0));
  }
  for (const char* range : {"irange", "drange"}) {
    if (!answer.contains(range)) continue;
    const pmu::Space space = range[0] == 'i' ? pmu::Space::ibr : pmu::Space::dbr;
    for (const json& reg : answer.at(range).at("br")) put(*monitor, {space, reg[0].get<std::uint32_t>()}, word(reg[1]));
  }
  put(*monitor, {pmu::Space::pmc, 0}, 0);
  const Probes probes(probe.at("addresses"), code);
  consume_both(*monitor, probes.block());
  std::uint64_t sum = 0;
  for (const json& number : answer.at("pmds")) {
    if (number.get<unsigned>() >= 4 && number.get<unsigned>() <= 7)
      sum += get(*monitor, {pmu::Space::pmd, number.get<std::uint32_t>()});
  }
  return sum;
}

TEST(Deviations, TheModelCountsWhatTheRegistersLetThrough) {
  for (const json& row : deviations()) {
    if (!row.contains("probe")) continue;
    SCOPED_TRACE(row.at("what").get<std::string>());
    for (const char* answer : {"libpfm", "here"}) {
      const json& count = row.at("counts").at(answer);
      if (count.is_null()) continue;  // refused
      EXPECT_EQ(counted(row.at(answer), row.at("probe")), count.get<std::uint64_t>()) << answer;
    }
  }
}

// Everything that was asked for is counted with our registers; with libpfm's only where it covers too much.
TEST(Deviations, OursLoseNothing) {
  for (const json& row : deviations()) {
    if (!row.contains("probe")) continue;
    const auto asked = row.at("counts").at("asked").get<std::uint64_t>();
    if (!row.at("counts").at("here").is_null()) {
      EXPECT_GE(counted(row.at("here"), row.at("probe")), asked) << row.at("what");
    }
  }
}

/// Cells of the page's rows: quirk, request, libpfm's answer, ours, asked, libpfm, here, model.
std::vector<std::vector<std::string>> page_rows() {
  std::vector<std::vector<std::string>> rows;
  std::ifstream page(source / "docs/deviations.md");
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| quirk | request |")) {
      inside = true;
    } else if (inside && !line.starts_with("|")) {
      break;
    } else if (inside && !line.starts_with("|---")) {
      std::vector<std::string> cells;
      for (std::size_t at = line.find('|'); at != std::string::npos;) {
        const std::size_t next = line.find('|', at + 1);
        if (next == std::string::npos) break;
        std::string cell = line.substr(at + 1, next - at - 1);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        cells.push_back(cell);
        at = next;
      }
      rows.push_back(cells);
    }
  }
  return rows;
}

TEST(Deviations, ThePageShowsTheModelsCounts) {
  const auto rows = page_rows();
  const auto all = deviations();
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_GE(rows[i].size(), 8u) << i;
    std::string expected;
    if (all[i].contains("probe")) {
      expected = std::to_string(counted(all[i].at("libpfm"), all[i].at("probe"))) + ", ";
      const bool refused = all[i].at("counts").at("here").is_null();
      expected += refused ? "refused" : std::to_string(counted(all[i].at("here"), all[i].at("probe")));
    }
    EXPECT_EQ(rows[i].back(), expected) << rows[i][0] << ": " << rows[i][1];
  }
}

}  // namespace
}  // namespace pmusim::testing
