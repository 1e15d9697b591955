// Instructions, loads, stores, branches and taken branches of every recorded trace: reader and classifier compared with
// scripts/count-trace, which uses neither.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/collection.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"
#include "pmusim/trace/writer.h"
#include "pmusim/trace/x86.h"
#include "recorded.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
namespace fs = std::filesystem;

/// Properties of an instruction that are independent of a single execution. It may still load or store nothing:
/// conditional stores, counted strings, segment descriptors, the frame of an interrupt, which no user-level recorder
/// sees, a load to R31 or F31, which the emulator does not regard as one.
struct Nature {
  bool legal, loads, stores, branch, always_taken = false, repeats = false;
};

Nature nature_of(trace::Isa isa, const trace::Code& code) {
  if (isa == trace::Isa::ppc) {
    using enum trace::ppc::Kind;
    const auto kind = trace::ppc::classify(code).kind;
    return {kind != illegal, kind == load || kind == load_multiple || kind == load_string || kind == load_reserve,
            kind == store || kind == store_multiple || kind == store_string || kind == store_conditional,
            kind == branch};
  }
  if (isa == trace::Isa::alpha) {
    const auto op = trace::alpha::classify(code);
    return {op.kind != trace::alpha::Kind::illegal, op.is_load(), op.is_store(),
            op.is_branch() && op.branch != trace::alpha::BranchKind::pal_entry};
  }
  const auto op = trace::x86::classify(code);
  const bool descriptor = op.segment_written >= 0;
  return {op.kind != trace::x86::Kind::illegal,
          op.loads || descriptor,
          op.stores || op.software_interrupt,
          op.branch != trace::x86::BranchKind::none,
          op.software_interrupt && op.mnemonic != "into",
          op.repeats};
}

struct Counts {
  std::uint64_t instructions = 0, loads = 0, stores = 0, branches = 0, taken = 0;
};
/// In the script's output format.
std::string text_of(const Counts& c) {
  return fmt::format("instructions {}\nloads {}\nstores {}\nbranches {}\ntaken {}\n", c.instructions, c.loads, c.stores,
                     c.branches, c.taken);
}

/// Counts slots of bundles; the trace records which were reached and which accessed memory.
void count_slots(trace::Reader& reader, Counts& sum) {
  std::vector<std::optional<trace::ia64::Bundle>> bundles;
  for (trace::Item item; reader.next(item);) {
    if (item.directive != nullptr) continue;
    const auto& line = item.instruction;
    if (line.code->id >= bundles.size()) bundles.resize(line.code->id + 1U);
    auto& bundle = bundles[line.code->id];
    if (!bundle) bundle = trace::ia64::decode(*line.code);
    for (unsigned i = 0; i < 3; ++i) {
      const auto& slot = bundle->slots[i];
      if (line.mask[i] == '-') continue;
      EXPECT_NE(slot.kind, trace::ia64::Kind::illegal) << fmt::format("at {:x}", line.code->pc);
      bool loaded = false, stored = false;
      for (const auto& access : line.accesses) {
        if (access.slot == i) (access.store ? stored : loaded) = true;
      }
      ++sum.instructions;
      sum.loads += slot.is_load() && loaded;
      sum.stores += slot.is_store() && stored;
      sum.branches += slot.is_branch();
      sum.taken += slot.is_branch() && line.taken && trace::taken_slot(line.mask) == i;
    }
  }
}

