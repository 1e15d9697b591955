// The entries of the cache: keys, damage, the size limit.
#include "testbench/store/cache.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/targets.h"
#include "testbench/judge/verdict/parts.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/this_program.h"
#include "testbench/support/error.h"
#include "testbench/sweep/heap.h"
#include "testbench/sweep/jobs.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  return files;
}

CacheKey key(std::string_view text) { return CacheKey("verdicts", "athlon").add(text); }

// The expected texts are those of `b2sum -l 256`.
TEST(Digest, IsBlake2b) {
  EXPECT_EQ(digest_of("abc"), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(digest_of(""), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_TRUE(is_digest(digest_of("abc")));
  EXPECT_FALSE(is_digest("abc"));
  EXPECT_FALSE(is_digest(std::string(digest_digits, 'g')));
}

TEST(Cache, WhatIsPutIsFound) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  EXPECT_FALSE(cache.find(key("one")));
  cache.put(key("one"), "first\nsecond");
  cache.put(key("two"), "");
  EXPECT_EQ(Cache(scratch / "c").find(key("one")), "first\nsecond");
  EXPECT_EQ(cache.find(key("two")), "");
  EXPECT_EQ(cache.problem(), "");
}

TEST(Cache, DamagedFilesAreNotThere) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const CacheKey one = key("one");
  const std::string content = "a verdict";
  cache.put(one, content);
  const auto size = fs::file_size(cache.path(one));
  for (std::uintmax_t at = 0; at < size; ++at) {
    cache.put(one, content);
    std::fstream file(cache.path(one), std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x10));
    file.close();
    EXPECT_FALSE(cache.find(one)) << at;
  }
  for (std::uintmax_t bytes = 0; bytes < size; ++bytes) {
    cache.put(one, content);
    fs::resize_file(cache.path(one), bytes);
    EXPECT_FALSE(cache.find(one)) << bytes;
  }
}

// A name alone does not make an entry: the key in the file is compared.
TEST(Cache, AnEntryOfAnotherKeyIsNotThere) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  cache.put(key("one"), "first");
  cache.put(key("two"), "second");
  fs::copy_file(cache.path(key("one")), cache.path(key("two")), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.find(key("two")));
  EXPECT_EQ(cache.find(key("one")), "first");
  cache.put(key("two"), "second");
  EXPECT_EQ(cache.find(key("two")), "second");
}

TEST(Cache, PartsOfAKeyStayApart) {
  EXPECT_NE(key("a").add("b").name(), key("ab").name());
  EXPECT_NE(key("a").add("b").name(), key("a").add("").add("b").name());
  EXPECT_EQ(CacheKey::name_of(key("a").text()), key("a").name());
  for (const char* text : {"", "x", "1:", "99:a\n1:b\n", "1:a\n", "18446744073709551615:a\n1:b\n"})
    EXPECT_EQ(CacheKey::name_of(text), "") << text;
}

TEST(Cache, LeastRecentlyUsedGoesFirst) {
  const Scratch scratch;
  constexpr std::uint64_t most = 3800;  // three entries of 1000 bytes with their keys, but not four
  Cache cache(scratch / "c", most);
  const std::string content(1000, 'x');
  for (const char* name : {"a", "b", "c", "d"}) cache.put(key(name), content);
  using namespace std::chrono_literals;
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(cache.path(key("a")), now - 4h);
  fs::last_write_time(cache.path(key("b")), now - 3h);
  fs::last_write_time(cache.path(key("c")), now - 2h);
  fs::last_write_time(cache.path(key("d")), now - 1h);
  EXPECT_TRUE(cache.find(key("a")));  // sets its time of use to now
  cache.trim();
  EXPECT_TRUE(cache.find(key("a")));
  EXPECT_FALSE(cache.find(key("b")));
  EXPECT_TRUE(cache.find(key("c")));
  EXPECT_TRUE(cache.find(key("d")));
}

TEST(Cache, KeysDependOnEverything) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const auto file = [&](const std::string& name, const std::string& content) {
    std::ofstream(scratch / name) << content;
    return InputFile(scratch / name);
  };
  models::Parameters parameters = models::find_target("athlon")->parameters();
  const auto name = [&](const char* kind, const std::vector<InputFile>& files, const char* more = "") {
    return cache.key(kind, "athlon", parameters, files, more).name();
  };
  const std::string first = name("activity", {file("t", "nop")});
  EXPECT_EQ(name("activity", {file("t", "nop")}), first);
  EXPECT_NE(name("activity", {file("t", "ret")}), first);
  EXPECT_NE(name("activity", {file("t", "nop"), file("u", "")}), first);
  EXPECT_NE(name("verdicts", {file("t", "nop")}), first);
  EXPECT_NE(name("activity", {file("t", "nop")}, "more"), first);
  parameters.set("core.l1d_ways", std::int64_t{4});
  EXPECT_NE(name("activity", {file("t", "nop")}), first);
}

