// Snapshots of all encodings: no change, one field changed, one encoding removed, and input that is no snapshot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/judge/question/question.h"
#include "testbench/tests/sampling.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// Returns `text` with the first `from` after `anchor` replaced.
std::string changed(std::string text, const std::string& anchor, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from, text.find(anchor));
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

class Snapshot : public testing::Test {
 protected:
  Snapshot() : file_(scratch() + "/athlon.jsonl") {
    EXPECT_EQ(pmusim("encode --all -t athlon --snapshot " + as_word(file_)).code, 0);
    text_ = read_file(file_);
  }
  Outcome compare(const std::string& text) const {
    return pmusim("encode --all -t athlon --compare " + as_word(write_file("before.jsonl", text)));
  }
  std::string file_, text_;
};

TEST_F(Snapshot, TheSameAgainIsNoDifference) {
  const Outcome outcome = compare(text_);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr(" 0 different"));
}

// 0x43 with unit mask 0x1f, and 0x0f in the snapshot: the output names the field, its bits, and both values.
TEST_F(Snapshot, AFieldThatChangedIsNamed) {
  const Outcome outcome =
      compare(changed(text_, "\"DATA_CACHE_REFILLS_FROM_SYSTEM:ALL\",\"sampling\":false", "431f43", "430f43"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("DATA_CACHE_REFILLS_FROM_SYSTEM:ALL: PerfEvtSel0 UNIT_MASK (15:8) is 0x1f"));
  EXPECT_THAT(outcome.out, HasSubstr("was 0xf"));
  EXPECT_THAT(outcome.out, HasSubstr(" 1 different"));
}

// Files of other programs: values of any kind are compared, and an error takes one line.
TEST(Snapshots, AnyObjectsAreCompared) {
  write_file("a.json", R"({"target":5,"event":["X"],"registers":{"A":"0xzz","B":"0x10000000000000000","C":1e300}})");
  write_file("b.json", R"({"target":{},"event":["Y"],"registers":{"A":"0x1","B":"0x","C":-1}})");
  const Outcome compared = pmusim("diff a.json b.json");
  EXPECT_EQ(compared.code, 1) << compared.err;
  EXPECT_EQ(compared.err, "");
  write_file("deep.json", R"({"target":"athlon","event":)" + std::string(100000, '[') + std::string(100000, ']') + "}");
  const Outcome deep = pmusim("diff deep.json deep.json");
  EXPECT_EQ(deep.code, 2);
  EXPECT_EQ(deep.err, "pmusim: deep.json:1: values are nested deeper than 64 levels\n");
  write_file("wrong.jsonl", R"({"target":"athlon","event":"X","sampling":false,"refused":7})");
  EXPECT_EQ(pmusim("encode --all -t athlon --compare wrong.jsonl").err,
            "pmusim: wrong.jsonl:1: not a line that pmusim encode --all --snapshot writes\n");
}

// A whole snapshot of every target, with the lowest bit of one register of every 500th encoding inverted: each change
// is reported as a difference, with the field of that register.
TEST(Snapshots, AChangeInAnyTargetIsNamedByItsField) {
  const std::string encode_all = std::string("encode --all ") + (sanitized ? "-t ppc750gx " : "");
  ASSERT_EQ(pmusim(encode_all + "--snapshot all.jsonl").code, 0);
  std::string changed;
  std::map<std::string, int> changes;
  std::map<std::string, std::size_t> lines_of_target;
  std::size_t number = 0, total = 0;
  for (const std::string& line : lines_of(read_file(scratch() + "/all.jsonl"))) {
    auto answer = nlohmann::ordered_json::parse(line);
    ++lines_of_target[answer.at("target")];
    if (number++ % 500 == 0 && answer.contains("registers")) {
      auto& value = *answer["registers"].begin();
      std::string text = value;
      text.back() = "1032547698badcfe"[std::string("0123456789abcdef").find(text.back())];
      value = text;
      ++changes[answer.at("target")];
      ++total;
    }
    changed += answer.dump() + '\n';
  }
  EXPECT_GE(changes.size(), sanitized ? 1u : 7u);
  // A line for each question that `validate` asks.
  EXPECT_EQ(lines_of_target.size(), sanitized ? 1u : 10u);
  for (const auto& [target, count] : lines_of_target)
    EXPECT_EQ(count, testbench::questions::questions_of(target, testbench::questions::Extent::full).size()) << target;
  const Outcome outcome = pmusim(encode_all + "--compare " + as_word(write_file("changed.jsonl", changed)));
  EXPECT_EQ(outcome.code, 1);
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), total + 1) << outcome.out;
  for (std::size_t i = 0; i < total; ++i)
    EXPECT_THAT(lines[i], testing::ContainsRegex(": [A-Z][A-Za-z0-9_]* [A-Za-z0-9_]+ .[0-9:]+. is 0x.*; was 0x"))
        << lines[i];
  EXPECT_THAT(lines.back(), HasSubstr(" " + std::to_string(total) + " different"));
  EXPECT_EQ(pmusim(encode_all + "--compare all.jsonl").code, 0);
}

TEST_F(Snapshot, EncodingsThatAreNewOrGoneAreNamed) {
  const Outcome fresh = compare(text_.substr(text_.find('\n') + 1));
  EXPECT_EQ(fresh.code, 1);
  EXPECT_THAT(fresh.out, HasSubstr(": new\n"));
  const Outcome gone = compare(changed(text_, "", "SEGMENT_REGISTER_LOADS", "SEGMENT_REGISTERS_LOADED"));
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.out, HasSubstr("SEGMENT_REGISTERS_LOADED"));
  EXPECT_THAT(gone.out, HasSubstr(": gone\n"));
}

TEST_F(Snapshot, WhatIsNoSnapshotIsRefused) {
  const Outcome other = compare(text_ + "{\"target\":1}\n");
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(lines_of(other.err).size(), 1u);
  EXPECT_THAT(other.err, HasSubstr("before.jsonl:"));
  EXPECT_EQ(compare("").code, 2);
  EXPECT_EQ(pmusim("encode --all").code, 2);
  EXPECT_EQ(pmusim("encode --snapshot " + as_word(file_)).code, 2);
  EXPECT_EQ(pmusim("encode --all -t athlon --snapshot none/x").code, 2);
}

}  // namespace
}  // namespace pmusim::cli_test
