// The folder of the cache: names, damage, the size limit.
#include "testbench/validate/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "models/targets.h"
#include "testbench/tests/scratch.h"
#include "testbench/validate/parts.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  return files;
}

TEST(Cache, WhatIsPutIsFound) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  EXPECT_FALSE(cache.find("one"));
  cache.put("one", "first\nsecond");
  cache.put("two", "");
  EXPECT_EQ(Cache(scratch / "c").find("one"), "first\nsecond");
  EXPECT_EQ(cache.find("two"), "");
  EXPECT_EQ(cache.problem(), "");
}

TEST(Cache, DamagedFilesAreNotThere) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const std::string content = "a verdict";
  cache.put("one", content);
  const auto size = fs::file_size(cache.path("one"));
  for (std::uintmax_t at = 0; at < size; ++at) {
    cache.put("one", content);
    std::fstream file(cache.path("one"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x10));
    file.close();
    EXPECT_FALSE(cache.find("one")) << at;
  }
  for (std::uintmax_t bytes = 0; bytes < size; ++bytes) {
    cache.put("one", content);
    fs::resize_file(cache.path("one"), bytes);
    EXPECT_FALSE(cache.find("one")) << bytes;
  }
}

// Reading a pipe or a device would never end.
TEST(Cache, PipesAndDevicesAreNeverRead) {
  const Scratch scratch;
  Cache cache(scratch.path());
  const auto file = cache.path("name");
  for (const bool pipe : {true, false}) {
    ASSERT_EQ(pipe ? ::mkfifo(file.c_str(), 0600) : ::symlink("/dev/zero", file.c_str()), 0);
    EXPECT_FALSE(cache.find("name"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(file)));
    cache.put("name", "content");
    EXPECT_EQ(cache.find("name"), "content");
    cache.remove("name");
  }
  EXPECT_EQ(cache.problem(), "");
}

TEST(Cache, LeastRecentlyUsedGoesFirst) {
  const Scratch scratch;
  constexpr std::uint64_t most = 3500;
  Cache cache(scratch / "c", most);
  const std::string content(1000, 'x');
  for (const char* name : {"a", "b", "c", "d"}) cache.put(name, content);
  using namespace std::chrono_literals;
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(cache.path("a"), now - 4h);
  fs::last_write_time(cache.path("b"), now - 3h);
  fs::last_write_time(cache.path("c"), now - 2h);
  fs::last_write_time(cache.path("d"), now - 1h);
  EXPECT_TRUE(cache.find("a"));  // sets its time of use to now
  cache.trim();
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
}

TEST(Cache, NamesDependOnEverything) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const auto file = [&](const std::string& name, const std::string& content) {
    std::ofstream(scratch / name) << content;
    return scratch / name;
  };
  models::Parameters parameters = models::find_target("athlon")->parameters();
  const std::string name = cache.name("activity", "athlon", parameters, {file("t", "nop")});
  EXPECT_EQ(cache.name("activity", "athlon", parameters, {file("t", "nop")}), name);
  EXPECT_NE(cache.name("activity", "athlon", parameters, {file("t", "ret")}), name);
  EXPECT_NE(cache.name("activity", "athlon", parameters, {file("t", "nop"), file("u", "")}), name);
  EXPECT_NE(cache.name("verdicts", "athlon", parameters, {file("t", "nop")}), name);
  EXPECT_NE(cache.name("activity", "athlon", parameters, {file("t", "nop")}, "more"), name);
  parameters.set("core.l1d_ways", std::int64_t{4});
  EXPECT_NE(cache.name("activity", "athlon", parameters, {file("t", "nop")}), name);
}

TEST(Cache, AFolderThatCannotBeIsAProblemAndNoError) {
  const Scratch scratch;
  std::ofstream(scratch / "file") << "no folder";
  Cache cache(scratch / "file");
  EXPECT_NE(cache.problem(), "");
  cache.put("one", "content");
  EXPECT_FALSE(cache.find("one"));
  cache.trim();
}

TEST(Cache, VerdictsOfOtherRunsStayWhileTheyAreFew) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const auto run = [&](const std::vector<std::string>& identities) {
    KeptVerdicts kept(&cache, "v", "pmusim ");
    std::size_t found = 0;
    for (const std::string& identity : identities) {
      if (const auto verdict = kept.find(identity)) {
        ++found;
        EXPECT_EQ(verdict->trace, identity);
        EXPECT_EQ(verdict->mismatches.at(0).reproduce, "pmusim validate");
        continue;
      }
      JobVerdict verdict;
      verdict.trace = identity;
      verdict.mismatches.push_back({{}, "", "", "pmusim validate", ""});
      kept.put(identity, verdict);
    }
    kept.save();
    return found;
  };
  EXPECT_EQ(run({"a", "b"}), 0u);
  EXPECT_EQ(run({"a", "c"}), 1u);
  EXPECT_EQ(run({"a", "b"}), 2u);
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

/// Two parts of a plan give the verdict of the whole plan, whichever of them was cached.
TEST(Parts, AreTheEventsOfAGroup) {
  std::vector<Group> groups(4);
  const auto add = [](Group& group, const char* event) { group.checks.emplace_back().request.event = event; };
  add(groups[0], "A");
  add(groups[1], "B");
  add(groups[2], "A");
  add(groups[3], "A");
  add(groups[3], "B");
  const auto parts = parts_of({&groups[0], &groups[1], &groups[2], &groups[3]});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].groups, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(parts[1].groups, std::vector<std::size_t>{1});
  EXPECT_EQ(parts[2].groups, std::vector<std::size_t>{3});
}

TEST(Parts, ListOneMismatchOfEachAndNotTooMany) {
  std::vector<JobVerdict> parts(3);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (int i = 0; i < 4; ++i) {
      parts[p].mismatches.push_back({{}, std::to_string(p), "", "", "cause"});
      ++parts[p].rows["row"].mismatches;
      ++parts[p].causes["cause"];
    }
  }
  const JobVerdict all = join({}, parts, {5});
  EXPECT_EQ(all.mismatches.size(), 6u);  // four, one up to the limit, and one of the last
  EXPECT_EQ(all.mismatches.back().problem, "2");
  EXPECT_EQ(all.rows.at("row").mismatches, 12u);
  EXPECT_EQ(all.causes.at("cause"), 12u);
  EXPECT_EQ(join({}, parts, {50, 3}).mismatches.size(), 3u);
}

}  // namespace
}  // namespace pmusim::testbench
