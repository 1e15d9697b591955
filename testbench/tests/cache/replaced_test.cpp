// A file that is replaced while it is used. What is kept must belong to the bytes that were run: a later run with the
// first content gives the same report as without cache and journal.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "pmusim/trace/collection.h"
#include "testbench/tests/cli/command.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test::replaced {
namespace {

namespace fs = std::filesystem;

/// A file of the command under test, and what it is replaced by.
struct Replaced {
  std::string name;  ///< as in the command
  std::string content, other;
  std::string environment = {};  ///< of the command
};

Outcome run(const std::string& command, const Replaced& file, const std::string& environment = {}) {
  write_file(file.name, file.content);
  return shell(file.environment + environment + " \"$PMUSIM\" " + command);
}

/// Runs the command with the file replaced just before it is opened for the `at`-th time; false if it is not opened so
/// often.
bool run_replaced(const std::string& command, const Replaced& file, unsigned at, Outcome& outcome) {
  write_file("other", file.other);
  fs::remove(scratch() + "/opened");
  outcome = run(command, file,
                " LD_PRELOAD=.built/replace_file.so REPLACE_NAME=" + file.name +
                    " REPLACE_BY=other REPLACE_COUNT=opened REPLACE_AT=" + std::to_string(at));
  return fs::exists(scratch() + "/opened") && fs::file_size(scratch() + "/opened") >= at;
}

/// The reports on the first content and on the other, without cache and journal.
struct Reports {
  Outcome first, other;
};
Reports reports_of(const std::string& command, const Replaced& file) {
  Replaced exchanged = file;
  exchanged.content.swap(exchanged.other);
  return {run(command, file), run(command, exchanged)};
}

/// A run during which the file was replaced judged one of the two contents, or refused.
void expect_one_content(const Outcome& outcome, const Reports& reports, unsigned at) {
  if (outcome.code == 2) {
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << at << outcome.err;
    return;
  }
  EXPECT_TRUE(outcome.out == reports.first.out || outcome.out == reports.other.out) << at << '\n' << outcome.out;
}

/// `kept` is the option of what is kept, and `place` its file or folder. It must not change the report.
void expect_no_trace_of_the_other(const std::string& command, const Replaced& file, const std::string& kept,
                                  const std::string& place) {
  const Reports reports = reports_of(command + " --no-cache", file);
  ASSERT_LT(reports.first.code, 2) << reports.first.err;
  unsigned at = 1;
  for (Outcome outcome;; ++at) {
    fs::remove_all(scratch() + "/" + place);
    const bool was_replaced = run_replaced(command + kept + place, file, at, outcome);
    expect_one_content(outcome, reports, at);
    const Outcome again = run(command + kept + place, file);
    if (place == "journal" && again.code == 2) {  // a journal of the other content
      EXPECT_EQ(outcome.out, reports.other.out) << at << again.err;
    } else {
      EXPECT_EQ(again.out, reports.first.out) << at << again.err;
      EXPECT_EQ(again.code, reports.first.code) << at;
    }
    if (!was_replaced) break;
  }
  EXPECT_GT(at, 2u) << "the file was never replaced";
}

void expect_a_true_cache(const std::string& command, const Replaced& file) {
  if (sanitized) GTEST_SKIP() << "a sanitizer must be loaded first";
  expect_no_trace_of_the_other(command, file, " --cache ", "cache");
}

void expect_a_true_journal(const std::string& command, const Replaced& file) {
  if (sanitized) GTEST_SKIP() << "a sanitizer must be loaded first";
  expect_no_trace_of_the_other(command, file, " --no-cache --journal ", "journal");
}

const std::string options = " --only RETIRED_INSTRUCTIONS --jobs 1 --verbose";  // lists the counts

TEST(Replaced, ATrace) {
  const Replaced trace{"t.txt", nops(40), nops(13)};
  expect_a_true_cache("validate -t athlon --trace t.txt" + options, trace);
  expect_a_true_journal("validate -t athlon --trace t.txt" + options, trace);
}

TEST(Replaced, AnActivityFile) {
  write_file("t.txt", nops(40));
  write_file("u.txt", nops(13));
  ASSERT_EQ(pmusim("activity record -t athlon --trace t.txt -o t.pma").code, 0);
  ASSERT_EQ(pmusim("activity record -t athlon --trace u.txt -o u.pma").code, 0);
  const Replaced activity{"t.pma", read_file(scratch() + "/t.pma"), read_file(scratch() + "/u.pma")};
  expect_a_true_cache("validate --activity t.pma" + options, activity);
  expect_a_true_journal("validate --activity t.pma" + options, activity);
}

/// The content of a trace of a collection.
std::string content_of(const std::string& file) { return trace::member_content(file).value_or(""); }

TEST(Replaced, TheTraceOfTheOtherThread) {
  const std::string traces = source_file("isa-traces/micro/montecito.pmt/");
  const Replaced second{"second.pmt", content_of(traces + "pair_1"), content_of(traces + "integer_loads")};
  expect_a_true_cache("validate -t montecito --trace " + as_word(traces + "pair_0") +
                          " --second second.pmt --only IA64_INST_RETIRED_THIS --jobs 1 --verbose",
                      second);
}

// The answers to questions are judged on traces of the data folder.
TEST(Replaced, ATraceOfTheQuestions) {
  fs::create_directories(fs::path(scratch()) / "data/isa-traces/micro");
  const auto packed = [](const std::string& text) {
    write_file("only.txt", text);
    EXPECT_EQ(pmusim("trace convert only.txt -o only.pmt").code, 0);
    return read_file(scratch() + "/only.pmt");
  };
  const Replaced trace{"data/isa-traces/micro/athlon.pmt", packed(nops(40)), packed(nops(13)), "PMUSIM_DATA=data "};
  expect_a_true_cache("validate -t athlon --quick" + options, trace);
}

// The checksum in a recording is that of the trace that was run.
TEST(Replaced, TheTraceOfARecording) {
  if (sanitized) GTEST_SKIP() << "a sanitizer must be loaded first";
  const Replaced trace{"t.txt", nops(40), nops(13)};
  const auto checksum = [&] {
    return json_of(pmusim("activity info t.pma --format json")).at("crc32.0").get<std::string>();
  };
  const std::string command = "activity record -t athlon --trace t.txt -o t.pma";
  std::map<std::string, std::string> lengths;  // by checksum
  for (const std::string& content : {trace.content, trace.other}) {
    write_file("t.txt", content);
    const std::string printed = pmusim(command).out;  // cycles, instructions, bytes
    lengths[checksum()] = printed;
  }
  ASSERT_EQ(lengths.size(), 2u);
  unsigned at = 1;
  for (Outcome outcome;; ++at) {
    const bool was_replaced = run_replaced(command, trace, at, outcome);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, lengths.at(checksum())) << at;
    if (!was_replaced) break;
  }
  EXPECT_GT(at, 2u) << "the file was never replaced";
}

