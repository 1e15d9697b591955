// The adapter to libpfm4 implements the encoder protocol: correct words, don't-care bits, and refusals. And our Athlon
// selectors are those of libpfm4, for every event that both know under every combination of modifiers.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/tests/tools.h"

namespace {

using nlohmann::json;
using namespace pmusim::encoder;
using Masks = std::vector<std::string>;

/// Returns the adapter's answers to these lines.
std::vector<json> ask(const std::vector<std::string>& lines) {
  const std::string path = ::testing::TempDir() + "/adapter_requests";
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << '\n';
  file.close();
  std::vector<json> answers;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen((pmusim::as_word(pmusim::built("../scripts/libpfm4-k7-adapter")) + " < " + pmusim::as_word(path)).c_str(),
            "r"),
      pclose);
  std::string text;
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe.get())) {
    text += buffer;
    if (text.back() != '\n') continue;
    answers.push_back(json::parse(text));
    text.clear();
  }
  return answers;
}

json ask(const std::string& line) { return ask(std::vector{line}).at(0); }

TEST(Adapter, EncodesWithInterruptAsDontCare) {
  const json answer =
      ask(R"({"v":1,"id":7,"target":"athlon","events":[{"name":"DATA_CACHE_REFILLS","umasks":["L2_SHARED"],)"
          R"("attrs":{"u":1,"k":0,"c":2}},{"name":"RETIRED_INSTRUCTIONS"}],"qualifiers":{},"sampling":false})");
  EXPECT_EQ(answer.at("id"), 7);
  ASSERT_EQ(answer.at("registers").size(), 4u);
  EXPECT_EQ(answer["registers"][0]["name"], "PerfEvtSel0");
  EXPECT_EQ(answer["registers"][0]["value"], "0x0000000002510242");
  EXPECT_EQ(answer["registers"][0]["dont_care"], "0x0000000000100000");
  EXPECT_EQ(answer["registers"][1]["value"], "0x00000000005300c0");
  EXPECT_EQ(answer["registers"][2]["value"], "0x0000000000000000");
  EXPECT_FALSE(answer["registers"][2].contains("dont_care"));
  EXPECT_EQ(answer["counters"], json({"PerfCtr0", "PerfCtr1"}));
}

TEST(Adapter, SamplingLeavesNoDontCare) {
  const json answer = ask(R"({"v":1,"id":1,"target":"athlon","events":[{"name":"CPU_CLK_UNHALTED"}],"sampling":true})");
  EXPECT_EQ(answer["registers"][0]["value"], "0x0000000000530076");
  EXPECT_FALSE(answer["registers"][0].contains("dont_care"));
}

TEST(Adapter, ExactLevelsAndInterruptAttribute) {
  const json answer =
      ask(R"({"v":1,"id":1,"target":"athlon","events":[{"name":"RETIRED_UOPS","attrs":{"plm":9,"intr":1,"pc":0}},)"
          R"({"name":"RETIRED_UOPS","attrs":{"plm":8,"e":true,"i":1}}]})");
  EXPECT_EQ(answer["registers"][0]["value"], "0x00000000005300c1");
  EXPECT_FALSE(answer["registers"][0].contains("dont_care"));
  EXPECT_EQ(answer["registers"][1]["value"], "0x0000000000d500c1");
}

TEST(Adapter, LeavesUnavailableCountersAlone) {
  const json answer =
      ask(R"({"v":1,"id":1,"target":"athlon","events":[{"name":"RETIRED_UOPS"},{"name":"CPU_CLK_UNHALTED"}],)"
          R"("qualifiers":{"unavailable_counters":[0,2]}})");
  EXPECT_EQ(answer["counters"], json({"PerfCtr1", "PerfCtr3"}));
  EXPECT_EQ(answer["registers"][0]["value"], "0x0000000000000000");
  EXPECT_EQ(answer["registers"][1]["value"], "0x00000000005300c1");
  EXPECT_EQ(answer["registers"][3]["value"], "0x0000000000530076");
}

