#include <fmt/format.h>

#include <array>
#include <vector>

#include "testbench/tests/core_alpha/words.h"
#include "testbench/tests/list_models/alpha_lists.h"

namespace pmusim::testbench::alpha::lists {
namespace {

constexpr std::uint64_t code = 0x10000, data = 0x80000;
constexpr std::uint32_t memory_barrier = 0x60004000, write_barrier = 0x60004400;

class Generator {
 public:
  explicit Generator(const Mixture& m) : mixture_(m), draw_(m.seed) {}
  std::string text() {
    for (unsigned i = 0; i < mixture_.instructions; ++i) {
      if (mixture_.command_in != 0 && draw_.below(mixture_.command_in) == 0) command();
      instruction();
    }
    return text_;
  }

 private:
  std::uint64_t place() { return code + draw_.below(mixture_.code_bytes / 4) * 4; }
  std::uint64_t address() {
    // Half of the accesses meet in one part of the data, where blocks are used again before they are replaced.
    const std::uint64_t bytes = draw_.below(2) == 0 ? mixture_.data_bytes / 16 : mixture_.data_bytes;
    return data + draw_.below(bytes / 8) * 8;
  }
  void command() {
    constexpr std::array kinds = {"read", "flush", "invalidate", "set_shared", "probe", "other"};
    text_ += fmt::format("! snoop kind={} addr={:x}\n", kinds[draw_.below(kinds.size())], address());
  }
  void line(const std::string& word, const std::string& rest = "") {
    text_ += fmt::format("{:x} {}{}\n", pc_, word, rest);
    pc_ += 4;
  }
  void go(const std::string& word, std::uint64_t target) {
    line(word, fmt::format(" T {:x}", target));
    pc_ = target;
  }

  void instruction() {
    // What stands at an address depends on the address alone.
    Draw fixed(pc_ * 31 + mixture_.seed);
    const std::uint64_t kind = fixed.below(100), back = pc_ + 4;
    const auto a = static_cast<unsigned>(fixed.below(8)), b = static_cast<unsigned>(fixed.below(8));
    const std::uint64_t target = code + fixed.below(mixture_.code_bytes / 4) * 4;
    const int distance = (static_cast<int>(target) - static_cast<int>(back)) / 4;
    const unsigned condition = fixed.below(2) == 0 ? 0x39 : 0x3d;
    const bool taken = draw_.below(8) < fixed.below(9);
    const auto jump = [&](unsigned type) {
      return memory(0x1a, 26, 27, static_cast<int>(type << 14 | (static_cast<unsigned>(distance) & 0x3fff)));
    };
    if (back == code + mixture_.code_bytes) return go(branch(0x30, 31, distance), target);
    if (kind < 30) return line(ldq(a, 9), fmt::format(" L {:x} 8", address()));
    if (kind < 48) return line(stq(a, 9), fmt::format(" S {:x} 8", address()));
    if (kind < 60) return taken ? go(branch(condition, a, distance), target) : line(branch(condition, a, distance));
    if (kind < 61) return go(branch(0x30, 31, distance), target);
    if (kind < 63) return call(branch(0x34, 26, distance), target, back);
    if (kind < 64) return go(jump(0), draw_.below(2) == 0 ? target : place());
    if (kind < 65) return call(jump(1), draw_.below(2) == 0 ? target : place(), back);
    if (kind < 68) return go(jump(2), returns());
    if (kind < 69) {
      const std::uint64_t to = returns();
      return call(jump(3), to, back);
    }
    if (kind < 70) return line(word(fixed.below(2) == 0 ? memory_barrier : write_barrier));
    line(kind < 75 ? mulq(a, b, a) : kind < 78 ? cmov(a, b, a) : addq(a, b, a));
  }
  void call(const std::string& word, std::uint64_t target, std::uint64_t back) {
    calls_.push_back(back);
    go(word, target);
  }
  /// Where a return goes: to its call, mostly.
  std::uint64_t returns() {
    if (calls_.empty() || draw_.below(8) == 0) return place();
    const std::uint64_t back = calls_.back();
    calls_.pop_back();
    return back;
  }

  Mixture mixture_;
  Draw draw_;
  std::uint64_t pc_ = code;
  std::vector<std::uint64_t> calls_;
  std::string text_;
};

}  // namespace

std::string random_program(const Mixture& mixture) { return Generator(mixture).text(); }

}  // namespace pmusim::testbench::alpha::lists
