// What is not the cache's stays as it is: files of others in its folder, and what is behind a link.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "testbench/store/cache.h"
#include "testbench/store/this_program.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t nothing_fits = 1;
const std::string precious = "my only copy";

CacheKey verdicts_of(std::string_view text) { return CacheKey("verdicts", "athlon").add(text); }

/// Makes a file that is old, so that it would be removed first.
fs::path old_file(const fs::path& path) {
  std::ofstream(path) << precious;
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1000));
  return path;
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(CacheFolder, HasAMarkOfItsOwn) {
  const Scratch scratch;
  const Cache cache(scratch / "c");
  EXPECT_TRUE(content_of(scratch / "c" / "v2" / "CACHEDIR.TAG")
                  .starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));  // the tagging specification's
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch / "c"), fs::directory_iterator()), 1);
  EXPECT_EQ(cache.problem(), "");
}

TEST(CacheFolder, AFolderWithoutTheMarkIsLeftAlone) {
  const Scratch scratch;
  fs::create_directories(scratch / "c" / "v2");
  const fs::path notes = old_file(scratch / "c" / "v2" / "notes.md"),
                 entry = old_file(scratch / "c" / "v2" / verdicts_of("a").name());
  Cache cache(scratch / "c", nothing_fits);
  EXPECT_NE(cache.problem().find("it has no CACHEDIR.TAG of pmusim"), std::string::npos) << cache.problem();
  cache.put(verdicts_of("b"), "content");
  cache.trim();
  EXPECT_EQ(content_of(notes), precious);
  EXPECT_EQ(content_of(entry), precious);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch / "c" / "v2"), fs::directory_iterator()), 2);
}

TEST(CacheFolder, AnEmptyFolderIsTaken) {
  const Scratch scratch;
  fs::create_directories(scratch / "c" / "v2");
  Cache cache(scratch / "c");
  cache.put(verdicts_of("a"), "content");
  EXPECT_EQ(cache.find(verdicts_of("a")), "content");
}

TEST(CacheFolder, ALinkIsNotTaken) {
  const Scratch scratch;
  { const Cache other(scratch / "other"); }
  fs::create_directories(scratch / "c");
  fs::create_directory_symlink(scratch / "other" / "v2", scratch / "c" / "v2");
  Cache cache(scratch / "c");
  EXPECT_NE(cache.problem(), "");
}

TEST(CacheFolder, OnlyEntriesAreRemoved) {
  const Scratch scratch;
  Cache cache(scratch / "c", nothing_fits);
  cache.put(verdicts_of("entry"), "content");
  ASSERT_TRUE(fs::exists(cache.path(verdicts_of("entry"))));
  const fs::path folder = scratch / "c" / "v2";
  const fs::path outside = old_file(scratch / "outside");
  const std::vector<fs::path> others{
      old_file(folder / "notes.md"),
      old_file(folder / verdicts_of("no header").name()),
      old_file(folder / (".pmusim-1-1.part")),
      old_file(folder / ("activity-athlon-" + digest_of("x").substr(1))),
  };
  // An entry that somebody keeps under another name, or in a folder of his own.
  fs::copy_file(cache.path(verdicts_of("entry")), folder / "backup");
  fs::copy_file(cache.path(verdicts_of("entry")), folder / verdicts_of("other").name());
  fs::create_directories(folder / "folder");
  fs::copy_file(cache.path(verdicts_of("entry")), folder / "folder" / verdicts_of("entry").name());
  fs::create_symlink(outside, folder / verdicts_of("link").name());
  fs::create_directory_symlink(scratch / "other", folder / verdicts_of("folder link").name());
  cache.trim();
  EXPECT_FALSE(fs::exists(cache.path(verdicts_of("entry"))));
  for (const fs::path& other : others) EXPECT_EQ(content_of(other), precious) << other;
  for (const fs::path& other :
       {folder / "backup", folder / verdicts_of("other").name(), folder / "folder" / verdicts_of("entry").name()})
    EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_EQ(content_of(outside), precious);
  EXPECT_TRUE(fs::is_symlink(folder / verdicts_of("link").name()));
  EXPECT_TRUE(fs::exists(folder / "CACHEDIR.TAG"));
}

