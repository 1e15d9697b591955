// Replay changes nothing: the blocks are the same, record for record, as those of a core that steps through every
// cycle, for recorded and random programs, wherever the run is cut, stopped and interrupted.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <tuple>

#include "testbench/tests/sampling.h"
#include "trace_log.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;
using activity::Block;

bool same(const activity::InstructionRecord& a, const activity::InstructionRecord& b) {
  const auto all = [](const activity::InstructionRecord& r) {
    return std::tuple(r.id, r.ip, r.next_ip, r.encoding, r.tagged, r.traits, r.length, r.operations, r.unit, r.thread,
                      r.wrong_path, r.predicted_taken, r.taken, r.mispredicted, r.conditional_success);
  };
  return all(a) == all(b);
}

bool same(const activity::RequestRecord& a, const activity::RequestRecord& b) {
  const auto all = [](const activity::RequestRecord& r) {
    return std::tuple(std::tuple(r.id, r.address, r.instruction, r.ip, r.start, r.end, r.size, r.has_instruction),
                      std::tuple(r.store, r.oldest_in_queue, r.crosses_word, r.crosses_octet, r.multiple_or_string,
                                 r.wrong_path, r.cpl, r.mode, r.fill_lag));
  };
  return all(a) == all(b);
}

bool same(const activity::Occurrence& a, const activity::Occurrence& b) {
  return std::tuple(a.at, a.ref, a.amount, a.detail) == std::tuple(b.at, b.ref, b.amount, b.detail);
}

bool same(const activity::Change& a, const activity::Change& b) { return a.at == b.at && a.value == b.value; }

bool same(const activity::RegisterAccess& a, const activity::RegisterAccess& b) {
  return std::tuple(a.at, a.write, a.value, a.ref, a.name) == std::tuple(b.at, b.write, b.value, b.ref, b.name);
}

template <class Entry>
bool same(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Entry& x, const Entry& y) { return same(x, y); });
}

/// Describes the first difference; empty if there is none.
std::string difference(const Block& a, const Block& b) {
  if (a.begin != b.begin || a.end != b.end)
    return fmt::format("cycles {} to {}, {} to {}", a.begin, a.end, b.begin, b.end);
  const std::string where = fmt::format(" of the block from cycle {}", a.begin);
  for (std::size_t i = 0; i < activity::signal_count; ++i) {
    if (!same(a.columns[i], b.columns[i])) return fmt::format("signal {}", i) + where;
  }
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    if (a.states[i].initial != b.states[i].initial || !same(a.states[i].changes, b.states[i].changes)) {
      return fmt::format("state {}", i) + where;
    }
  }
  if (!same(a.instructions, b.instructions)) return "instructions" + where;
  if (!same(a.requests, b.requests)) return "requests" + where;
  return same(a.accesses, b.accesses) ? "" : "register accesses" + where;
}

using Make = std::function<std::unique_ptr<trace::Reader>()>;

