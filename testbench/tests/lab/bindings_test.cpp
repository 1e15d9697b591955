// The requests of the laboratory's page, compared with sessions that run the cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "models/activity_file/writer.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session.h"
#include "testbench/driver/wraps.h"
#include "testbench/lab/activity_image.h"

extern "C" {
const char* lab_load(const char* image, unsigned size);
const char* lab_open(const char* content, unsigned size, const char* name);
const char* lab_call(const char* request);
}

namespace pmusim::lab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json ask(const json& request) { return json::parse(lab_call(request.dump().c_str())); }

struct Case {
  const char *target, *trace;
  std::vector<std::string> events;
};
const std::vector<Case> cases{{"athlon", "i386-units", {"RETIRED_INSTRUCTIONS", "DATA_CACHE_ACCESSES"}},
                              {"ppc750gx", "ppc-units", {"INSTRUCTIONS_COMPLETED", "PROCESSOR_CYCLES"}},
                              {"itanium2", "ia64-pipelined", {"CPU_CYCLES", "LOADS_RETIRED"}},
                              {"alpha-ev5", "alpha-units", {"PF5_MUX0_CYCLES"}}};

/// A part of a trace run on the core: its activity, and the counts of a session over it.
struct Truth {
  std::vector<activity::Block> blocks;
  std::map<std::string, std::uint64_t> counts;
  activity::Cycle cycles = 0;
};
Truth truth(const Case& one, const encoder::Encoding& encoding) {
  const models::Target& target = *models::find_target(one.target);
  testbench::SessionOptions options;
  options.engine = testbench::Engine::direct;
  options.region.end = 1500;
  testbench::Session session(target, target.parameters(), options);
  testbench::Programming programming(target, target.parameters());
  for (const encoder::RegisterValue& reg : encoding.registers) programming.write(reg.name, reg.value);
  session.add_monitor({programming.writes(), {}});
  Truth result;
  session.add_observer([&](const activity::Block& block) { result.blocks.push_back(block); });
  const auto counted =
      session.run(trace::open(std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/recorded/" + one.trace + ".pmt"));
  result.cycles = counted.end_cycle - counted.first_cycle;
  for (const encoder::EncodedEvent& event : encoding.events)
    result.counts[event.counter] = counted.monitors[0].counters.at(event.counter_index);
  return result;
}

json request_of(const Case& one, const std::string& op, const json& encoded) {
  return {{"op", op}, {"target", one.target}, {"registers", encoded.at("registers")}};
}

/// Checks the page's counts for the activity that it holds.
void expect_counts(const Case& one, const json& encoded, const Truth& known) {
  const json run = ask(request_of(one, "run", encoded));
  ASSERT_FALSE(run.contains("error")) << run;
  EXPECT_EQ(run.at("cycles"), known.cycles);
  for (const auto& [counter, value] : known.counts) {
    bool found = false;
    for (const json& count : run.at("threads").at(0).at("counts")) {
      if (count.at("counter") != counter) continue;
      found = true;
      EXPECT_EQ(count.at("value"), value) << one.target << ' ' << counter;
    }
    EXPECT_TRUE(found) << counter;
  }
  const json explained = ask(request_of(one, "explain", encoded));
  EXPECT_EQ(explained.at("counters").size(), known.counts.size());
  for (const json& counter : explained.at("counters"))
    EXPECT_EQ(counter.at("added"), known.counts.at(counter.at("counter"))) << one.target;
}

TEST(Bindings, CountWhatASessionCounts) {
  for (const Case& one : cases) {
    const auto encoding = encoder::encode(one.target, one.events);
    ASSERT_TRUE(encoding) << encoding.error().message;
    const Truth known = truth(one, *encoding);
    const std::string image = image_of(known.blocks);
    ASSERT_EQ(lab_load(image.data(), static_cast<unsigned>(image.size())), nullptr);
    EXPECT_EQ(ask({{"op", "begin"}, {"threads", 1}}).at("cycles"), known.cycles);
    const json encoded = ask({{"op", "encode"}, {"target", one.target}, {"events", one.events}});
    ASSERT_FALSE(encoded.contains("error")) << encoded;
    expect_counts(one, encoded, known);
    const json started = ask(request_of(one, "start_steps", encoded));
    const auto monitor = models::find_target(one.target)->make_monitor(models::find_target(one.target)->parameters());
    EXPECT_EQ(started.at("counters"), monitor->counter_count());
    EXPECT_EQ(started.at("levels").size(), monitor->indicators().size() + monitor->pin_count());
    const json went = ask({{"op", "go_on"}, {"cycles", known.cycles + 1}});
    EXPECT_EQ(went.at("reached"), known.cycles);
    EXPECT_EQ(went.at("levels").size(), started.at("levels").size());
  }
}

// An activity file yields the counts of its activity; a damaged file is rejected and the previous one stays open.
TEST(Bindings, OpenActivityFiles) {
  const Case& one = cases[0];
  const auto encoding = encoder::encode(one.target, one.events);
  ASSERT_TRUE(encoding);
  const Truth known = truth(one, *encoding);
  const auto file = std::filesystem::temp_directory_path() / ("pmusim_lab_" + std::to_string(getpid()) + ".pma");
  activity_file::Properties properties;
  properties.set("target", one.target);
  activity_file::Writer writer(file, properties, activity_file::stored_level);
  for (const activity::Block& block : known.blocks) writer.write(block);
  writer.close();
  std::ifstream in(file, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), {});
  std::filesystem::remove(file);
  const auto open = [&] {
    return json::parse(lab_open(content.data(), static_cast<unsigned>(content.size()), "some.pma"));
  };
  const json opened = open();
  EXPECT_EQ(opened.at("target"), one.target);
  EXPECT_EQ(opened.at("cycles"), known.cycles);
  const json encoded = ask({{"op", "encode"}, {"target", one.target}, {"events", one.events}});
  expect_counts(one, encoded, known);
  constexpr std::size_t in_payload = 64;  // behind the 49 bytes of a block's header
  content[content.rfind("BLCK", content.size() / 2) + in_payload] ^= 1;
  EXPECT_THAT(open().at("error").get<std::string>(), testing::AllOf(HasSubstr("some.pma"), HasSubstr("checksum")));
  expect_counts(one, encoded, known);
}

}  // namespace
}  // namespace pmusim::lab
