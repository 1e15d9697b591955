// `run --perfetto` and `record --perfetto`: the rules of the trace event format, and the contents of the tracks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "command.h"

namespace pmusim::cli_test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Slice {
  std::uint64_t begin, end;
  std::string name;
};
using Track = std::pair<int, int>;  ///< process and thread of the display

struct Timeline {
  std::map<Track, std::vector<Slice>> slices;
  std::map<std::pair<int, std::string>, std::vector<std::pair<std::uint64_t, std::uint64_t>>> counters;
  std::vector<json> instants;
  std::map<int, std::string> processes;
  std::map<Track, std::string> tracks;

  [[nodiscard]] std::vector<Slice> named(const std::string& track) const {
    for (const auto& [place, name] : tracks)
      if (name == track && slices.contains(place)) return slices.at(place);
    return {};
  }
  [[nodiscard]] std::uint64_t last(const std::string& counter) const {
    for (const auto& [place, values] : counters)
      if (place.second == counter) return values.back().second;
    ADD_FAILURE() << "no track " << counter;
    return 0;
  }
};

/// Expects that a slice that begins within another slice ends within it.
void expect_nested(std::vector<Slice> slices) {
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return std::tuple(a.begin, ~a.end) < std::tuple(b.begin, ~b.end);
  });
  std::vector<std::uint64_t> open;
  for (const Slice& slice : slices) {
    while (!open.empty() && open.back() <= slice.begin) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(slice.end, open.back()) << slice.name;
    }
    open.push_back(slice.end);
  }
}

/// Reads a file and checks its format: the phases X, i, C and M with the members that each requires.
Timeline timeline(const std::string& file) {
  const json whole = json::parse(read_file(scratch() + "/" + file), nullptr, false);
  EXPECT_TRUE(whole.is_object() && whole.at("traceEvents").is_array());
  EXPECT_TRUE(whole.at("displayTimeUnit") == "ns" || whole.at("displayTimeUnit") == "ms");
  EXPECT_TRUE(whole.at("otherData").is_object());
  Timeline line;
  std::set<Track> used;
  std::set<int> shown;
  for (const json& event : whole.at("traceEvents")) {
    const std::string phase = event.at("ph"), name = event.at("name");
    const Track track{event.at("pid").get<int>(), event.at("tid").get<int>()};
    EXPECT_TRUE(event.at("ts").is_number_unsigned()) << event;
    EXPECT_TRUE(event.at("args").is_object()) << event;
    const std::uint64_t at = event.at("ts");
    shown.insert(track.first);
    if (phase == "X") {
      EXPECT_TRUE(event.at("dur").is_number_unsigned()) << event;
      EXPECT_TRUE(event.at("cat").is_string()) << event;
      line.slices[track].push_back({at, at + event.at("dur").get<std::uint64_t>(), name});
      used.insert(track);
    } else if (phase == "i") {
      EXPECT_TRUE(event.at("s") == "t" || event.at("s") == "p" || event.at("s") == "g") << event;
      line.instants.push_back(event);
      used.insert(track);
    } else if (phase == "C") {
      EXPECT_EQ(event.at("args").size(), 1u) << event;
      for (const json& value : event.at("args")) EXPECT_TRUE(value.is_number()) << event;
      auto& values = line.counters[{track.first, name}];
      if (!values.empty()) {
        EXPECT_LE(values.back().first, at) << event;
      }
      values.emplace_back(at, event.at("args").at("value"));
    } else if (phase == "M") {
      if (name == "process_name") line.processes[track.first] = event.at("args").at("name");
      if (name == "thread_name") line.tracks[track] = event.at("args").at("name");
      EXPECT_TRUE(name.ends_with("_name") ? event.at("args").at("name").is_string()
                                          : event.at("args").at("sort_index").is_number())
          << event;
    } else {
      ADD_FAILURE() << "phase " << phase;
    }
  }
  for (const Track& track : used) EXPECT_TRUE(line.tracks.contains(track)) << track.first << ' ' << track.second;
  for (const int process : shown) EXPECT_TRUE(line.processes.contains(process)) << process;
  for (const auto& [track, slices] : line.slices) expect_nested(slices);
  return line;
}