struct Drive {
  core::Replays when = core::Replays::where_it_pays;
  activity::Subscription subscription = activity::Subscription::everything();
  std::vector<Cycle> cycles{100'000};  ///< of the blocks, repeated; 0: the block ends with an instruction
  unsigned interrupt_every = 0;        ///< blocks between interrupts; 0: none
};

/// Instructions that were replayed. Without any, the tests would prove nothing.
struct Replayed {
  std::uint64_t instructions = 0, of = 0;
};

/// Runs both cores over the same trace, block by block. Returns the first difference, or an empty text.
std::string compare(const Make& open, const models::Parameters& parameters, const Drive& drive, Replayed& replayed) {
  const auto with = core::make_athlon_replaying(drive.when, open(), parameters);
  const auto without = core::make_athlon_replaying(core::Replays::never, open(), parameters);
  Block a, b;
  bool more = true;
  for (std::size_t i = 0; more; ++i) {
    if (i == 0) {
      with->subscribe(drive.subscription);
      without->subscribe(drive.subscription);
    } else if (drive.interrupt_every != 0 && i % drive.interrupt_every == 0) {
      with->take_interrupt(5);
      without->take_interrupt(5);
    }
    const Cycle cycles = drive.cycles[i % drive.cycles.size()];
    std::string errors[2];
    const auto run = [&](core::Core& core, Block& block, std::string& error) {
      block.restart(core.now());
      try {
        return cycles == 0 ? core.run_instructions(100, block) : core.run(core.now() + cycles, block);
      } catch (const core::CoreError& e) {
        error = e.what();
        return false;
      }
    };
    more = run(*with, a, errors[0]);
    if (run(*without, b, errors[1]) != more) return "one ends before the other";
    if (errors[0] != errors[1]) return fmt::format("one says '{}', the other '{}'", errors[0], errors[1]);
    if (!errors[0].empty()) break;
    const std::string found = difference(a, b);
    if (!found.empty()) return found;
    if (with->now() != without->now() || with->retired() != without->retired() ||
        with->in_handler() != without->in_handler() || with->quiet_until() != without->quiet_until()) {
      return fmt::format("after cycle {}", with->now());
    }
  }
  replayed.instructions += core::replayed_instructions(*with);
  replayed.of += with->retired();
  EXPECT_EQ(core::replayed_instructions(*without), 0u);
  return "";
}

activity::Subscription few() {
  activity::Subscription s{};
  s.add(Signal::retire);
  s.add_named(Signal::dcache_lookup);
  s.add(State::dispatch_hold);
  return s;
}

TEST(Replay, ChangesNothingInRecordedPrograms) {
  std::size_t programs = 0;
  Replayed replayed;
  for (const auto& entry : fs::directory_iterator(fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded")) {
    if (!entry.path().filename().string().starts_with("i386-")) continue;
    if (trace::open(entry.path())->info().instructions > longest_program) continue;
    SCOPED_TRACE(entry.path().string());
    ++programs;
    const Make open = [&] { return trace::open(entry.path()); };
    // The short programs that are left under sanitizers earn no allowance to record anything.
    const auto when = sanitized ? core::Replays::always : core::Replays::where_it_pays;
    EXPECT_EQ(compare(open, core::athlon_parameters(), {.when = when}, replayed), "");
    if (sanitized || entry.file_size() > 40'000) continue;
    EXPECT_EQ(compare(open, core::athlon_parameters(), {core::Replays::always, few(), {777, 0, 3000}, 40}, replayed),
              "");
  }
  EXPECT_GT(programs, 3u);
  EXPECT_GT(replayed.instructions, sanitized ? 10'000u : 100'000u);
}

// movs 400 times from one address to another; then in every third round back to its source address.
TEST(Replay, SeesWhetherAStoreIsToWhatWasLoaded) {
  std::string text = "! isa i386\n0ff0 8903 S 20000 4\n0ff2 eb0c T 1000\n";
  for (unsigned round = 0; round < 800; ++round) {
    const bool same = round >= 400 && round % 3 == 0;
    text +=
        fmt::format("1000 a5 L 20000 4 S {} 4\n1001 75fd{}\n", same ? "20000" : "20100", round < 799 ? " T 1000" : "");
  }
  Replayed replayed;
  Drive drive;
  drive.when = core::Replays::always;
  EXPECT_EQ(compare([&] { return trace::open_text(text, "movs"); }, core::athlon_parameters(), drive, replayed), "");
  EXPECT_GT(replayed.instructions, 100u);
}

// A loop that goes on while an interrupt is pending for 501 cycles. The end of these cycles is not in the pipeline's
// state.
TEST(Replay, DoesNotPassTheEndOfAPin) {
  std::string text = "! isa i386\n";
  for (unsigned round = 0; round < 2000; ++round) {
    if (round == 100) text += "! pin intr level=1 cycles=501\n";
    text += fmt::format("1000 01c0\n1002 75fc{}\n", round < 1999 ? " T 1000" : "");
  }
  Replayed replayed;
  Drive drive;
  drive.when = core::Replays::always;
  EXPECT_EQ(compare([&] { return trace::open_text(text, "pin"); }, core::athlon_parameters(), drive, replayed), "");
  EXPECT_GT(replayed.instructions, 100u);
}

/// A loop whose instructions, operands, branches and disturbances are random.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {
    const unsigned length = 2 + below(24);
    for (unsigned i = 0; i < length; ++i)
      body_.push_back({below(shapes.size()), below(0x3000), strides[below(strides.size())], 1 + below(9)});
    footprint_ = footprints[below(footprints.size())];
    base_ = below(12) == 0 ? 0x1800 : 0x20000;  // some have data next to their code
    disturbed_ = below(3) == 0;
  }

  std::string text() {
    std::string text = "! isa i386\n";
    const unsigned rounds = 100 + below(500);
    for (unsigned round = 0; round < rounds; ++round) {
      std::uint64_t pc = 0x1000;
      if (disturbed_ && round != 0 && below(40) == 0) text += disturbance();
      for (const Part& part : body_) pc = add(text, part, pc, round);
      const bool again = round + 1 < rounds;
      text += fmt::format("{:x} 0f85{}{}\n", pc, "00000000", again ? " T 1000" : "");
      if (!again) text += fmt::format("{:x} 90\n", pc + 6);
    }
    return text;
  }

 private:
  struct Shape {
    const char* bytes;
    unsigned loads, stores;  ///< bytes of the operand, 0: none
  };
  struct Part {
    std::size_t shape;
    unsigned offset, stride, period;
  };
  static constexpr std::array<unsigned, 8> strides{0, 0, 0, 1, 4, 8, 12, 4160};
  static constexpr std::array<unsigned, 4> footprints{0x100, 0x400, 0x1800, 0x9000};
  static constexpr std::array<Shape, 20> shapes{
      {{"01c0", 0, 0},   {"01d8", 0, 0}, {"8b03", 4, 0}, {"8b4604", 4, 0},     {"8903", 0, 4},
       {"894604", 0, 4}, {"0303", 4, 0}, {"0103", 4, 4}, {"d8c1", 0, 0},       {"0fafc3", 0, 0},
       {"f7f3", 0, 0},   {"8a03", 1, 0}, {"8803", 0, 1}, {"50", 0, 4},         {"58", 4, 0},
       {"dd03", 8, 0},   {"dd1b", 0, 8}, {"7402", 0, 0}, {"e802000000", 0, 4}, {"90", 0, 0}}};

  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }

