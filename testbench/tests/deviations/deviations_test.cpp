// Runs the rows of the encoders' deviations.jsonl on the modelled monitors: both answers are written to the registers,
// an event occurs at each probed address, and the counters show which occurrences pass. The last column of the tables
// in docs/libpfm3.md shows the counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/itanium2/itanium2.h"
#include "models/montecito/montecito.h"
#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testing {
namespace {

using nlohmann::json;
namespace ia64 = activity::ia64;
const std::filesystem::path source = PMUSIM_SOURCE_DIR;

struct Processor {
  std::string name;
  models::Parameters (*parameters)();
  std::unique_ptr<Monitor> (*make)(const models::Parameters&);
  std::uint64_t enable;            ///< bit of PMC4 that belongs to the operating system, as libpfm leaves it
  std::uint32_t data_instruction;  ///< PMD of the data EAR with the instruction's address
  std::size_t table;               ///< number of the table in docs/libpfm3.md
};
const Processor itanium2{"itanium2", pmu::itanium2_pmu_parameters, pmu::make_itanium2_monitor, 1u << 23, 17, 0};
const Processor montecito{"montecito", pmu::montecito_pmu_parameters, pmu::make_montecito_monitor, 0, 36, 1};
class Deviations : public ::testing::TestWithParam<Processor> {};
INSTANTIATE_TEST_SUITE_P(Ia64, Deviations, ::testing::Values(itanium2, montecito),
                         [](const auto& info) { return info.param.name; });

std::uint64_t word(const json& value) {
  return value.is_string() ? std::stoull(value.get<std::string>(), nullptr, 0) : value.get<std::uint64_t>();
}

std::vector<json> deviations(const Processor& processor) {
  std::vector<json> rows;
  std::ifstream file(source / "testbench/tests/encoder_ia64" / (processor.name + "_deviations.jsonl"));
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
  return rows;
}

/// Code at level 3, with user monitors enabled.
class UserCode : public HandMade {
 public:
  explicit UserCode(Cycle cycles = 1) : HandMade(cycles) {
    state(State::cpl, 3);
    state(State::psr, ia64::psr::up);
  }

