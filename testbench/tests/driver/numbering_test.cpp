// A core retires the instructions that the trace numbers: `run --roi` and `trace cut --range` mean the same code.
#include "pmusim/trace/numbering.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "pmusim/trace/collection.h"
#include "testbench/driver/session.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

std::uint64_t numbered(trace::Reader& reader) {
  trace::Numbering numbering(reader.info().isa);
  for (trace::Item item; reader.next(item);) {
    if (item.directive == nullptr) numbering.take(item.instruction);
  }
  return numbering.instructions();
}

std::uint64_t retired(const models::Target& target, std::unique_ptr<trace::Reader> reader) {
  SessionOptions options;
  options.engine = Engine::direct;
  return Session(target, target.parameters(), options).run(std::move(reader)).instructions;
}

std::vector<fs::path> short_recorded_traces() {
  constexpr std::uintmax_t short_file = 30'000;  // bytes: longer programs add nothing and take minutes
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(PMUSIM_SOURCE_DIR "/isa-traces/recorded")) {
    if (entry.path().extension() == ".pmt" && entry.file_size() <= short_file) files.push_back(entry.path());
  }
  return files;
}

void expect_all_retire(const char* name, const std::vector<fs::path>& files) {
  const models::Target& target = *models::find_target(name);
  unsigned traces = 0;
  for (const fs::path& file : files) {
    if (trace::open(file)->info().isa != target.isa) continue;
    ++traces;
    EXPECT_EQ(retired(target, trace::open(file)), numbered(*trace::open(file))) << name << " " << file;
  }
  EXPECT_GT(traces, 5u) << name;
}

TEST(Numbering, IsThatOfRetirement) {
  const std::pair<const char*, const char*> rows[] = {{"athlon", "athlon"},
                                                      {"ppc750gx", "ppc750gx"},
                                                      {"alpha-ev5", "alpha"},
                                                      {"alpha-ev67", "alpha"},
                                                      {"itanium2", "itanium2"}};
  for (const auto& [target, family] : rows)
    expect_all_retire(target, trace::members(fmt::format("{}/isa-traces/micro/{}.pmt", PMUSIM_SOURCE_DIR, family)));
  for (const char* target : {"athlon", "ppc750gx", "alpha-ev67", "montecito"})
    expect_all_retire(target, short_recorded_traces());
}

// Three iterations and a handler between them: the handler's instructions retire first and have the smaller numbers.
constexpr const char* interrupted =
    "! isa i386\n"
    "1000 90\n"
    "1001 f3a4 L 2000 1 S 3000 1 T 1001\n"
    "! interrupt\n"
    "5000 90\n"
    "5001 cf L 7000 4 L 7004 4 L 7008 4 T 1001\n"
    "! return\n"
    "1001 f3a4 L 2001 1 S 3001 1 T 1001\n"
    "1001 f3a4 L 2002 1 S 3002 1\n"
    "1003 90\n";

TEST(Numbering, OfARepetitionThatIsInterrupted) {
  const auto reader = trace::open_text(interrupted, "t");
  trace::Numbering numbering(trace::Isa::i386);
  std::vector<std::uint64_t> numbers;
  for (trace::Item item; reader->next(item);) {
    if (item.directive == nullptr) numbers.push_back(numbering.take(item.instruction));
  }
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 1, 1, 2, 3, 3, 4}));
  EXPECT_EQ(numbering.instructions(), 5u);
  EXPECT_EQ(numbering.lines(), 7u);
  EXPECT_EQ(retired(*models::find_target("athlon"), trace::open_text(interrupted, "t")), 5u);
}

// A branch to itself is an instruction each time; so is a string instruction without a prefix.
TEST(Numbering, OnlyRepetitionsAreOneInstruction) {
  for (const char* text : {"! isa i386\n1000 e2fe T 1000\n1000 e2fe T 1000\n1000 e2fe\n1002 a4 L 2000 1 S 3000 1\n",
                           "! isa ppc\n1000 4200fffc T ffc\nffc 60000000\n1000 4200fffc\n1004 60000000\n"}) {
    const auto reader = trace::open_text(text, "t");
    EXPECT_EQ(numbered(*reader), 4u) << text;
  }
}

// The trace ends before the repetition does: it has not retired.
TEST(Numbering, WhatDoesNotEndHasNotRetired) {
  const char* const text = "! isa i386\n1000 90\n1001 f3a4 L 2000 1 S 3000 1 T 1001\n";
  EXPECT_EQ(numbered(*trace::open_text(text, "t")), 1u);
  EXPECT_EQ(retired(*models::find_target("athlon"), trace::open_text(text, "t")), 1u);
}

}  // namespace
}  // namespace pmusim::testbench