  std::string disturbance() {
    switch (below(6)) {
      case 0:
        return fmt::format("! snoop kind=invalidate addr={:x}\n", below(2) == 0 ? 0x1000u : 0x20000u + below(0x3000));
      case 1:
        return fmt::format("! snoop kind=read addr={:x}\n", 0x20000u + below(0x3000));
      case 2:
        return "! interrupt\n9000 fa\n9001 90\n9002 cf T 1000\n";
      case 3:
        return "! halt cycles=77\n";
      case 4:
        return fmt::format("! memory addr={:x} size=4096 type={}\n", 0x20000u + 0x1000 * below(3),
                           below(2) == 0 ? "wc" : "wb");
      default:
        return "! process 2\n";
    }
  }

  /// Writes the instruction at `pc`; returns the address of the next one.
  std::uint64_t add(std::string& text, const Part& part, std::uint64_t pc, unsigned round) {
    const Shape& shape = shapes[part.shape];
    const std::string bytes = shape.bytes;
    const std::uint64_t next = pc + bytes.size() / 2;
    const unsigned at = base_ + (part.offset + part.stride * round) % footprint_;
    text += fmt::format("{:x} {}", pc, bytes);
    if (shape.loads != 0) text += fmt::format(" L {:x} {}", at, shape.loads);
    if (shape.stores != 0) text += fmt::format(" S {:x} {}", at, shape.stores);
    if (bytes == "e802000000") {  // a call of a return that follows it, with a jump around the return
      text += fmt::format(" T {0:x}\n{0:x} c3 L {1:x} 4 T {2:x}\n{2:x} eb01 T {3:x}\n", next + 2, at, next, next + 3);
      return next + 3;
    }
    if (bytes == "7402") {
      const bool taken = part.offset % 3 == 0 ? below(4) == 0 : round % part.period == 0;
      text += taken ? fmt::format(" T {:x}\n", next + 2) : fmt::format("\n{:x} 01c0\n", next);
      return next + 2;
    }
    if (disturbed_ && shape.loads != 0 && below(200) == 0) text += below(2) == 0 ? " data=l2" : " dtlb=walk";
    if (disturbed_ && below(4000) == 0) text += " rd=PerfCtr0";
    text += "\n";
    return next;
  }

  std::mt19937_64 random_;
  std::vector<Part> body_;
  unsigned footprint_ = 0, base_ = 0;
  bool disturbed_ = false;
};

TEST(Replay, ChangesNothingInRandomPrograms) {
  setenv("RC_PARAMS", sanitized ? "max_success=10" : "max_success=100", 0);
  Replayed replayed;
  EXPECT_TRUE(rc::check("with and without replay", [&] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, ~std::uint64_t{0} >> 1);
    const std::string text = RandomProgram(seed).text();
    const auto choice = *rc::gen::inRange(0, 128);
    models::Parameters parameters = core::athlon_parameters();
    if ((choice & 1) != 0) parameters.set("core.l1d_bytes", 8192);
    if ((choice & 2) != 0) parameters.set("core.replacement", 1);
    if ((choice & 48) != 0) parameters.set("core.forward_match", (choice >> 4 & 3) - 1);
    if ((choice & 64) != 0) parameters.set("core.in_order_memory", 0);
    Drive drive;
    drive.when = core::Replays::always;
    if ((choice & 4) != 0) drive.subscription = few();
    if ((choice & 8) != 0) drive.cycles = {*rc::gen::inRange<Cycle>(1, 3000), *rc::gen::inRange<Cycle>(0, 2), 20'000};
    drive.interrupt_every = *rc::gen::inRange(0u, 8u);
    RC_ASSERT(compare([&] { return trace::open_text(text, "random"); }, parameters, drive, replayed) == std::string());
  }));
  EXPECT_GT(replayed.instructions, replayed.of / 100) << "of " << replayed.of;
}

}  // namespace
}  // namespace pmusim::testbench