TEST(CacheFolder, KeptActivityIsRemovedToo) {
  const Scratch scratch;
  Cache cache(scratch / "c", nothing_fits);
  const CacheKey activity = CacheKey("activity", "athlon").add("trace");
  cache.put_activity(activity, "athlon")->close();
  EXPECT_NE(cache.find_activity(activity), nullptr);
  // The same content without the key, as `pmusim activity record` writes it, is not the cache's.
  activity_file::Properties properties;
  properties.set("target", "athlon");
  const CacheKey other = CacheKey("activity", "athlon").add("other");
  activity_file::Writer(cache.path(other), properties).close();
  EXPECT_EQ(cache.find_activity(other), nullptr);
  fs::copy_file(cache.path(activity), cache.path(CacheKey("activity", "athlon").add("third")));
  EXPECT_EQ(cache.find_activity(CacheKey("activity", "athlon").add("third")), nullptr);
  cache.trim();
  EXPECT_FALSE(fs::exists(cache.path(activity)));
  EXPECT_TRUE(fs::exists(cache.path(other)));
}

TEST(CacheFolder, FilesThatWereNeverCompletedAreRemovedAfterADay) {
  const Scratch scratch;
  Cache cache(scratch / "c", nothing_fits);
  cache.put(verdicts_of("entry"), "content");
  const fs::path begun = scratch / "c" / "v2" / ".pmusim-1-1.part", fresh = scratch / "c" / "v2" / ".pmusim-1-2.part";
  fs::copy_file(cache.path(verdicts_of("entry")), fresh);
  fs::rename(cache.path(verdicts_of("entry")), begun);
  fs::last_write_time(begun, fs::file_time_type::clock::now() - std::chrono::hours(25));
  cache.trim();
  EXPECT_FALSE(fs::exists(begun));
  EXPECT_TRUE(fs::exists(fresh));
}

// The probe wrote to a file that was named after the process.
TEST(CacheFolder, TheProbeFollowsNoLink) {
  const Scratch scratch;
  { const Cache made(scratch / "c"); }
  const fs::path victim = old_file(scratch / "victim");
  const std::vector<fs::path> links{scratch / "c" / "v2" / "probe",
                                    scratch / "c" / "v2" / ("probe-" + std::to_string(::getpid()))};
  for (const fs::path& link : links) fs::create_symlink(victim, link);
  Cache cache(scratch / "c");
  cache.probe();
  EXPECT_EQ(cache.problem(), "");
  EXPECT_EQ(content_of(victim), precious);
  for (const fs::path& link : links) EXPECT_TRUE(fs::is_symlink(link)) << link;
}

// Reading a pipe or a device would never end, and nothing is written behind a link.
TEST(CacheFolder, LinksPipesAndDevicesAreNeitherReadNorWritten) {
  const Scratch scratch;
  const fs::path victim = old_file(scratch / "victim");
  for (const char* kind : {"pipe", "/dev/zero", victim.c_str()}) {
    Cache cache(scratch.path());
    const fs::path file = cache.path(verdicts_of(kind));
    const bool pipe = std::string_view(kind) == "pipe";
    ASSERT_EQ(pipe ? ::mkfifo(file.c_str(), 0600) : ::symlink(kind, file.c_str()), 0);
    EXPECT_FALSE(cache.find(verdicts_of(kind)));
    EXPECT_EQ(cache.find_activity(verdicts_of(kind)), nullptr);
    cache.put(verdicts_of(kind), "content");
    EXPECT_NE(cache.problem().find("not a file of the cache"), std::string::npos) << cache.problem();
    EXPECT_EQ(cache.put_activity(verdicts_of(kind), "athlon"), nullptr);
    EXPECT_FALSE(fs::is_regular_file(fs::symlink_status(file)));
    EXPECT_EQ(content_of(victim), precious);
  }
}

TEST(CacheFolder, FilesOfAnotherUserAreNotTheCaches) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  constexpr uid_t nobody = 65534;
  const Scratch scratch;
  Cache cache(scratch / "c", nothing_fits);
  cache.put(verdicts_of("a"), "content");
  ASSERT_EQ(::chown(cache.path(verdicts_of("a")).c_str(), nobody, nobody), 0);
  EXPECT_FALSE(cache.find(verdicts_of("a")));
  cache.trim();
  EXPECT_TRUE(fs::exists(cache.path(verdicts_of("a"))));
  cache.put(verdicts_of("a"), "other");
  EXPECT_NE(cache.problem(), "");
  ASSERT_EQ(::chown((scratch / "c" / "v2").c_str(), nobody, nobody), 0);
  EXPECT_NE(Cache(scratch / "c").problem(), "");
}

}  // namespace
}  // namespace pmusim::testbench
