// The ALAT of IA-64 cores against a list, advanced load by advanced load. The rules are those of the SDM, volume 1,
// 4.4.5.3: one entry a register; a store takes out the entries that it overlaps, a check with .clr its own; a check
// load with .nc that fails makes one. Which entry gives way to a further one is a choice: the oldest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <list>

#include "testbench/tests/core_itanium2/code.h"
#include "testbench/tests/list_models/ia64_lists.h"
#include "testbench/tests/list_models/ia64_runs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64::lists {
namespace {

constexpr std::uint64_t data = 0x6000000000000000;
constexpr Syllable ld8_c_nc = 0x089c0000000, invala = 0x00080000000, invala_e = 0x00090000000;
constexpr Syllable chk_a_clr = 0x00a00000000;

class AlatList {
 public:
  explicit AlatList(std::size_t places) : places_(places) {}
  /// Returns whether another register's entry gives way.
  bool put(unsigned name, std::uint64_t address, std::uint64_t size) {
    const bool known = remove(name);
    const bool full = !known && entries_.size() == places_;
    if (full) entries_.pop_front();
    entries_.push_back({name, address, address + size});
    return full;
  }
  bool remove(unsigned name) {
    return entries_.remove_if([name](const Entry& e) { return e.name == name; }) != 0;
  }
  void store(std::uint64_t begin, std::uint64_t end) {
    entries_.remove_if([=](const Entry& e) { return e.begin < end && begin < e.end; });
  }
  void clear() { entries_.clear(); }
  [[nodiscard]] bool has(unsigned name) const {
    return std::any_of(entries_.begin(), entries_.end(), [name](const Entry& e) { return e.name == name; });
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Entry& e : entries_) text += fmt::format(" r{}:{:x}", e.name, e.begin);
    return text;
  }

 private:
  struct Entry {
    unsigned name;  ///< of the register; floating-point registers from 128 on
    std::uint64_t begin, end;
  };
  std::list<Entry> entries_;  ///< the oldest first
  std::size_t places_;
};

/// A trace, and for each of its bundles whether an entry gives way.
struct Written {
  Script script;
  std::vector<bool> displaces;
  std::vector<std::string> holds;
};

Written write(unsigned seed, unsigned bundles, std::size_t places) {
  constexpr unsigned fp = 128, line = 128;
  Draw draw(seed);
  AlatList alat(places);
  Written w;
  const auto add = [&](Syllable code, const std::string& accesses, bool displaces) {
    w.script.add(bundle(stop(mmi), code, nop, nop), accesses);
    w.displaces.push_back(displaces);
    w.holds.push_back(alat.text());
  };
  add(alloc(90, 60) | r1(32), "", false);
  for (unsigned i = 1; i < bundles; ++i) {
    const unsigned reg = 40 + static_cast<unsigned>(draw.below(48));
    const std::uint64_t address = data + draw.below(160) * 8;
    const std::string loads = fmt::format("L0 {:x} 8", address);
    const std::uint64_t what = draw.below(100);
    if (what < 50) {
      const bool displaces = alat.put(reg, address, 8);
      add(ld8_a | r1(reg) | r3(9), loads, displaces);
    } else if (what < 60) {
      const bool displaces = alat.put(fp + reg, address, 8);
      add(ldfd_a | r1(reg) | r3(9), loads, displaces);
    } else if (what < 70) {
      const unsigned size = draw.below(2) == 0 ? 1 : 8;
      const std::uint64_t at = address + (size == 1 ? draw.below(8) : 0);
      alat.store(at, at + size);
      add((size == 1 ? st1 : st8) | r2(8) | r3(9), fmt::format("S0 {:x} {}", at, size), false);
    } else if (what < 78) {
      const bool hit = alat.remove(reg);
      add(ld8_c_clr | r1(reg) | r3(9), hit ? "" : loads, false);
    } else if (what < 88) {
      const bool displaces = !alat.has(reg);
      const bool full = displaces && alat.put(reg, address, 8);
      add(ld8_c_nc | r1(reg) | r3(9), displaces ? loads : "", full);
    } else if (what < 94) {
      if (!alat.has(reg)) continue;  // it would branch
      const bool clears = draw.below(2) == 0;
      if (clears) alat.remove(reg);
      add((clears ? displaced(chk_a_clr, 512) : chk_a(0, 512)) | r1(reg), "", false);
    } else if (what < 97) {
      alat.remove(reg);
      add(invala_e | r1(reg), "", false);
    } else if (what < 99) {
      w.script.say("idle cycles=400");
      w.script.say(fmt::format("snoop kind=invalidate addr={:x}", address));
      alat.store(address / line * line, address / line * line + line);
    } else if (draw.below(4) == 0) {
      alat.clear();
      add(invala, "", false);
    }
  }
  return w;
}

void follow(Processor processor, std::size_t places) {
  processor.parameters.set("core.alat_entries", static_cast<std::int64_t>(places));
  for (unsigned seed = 1; seed <= 20; seed += static_cast<unsigned>(sampling)) {
    SCOPED_TRACE(fmt::format("{} entries, seed {}", places, seed));
    const Written w = write(seed, 2000, places);
    trace::ReadOptions options;
    options.isa = trace::Isa::ia64;
    const auto core = processor.make(trace::open_text(w.script.text(), "alat", options), processor.parameters);
    std::vector<bool> displaces(w.displaces.size(), false);
    activity::Block block;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + 20000, block);
      for (const activity::Occurrence& o : block.column(activity::Signal::alat_displace))
        displaces.at(block.instructions.at(o.ref).id / 4) = true;
    }
    std::size_t all = 0;
    for (std::size_t i = 0; i < displaces.size(); ++i) {
      all += w.displaces[i] ? 1 : 0;
      ASSERT_EQ(displaces[i], w.displaces[i]) << "bundle " << i << "; the model holds, oldest first:" << w.holds[i];
    }
    EXPECT_GT(all, 20u);
  }
}

class AlatLists : public testing::TestWithParam<Processor (*)()> {};

// The Itanium 2 has 32 entries.
TEST_P(AlatLists, OfAnySizeLoseTheOldestEntry) {
  for (const std::size_t places : {5u, 16u, 32u}) follow(GetParam()(), places);
}

INSTANTIATE_TEST_SUITE_P(Cores, AlatLists, testing::Values(itanium2, montecito), core_name);

}  // namespace
}  // namespace pmusim::testbench::ia64::lists
