// The decoder against binutils: encodings from every row of the opcode tables with random other bits, and random
// encodings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "assembled.h"
#include "opcodes.h"
#include "pmusim/trace/ia64.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using namespace pmusim::trace::ia64;
using testbench::bundle_of;
using testbench::BundleBytes;

constexpr std::uint64_t slot_mask = (std::uint64_t{1} << 41) - 1;

/// A template and slot number for an encoding of this unit. The other slots hold no-ops.
struct Place {
  unsigned template_number, slot;
  std::array<std::uint64_t, 3> others;
};
Place place_of(Unit unit) {
  constexpr std::uint64_t nop_m = 0x8000000, nop_b = 0x4000000000;
  switch (unit) {
    case Unit::M:
      return {0x10, 0, {0, nop_m, nop_b}};  // MIB
    case Unit::I:
      return {0x10, 1, {nop_m, 0, nop_b}};
    case Unit::F:
      return {0x1c, 1, {nop_m, 0, nop_b}};  // MFB
    case Unit::B:
      return {0x10, 2, {nop_m, nop_m, 0}};
    default:
      return {0x04, 2, {nop_m, 0, 0}};  // MLX
  }
}

struct Candidate {
  Unit unit;
  std::uint64_t encoding;
  const Row* row;  // null for random encodings
};

BundleBytes bytes_of(const Candidate& c) {
  Place place = place_of(c.unit);
  place.others[place.slot] = c.encoding;
  return bundle_of(place.template_number, place.others);
}

/// Registers that binutils prints to the left or right of `=`, without constants; [rN] counts as read on both sides.
std::set<std::string> printed_registers(const std::string& operands, bool target) {
  std::set<std::string> result;
  static const std::regex word(R"((\[?)\b([rfpb])([0-9]+)\b|(\[?)\b(gp|sp|tp|rp|pr)\b)");
  const std::size_t equals = operands.find('=');
  for (std::sregex_iterator i(operands.begin(), operands.end(), word), end; i != end; ++i) {
    const bool left = equals != operands.npos && static_cast<std::size_t>(i->position()) < equals;
    const bool address = (*i)[1].length() != 0;
    if ((left && !address) != target || (*i)[2].length() == 0) continue;
    result.insert((*i)[2].str() + (*i)[3].str());
  }
  for (const char* constant : {"r0", "f0", "f1", "p0"}) result.erase(constant);
  return result;
}

std::set<std::string> names_of(const std::vector<Register>& registers) {
  constexpr const char* prefixes[] = {"r", "f", "p", "b", "ar", "cr"};
  std::set<std::string> result;
  for (const Register& r : registers) {
    result.insert(fmt::format("{}{}", prefixes[static_cast<unsigned>(r.file)], r.number));
  }
  return result;
}

class DecoderObjdump : public testbench::WithBinutils {
 protected:
  std::mt19937_64 random{20260701};
};

/// The properties that a core uses, derived from the mnemonic alone.
std::string class_of_word(const std::string& word) {
  const auto begins = [&](const char* start) { return word.starts_with(start); };
  if (begins("nop")) return "nop";
  if (begins("brp")) return "brp";
  if (begins("br.ret")) return "ret";
  if (begins("br.call") || begins("brl.call")) return "call";
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
  if (begins("cmpxchg") || begins("cmp8xchg16") || begins("xchg") || begins("fetchadd")) return "semaphore";
  if (begins("chk.a")) return "chk.a";
  if (begins("chk.s")) return "chk.s";
  if (begins("alloc")) return "alloc";
  return "other";
}

std::string class_of(const Slot& slot) {
  static const std::map<Kind, std::string> names{{Kind::nop, "nop"},
                                                 {Kind::branch_predict, "brp"},
                                                 {Kind::load, "load"},
                                                 {Kind::fp_load, "fp load"},
                                                 {Kind::fp_load_pair, "load pair"},
                                                 {Kind::store, "store"},
                                                 {Kind::fp_store, "fp store"},
                                                 {Kind::prefetch, "prefetch"},
                                                 {Kind::semaphore, "semaphore"},
                                                 {Kind::check_advanced, "chk.a"},
                                                 {Kind::check_speculation, "chk.s"},
                                                 {Kind::alloc, "alloc"},
                                                 {Kind::break_, "break"}};
  constexpr const char* branches[] = {"",     "br",   "wexit", "wtop", "cloop", "cexit",
                                      "ctop", "call", "ret",   "br",   "call",  "br"};
  if (slot.kind == Kind::branch) return branches[static_cast<unsigned>(slot.branch)];
  const auto name = names.find(slot.kind);
  return name == names.end() ? "other" : name->second;
}