/// Two caches of two traces with one name.
TEST(Exchanged, EntriesOfAnotherTraceAreNotBelieved) {
  const auto run = [](const char* cache) {
    return pmusim("validate -t athlon --trace t.txt" + options + " --cache " + cache);
  };
  const auto entries = [](const char* cache, const std::string& kind) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(scratch() + "/" + cache)) {
      if (entry.path().filename().string().starts_with(kind)) found.push_back(entry.path());
    }
    return found;
  };
  write_file("t.txt", nops(13));
  const std::string right = run("two").out;
  for (const std::string kind : {"activity-", "verdicts-"}) {
    write_file("t.txt", nops(40));
    fs::remove_all(scratch() + "/one");
    fs::remove_all(scratch() + "/two");
    ASSERT_NE(run("one").out, right);
    write_file("t.txt", nops(13));
    ASSERT_EQ(run("two").out, right);
    const auto from = entries("one", kind), to = entries("two", kind);
    ASSERT_EQ(from.size(), 1u);
    ASSERT_EQ(to.size(), 1u);
    fs::copy_file(from[0], to[0], fs::copy_options::overwrite_existing);
    if (kind == "activity-") {
      for (const fs::path& verdicts : entries("two", "verdicts-")) fs::remove(verdicts);
    }
    EXPECT_EQ(run("two").out, right) << kind;
    EXPECT_EQ(run("two").out, right) << kind;
  }
}

// Both traces have the same length. The checksum that journals once had was equal for one of 256 such pairs.
TEST(Exchanged, AJournalOfAnotherTraceIsRefused) {
  const auto trace = [](const char* first, const char* second) {
    std::string text = "! isa i386\n1000 8b00 L " + std::string(first) + " 4\n1002 8b00 L " + second + " 4\n";
    constexpr const char* addresses[7] = {"00020080", "000200c0", "00020100", "00020140",
                                          "00020180", "00020000", "00020040"};
    for (unsigned i = 0; i < 38; ++i) {
      char line[40];
      std::snprintf(line, sizeof line, "%x 8b00 L %s 4\n", 0x1004 + 2 * i, addresses[i % 7]);
      text += line;
    }
    return text;
  };
  const std::string command = "validate -t athlon --trace t.txt --only DATA_CACHE_MISSES --jobs 1 --no-cache --verbose";
  write_file("t.txt", trace("00020000", "00020040"));
  fs::remove(scratch() + "/j");
  ASSERT_EQ(pmusim(command + " --journal j").code, 0);
  write_file("t.txt", trace("a0020000", "05020040"));
  const Outcome other = pmusim(command + " --journal j");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("j: journal of another sweep, whose traces had other contents"), std::string::npos)
      << other.err << other.out;
}

}  // namespace
}  // namespace pmusim::cli_test::replaced
