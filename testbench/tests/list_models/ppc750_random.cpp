#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "testbench/tests/list_models/pieces.h"
#include "testbench/tests/list_models/ppc750_lists.h"

namespace pmusim::testbench::ppc750_lists {

namespace {

constexpr std::uint64_t block_bytes = 32;
// Programming Environments Manual, appendix A. Addresses are in r4, targets in r5.
constexpr std::uint32_t lwz = 0x80640000, stw = 0x90640000, lfd = 0xc8240000, lmw = 0xbb840000, stmw = 0xbf840000,
                        dcbz = 0x7c0027ec, dcbf = 0x7c0020ac, dcbst = 0x7c00206c, dcbi = 0x7c0023ac, icbi = 0x7c0027ac,
                        dcbt = 0x7c00222c, cmpwi = 0x2c030000, add = 0x7c632214, beq = 0x41820000, blr = 0x4e800020,
                        bctr = 0x4e800420, mtctr = 0x7ca903a6, mtlr = 0x7ca803a6, b = 0x48000000;

class Generator final : public list_models::PieceWriter {
 public:
  explicit Generator(const RandomProgram& program) : PieceWriter(program.seed), program_(program) {
    say("isa ppc");
    for (unsigned page = 0; page < program.code_pages; ++page) {
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint64_t address = code_base + page * page_bytes + (i * 32 + below(30)) * block_bytes + below(8) * 4;
        pieces_.push_back(address);
      }
    }
    for (unsigned i = 0; i < pieces_.size(); ++i) {
      jumps_.push_back(any_piece());
      for (unsigned n = 0; n < 3; ++n) works_.push_back(any_work());
    }
  }

 private:
  std::uint64_t data_block() {
    return data_base + below(program_.data_pages) * page_bytes + below(16) * 128 + below(3) * block_bytes;
  }
  std::uint32_t any_work() {
    static constexpr std::uint32_t plain[] = {lwz, stw, lwz, stw, lfd, lmw, stmw};
    static constexpr std::uint32_t operations[] = {dcbz, dcbf, dcbst, dcbst, dcbi, icbi, dcbt, dcbf};
    if (program_.operations && one_in(3)) return operations[below(std::size(operations))];
    return plain[below(std::size(plain))];
  }

  void outside() override {
    if (!program_.snoops || !one_in(6)) return;
    static constexpr const char* kinds[] = {"read", "rwitm", "clean", "flush", "kill", "write", "write_kill"};
    const std::string kind = kinds[below(std::size(kinds))];
    const char* const how[] = {"", "-now", "-now", "-retried"};
    say(fmt::format("snoop kind={}{} addr={:x}", kind, how[below(4)],
                    one_in(8) ? any_piece() & ~(block_bytes - 1) : data_block()));
  }

  void op(std::uint64_t pc, std::uint32_t word, const std::string& rest = "") {
    line(pc, fmt::format("{:08x}", word), rest);
  }

  std::string access(std::uint32_t word) {
    const std::uint64_t block = data_block();
    if (word == icbi) return fmt::format("L {:x} 4", any_piece());
    if (word == dcbz) return fmt::format("S {:x} 32", block);
    if (word == dcbf || word == dcbst || word == dcbi || word == dcbt)
      return fmt::format("L {:x} 1", block + below(32));
    const char kind = word == stw || word == stmw ? 'S' : 'L';
    if (word == lmw || word == stmw) return fmt::format("{} {:x} 16", kind, block + below(8) * 4);
    std::uint64_t address = block + below(8) * 4;
    if (one_in(6)) address += 1 + below(3);
    if (one_in(20)) address = (address / page_bytes + 1) * page_bytes - 2;
    return fmt::format("{} {:x} {}", kind, address, word == lfd ? 8 : 4);
  }

  std::uint64_t piece(std::uint64_t pc) override {
    const std::size_t number = number_of(pc);
    for (unsigned n = 0; n < 3; ++n, pc += 4) op(pc, works_[3 * number + n], access(works_[3 * number + n]));
    const bool taken = below(4) < number % 4;
    op(pc, cmpwi);
    op(pc + 4, beq | 12, taken ? fmt::format("T {:x}", pc + 16) : "");
    if (!taken) {
      op(pc + 8, add);
      op(pc + 12, add);
    }
    pc += 16;
    switch (number % 4) {
      case 0:
        op(pc, mtctr);
        return branch(pc + 4, bctr, any_piece());
      case 1:
        called(pc + 4, jumps_[number]);
        return branch(pc, offset(pc, jumps_[number]) | 1, jumps_[number]);
      case 2:
        op(pc, mtlr);
        return branch(pc + 4, blr, returned());
      default:
        return jump(pc, jumps_[number]);
    }
  }

  static std::uint32_t offset(std::uint64_t pc, std::uint64_t target) {
    return b | (static_cast<std::uint32_t>(target - pc) & 0x03fffffc);
  }
  std::uint64_t branch(std::uint64_t pc, std::uint32_t word, std::uint64_t target) {
    return go(pc, fmt::format("{:08x}", word), target);
  }
  std::uint64_t jump(std::uint64_t pc, std::uint64_t target) override { return branch(pc, offset(pc, target), target); }

  const RandomProgram& program_;
  std::vector<std::uint32_t> works_;  ///< three of each piece
};

}  // namespace

std::string text_of(const RandomProgram& program) {
  return Generator(program).write(program.pieces, fmt::format("{:08x}", add));
}

}  // namespace pmusim::testbench::ppc750_lists
