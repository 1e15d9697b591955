// `pmusim trace info|dump|import|export` must print and write the right contents.
#include "testbench/tests/cli/command.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using cli_test::Outcome;

Outcome trace(const std::vector<std::string>& arguments) {
  std::string line = "trace";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  return cli_test::pmusim(line);
}

constexpr const char* text =
    "! isa ppc\n"
    "! msr pr=1\n"
    "100 60000000 L 40 4 S 44 2\n"
    "104 4bfffffc S 50 8 T 100\n"
    "# comment\n"
    "100 60000000 L 48 4 lat=9\n"
    "! interrupt\n"
    "500 60000000\n";

class TraceCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(folder / "sieve.txt", text);
    ASSERT_EQ(trace({"import", in("sieve.txt"), "-o", in("sieve.pmt")}).code, 0);
  }
  [[nodiscard]] std::string in(const std::string& name) const { return (folder / name).string(); }
  TemporaryFolder folder;
};

TEST_F(TraceCommand, TracesOfACollectionAreListed) {
  make_file(folder / "loop.txt", "! isa ppc\n100 60000000\n104 4bfffffc T 100\n100 60000000\n");
  ASSERT_EQ(trace({"import", in("loop.txt"), "-o", in("loop.pmt")}).code, 0);
  make_file(folder / "both.pmt", content_of(folder / "sieve.pmt") + content_of(folder / "loop.pmt"));
  const Outcome listed = cli_test::pmusim("traces '" + in("both.pmt") + "' --format json");
  ASSERT_EQ(listed.code, 0) << listed.err;
  std::vector<std::string> rows;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    const auto row = nlohmann::json::parse(line);
    rows.push_back(row.at("name").get<std::string>() + " " + std::to_string(row.at("lines").get<int>()));
  }
  EXPECT_THAT(rows, ::testing::ElementsAre("sieve 4", "loop 3"));
  EXPECT_THAT(cli_test::pmusim("traces '" + in("both.pmt") + "' -t athlon").out, ::testing::Not(HasSubstr("loop")));
  EXPECT_EQ(cli_test::pmusim("traces '" + in("none.pmt") + "'").code, 2);
}

TEST_F(TraceCommand, InfoAsJson) {
  const Outcome result = trace({"info", in("sieve.pmt"), "--format", "json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  const auto bytes = std::filesystem::file_size(folder / "sieve.pmt");
  EXPECT_EQ(json["isa"], "ppc");
  EXPECT_EQ(json["program"], "sieve");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["instructions"], 4);
  EXPECT_EQ(json["static_instructions"], 3);
  EXPECT_EQ(json["loads"], 2);
  EXPECT_EQ(json["stores"], 2);
  EXPECT_EQ(json["taken_branches"], 1);
  EXPECT_EQ(json["directives"], 2);
  EXPECT_EQ(json["annotated"], 1);
  EXPECT_EQ(json["chunks"], 1);
  EXPECT_EQ(json["bytes"], bytes);
  EXPECT_DOUBLE_EQ(json["bytes_per_instruction"].get<double>(), static_cast<double>(bytes) / 4);
}

TEST_F(TraceCommand, InfoAsTextAndCsv) {
  EXPECT_THAT(trace({"info", in("sieve.pmt")}).out,
              AllOf(HasSubstr("isa                    ppc\n"), HasSubstr("loads                  2\n")));
  EXPECT_THAT(trace({"info", in("sieve.txt"), "--format=csv"}).out,
              AllOf(HasSubstr("file,isa,program,version,"), HasSubstr(",ppc,,0,4,4,3,2,2,1,2,1,0,")));
}

TEST_F(TraceCommand, DumpIsTheText) {
  std::string without_comment = text;
  without_comment.erase(without_comment.find("# comment\n"), 10);
  EXPECT_EQ(trace({"dump", in("sieve.pmt")}).out, without_comment);
  EXPECT_EQ(trace({"dump", in("sieve.txt")}).out, without_comment);
  EXPECT_EQ(trace({"dump", in("sieve.pmt"), "--range", "1:3"}).out,
            "! isa ppc\n104 4bfffffc S 50 8 T 100\n100 60000000 L 48 4 lat=9\n");
  EXPECT_EQ(trace({"dump", in("sieve.pmt"), "--range", "3:"}).out, "! isa ppc\n! interrupt\n500 60000000\n");
  EXPECT_EQ(trace({"dump", in("sieve.pmt"), "--range", ":0"}).out, "! isa ppc\n");
}

TEST_F(TraceCommand, DumpAsJsonLines) {
  std::istringstream lines(trace({"dump", in("sieve.pmt"), "--format", "json"}).out);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 6u);
  EXPECT_EQ(objects[0]["directive"], "msr");
  EXPECT_EQ(objects[0]["operands"], nlohmann::json::array({"pr=1"}));
  EXPECT_EQ(objects[2]["pc"], "0x104");
  EXPECT_EQ(objects[2]["index"], 1);
  EXPECT_EQ(objects[2]["target"], "0x100");
  EXPECT_EQ(objects[2]["accesses"][0]["kind"], "store");
  EXPECT_EQ(objects[2]["accesses"][0]["address"], "0x50");
  EXPECT_EQ(objects[3]["line"], "100 60000000 L 48 4 lat=9");
}