 protected:
  std::uint32_t instruction_at(std::uint64_t ip) {
    activity::InstructionRecord instruction;
    instruction.ip = ip;
    const std::uint32_t ref = add(instruction);
    Block& block = mutable_block();
    block.syllables.resize(block.instructions.size());
    block.syllables[ref].kinds = bit(ia64::Kind::fp_operation);
    block.syllables[ref].fp_operations = 1;
    return ref;
  }
  std::uint32_t request_to(std::uint64_t address, std::uint32_t owner = activity::no_ref) {
    activity::RequestRecord request;
    request.address = address;
    request.size = 8;
    const std::uint32_t ref = add(request);
    Block& block = mutable_block();
    block.ia64_requests.resize(block.requests.size());
    block.ia64_requests[ref].owner = owner;
    block.ia64_requests[ref].load = true;
    return ref;
  }
};

/// A floating-point operation that retires from a bundle that is also prefetched; or a load that retires.
struct Probe : UserCode {
  Probe(std::uint64_t address, bool code) {
    const std::uint32_t instruction = instruction_at(code ? address : 0x1000);
    occur(Signal::retire, 0, 0, instruction);
    if (!code) {
      occur(Signal::access_retire, 0, 0, request_to(address, instruction));
      return;
    }
    const std::uint32_t prefetch = request_to(address);
    mutable_block().ia64_requests[prefetch].requester = ia64::Requester::prefetch_fetch;
    occur(Signal::fetch, 0, activity::detail::access_prefetch, prefetch);
    occur(Signal::line_fill, 0, 0, prefetch);
  }
};

/// All events of the rows about counters occur, but not the event that one of their codes could also mean.
struct EveryEvent : UserCode {
  EveryEvent() {
    const std::uint32_t request = request_to(0x8000);
    occur(Signal::queue_cancel, 0, static_cast<std::uint16_t>(ia64::QueueCancel::acquire), request);
    occur(Signal::l2_reference, 0, activity::detail::side_data, request);
    for (const ia64::L3Cancel why : {ia64::L3Cancel::l3_busy, ia64::L3Cancel::l2_hit, ia64::L3Cancel::bus_queue_full,
                                     ia64::L3Cancel::write_back}) {
      occur(Signal::l3_cancel, 0, static_cast<std::uint16_t>(why) | ia64::l3_cancel_by_data, request);
    }
    state(State::l2_queue, ia64::l2_queue::victims_full);
    state(State::request_reject, ia64::request_reject::instruction | ia64::request_reject::data);
  }
};

/// A load whose translation needs the page walker, in the cycle after a mispredicted branch.
struct TranslationMiss : UserCode {
  TranslationMiss() : UserCode(2) {
    const std::uint32_t branch = instruction_at(0xff0), load = instruction_at(0x1000);
    mutable_block().syllables[branch].kinds = bit(ia64::Kind::branch);
    mutable_block().syllables[branch].prediction = ia64::Prediction::wrong_path;
    occur(Signal::retire, 0, 0, branch);
    const std::uint32_t request = request_to(0x8000, load);
    mutable_block().ia64_requests[request].translation = ia64::Translation::walker;
    occur(Signal::access_retire, 1, 0, request);
  }
};

/// A monitor programmed with an answer, with the rules of event sets enforced.
/// `by_address`: use the range registers given by reg_addr.
std::unique_ptr<Monitor> programmed(const Processor& processor, const json& answer, bool by_address = false) {
  models::Parameters parameters = processor.parameters();
  parameters.set("pmu.event_sets", std::string_view("enforced"));
  auto monitor = processor.make(parameters);
  put(*monitor, {pmu::Space::pmc, 4}, processor.enable);
  for (const json& reg : answer.at("pmcs")) {
    const auto number = reg[0].get<std::uint32_t>();
    put(*monitor, {pmu::Space::pmc, number}, word(reg[1]) | (number == 4 ? processor.enable : 0));
  }
  for (const char* range : {"irange", "drange"}) {
    if (!answer.contains(range)) continue;
    const pmu::Space space = range[0] == 'i' ? pmu::Space::ibr : pmu::Space::dbr;
    for (const json& reg : answer.at(range).at("br")) {
      const json& number = reg.size() > 2 && by_address ? reg[2] : reg[0];
      put(*monitor, {space, number.get<std::uint32_t>()}, word(reg[1]));
    }
  }
  put(*monitor, {pmu::Space::pmc, 0}, 0);
  return monitor;
}

/// The number of counters that count in the block when programmed with the answer.
std::size_t counting(const Processor& processor, const json& answer, const Block& block, bool by_address = false) {
  const auto monitor = programmed(processor, answer, by_address);
  consume_both(*monitor, block);
  const json& counters = answer.at("pmds");
  return static_cast<std::size_t>(std::count_if(counters.begin(), counters.end(), [&](const json& number) {
    constexpr unsigned first = 4, behind = 16;
    const auto n = number.get<std::uint32_t>();
    return n >= first && n < behind && get(*monitor, {pmu::Space::pmd, n}) != 0;
  }));
}

/// The number of probed addresses at which a counter counts, or of events that are counted.
std::size_t counted(const Processor& processor, const json& answer, const json& probe) {
  const auto space = probe.at("space").get<std::string>();
  if (space == "events") return counting(processor, answer, EveryEvent().block());
  const json& addresses = probe.at("addresses");
  const bool by_address = space == "register addresses";
  return static_cast<std::size_t>(std::count_if(addresses.begin(), addresses.end(), [&](const json& address) {
    return counting(processor, answer, Probe(word(address), space != "data").block(), by_address) != 0;
  }));
}

/// The number of captures of the data EAR with a valid instruction address.
std::size_t valid_captures(const Processor& processor, const json& answer) {
  constexpr unsigned vl = 3;
  const auto monitor = programmed(processor, answer);
  consume_both(*monitor, TranslationMiss().block());
  return get(*monitor, {pmu::Space::pmd, processor.data_instruction}) >> vl & 1;
}

/// True if counting begins and ends at the offsets given in the answer.
bool offsets_hold(const Processor& processor, const json& in, const json& answer) {
  for (const char* range : {"irange", "drange"}) {
    if (!answer.contains(range)) continue;
    const bool code = range[0] == 'i';
    const std::uint64_t step = code ? 16 : 1;
    const auto counts = [&](std::uint64_t at) { return counting(processor, answer, Probe(at, code).block()) != 0; };
    const json& infos = answer.at(range).at("infos");
    for (std::size_t i = 0; i < infos.size(); ++i) {
      const json& limits = in.at("model").at(range).at("limits").at(i);
      const std::uint64_t begin = word(limits[0]) - word(infos[i][0]), end = word(limits[1]) + word(infos[i][1]);
      if (!counts(begin) || counts(begin - step) || !counts(end - step) || counts(end)) return false;
    }
  }
  return true;
}

bool is_about_captures(const json& row) { return !row.contains("probe") && row.at("in").at("model").contains("dear"); }

TEST_P(Deviations, OurOffsetsAreTheModels) {
  for (const json& row : deviations(GetParam())) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    EXPECT_TRUE(offsets_hold(GetParam(), row.at("in"), row.at("here")));
    if (row.at("quirk") == "fine-offsets") {
      EXPECT_FALSE(offsets_hold(GetParam(), row.at("in"), row.at("libpfm")));
    }
  }
}

