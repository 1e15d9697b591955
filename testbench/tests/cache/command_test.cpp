// `pmusim validate` with a cache gives the same bytes as without one: cold, warm, damaged, shared, full and forbidden.
#include "testbench/tests/cli/command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testbench/tests/sampling.h"
#include "testbench/tests/scratch.h"

namespace pmusim::cli_test {
namespace {

namespace fs = std::filesystem;
using testbench::Scratch;

std::string micro(const std::string& name) { return " --trace " + as_word(source_file("isa-traces/micro/" + name)); }
const std::string athlon = "validate -t athlon --format json --jobs 2 --only RETIRED,DATA_CACHE" +
                           micro("athlon.pmt/branches") + micro("athlon.pmt/loads_2");

std::vector<fs::path> files_of(const fs::path& folder, const std::string& kind) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename().string().starts_with(kind)) files.push_back(entry.path());
  }
  return files;
}

void change_a_byte(const fs::path& path) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 2);
  file.seekg(middle);
  const int byte = file.get();
  file.seekp(middle);
  file.put(static_cast<char>(byte ^ 1));
}

TEST(ValidateCache, TheSameBytesWhateverIsKept) {
  const Scratch scratch;
  const std::string with = athlon + " --cache '" + scratch.path().string() + "'";
  const Outcome without = pmusim(athlon + " --no-cache");
  const auto expect_same = [&](const char* when) {
    const Outcome kept = pmusim(with);
    EXPECT_EQ(kept.out, without.out) << when;
    EXPECT_EQ(kept.code, without.code) << when;
    EXPECT_EQ(kept.err, "") << when;
  };
  expect_same("cold");
  EXPECT_EQ(files_of(scratch.path(), "activity").size(), 2u);
  EXPECT_EQ(files_of(scratch.path(), "verdicts").size(), 2u);
  EXPECT_EQ(files_of(scratch.path(), "probe").size(), 0u);
  expect_same("warm");
  for (const fs::path& file : files_of(scratch.path(), "activity")) fs::remove(file);
  expect_same("all verdicts are there");
  EXPECT_EQ(files_of(scratch.path(), "activity").size(), 0u);  // nothing was run
  for (const fs::path& file : files_of(scratch.path(), "verdicts")) change_a_byte(file);
  expect_same("verdicts are damaged");
  EXPECT_EQ(files_of(scratch.path(), "activity").size(), 2u);
  for (const fs::path& file : files_of(scratch.path(), "verdicts")) fs::remove(file);
  expect_same("only activity is there");
  for (const fs::path& file : files_of(scratch.path(), "verdicts")) fs::remove(file);
  for (const fs::path& file : files_of(scratch.path(), "activity")) change_a_byte(file);
  expect_same("activity is damaged");
  const std::string check = "activity check " + as_word(files_of(scratch.path(), "activity").at(0));
  EXPECT_EQ(pmusim(check).code, 0);  // it was written again
}

/// An encoder that answers one event differently from an earlier encoder is judged on its own answers.
TEST(ValidateCache, AnotherEncodingIsJudgedAnew) {
  if (sanitized) GTEST_SKIP() << "many runs";
  const Scratch scratch;
  const std::string cache = " --cache '" + scratch.path().string() + "'";
  const std::string encoder = "python3 " + as_word(source_file("testbench/tests/foreign_encoder/encoder.py"));
  const std::string sweep =
      "validate -t athlon --format json --jobs 2 --only DATA_CACHE" + micro("athlon.pmt/from_l2_2");
  const std::string right = sweep + " --encoder " + as_word(encoder),
                    wrong = sweep + " --encoder " + as_word(encoder + " wrong_umask");
  const Outcome right_alone = pmusim(right + " --no-cache"), wrong_alone = pmusim(wrong + " --no-cache");
  EXPECT_NE(right_alone.out, wrong_alone.out);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(pmusim(right + cache).out, right_alone.out);
    const Outcome kept = pmusim(wrong + cache);
    EXPECT_EQ(kept.out, wrong_alone.out);
    EXPECT_EQ(kept.code, 1);
  }
}

TEST(ValidateCache, ParametersAndQuestionsAreKeptApart) {
  if (sanitized) GTEST_SKIP() << "many runs";
  const Scratch scratch;
  const std::string cache = " --cache '" + scratch.path().string() + "'";
  for (const std::string& more :
       {std::string(), std::string(" --set pmu.cpl_filter=1"), std::string(" --set core.l1d_ways=4")}) {
    const Outcome without = pmusim(athlon + more + " --no-cache");
    if (without.code == 2) continue;  // the target has no such parameter
    EXPECT_EQ(pmusim(athlon + more + cache).out, without.out) << more;
    EXPECT_EQ(pmusim(athlon + more + cache).out, without.out) << more;
  }
  const std::string questions = "validate -t ppc750gx --quick --only L1_DCACHE,INSTR --format json";
  const Outcome without = pmusim(questions + " --no-cache");
  EXPECT_EQ(without.code, 0) << without.out;
  EXPECT_EQ(pmusim(questions + cache).out, without.out);
  EXPECT_GE(files_of(scratch.path(), "questions-ppc750gx").size(), 1u);  // of the jobs that have one of these events
  EXPECT_EQ(pmusim(questions + cache).out, without.out);
}