/// `recorded`: only what the classifier names has accesses; block instructions of the PowerPC have an address as well.
void count(trace::Reader& reader, Counts& sum, bool recorded) {
  const trace::Isa isa = reader.info().isa;
  if (isa == trace::Isa::ia64) return count_slots(reader, sum);
  std::vector<std::optional<Nature>> natures;
  bool loaded = false, stored = false;  // by the previous iterations of a repeated string instruction
  for (trace::Item item; reader.next(item);) {
    if (item.directive != nullptr) continue;
    const auto& instruction = item.instruction;
    const trace::Code& code = *instruction.code;
    if (code.id >= natures.size()) natures.resize(code.id + 1U);
    if (!natures[code.id]) natures[code.id] = nature_of(isa, code);
    const Nature& nature = *natures[code.id];
    for (const auto& access : instruction.accesses) (access.store ? stored : loaded) = true;
    const bool explained =
        !recorded || isa == trace::Isa::ppc || ((nature.loads || !loaded) && (nature.stores || !stored));
    if (!nature.legal || !explained) ADD_FAILURE() << fmt::format("at {:x}", code.pc);
    if (nature.repeats && instruction.taken) continue;
    ++sum.instructions;
    sum.loads += nature.loads && loaded;
    sum.stores += nature.stores && stored;
    sum.branches += nature.branch;
    sum.taken += nature.branch && (instruction.taken || nature.always_taken);
    loaded = stored = false;
  }
}

std::string tool_of(trace::Isa isa) {
  return isa == trace::Isa::ppc     ? "powerpc-linux-gnu-objdump"
         : isa == trace::Isa::ia64  ? "ia64-linux-gnu-objdump"
         : isa == trace::Isa::alpha ? "alpha-linux-gnu-objdump"
                                    : "i686-linux-gnu-objdump";
}

void expect_script_counts(trace::Isa isa, const fs::path& text, const Counts& ours) {
  const auto script = testbench::run(fmt::format(
      "python3 {} --isa {} {}", as_word(PMUSIM_SOURCE_DIR "/scripts/count-trace"), trace::name_of(isa), as_word(text)));
  ASSERT_EQ(script.status, 0) << script.text;
  EXPECT_EQ(text_of(ours), script.text);
}

class Facts : public ::testing::TestWithParam<fs::path> {};

TEST_P(Facts, EqualACountWithoutOurCode) {
  const auto isa = trace::open(GetParam())->info().isa;
  if (!pmusim::have_tools({"python3", tool_of(isa)})) {
    GTEST_SKIP() << "needs python3 and the cross binutils";
  }
  const testbench::Scratch scratch;
  const fs::path text = scratch.path() / "trace.txt";
  {
    const auto reader = trace::open(GetParam());
    const auto writer = trace::create_text(text, isa);
    trace::copy(*reader, *writer);
    writer->close();
  }
  Counts ours;
  count(*trace::open(GetParam()), ours, true);
  expect_script_counts(isa, text, ours);
}

/// The part of a line that scripts/count-trace reads: without the keys of an instruction.
std::string without_keys(const std::string& line) {
  std::istringstream words(line);
  std::string kept;
  for (std::string word; words >> word;) {
    if (word.find('=') == std::string::npos) kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

/// All micro-traces of a target, concatenated. Those of the Alphas contain PALcode's own instructions, whose
/// accesses objdump does not know.
class HandWritten : public ::testing::TestWithParam<const char*> {};

TEST_P(HandWritten, EqualACountWithoutOurCode) {
  const testbench::Scratch scratch;
  const fs::path text = scratch.path() / "trace.txt";
  std::ofstream all(text);
  Counts ours;
  trace::Isa isa{};
  for (const fs::path& file :
       trace::members(fmt::format("{}/isa-traces/micro/{}.pmt", PMUSIM_SOURCE_DIR, GetParam()))) {
    count(*trace::open(file), ours, false);
    const auto reader = trace::open(file);
    isa = reader->info().isa;
    std::string line;
    for (trace::Item item; reader->next(item); line.clear()) {
      if (item.directive != nullptr) continue;
      trace::append_line(line, isa, item.instruction);
      all << without_keys(line) << '\n';
    }
  }
  all.close();
  if (!pmusim::have_tools({"python3", tool_of(isa)})) GTEST_SKIP() << "needs python3 and the cross binutils";
  expect_script_counts(isa, text, ours);
}
INSTANTIATE_TEST_SUITE_P(Targets, HandWritten, ::testing::Values("ppc750gx", "athlon", "itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

std::string test_name(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Recorded, Facts, ::testing::ValuesIn(testbench::recorded_traces()), test_name);

}  // namespace