TEST(Cache, AFolderThatCannotBeIsAProblemAndNoError) {
  const Scratch scratch;
  std::ofstream(scratch / "file") << "no folder";
  Cache cache(scratch / "file");
  EXPECT_NE(cache.problem(), "");
  cache.put(key("one"), "content");
  EXPECT_FALSE(cache.find(key("one")));
  cache.trim();
}

TEST(Cache, VerdictsOfOtherRunsStayWhileTheyAreFew) {
  const Scratch scratch;
  Cache cache(scratch / "c");
  const auto run = [&](const std::vector<std::string>& identities) {
    KeptVerdicts kept(cache, key("v"), "pmusim ");
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
  EXPECT_EQ(files_in(scratch.path()), 2u);  // with the mark
}

TEST(PackedVerdict, HasEveryMember) {
  const Comparison best{"a.txt", "EVENT:u", "A=0x1", "PMC0", 3, 4}, failed{"b.txt", "EVENT:k", "A=0x2", "PMC1", 5, 6};
  JobVerdict verdict;
  verdict.job = "athlon|a.txt";
  verdict.target = "athlon";
  verdict.trace = "a.txt+b.txt";
  verdict.provenance = Provenance::text;
  verdict.rows["EVENT"] = {1, 2, 3, 4, ~std::uint64_t{0}, true, best, failed};
  verdict.rows["NONE"] = {};
  verdict.mismatches.push_back({failed, "problem", "diagnosis", "reproduce", "cause"});
  verdict.mismatches.push_back({{"c.txt", "", "", "", 0, 0}, "", "", "", ""});  // its check has no event
  verdict.driver = {7, 8, 9, 10};
  verdict.unsupported = 11;
  verdict.not_modelled = {"one", "two"};
  verdict.causes = {{"cause", 12}};
  verdict.questions.push_back({"question", "ok", "detail", 13, 14, true});
  verdict.identities.push_back({"a = b", 15, 16, 17, "example"});
  verdict.policies = {{"stops", 18}};
  verdict.seconds = 1.5;
  EXPECT_EQ(to_json(unpacked(packed(verdict))), to_json(verdict));
  const std::string bytes = packed(verdict);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW((void)unpacked(bytes.substr(0, size)), std::exception) << size;
}

/// Jobs whose number is even are known; the others do what `work` does.
std::vector<std::string> results_of(std::size_t count, const std::function<std::string(std::size_t)>& work) {
  std::vector<std::string> results(count);
  const Jobs jobs{
      count, work, [](std::size_t i) { return "job " + std::to_string(i); },
      [](std::size_t i) { return i % 2 == 0 ? std::optional("known " + std::to_string(i)) : std::nullopt; }};
  run_jobs(jobs, 3, [&](std::size_t i, const std::string& result) { results[i] = result; });
  return results;
}

TEST(RunJobs, EachHasItsResultHoweverLong) {
  const std::string much(300'000, 'x');
  const auto results = results_of(20, [&](std::size_t i) { return much + std::to_string(i); });
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i], i % 2 == 0 ? "known " + std::to_string(i) : much + std::to_string(i));
}

/// What `work` in job 3 makes of the run.
std::string error_of(const std::function<std::string()>& work) {
  try {
    (void)results_of(5, [&](std::size_t i) { return i == 3 ? work() : std::string(); });
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(RunJobs, AnErrorNamesItsJob) {
  EXPECT_EQ(error_of([]() -> std::string { throw std::runtime_error("wrong"); }), "job 3: wrong");
  EXPECT_EQ(error_of([]() -> std::string { _exit(1); }), "job 3: the job died (without a result)");
  EXPECT_EQ(error_of([]() -> std::string { return kill(getpid(), SIGKILL), ""; }), "job 3: the job died (Killed)");
  // The worker of the job dies.
  EXPECT_EQ(error_of([]() -> std::string { return kill(getppid(), SIGKILL), pause(), ""; }),
            "job 3: the job died (Killed)");
}

/// What becomes of blocks of memory while a child could be forked. Changes the heap of its process.
std::string blocks_beside_an_untouched_heap() {
  if (mallopt(M_MMAP_MAX, 0) == 0) return "as expected";  // a sanitizer's heap
  prepare_heap();
  std::vector<std::string> blocks;
  const auto text = [](std::size_t i) { return std::string(20 + i * 37 % 5000, static_cast<char>('a' + i % 26)); };
  for (std::size_t i = 0; i < 20'000; ++i) blocks.push_back(text(i));
  for (std::size_t i = 0; i < blocks.size(); i += 3) std::string().swap(blocks[i]);  // free blocks among the others
  const char* const last = blocks.back().data();
  const UntouchedHeap heap;
  for (std::size_t size = 20; size < 100'000; size += 999)
    if (const std::string block(size, 'x'); block.data() < last) return "a new block among the old ones";
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i] != (i % 3 == 0 ? "" : text(i))) return "another text";
  return "as expected";
}

TEST(RunJobs, AChildAllocatesBehindItsParentsBlocks) {
  const auto results = results_of(2, [](std::size_t) { return blocks_beside_an_untouched_heap(); });
  EXPECT_EQ(results[1], "as expected");
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
