// The JSON output is as documented in docs/json.md: every key that a command prints is listed in its section.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "command.h"
#include "ia64_texts.h"

namespace pmusim::cli_test {
namespace {

void collect(const nlohmann::json& value, std::set<std::string>& keys) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      keys.insert(key);
      collect(inner, keys);
    }
  } else if (value.is_array()) {
    for (const auto& inner : value) collect(inner, keys);
  }
}

/// The text of a section, up to the next section.
std::string section(const std::string& title) {
  static const std::string document = read_file(PMUSIM_SOURCE_DIR "/docs/json.md");
  const std::size_t begin = document.find("\n## " + title + "\n");
  if (begin == std::string::npos) return "";
  return document.substr(begin, document.find("\n## ", begin + 1) - begin);
}

struct Printed {
  const char* section;
  std::string arguments;
};

TEST(Json, EveryKeyIsDocumented) {
  const std::string athlon = "'" + recorded("i386-selfmod") + "'", itanium2 = "'" + recorded("ia64-pipelined") + "'";
  const std::string filters =
      " --irange 0x4000000000000180-0x4000000000000200 --drange 0x6000000000000000-0x6000000000010000 "
      "--btb tm=all --ear unit=data --ear unit=instruction,mode=tlb ";
  write_file("access.txt", "! isa i386\n10000 90\n10001 0f33 rd=PerfCtr0\n10003 90\n");
  write_file("access.nm", "00010000 T access\n");
  std::string reads = ia64_nops(3);
  reads.insert(reads.rfind('\n'), " rd=PMD4");
  write_file("reads.txt", reads);
  const Printed all[] = {
      {"targets", "targets"},
      {"targets", "targets -t athlon --parameters"},
      {"events", "events -t athlon REFILLS"},
      {"events", "events -t itanium2 L1D_READS_SET0"},
      {"events", "events -t ppc750gx --choose L1_DCACHE_MISSES"},
      {"events", "events -t athlon --ratios"},
      {"events", "events -t athlon --generic"},
      {"traces", "traces -t athlon"},
      {"encode", "encode -t itanium2 -e LOADS_RETIRED:t=5" + filters},
      {"events", "events -t montecito ETB"},
      {"decode", "decode -t athlon PerfEvtSel0=0x4300c0"},
      {"run", "run -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED"},
      {"run", "run -t athlon --trace access.txt --write PerfEvtSel0=0x43ffff"},
      {"run", "run -t itanium2 --trace " + itanium2 + " -e LOADS_RETIRED:t=5" + filters},
      {"run", "run -t itanium2 --passes --trace " + itanium2 +
                  " -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES --btb tm=all"},
      {"run", "run -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS -I 5"},
      {"encode", "encode -t athlon --perf -e RETIRED_UOPS"},
      {"explain", "explain -t itanium2 --trace " + itanium2 + " -e LOADS_RETIRED:t=1" + filters},
      {"explain", "explain -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS"},
      {"report",
       "report -t itanium2 --by instruction --period 1000 --trace " + itanium2 + " -e LOADS_RETIRED" + filters},
      {"report", "report -t athlon --trace access.txt"},
      {"annotate", "annotate -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS --period 2 --symbols access.nm"},
      {"record", "record -t itanium2 --period 1000 --trace " + itanium2 +
                     " -e CPU_CYCLES --btb tm=all --ear unit=data --ear unit=instruction,mode=tlb"},
      {"run", "run -t montecito --registers --trace reads.txt --trace " + itanium2 +
                  " -e IA64_INST_RETIRED --path --etb tm=taken"},
      {"record", "record -t montecito --period 1000 -e IA64_INST_RETIRED --ipear delay=4 --trace " + itanium2},
      {"record", "record -t montecito --period 1000 -e ETB_EVENT --etb tm=taken --path --trace " + itanium2},
      {"record", "record -t ppc750gx --period 20000 -e PROCESSOR_CYCLES --trace '" + recorded("ppc-units") + "'"},
      {"validate", "validate -t athlon --only RETIRED_U --trace " + athlon},
      {"validate", "validate -t ppc750gx --quick"},
      {"trace info", "trace info " + athlon},
      {"trace stats", "trace stats " + itanium2},
      {"trace dump", "trace dump --range 0:50 " + athlon},
      {"trace dump", "trace dump --disasm --range 0:50 " + itanium2}};
  const std::string rule_for_registers = "`space`, `number`, `name`, `value`";
  for (const Printed& printed : all) {
    const Outcome outcome = pmusim(printed.arguments + " --format json");
    ASSERT_EQ(outcome.code, 0) << printed.arguments << "\n" << outcome.err;
    std::set<std::string> keys;
    for (const std::string& line : lines_of(outcome.out)) collect(nlohmann::json::parse(line), keys);
    EXPECT_FALSE(keys.empty()) << printed.arguments;
    std::string text = rule_for_registers + section(printed.section);
    if (const std::string of = printed.section; of == "run" || of == "explain" || of == "report")
      text += section("encode") + section("record");
    if (std::string(printed.section) == "annotate") text += section("report");
    for (const std::string& key : keys) {
      if (key.starts_with("pmd")) continue;  // the section describes registers by a rule, not by name
      EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key << " of " << printed.arguments;
    }
  }
}

}  // namespace
}  // namespace pmusim::cli_test
