// Names with arbitrary bytes: in JSON, in XML, in messages, and in commands that are pasted.
#include "testbench/support/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "testbench/support/error.h"
#include "testbench/tests/cli/command.h"

namespace pmusim::cli_test {
namespace {

using testbench::printable;
using testbench::shell_word;
using testbench::utf8;
using testing::HasSubstr;

TEST(Words, Utf8) {
  EXPECT_EQ(utf8("plain \n\x1b"), "plain \n\x1b");
  EXPECT_EQ(utf8("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(utf8("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(utf8("\xc0\x80"), "\\xc0\\x80") << "longer than it has to be";
  EXPECT_EQ(utf8("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(utf8("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "after the last character";
  EXPECT_EQ(utf8("\xe2\x82"), "\\xe2\\x82") << "cut";
}

TEST(Words, Printable) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(printable("a\nb\x1b", "\n"), "a\nb\\x1b");
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\xef\\xbf\\xbf") << "not a character of XML";
}

TEST(Words, AFailedAllocationIsASentence) {
  EXPECT_EQ(testbench::message_of(std::runtime_error("as it is")), "as it is");
  EXPECT_THAT(testbench::message_of(std::bad_alloc()), HasSubstr("not enough memory"));
}

// bash reads the quoted word as the original, and executes no part of it.
TEST(Words, AShellReadsThemBack) {
  std::mt19937 random(7);
  std::vector<std::string> texts{"", "plain", "$(touch run)", "`touch run`", "a'b", "-x", "~", "a b", "!1", "\\", "\n"};
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (unsigned length = random() % 9 + 1; length > 0; --length) text += static_cast<char>(random() % 255 + 1);
    texts.push_back(text);
  }
  std::string command = "printf '%s\\0'", expected;
  for (const std::string& text : texts) {
    command += ' ' + shell_word(text);
    expected += text + '\0';
  }
  write_file("words.sh", command);
  EXPECT_EQ(shell("bash words.sh").out, expected);
  EXPECT_NE(shell("test -e run").code, 0);
}

const std::vector<std::string> strange_names{"$(touch pwned).txt", "a b.txt",     "a'b.txt",    "-dash.txt",
                                             "new\nline.txt",      "esc\x1b.txt", "caf\xe9.txt"};

TEST(Names, OfTracesOfEveryKind) {
  for (const std::string& name : strange_names) {
    write_file(name, nops(20));
    const std::string trace = " --trace=" + shell_word(name);
    const Outcome run =
        shell("bash -c " + shell_word("\"$PMUSIM\" run -t athlon -e RETIRED_INSTRUCTIONS --format json" + trace));
    EXPECT_EQ(run.code, 0) << name << run.err;
    EXPECT_FALSE(nlohmann::json::parse(run.out, nullptr, false).is_discarded()) << name;
    const std::string sweep = "\"$PMUSIM\" validate -t athlon --only RETIRED_INSTRUCTIONS --journal names.j" + trace;
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(shell("bash -c " + shell_word(sweep + " --format json")).code, 0) << name;
    }
    EXPECT_EQ(lines_of(read_file(scratch() + "/names.j")).size(), 2u) << "judged again";
    EXPECT_EQ(pmusim("validate --merge names.j").code, 0) << name;
    (void)shell("rm -f names.j");
  }
}

// The command that reproduces a mismatch does only that when pasted into a shell; XML readers can read the file.
TEST(Names, InReproducedCommandsAndXml) {
  write_wrong_encoder();
  for (const std::string& name : strange_names) {
    if (name == "a b.txt" || name == "-dash.txt") continue;  // words as in the test before
    write_file(name, nops(20));
    const Outcome wrong =
        shell("bash -c " + shell_word("\"$PMUSIM\" validate -t athlon --only RETIRED_INSTRUCTIONS --format json "
                                      "--encoder 'python3 wrong.py' --junit bad.xml --trace=" +
                                      shell_word(name)));
    ASSERT_EQ(wrong.code, 1) << name << wrong.err;
    const auto totals = nlohmann::json::parse(lines_of(wrong.out).back());
    std::string command = totals.at("details").at(0).at("reproduce");
    ASSERT_THAT(command, testing::StartsWith("pmusim validate "));
    write_file("again.sh", "\"$PMUSIM\"" + command.substr(6) + "\n");
    const Outcome again = shell("bash again.sh");
    EXPECT_EQ(again.code, 1) << command << again.err;
    EXPECT_THAT(again.out, HasSubstr("RETIRED_INSTRUCTIONS"));
    EXPECT_EQ(shell("python3 -c 'import xml.etree.ElementTree as t; t.parse(\"bad.xml\")'").code, 0) << name;
  }
  EXPECT_NE(shell("test -e pwned").code, 0);
}

TEST(Names, InMessagesStayOnOneLine) {
  const Outcome outcome = shell("bash -c " + shell_word("\"$PMUSIM\" run -t athlon -e CPU_CLK_UNHALTED --trace " +
                                                        shell_word("no\nsuch\x1b file")));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("no\\x0asuch\\x1b file"));
}

}  // namespace
}  // namespace pmusim::cli_test