/// The difference between binutils' line and the decoder's slot; empty if there is none.
std::string difference(const Candidate& c, const testbench::DisassembledBundle& bundle, const Slot& ours) {
  const testbench::DisassembledSlot& theirs = bundle.slots[place_of(c.unit).slot];
  const std::string shown =
      fmt::format("{:011x}: '{} {}', here '{}': ", c.encoding, theirs.mnemonic, theirs.operands, ours.mnemonic);
  if (ours.kind == Kind::illegal || !testbench::same_mnemonic(theirs, ours.mnemonic)) return shown + "mnemonic";
  if (class_of(ours) != class_of_word(theirs.mnemonic)) return shown + "class " + class_of(ours);
  const std::string predicate = ours.predicate == 0 ? "" : fmt::format("p{:02}", ours.predicate);
  if (theirs.predicate != predicate) return shown + "predicate " + theirs.predicate;
  const auto reads = names_of(ours.reads), writes = names_of(ours.writes);
  for (const std::string& name : printed_registers(theirs.operands, true)) {
    if (!writes.contains(name)) return shown + "does not write " + name;
  }
  for (const std::string& name : printed_registers(theirs.operands, false)) {
    if (!reads.contains(name)) return shown + "does not read " + name;
  }
  if (ours.has_target && theirs.operands.find(fmt::format("{:#x}", ours.target)) == std::string::npos) {
    return shown + fmt::format("target {:#x}", ours.target);
  }
  if (ours.kind == Kind::move_long && theirs.operands.find(fmt::format("{:#x}", ours.immediate)) == std::string::npos) {
    return shown + fmt::format("immediate {:#x}", ours.immediate);
  }
  return {};
}

/// Instructions that processors later than this project's Itanium 2 family added in encodings reserved before.
bool is_later_addition(const testbench::DisassembledSlot& slot) {
  return slot.mnemonic.starts_with("lfetch.count") || slot.mnemonic == "mpy4" || slot.mnemonic == "mpyshl4" ||
         slot.operands.starts_with("dahr") || slot.operands.find("=dahr") != std::string::npos;
}

/// Compares all candidates; returns the rows that binutils recognized.
std::set<const Row*> compare(const std::vector<Candidate>& candidates, unsigned& compared) {
  std::vector<BundleBytes> bundles;
  bundles.reserve(candidates.size());
  for (const Candidate& c : candidates) bundles.push_back(bytes_of(c));
  const auto text = testbench::disassemble(bundles);
  std::set<const Row*> seen;
  std::set<std::string> failures;  // one failure for each mnemonic is enough
  compared = 0;
  for (std::size_t i = 0; i < candidates.size() && failures.size() < 40; ++i) {
    const unsigned slot = place_of(candidates[i].unit).slot;
    const std::string& mnemonic = text[i].slots[slot].mnemonic;
    if (mnemonic == "data8" || is_later_addition(text[i].slots[slot])) continue;
    ++compared;
    seen.insert(candidates[i].row);
    const Slot ours = decode(16 * i, bundles[i]).slots[slot];
    const std::string wrong = difference(candidates[i], text[i], ours);
    if (!wrong.empty() && failures.insert(text[i].slots[slot].mnemonic).second) ADD_FAILURE() << wrong;
  }
  return seen;
}

TEST_F(DecoderObjdump, EveryRowOfTheTables) {
  std::vector<Candidate> candidates;
  for (const Unit unit : {Unit::M, Unit::I, Unit::F, Unit::B, Unit::X}) {
    for (const Row& row : rows_of(unit)) {
      for (unsigned i = 0; i < 24; ++i) {
        // Most often only a few random bits are set: some fields must be zero.
        std::uint64_t noise = random() & slot_mask;
        if (i % 4 >= 1) noise &= (random() & 0x7e000001fff) | 0x3f;
        if (i % 4 == 3) noise &= 0x3f;
        candidates.push_back({unit, (noise & ~row.pattern.mask) | row.pattern.match, &row});
      }
    }
  }
  unsigned compared = 0;
  auto seen = compare(candidates, compared);
  for (const Candidate& c : candidates) {
    EXPECT_TRUE(seen.contains(c.row)) << c.row->mnemonic << ' ' << c.row->operands << ": never accepted by binutils";
    seen.insert(c.row);
  }
}

TEST_F(DecoderObjdump, NothingThatBinutilsKnowsIsMissing) {
  std::vector<Candidate> candidates;
  for (const Unit unit : {Unit::M, Unit::I, Unit::F, Unit::B, Unit::X}) {
    for (unsigned i = 0; i < 3000; ++i) {
      std::uint64_t encoding = random() & slot_mask;
      if (i % 2 == 0) encoding &= 0x1fff8001fff;  // zeros in the middle bits
      candidates.push_back({unit, encoding, nullptr});
    }
  }
  unsigned compared = 0;
  (void)compare(candidates, compared);
  EXPECT_GT(compared, 3000U);
}

TEST_F(DecoderObjdump, UnitsOfEveryTemplate) {
  std::vector<BundleBytes> bundles;
  for (unsigned number = 0; number < 32; ++number)
    bundles.push_back(bundle_of(number, {0x8000000, 0x8000000, 0x8000000}));
  const auto text = testbench::disassemble(bundles);
  for (unsigned number = 0; number < 32; ++number) {
    const Bundle ours = decode(16 * number, bundles[number]);
    std::string units;
    for (const Slot& slot : ours.slots) units += "MIFBLX"[static_cast<unsigned>(slot.unit)];
    if (ours.legal_template) {
      EXPECT_EQ(units, text[number].units) << number;
    } else {
      EXPECT_EQ(text[number].slots[0].mnemonic, "data8") << number;
    }
  }
}

}  // namespace