TEST(Adapter, RefusesInOrderAndGoesOn) {
  const auto answers = ask(std::vector<std::string>{
      R"({"v":1,"id":1,"target":"ppc750gx","events":[]})",
      R"({"v":1,"id":2,"target":"athlon","events":[{"name":"L2_REQUESTS"}]})",
      R"({"v":1,"id":3,"target":"athlon","events":[{"name":"RETIRED_UOPS","attrs":{"pc":1}}]})",
      R"({"v":1,"id":4,"target":"athlon","events":[{"name":"RETIRED_UOPS","attrs":{"c":256}}]})",
      R"({"v":1,"id":5,"target":"athlon","events":[{"name":"DATA_CACHE_REFILLS","umasks":["NO"]}]})",
      R"({"v":1,"id":6,"target":"athlon"})",
      R"(no json)",
      R"({"v":1,"id":8,"target":"athlon","events":[{},{},{},{},{}]})",
      R"({"v":2,"id":9,"target":"athlon","events":[]})",
      R"({"v":1,"id":10,"target":"athlon","events":[],"qualifiers":{"irange":"0-1"}})",
      R"({"v":1,"id":11,"target":"athlon","events":[]})",
      R"({"v":1,"id":12,"target":"athlon","events":[{"name":"","raw":"r00c0"}]})",
      R"({"v":1,"id":13,"target":"athlon","events":[{"name":"RETIRED_UOPS"}],)"
      R"("qualifiers":{"unavailable_counters":[0,1,2,3]}})",
  });
  const std::vector<std::string> expected{
      "unsupported", "unsupported", "unsupported", "invalid", "invalid",     "invalid", "invalid",
      "invalid",     "unsupported", "unsupported", "",        "unsupported", "invalid"};
  ASSERT_EQ(answers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(answers[i].value("error", ""), expected[i]) << answers[i];
    if (i != 6) {
      EXPECT_EQ(answers[i]["id"], i + 1);
    }
  }
}

struct Asked {
  json request;
  std::string event;  ///< the same as an event string
};

/// An event with these masks under one set of modifiers, in the grammar that both encoders share.
Asked asked(const std::string& name, const Masks& masks, const json& attributes) {
  std::string text = name;
  for (const std::string& mask : masks) text += ":" + mask;
  for (const auto& [key, value] : attributes.items()) text += ":" + key + "=" + value.dump();
  return {{{"v", 1},
           {"id", 1},
           {"target", "athlon"},
           {"events", json::array({{{"name", name}, {"umasks", masks}, {"attrs", attributes}}})}},
          text};
}

/// The default, every sum of single masks, and the mask that is the sum of all.
std::vector<Masks> sums_of_masks(const EventInfo& event) {
  std::vector<Masks> sums{{}};
  Masks single;
  for (const UnitMaskInfo& mask : event.unit_masks) {
    if (mask.name == "ALL")
      sums.push_back({mask.name});
    else
      single.push_back(mask.name);
  }
  for (unsigned set = 1; set < 1u << single.size(); ++set) {
    Masks& sum = sums.emplace_back();
    for (unsigned i = 0; i < single.size(); ++i)
      if (set >> i & 1) sum.push_back(single[i]);
  }
  return sums;
}

// libpfm4 always sets INT, ours only for a sampling request.
TEST(Libpfm4, SameWordsForEveryCombination) {
  std::vector<Asked> all;
  unsigned names = 0;
  for (const EventInfo& event : events("athlon").value()) {
    const json known = ask(asked(event.name, {}, json::object()).request.dump());
    if (known.contains("error")) {
      EXPECT_EQ(known.at("error"), "unsupported") << known;
      continue;
    }
    ++names;
    for (unsigned c = 0; c < 256; ++c) all.push_back(asked(event.name, {}, {{"c", c}}));
    for (const Masks& masks : sums_of_masks(event))
      for (const json& levels : {json::object(), {{"u", 1}}, {{"k", 1}}, {{"u", 1}, {"k", 1}}, {{"u", 0}, {"k", 0}}})
        for (unsigned rest = 0; rest < 2 * 2 * 6; ++rest) {
          constexpr int counter_masks[] = {0, 1, 2, 127, 128, 255};
          json attributes = levels;
          attributes["c"] = counter_masks[rest % 6];
          if (rest / 6 % 2 != 0) attributes["e"] = 1;
          if (rest / 12 != 0) attributes["i"] = 1;
          all.push_back(asked(event.name, masks, attributes));
        }
  }
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (const Asked& one : all) lines.push_back(one.request.dump());
  const std::vector<json> answers = ask(lines);
  ASSERT_EQ(answers.size(), lines.size());
  for (std::size_t i = 0; i < answers.size() && !HasFailure(); ++i) {
    ASSERT_FALSE(answers[i].contains("error")) << lines[i] << answers[i];
    const auto theirs = std::stoull(answers[i].at("registers")[0].at("value").get<std::string>(), nullptr, 16);
    constexpr std::uint64_t interrupt = 1u << 20;
    const std::vector<std::string> event{all[i].event};
    const auto counting = encode("athlon", event), sampling = encode("athlon", event, {.sampling = true});
    ASSERT_TRUE(counting && sampling) << event[0];
    EXPECT_EQ(counting->registers[0].value | interrupt, theirs) << event[0];
    EXPECT_EQ(sampling->registers[0].value, theirs) << event[0];
  }
  // 24 events, three of them with five single masks: 21 without masks; 31 sums, the default and ALL for each of the
  // three. Times five level settings, edge, invert and six counter masks; and each event with all 256 counter masks.
  EXPECT_EQ(names, 24u);
  EXPECT_EQ(answers.size(), (21u + 3 * (31 + 1 + 1)) * 5 * 2 * 2 * 6 + 24 * 256);
}

}  // namespace
