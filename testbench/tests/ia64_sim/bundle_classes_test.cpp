// The decoder's classification of every bundle that the recorded programs execute, compared with binutils' mnemonics.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "disassembly.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using namespace pmusim::trace::ia64;
namespace fs = std::filesystem;

/// The properties that a core uses, derived from the mnemonic alone.
std::string class_of_word(const std::string& word) {
  const auto begins = [&](const char* start) { return word.starts_with(start); };
  if (begins("nop")) return "nop";
  if (begins("brp")) return "brp";
  if (begins("br.ret")) return "ret";
  if (begins("br.call")) return "call";
  for (const char* loop : {"cloop", "ctop", "cexit", "wtop", "wexit"}) {
    if (begins((std::string("br.") + loop).c_str())) return loop;
  }
  if (begins("break")) return "break";
  if (begins("br")) return "br";
  if (begins("ldfp")) return "load pair";
  if (begins("ldf")) return "fp load";
  if (begins("ld")) return "load";
  if (begins("stf")) return "fp store";
  if (begins("st")) return "store";
  if (begins("lfetch")) return "prefetch";
  if (begins("cmpxchg") || begins("xchg") || begins("fetchadd")) return "semaphore";
  if (begins("chk.a")) return "chk.a";
  if (begins("chk.s")) return "chk.s";
  if (begins("alloc")) return "alloc";
  return "other";
}

std::string class_of(const Slot& slot) {
  switch (slot.kind) {
    case Kind::nop:
      return "nop";
    case Kind::branch_predict:
      return "brp";
    case Kind::branch: {
      constexpr const char* names[] = {"",     "br",   "wexit", "wtop", "cloop", "cexit",
                                       "ctop", "call", "ret",   "br",   "call",  "br"};
      return names[static_cast<unsigned>(slot.branch)];
    }
    case Kind::load:
      return "load";
    case Kind::fp_load:
      return "fp load";
    case Kind::fp_load_pair:
      return "load pair";
    case Kind::store:
      return "store";
    case Kind::fp_store:
      return "fp store";
    case Kind::prefetch:
      return "prefetch";
    case Kind::semaphore:
      return "semaphore";
    case Kind::check_advanced:
      return "chk.a";
    case Kind::check_speculation:
      return "chk.s";
    case Kind::alloc:
      return "alloc";
    case Kind::break_:
      return "break";
    default:
      return "other";
  }
}

TEST(ExecutedBundles, HaveTheClassesOfTheirDisassembly) {
  if (!pmusim::have_tools({"ia64-linux-gnu-objdump"})) GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  std::map<testbench::BundleBytes, bool> distinct;
  for (const auto& entry : fs::directory_iterator(fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded")) {
    if (!entry.path().filename().string().starts_with("ia64-")) continue;
    const auto reader = trace::open(entry.path());
    std::vector<bool> seen;
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      const trace::Code& code = *item.instruction.code;
      if (code.id >= seen.size()) seen.resize(code.id + 1U);
      if (!seen[code.id]) distinct[code.bytes] = true;
      seen[code.id] = true;
    }
  }
  std::vector<testbench::BundleBytes> bundles;
  bundles.reserve(distinct.size());
  for (const auto& [bytes, used] : distinct) bundles.push_back(bytes);
  EXPECT_GT(bundles.size(), 500U);
  const auto text = testbench::disassemble(bundles);
  constexpr std::string_view letters = "MIFBLX";
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    const Bundle ours = decode(16 * i, bundles[i]);
    std::string units;
    for (const Slot& slot : ours.slots) units += letters[static_cast<unsigned>(slot.unit)];
    ASSERT_EQ(units, text[i].units);
    for (unsigned s = 0; s < 3; ++s) {
      if (ours.slots[s].kind == Kind::long_immediate) continue;
      ASSERT_EQ(class_of(ours.slots[s]), class_of_word(text[i].slots[s].mnemonic)) << text[i].slots[s].mnemonic;
      ASSERT_TRUE(testbench::same_mnemonic(text[i].slots[s], ours.slots[s].mnemonic))
          << text[i].slots[s].mnemonic << ' ' << ours.slots[s].mnemonic;
    }
  }
}

}  // namespace