TEST_F(TraceCommand, ExportGivesTheImportedLines) {
  EXPECT_EQ(trace({"export", in("sieve.pmt"), "-o", in("back.txt")}).code, 0);
  std::string without_comment = text;
  without_comment.erase(without_comment.find("# comment\n"), 10);
  EXPECT_EQ(content_of(folder / "back.txt"), without_comment);
  EXPECT_EQ(trace({"export", in("sieve.pmt"), "-o", in("back.zst")}).code, 0);
  EXPECT_EQ(trace({"import", in("back.zst"), "-o", in("again.pmt"), "--program", "sieve"}).code, 0);
  EXPECT_EQ(content_of(folder / "again.pmt"), content_of(folder / "sieve.pmt"));
}

TEST_F(TraceCommand, TextWithoutIsaLine) {
  make_file(folder / "bare.txt", "100 60000000\n");
  const Outcome without = trace({"import", in("bare.txt"), "-o", in("bare.pmt")});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("--isa"));
  EXPECT_EQ(trace({"import", "--isa", "ppc", in("bare.txt"), "-o", in("bare.pmt")}).code, 0);
  EXPECT_EQ(trace({"export", in("bare.pmt"), "-o", in("bare2.txt")}).code, 0);
  EXPECT_EQ(content_of(folder / "bare2.txt"), "100 60000000\n");
}

TEST_F(TraceCommand, BadUsageExits2) {
  const std::string file = in("sieve.pmt");
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{}, "a command is missing; legal: info, dump"},
      {{"infos", file}, "unknown command 'infos'; did you mean 'info'?"},
      {{"info"}, "the trace file is missing; usage: pmusim trace info FILE"},
      {{"info", file, file}, "usage"},
      {{"info", file, "--colour"}, "unknown option '--colour'"},
      {{"info", file, "--format", "xml"}, "--format cannot be 'xml'; legal: text, json, csv"},
      {{"info", file, "--isa", "mips"}, "alpha, ppc, i386 or ia64"},
      {{"info", file, "--isa", "alpha"}, "the trace is ppc"},
      {{"dump", file, "--range", "3"}, "BEGIN:END"},
      {{"dump", file, "--range", "a:3"}, "BEGIN:END"},
      {{"dump", file, "--range", "4:3"}, "BEGIN is after END"},
      {{"import", in("sieve.txt")}, "--output is missing"},
      {{"import", file, "-o", in("x.pmt")}, "binary trace already"},
      {{"import", in("sieve.txt"), "-o", in("x.pmt"), "--level", "0"}, "zstd level 0"},
      {{"import", in("sieve.txt"), "-o", in("x.pmt"), "--level", "two"}, "--level 'two': expected a whole number"},
      {{"export", in("absent.pmt"), "-o", in("x.txt")}, "absent.pmt: cannot be opened"},
  };
  for (const auto& [arguments, message] : rows) {
    const Outcome result = trace(arguments);
    EXPECT_EQ(result.code, 2) << message;
    EXPECT_THAT(result.err, AllOf(::testing::StartsWith("pmusim: trace"), HasSubstr(message)));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_EQ(folder.files(), 2u);  // no half-written file
}

TEST_F(TraceCommand, BadInputLeavesNoFile) {
  make_file(folder / "bad.txt", "! isa ppc\n100 60000000\n108 60000000\n");
  const Outcome result = trace({"import", in("bad.txt"), "-o", in("bad.pmt")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("bad.txt:3: '108'"));
  EXPECT_FALSE(std::filesystem::exists(folder / "bad.pmt"));
  EXPECT_EQ(folder.files(), 3u);
}

TEST_F(TraceCommand, SalvageReportsAndGoesOn) {
  const std::string file = content_of(folder / "sieve.pmt");
  make_file(folder / "cut.pmt", file.substr(0, file.size() - 3));
  EXPECT_EQ(trace({"info", in("cut.pmt")}).code, 2);
  const Outcome result = trace({"dump", in("cut.pmt"), "--salvage"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("salvaged: "));
  EXPECT_THAT(result.out, ::testing::EndsWith("500 60000000\n"));
}

}  // namespace
}  // namespace pmusim::trace::test