TEST(Perfetto, InstructionsAreSlicesAndCountersRise) {
  write_file("nops.txt", nops(53));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED --format json";
  const auto object = json_of(pmusim(run + " --perfetto line.json"));
  EXPECT_EQ(object, json_of(pmusim(run)));
  const Timeline line = timeline("line.json");
  std::size_t instructions = 0;
  for (const auto& [track, slices] : line.slices)
    if (line.tracks.at(track).starts_with("instructions")) instructions += slices.size();
  EXPECT_EQ(instructions, 53u);
  EXPECT_EQ(line.last("PerfCtr0 RETIRED_INSTRUCTIONS"), 53u);
  EXPECT_EQ(line.last("PerfCtr1 CPU_CLK_UNHALTED"), object.at("counts").at(1).at("value").get<std::uint64_t>());
  EXPECT_EQ(line.processes.at(1), "athlon: core");
  EXPECT_EQ(line.processes.at(101), "athlon: PMU");
}

// A hundred thousand cycles in which a counter rises steadily take few steps; their sum is the count.
TEST(Perfetto, ALongStretchHasFewSteps) {
  write_file("idle.txt", idle_nops(100'000));
  const std::string run = "run -t athlon --trace idle.txt -e CPU_CLK_UNHALTED --format json";
  const auto object = json_of(pmusim(run + " --perfetto steps.json"));
  const Timeline line = timeline("steps.json");
  EXPECT_EQ(line.last("PerfCtr0 CPU_CLK_UNHALTED"), object.at("counts").at(0).at("value").get<std::uint64_t>());
  EXPECT_LT(line.counters.at({101, "PerfCtr0 CPU_CLK_UNHALTED"}).size(), 4000u);
}

// The tracks are those of the states that the core has.
TEST(Perfetto, ShowsTheStatesOfTheCore) {
  EXPECT_EQ(pmusim("run -t athlon --trace i386-units --roi 0:99 -e CPU_CLK_UNHALTED --perfetto athlon.json").code, 0);
  EXPECT_EQ(pmusim("run -t itanium2 --trace ia64-pipelined --roi 0:999 -e CPU_CYCLES --perfetto ia64.json").code, 0);
  (void)timeline("ia64.json");
  const std::string athlon = read_file(scratch() + "/athlon.json"), itanium = read_file(scratch() + "/ia64.json");
  EXPECT_THAT(itanium, HasSubstr("stage that holds the back end"));
  EXPECT_THAT(itanium, testing::Not(HasSubstr("decoder empty")));
  EXPECT_THAT(athlon, testing::AllOf(HasSubstr("decoder empty"), testing::Not(HasSubstr("back end"))));
}

// Every sample is an instant at the end of its interrupt request; the counter restarts there.
TEST(Perfetto, SamplesAreInstants) {
  for (const std::string& words :
       std::vector<std::string>{"-t athlon --trace '" + recorded("i386-units") + "' -e RETIRED_INSTRUCTIONS",
                                "-t ppc750gx --trace '" + recorded("ppc-units") + "' -e INSTRUCTIONS_COMPLETED",
                                "-t alpha-ev5 --trace '" + recorded("alpha-units") + "' -e PF5_MUX0_CYCLES"}) {
    const std::string record = "record " + words + " --roi 0:3000 --period 300 --format json";
    const Outcome samples = pmusim(record + " --perfetto samples.json");
    ASSERT_EQ(samples.code, 0) << samples.err;
    EXPECT_EQ(samples.out, pmusim(record).out) << words;
    const Timeline line = timeline("samples.json");
    const auto lines = lines_of(samples.out);
    ASSERT_EQ(line.instants.size(), lines.size()) << words;
    ASSERT_GT(lines.size(), 3u) << words;
    const std::vector<Slice> requests = line.named("interrupt requests");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const json sample = json::parse(lines[i]);
      EXPECT_EQ(line.instants[i].at("ts"), sample.at("cycle"));
      EXPECT_EQ(std::stoull(line.instants[i].at("args").at("ip").get<std::string>(), nullptr, 16),
                std::stoull(sample.at("ip").get<std::string>(), nullptr, 16));
      EXPECT_TRUE(std::any_of(requests.begin(), requests.end(), [&](const Slice& request) {
        return request.end == sample.at("cycle") && request.begin == sample.at("requested").get<std::uint64_t>() + 1;
      })) << lines[i];
    }
  }
}

// main calls f twice, and each f calls g once. The slices nest: those of g in f, those of f in the single slice of
// main.
TEST(Perfetto, FunctionsContainEachOther) {
  const std::string calls = [] {
    std::string once =
        "10000 e81b000000 S 8000 4 T 10020\n"  // main: call f
        "10020 90\n10021 e81a000000 S 7ffc 4 T 10040\n"
        "10040 90\n10041 c3 L 7ffc 4 T 10026\n"  // g
        "10026 c3 L 8000 4 T 10005\n10005 ebf9 T 10000\n";
    return once + once;
  }();
  write_file("calls.txt", "! isa i386\n" + calls + "10000 90\n");
  write_file("calls.nm", "00010000 00000007 T main\n00010020 00000010 T f\n00010040 00000010 T g\n");
  ASSERT_EQ(
      pmusim("run -t athlon --trace calls.txt -e RETIRED_INSTRUCTIONS --symbols calls.nm --perfetto calls.json").code,
      0);
  std::map<std::string, std::vector<Slice>> by_name;
  for (const Slice& slice : timeline("calls.json").named("functions")) by_name[slice.name].push_back(slice);
  ASSERT_EQ(by_name.size(), 3u);
  ASSERT_EQ(by_name.at("main").size(), 1u);
  ASSERT_EQ(by_name.at("f").size(), 2u);
  ASSERT_EQ(by_name.at("g").size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(by_name.at("f")[i].begin, by_name.at("g")[i].begin);
    EXPECT_LE(by_name.at("g")[i].end, by_name.at("f")[i].end);
    EXPECT_LE(by_name.at("f")[i].end, by_name.at("main")[0].end);
  }
}

// `run --konata`: a log in which every instruction is fetched, passes its stages in order, and leaves.

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

/// The life of one instruction in the log.
struct Way {
  std::string label, stages;
  char stage = 0;
  std::uint64_t begin = 0, end = 0;
  bool flushed = false;
};

std::map<std::string, Way> ways(const std::string& file) {
  const auto lines = lines_of(read_file(scratch() + '/' + file));
  EXPECT_EQ(lines.at(0), "Kanata\t0004");
  std::map<std::string, Way> all;
  std::uint64_t now = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto words = words_of(lines[i]);
    if (words[0] == "C=") {
      now = std::stoull(words.at(1));
    } else if (words[0] == "C") {
      EXPECT_GT(std::stoull(words.at(1)), 0u);
      now += std::stoull(words.at(1));
    } else if (words[0] == "I") {
      EXPECT_FALSE(all.contains(words.at(1)));
      all[words.at(1)].begin = now;
    } else {
      Way& way = all.at(words.at(1));
      if (words[0] == "L") way.label = words.at(3);
      if (words[0] == "S") {
        EXPECT_EQ(way.stage, 0) << lines[i];
        way.stages += words.at(3);
        way.stage = words.at(3)[0];
      }
      if (words[0] == "E") {
        EXPECT_EQ(words.at(3), std::string(1, way.stage));
        way.stage = 0;
      }
      if (words[0] == "R") {
        way.end = now;
        way.flushed = words.at(3) == "1";
      }
    }
  }
  return all;
}