/// Activity from a file, of a recording and of a foreign writer, is judged as a trace is.
TEST(ValidateActivity, FilesAreJudged) {
  const Scratch scratch;
  const std::string file = as_word(scratch / "branches.pma"), foreign = as_word(scratch / "foreign.pma");
  ASSERT_EQ(pmusim("activity record -t athlon -o " + file + micro("athlon.pmt/branches")).code, 0);
  const std::string options = " --only RETIRED --format json --no-cache";
  nlohmann::json over_trace = json_of(
      pmusim("validate -t athlon --question RETIRED_BRANCH_INSTRUCTIONS" + options + micro("athlon.pmt/branches")));
  nlohmann::json over_activity =
      json_of(pmusim("validate --activity " + file + " --question RETIRED_BRANCH_INSTRUCTIONS" + options));
  EXPECT_EQ(over_activity["checks"], over_trace["checks"]);
  EXPECT_GT(over_activity["checks"], 0);
  EXPECT_EQ(over_activity["vacuous"], over_trace["vacuous"]);
  EXPECT_EQ(over_activity["mismatches"], 0);
  ASSERT_EQ(shell("python3 -B " + as_word(source_file("models/activity_file/foreign/example.py")) + " " + foreign).code,
            0);
  const Outcome all = pmusim("validate --no-cache --format json --only RETIRED_INSTRUCTIONS --activity " + foreign);
  const nlohmann::json judged = nlohmann::json::parse(all.out);
  EXPECT_EQ(judged["mismatches"], 0);
  EXPECT_GT(judged["checks"], 2);
  EXPECT_EQ(pmusim("validate --activity " + file + " --trace x").code, 2);
  EXPECT_EQ(pmusim("validate --activity " + file + " -t ppc750gx").code, 2);
  EXPECT_EQ(pmusim("validate --activity " + file + " --set core.l1d_ways=4").code, 2);
}

TEST(ValidateCache, TwoAtOnce) {
  const Scratch scratch;
  const std::string line = "\"$PMUSIM\" " + athlon + " --cache '" + scratch.path().string() + "'";
  const Outcome both = shell(line + " > one.json & " + line + " > two.json; wait");
  EXPECT_EQ(both.err, "");
  const Outcome without = pmusim(athlon + " --no-cache");
  EXPECT_EQ(read_file(cli_test::scratch() + "/one.json"), without.out);
  EXPECT_EQ(read_file(cli_test::scratch() + "/two.json"), without.out);
}

TEST(ValidateCache, AFolderThatCannotBeWrittenIsNoted) {
  const Outcome without = pmusim(athlon + " --no-cache");
  write_file("no_folder", "");
  const Outcome blocked = pmusim(athlon + " --cache no_folder");
  EXPECT_EQ(blocked.out, without.out);
  EXPECT_EQ(blocked.code, without.code);
  ASSERT_EQ(lines_of(blocked.err).size(), 1u) << blocked.err;
  EXPECT_TRUE(blocked.err.starts_with("pmusim: running without the cache: ")) << blocked.err;
  if (fs::exists("/dev/full")) {
    const Scratch scratch;
    fs::create_symlink("/proc/self", scratch / "v2");  // a link, behind which no file can be created either
    const Outcome full = pmusim(athlon + " --cache '" + scratch.path().string() + "'");
    EXPECT_EQ(full.out, without.out);
    EXPECT_EQ(lines_of(full.err).size(), 1u) << full.err;
  }
}

TEST(ValidateCache, WhereItIs) {
  const Scratch scratch;
  const std::string folder = scratch.path().string();
  const std::string line = "\"$PMUSIM\" " + athlon + " > /dev/null";
  EXPECT_EQ(shell("env -u PMUSIM_CACHE XDG_CACHE_HOME='" + folder + "/x' HOME='" + folder + "/h' " + line).err, "");
  EXPECT_EQ(files_of(scratch / "x", "verdicts").size(), 2u);
  EXPECT_EQ(shell("env -u PMUSIM_CACHE -u XDG_CACHE_HOME HOME='" + folder + "/h' " + line).err, "");
  EXPECT_EQ(files_of(scratch / "h" / ".cache" / "pmusim", "verdicts").size(), 2u);
  EXPECT_EQ(shell("PMUSIM_CACHE='" + folder + "/e' " + line).err, "");
  EXPECT_EQ(files_of(scratch / "e", "verdicts").size(), 2u);
  EXPECT_EQ(shell("PMUSIM_CACHE=off XDG_CACHE_HOME='" + folder + "/n' " + line).err, "");
  EXPECT_FALSE(fs::exists(scratch / "n"));
  EXPECT_EQ(pmusim(athlon + " --cache x --no-cache").err, "pmusim: give either --cache or --no-cache\n");
  EXPECT_EQ(pmusim(athlon + " --cache x --cache-size 0").code, 2);
}

}  // namespace
}  // namespace pmusim::cli_test