/// A miss of L2D, which is in no group, and a cancelled L3 request, which is in L2D set 3.
struct MissAndCancel : UserCode {
  MissAndCancel() {
    const std::uint32_t request = request_to(0x8000);
    occur(Signal::l2_lookup, 0, activity::detail::side_data | activity::detail::lookup_miss, request);
    occur(Signal::l3_cancel, 0, static_cast<std::uint16_t>(ia64::L3Cancel::l3_busy) | ia64::l3_cancel_by_data, request);
  }
};

// `ungrouped-seven`: libpfm reports group 7 for an event without a group, this library reports none. The rules of sets
// apply to groups: an event with a group counts if its set is selected; an event without a group always counts.
TEST(DeviationsOfGroups, AnEventWithoutAGroupFollowsNoSet) {
  constexpr std::uint64_t user = 8, ia64_code = std::uint64_t{2} << 24, set_0 = 0xe0, set_2 = 0xe6, l1d_set_0 = 0xc0,
                          misses = 0xcb, cancels_of_set_3 = 0xe8, any = std::uint64_t{2} << 16;
  const auto counted_in = [&](std::uint32_t counter, std::uint64_t selection) {
    auto monitor = programmed(montecito, json{{"pmcs", json::array()}});
    const auto select = [&](std::uint32_t number, std::uint64_t value) {
      put(*monitor, {pmu::Space::pmc, number}, user | ia64_code | value);
    };
    select(4, set_0 << 8);
    select(5, l1d_set_0 << 8);
    select(6, set_2 << 8);
    select(counter, selection);
    consume_both(*monitor, MissAndCancel().block());
    return get(*monitor, {pmu::Space::pmd, counter});
  };
  for (std::uint32_t counter = 4; counter < 16; ++counter) {
    SCOPED_TRACE(counter);
    EXPECT_EQ(counted_in(counter, misses << 8), 1u);
    const bool chooses = counter == 4 || counter == 6;
    EXPECT_EQ(counted_in(counter, cancels_of_set_3 << 8 | any), chooses ? 1u : 0u);
  }
}

/// The cells of a table's rows: quirk, request, libpfm's answer, ours, asked, libpfm, here, model.
std::vector<std::vector<std::string>> page_rows(std::size_t table) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream page(source / "docs/libpfm3.md");
  std::size_t tables = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| quirk | request |")) {
      inside = tables++ == table;
      continue;
    }
    inside = inside && line.starts_with("|");
    if (!inside || line.starts_with("|---")) continue;
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
  return rows;
}

TEST_P(Deviations, ThePageShowsTheModelsCounts) {
  const auto rows = page_rows(GetParam().table);
  const auto all = deviations(GetParam());
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_GE(rows[i].size(), 8u) << i;
    const auto shown = [&](const char* name) -> std::string {
      const json& answer = all[i].at(name);
      if (answer.at("ret") != "PFMLIB_SUCCESS") return "refused";
      if (is_about_captures(all[i])) return std::to_string(valid_captures(GetParam(), answer));
      if (all[i].contains("probe")) {
        const std::size_t count = counted(GetParam(), answer, all[i].at("probe"));
        EXPECT_EQ(count, all[i].at("counts").at(name).get<std::size_t>()) << all[i].at("what");
        return std::to_string(count);
      }
      return offsets_hold(GetParam(), all[i].at("in"), answer) ? "right" : "wrong";
    };
    const std::string expected = shown("libpfm") + ", " + shown("here");
    EXPECT_EQ(rows[i].back(), expected) << rows[i][0] << ": " << rows[i][1];
  }
}

}  // namespace
}  // namespace pmusim::testing