TEST(Konata, EveryInstructionComesAndGoes) {
  write_file("nops.txt", nops(37));
  ASSERT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --konata nops.log").code, 0);
  const auto all = ways("nops.log");
  EXPECT_EQ(all.size(), 37u);
  for (const auto& [id, way] : all) {
    EXPECT_NE(way.label.find("nop"), std::string::npos);
    EXPECT_EQ(way.stages.front(), 'F');
    EXPECT_EQ(way.stages.back(), 'C');
    EXPECT_LT(way.begin, way.end);
    EXPECT_FALSE(way.flushed);
  }
}

// A region ends with instructions in flight: the format demands an end of each, also of those of a wrong path.
TEST(Konata, OnEveryFamily) {
  const std::pair<std::string, std::string> runs[] = {{"-t athlon -e RETIRED_INSTRUCTIONS", "i386-units"},
                                                      {"-t ppc750gx -e INSTRUCTIONS_COMPLETED", "ppc-units"},
                                                      {"-t itanium2 -e IA64_INST_RETIRED", "ia64-pipelined"},
                                                      {"-t alpha-ev5 -e PF5_MUX0_ISSUES", "alpha-units"},
                                                      {"-t alpha-ev67 -e RETINST", "alpha-recursion-O2"}};
  for (const auto& [options, trace] : runs) {
    const Outcome run = pmusim("run " + options + " --trace '" + recorded(trace) + "' --roi 0:300 --konata way.log");
    ASSERT_EQ(run.code, 0) << run.err;
    const auto all = ways("way.log");
    EXPECT_GE(all.size(), 100u) << options;
    for (const auto& [id, way] : all) {
      EXPECT_GT(way.end, 0u) << options << ' ' << id << ' ' << way.label;
      EXPECT_EQ(std::string("FDXC").find(way.stages[0]), 0u) << options;
      for (std::size_t i = 1; i < way.stages.size(); ++i) {
        EXPECT_LT(std::string("FDXC").find(way.stages[i - 1]), std::string("FDXC").find(way.stages[i]))
            << options << id;
      }
    }
  }
}

}  // namespace

}  // namespace pmusim::cli_test
