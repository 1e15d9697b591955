#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "testbench/tests/list_models/athlon_lists.h"
#include "testbench/tests/list_models/pieces.h"

namespace pmusim::testbench::athlon_lists {

namespace {

constexpr std::uint64_t line_bytes = 64, stack = 0x7ff00;

class Generator final : public list_models::PieceWriter {
 public:
  explicit Generator(const RandomProgram& program) : PieceWriter(program.seed), program_(program) {
    for (unsigned page = 0; page < program.code_pages; ++page) {
      // The last line of each page, and some others.
      for (const std::uint64_t line : {std::uint64_t{63}, below(63), below(63), below(63)}) {
        const std::uint64_t address = code_base + page * page_bytes + line * line_bytes + below(3) * 8;
        if (pieces_.empty() || pieces_.back() + line_bytes < address || address + line_bytes < pieces_.back())
          pieces_.push_back(address);
      }
    }
    for (unsigned i = 0; i < pieces_.size(); ++i) ends_.push_back(static_cast<unsigned>(below(4)));
    for (unsigned i = 0; i < pieces_.size(); ++i) jumps_.push_back(any_piece());
    begin();
  }

 private:
  std::uint64_t data_line() {
    return data_base + below(program_.data_pages) * page_bytes + below(6) * 512 + below(3) * 64;
  }

  // Directives that act before everything: activity does not show when they act.
  void begin() {
    if (program_.aliases) {
      for (unsigned page = 1; page < program_.data_pages; page += 2)
        say(fmt::format("map addr={:x} to={:x}", data_base + page * page_bytes, data_base + (page - 1) * page_bytes));
    }
    if (!program_.answers) return;
    const char* const kinds[] = {"shared", "owned", "cancelled"};
    for (unsigned i = 0; i < 12; ++i) say(fmt::format("bus kind={} addr={:x}", kinds[i % 3], data_line()));
    for (unsigned i = 0; i < 10; ++i) say(fmt::format("state addr={:x} line={}", data_line(), "MOESI"[i % 5]));
  }

  void outside() override {
    if (program_.processes && one_in(15)) say(fmt::format("process {}", ++process_));
    if (!program_.snoops || !one_in(6)) return;
    const char* const kinds[] = {"read", "invalidate"};
    const bool at_rest = !one_in(3);
    std::uint64_t address = data_line();
    if (at_rest) {
      say(fmt::format("idle cycles={}", one_in(2) ? 1 + below(30) : 1000));
      if (one_in(4)) address = any_piece();
    }
    say(fmt::format("snoop kind={} addr={:x}", kinds[below(2)], address));
  }

  std::string access(char kind) {
    // Beside code: two bytes at the end of its line, which no piece reaches.
    if (one_in(12)) return fmt::format("{} {:x} 2", kind, any_piece() / line_bytes * line_bytes + 60);
    std::uint64_t address = data_line() + below(16) * 4;
    if (one_in(6)) address += 1 + below(3);
    if (one_in(20)) address = (address / page_bytes + 1) * page_bytes - 2;
    return fmt::format("{} {:x} 4", kind, address);
  }

  // A piece executes loads, stores or prefetches, as fixed for its place, a conditional jump, and one of four ends.
  std::uint64_t piece(std::uint64_t pc) override {
    const auto number = static_cast<unsigned>(number_of(pc));
    for (unsigned i = 0; i < 2; ++i) {
      switch ((number * 3 + i) % 5) {
        case 0:
        case 1:
          line(pc, "8b03", access('L'));
          pc += 2;
          break;
        case 2:
        case 3:
          line(pc, "8903", access('S'));
          pc += 2;
          break;
        default:
          line(pc, "0f0d03", fmt::format("L {:x} 1", data_line()));
          pc += 3;
          break;
      }
    }
    line(pc, "0f0d0b", fmt::format("L {:x} 1", data_line()));  // PREFETCHW
    pc += 3;
    const bool taken = below(4) < number % 4;
    line(pc, "7402", taken ? fmt::format("T {:x}", pc + 4) : "");
    if (!taken) line(pc + 2, "01c0");
    pc += 4;
    switch (ends_[number]) {
      case 0:
        return go(pc, "ffe3", any_piece());
      case 1:
        called(pc + 2, jumps_[number]);
        return go(pc, "ffd3", any_piece(), fmt::format("S {:x} 4 ", stack - 4 * depth()));
      case 2: {
        const std::uint64_t target = returned();
        return go(pc, "c3", target, fmt::format("L {:x} 4 ", stack - 4 * (depth() + 1)));
      }
      default:
        return jump(pc, jumps_[number]);
    }
  }

  std::uint64_t jump(std::uint64_t pc, std::uint64_t target) override {
    const auto distance = static_cast<std::uint32_t>(target - (pc + 5));
    std::string bytes = "e9";
    for (unsigned i = 0; i < 4; ++i) bytes += fmt::format("{:02x}", distance >> 8 * i & 0xff);
    return go(pc, bytes, target);
  }

  const RandomProgram& program_;
  std::vector<unsigned> ends_;
  unsigned process_ = 0;
};

}  // namespace

std::string text_of(const RandomProgram& program) { return Generator(program).write(program.pieces, "90"); }

}  // namespace pmusim::testbench::athlon_lists
