// Code and data at the end of the address space: every target gives the same kind of result as at other addresses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

/// A target, and how its text traces are written.
struct Machine {
  const char* target;
  const char* isa;
  const char* event;   ///< an instruction counts once, a bundle three times
  std::uint64_t last;  ///< last byte of the address space
  unsigned length;     ///< of an instruction, in bytes
  const char* operate;
  const char* load;
  const char* store;
  unsigned each = 1;
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.target; }

constexpr std::uint64_t whole = ~std::uint64_t{0}, half = 0xffffffff;
constexpr const char* nop_bundle = "01000000010000000002000000000400";

/// An MII bundle with ld8 r2 = [r3] or st8 [r3] = r2 in slot 0.
std::string memory_bundle(bool store) {
  const std::uint64_t access = 4ull << 37 | (store ? 0x33ull : 3ull) << 30 | 3 << 20 | 2ull << (store ? 13 : 6);
  const std::uint64_t nop = 1u << 27, low = 1 | access << 5 | nop << 46, high = nop >> 18 | nop << 23;  // MII
  std::string text;
  for (const std::uint64_t part : {low, high})
    for (unsigned byte = 0; byte < 8; ++byte) text += fmt::format("{:02x}", part >> (8 * byte) & 0xff);
  return text;
}

class Addresses : public testing::TestWithParam<Machine> {
 protected:
  static std::uint64_t count(const std::string& text) {
    const Machine& m = GetParam();
    write_file("ends.txt", fmt::format("! isa {}\n{}", m.isa, text));
    const Outcome outcome = pmusim(fmt::format("run -t {} --trace ends.txt -e {} --format json", m.target, m.event));
    EXPECT_EQ(outcome.code, 0) << outcome.err << text;
    return outcome.code != 0 ? 0 : json_of(outcome).at("counts").at(0).at("value").get<std::uint64_t>();
  }
  static std::string mask() { return std::string(GetParam().isa) == "ia64" ? " xxx" : ""; }
  static std::string access(std::uint64_t pc, bool store, std::uint64_t address, unsigned size) {
    const Machine& m = GetParam();
    const bool ia64 = !mask().empty();
    const std::string bytes = ia64 ? memory_bundle(store) : store ? m.store : m.load;
    return fmt::format("{:x} {}{} {}{} {:x} {}\n", pc, bytes, mask(), store ? 'S' : 'L', ia64 ? "0" : "", address,
                       size);
  }
  static std::string operate(std::uint64_t pc) {
    return fmt::format("{:x} {}{}\n", pc, mask().empty() ? GetParam().operate : nop_bundle, mask());
  }
};

TEST_P(Addresses, OfDataUpToTheEnd) {
  const Machine& m = GetParam();
  const unsigned size = m.last == whole ? 8 : 4;
  std::string text;
  std::uint64_t pc = 0x10000;
  // The last word, a word that wraps to address 0, and the last word again.
  for (const std::uint64_t address : {m.last - size + 1, m.last - size / 2 + 1, m.last - size + 1}) {
    for (const bool store : {false, true, false}) {
      text += access(pc, store, address, size);
      pc += m.length;
    }
  }
  for (unsigned i = 0; i < 3; ++i) text += operate(pc + i * m.length);
  EXPECT_GE(count(text), 3u * m.each);
}

TEST_P(Addresses, OfCodeUpToTheEndAndOnFromTheBeginning) {
  const Machine& m = GetParam();
  const std::uint64_t begin = m.last - 2 * m.length + 1;
  const std::string end = operate(begin) + operate(begin + m.length);
  EXPECT_GE(count(end), 2u * m.each);
  EXPECT_GE(count(end + operate(0) + operate(m.length)), 4u * m.each);
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Addresses,
    testing::Values(
        Machine{"athlon", "i386", "RETIRED_INSTRUCTIONS", half, 2, "89c0", "8b00", "8900"},
        Machine{"ppc750gx", "ppc", "INSTRUCTIONS_COMPLETED", half, 4, "38600001", "80640000", "90640000"},
        Machine{"ppc750gl", "ppc", "INSTRUCTIONS_COMPLETED", half, 4, "38600001", "80640000", "90640000"},
        Machine{"alpha-ev4", "alpha", "PF_INTOPS", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev5", "alpha", "PF5_MUX1_INTEGER_OPERATE", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-pca56", "alpha", "PF5_MUX1_INTEGER_OPERATE", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev6", "alpha", "PF6_MUX0_RET_INSTRUCTIONS", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev67", "alpha", "RETINST", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"itanium2", "ia64", "IA64_INST_RETIRED", whole, 16, "", "", "", 3},
        Machine{"montecito", "ia64", "IA64_INST_RETIRED", whole, 16, "", "", "", 3}),
    [](const auto& info) {
      std::string name = info.param.target;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace pmusim::cli_test
