// Invalid programs: each ends with a one-line error message that states the address and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "address_space.h"
#include "assembled.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using trace::ia64::SimulationError;
using trace::ia64::SimulationOptions;

std::string refusal(const std::vector<std::uint8_t>& program) {
  try {
    (void)trace::ia64::simulate(program, "program");
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("program: ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  return "runs";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Robustness = testbench::WithBinutils;

constexpr const char* leave =
    "alloc r2 = ar.pfs, 0, 0, 1, 0\n;;\nmov r32 = r0\nmov r15 = 1025\n;;\nbreak.m 0x100000\n;;\n";

TEST_F(Robustness, BadFiles) {
  const auto good = testbench::assemble_text(std::string(".text\n.global _start\n_start:\n") + leave);
  EXPECT_EQ(refusal(good), "runs");
  EXPECT_TRUE(contains(refusal({}), "not an ELF program"));
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    auto bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_TRUE(contains(changed(0, 0), "not an ELF program"));
  EXPECT_TRUE(contains(changed(4, 1), "64-bit little-endian"));
  EXPECT_TRUE(contains(changed(5, 2), "64-bit little-endian"));
  EXPECT_TRUE(contains(changed(18, 62), "machine 62; expected machine 50"));
  EXPECT_TRUE(contains(changed(16, 3), "type 3"));
  EXPECT_TRUE(contains(changed(64, 3), "dynamically linked"));
  EXPECT_TRUE(contains(changed(24, good[24] + 1), "entry is not aligned"));
  EXPECT_TRUE(contains(changed(31, 0x20), "no executable code there"));
  EXPECT_TRUE(contains(changed(64 + 45, 0x80), "more than 1 GiB"));
  for (const std::size_t size : {std::size_t{20}, std::size_t{63}, std::size_t{100}, good.size() / 8}) {
    EXPECT_TRUE(contains(refusal({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}), "cut off")) << size;
  }
}

/// A program header that describes .bss alone, as ld writes it: no bytes in the file, and an offset at the end of the
/// file or beyond.
TEST_F(Robustness, ASegmentOfZerosNeedsNoPlaceInTheFile) {
  auto program =
      testbench::assemble_text(std::string(".bss\n.align 16\nzeros:\n.skip 65536\n.text\n.global _start\n_start:\n"
                                           "movl r14 = zeros + 65528\n;;\nst8 [r14] = r12\nld8 r15 = [r14]\n;;\n") +
                               leave);
  EXPECT_EQ(refusal(program), "runs");
  const auto number = [&](std::size_t at, unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = size; i-- > 0;) value = value << 8 | program.at(at + i);
    return value;
  };
  bool found = false;
  for (std::size_t header = 64; header < 64 + 56 * number(56, 2); header += 56) {
    if (number(header, 4) != 1 || number(header + 32, 8) != 0) continue;
    found = true;
    for (const std::uint64_t offset : {std::uint64_t{program.size()}, program.size() + 1, ~std::uint64_t{0}}) {
      for (unsigned i = 0; i < 8; ++i) program[header + 8 + i] = static_cast<std::uint8_t>(offset >> 8 * i);
      EXPECT_EQ(refusal(program), "runs") << offset;
    }
  }
  EXPECT_TRUE(found) << "the linker gives .bss a segment of its own";
}

TEST_F(Robustness, FaultsNameBundleAndSlot) {
  const auto expect = [](const std::string& body, const std::string& part) {
    const std::string said = testbench::error_of(body + "\n;;\n" + leave);
    EXPECT_TRUE(contains(said, part)) << said << "\nright: " << part;
    EXPECT_TRUE(contains(said, "program: bundle 40000000000000")) << said;
    EXPECT_TRUE(contains(said, ", slot ")) << said;
  };
  expect("{ .mmi\nnop.m 0\nld8 r8 = [r0]\nnop.i 0\n}", "slot 1, ld8: loads 8 bytes at 0, which is not mapped");
  expect("st4 [r0] = r0", "stores 4 bytes at 0, which is not mapped");
  expect("movl r14 = _start\n;;\nst4 [r14] = r0", "which is not writable");
  expect("movl r14 = odd\n;;\nfetchadd4.acq r8 = [r14], 1", "is not aligned to 4 bytes");
  expect("movl r14 = odd\nsum 8\n;;\nld8 r8 = [r14]", "is not aligned to 8 bytes");
  expect("ld8.s r14 = [r0]\n;;\nst8 [r12] = r14", "consumes the NaT in r14");
  expect("ld8.s r14 = [r0]\n;;\nld8 r15 = [r14]", "consumes the NaT in r14");
  expect("mov r40 = 1", "r40 is outside the register frame of 0 registers");
  expect("mov r14 = cr.ivr", "not in the supported set");
  expect("break.m 7", "break 0x7; expected a system call is break 0x100000");
  expect("mov r15 = 1060\n;;\nbreak.m 0x100000", "system call 1060; supported: exit (1025)");
  expect("mov ar.fpsr = r0\n;;\nfrcpa.s0 f6, p6 = f1, f0", "a floating-point exception that ar.fpsr does not mask");
  expect("movl r14 = _start\n;;\nsum 2\n;;\nld16 r8 = [r14]", "big-endian");
  expect("mov r14 = 16\n;;\nmov ar.rsc = r14", "big-endian");
  expect("bsw.0", "not in the supported set");
  expect(
      "alloc r2 = ar.pfs, 0, 16, 0, 16\n;;\nmov ar.lc = 5\n;;\nbr.ctop.sptk 1f\n;;\n1: alloc r2 = ar.pfs, 0, 16, 0, 8",
      "expected clrrrb");
}

TEST_F(Robustness, ReservedEncodings) {
  auto program = testbench::assemble_text(
      std::string(".text\n.global _start\n_start:\n{ .mmi\nnop.m 0\nnop.m 0x12345\nnop.i 0\n}\n;;\n") + leave, "-x");
  // the bundle with the marked no-op
  const auto marked = testbench::bundle_of(0x09, {0x8000000, 0x8000000 | 0x12345ULL << 6, 0x8000000});
  const auto found = std::search(program.begin(), program.end(), marked.begin(), marked.end());
  ASSERT_NE(found, program.end());
  const auto with = [&](const testbench::BundleBytes& bytes) {
    auto changed = program;
    std::copy(bytes.begin(), bytes.end(), changed.begin() + (found - program.begin()));
    return refusal(changed);
  };
  EXPECT_TRUE(contains(with(testbench::bundle_of(0x06, {0, 0, 0})), "template 06 is reserved"));
  // major opcode 3 of the M unit
  EXPECT_TRUE(contains(with(testbench::bundle_of(0x08, {0x8000000, std::uint64_t{3} << 37, 0x8000000})),
                       "slot 1: reserved encoding"));
}

TEST_F(Robustness, EndlessLoopsAreCutOff) {
  SimulationOptions options;
  options.most_slots = 10000;
  const std::string said = testbench::error_of("1: br.cond.sptk 1b\n;;\n", options);
  EXPECT_TRUE(contains(said, "slots are executed and the program goes on")) << said;
}

}  // namespace

// The ELF loader against readelf: the same entry point, segments, access rights and bytes, for random ELF files and for
// assembled programs.
namespace pmusim {
namespace {

using trace::ia64::Memory;

/// The description that readelf prints of a file.
struct Listing {
  std::uint64_t entry = 0;
  std::vector<fuzz::Segment> loaded;
};

/// The listings of all files in the folder, in order.
std::vector<Listing> read_elf(const std::filesystem::path& folder) {
  std::FILE* const pipe =
      ::popen(fmt::format("cd {} && LC_ALL=C readelf -hlW *.elf 2>&1", as_word(folder)).c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t n; pipe != nullptr && (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  EXPECT_EQ(::pclose(pipe), 0) << text;
  std::vector<Listing> listings;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "ELF") listings.emplace_back();
    if (first == "Entry" && line.find("Entry point address:") != line.npos)
      listings.back().entry = std::stoull(line.substr(line.find("0x")), nullptr, 16);
    if (first != "LOAD") continue;
    std::string offset, address, physical, in_file, in_memory, flags, flag;
    words >> offset >> address >> physical >> in_file >> in_memory;
    while (words >> flag && flag.size() == 1) flags += flag;
    if (!flag.starts_with("0x")) flags += flag;  // the flags "RWE" are printed as separate words
    const auto has = [&](char letter) { return flags.find(letter) != flags.npos; };
    listings.back().loaded.push_back({1, (has('R') ? 4u : 0u) | (has('W') ? 2u : 0u) | (has('E') ? 1u : 0u),
                                      std::stoull(offset, nullptr, 16), std::stoull(address, nullptr, 16),
                                      std::stoull(in_file, nullptr, 16), std::stoull(in_memory, nullptr, 16)});
  }
  return listings;
}

void expect_loaded(const std::vector<std::uint8_t>& file, const Listing& listing) {
  Memory memory;
  const trace::ia64::Program program = trace::ia64::load_elf(file, "drawn", memory);
  EXPECT_EQ(program.entry, listing.entry);
  std::size_t code = 0;
  for (const fuzz::Segment& segment : listing.loaded) {
    if (segment.in_memory == 0) continue;
    EXPECT_TRUE(memory.is_mapped(segment.address, segment.in_memory));
    EXPECT_EQ(memory.is_writable(segment.address, segment.in_memory), (segment.flags & 2) != 0);
    std::vector<std::uint8_t> bytes(segment.in_memory), expected(segment.in_memory);
    EXPECT_TRUE(memory.read(segment.address, bytes.data(), 1));
    for (std::uint64_t at = 0; at < segment.in_memory; ++at) (void)memory.read(segment.address + at, &bytes[at], 1);
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(segment.offset), segment.in_file, expected.begin());
    EXPECT_EQ(bytes, expected) << fmt::format("segment at {:#x}", segment.address);
    if ((segment.flags & 1) == 0) continue;
    ASSERT_LT(code, program.code.size());
    EXPECT_EQ(program.code[code].begin, (segment.address + 15) / 16 * 16);
    EXPECT_EQ(program.code[code].end, (segment.address + segment.in_memory) / 16 * 16);
    EXPECT_EQ(program.code[code].writable, (segment.flags & 2) != 0);
    ++code;
  }
  EXPECT_EQ(code, program.code.size());
}

/// A legal file: one to six segments in separate pages, the first one executable, file contents in any order.
std::vector<std::uint8_t> drawn_file(unsigned number) {
  std::mt19937_64 random(number);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  std::vector<fuzz::Segment> segments(1 + below(6));
  const std::uint64_t begin = fuzz::elf_header_size + segments.size() * fuzz::program_header_size;
  std::string content(below(3000), '\0');
  for (char& byte : content) byte = static_cast<char>(random());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    fuzz::Segment& segment = segments[i];
    segment.type = i == 0 || below(4) != 0 ? 1 : std::array{0u, 4u, 6u, 0x6474e551u}[below(4)];
    segment.flags = static_cast<std::uint32_t>(i == 0 ? below(8) | 1 : below(8));
    segment.offset = begin + below(content.size() + 1);
    segment.in_file = below(begin + content.size() - segment.offset + 1);
    segment.in_memory = segment.in_file + (below(2) != 0 ? below(9000) : 0);
    // Regions, and pages in them, with enough distance from each other.
    segment.address = below(8) << 61 | (i + 1) << 40 | below(1 << 20) << 8 | below(2) * below(256);
    if (i == 0 && segment.in_memory == 0) segment.in_memory = 16;
  }
  const std::string file = fuzz::elf_file(random(), segments, content);
  return {file.begin(), file.end()};
}

TEST(ElfAgainstReadelf, DrawnFilesAndPrograms) {
  if (!have_tools({"readelf", "ia64-linux-gnu-as", "ia64-linux-gnu-ld"})) GTEST_SKIP() << "needs binutils";
  const testbench::Scratch scratch;
  std::vector<std::vector<std::uint8_t>> files;
  for (unsigned i = 0; i < cases(300); ++i) files.push_back(drawn_file(first_case() + i));
  const std::filesystem::path programs = PMUSIM_SOURCE_DIR "/isa-traces/programs/ia64";
  files.push_back(testbench::assemble({programs / "crt0.s", programs / "pipelined.s"}));
  for (std::size_t i = 0; i < files.size(); ++i)
    std::ofstream(scratch / fmt::format("{:08}.elf", i), std::ios::binary)
        .write(reinterpret_cast<const char*>(files[i].data()), static_cast<std::streamsize>(files[i].size()));
  const std::vector<Listing> listings = read_elf(scratch.path());
  ASSERT_EQ(listings.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    SCOPED_TRACE(fmt::format("file {}", first_case() + i));
    expect_loaded(files[i], listings[i]);
  }
}

// Pages of 16 KiB: the first two are mapped twice, once writable; then a gap of one page.
TEST(AddressSpace, KnowsWhatIsMapped) {
  constexpr std::uint64_t page = Memory::page_size;
  Memory memory;
  memory.map(page, 2 * page, false);
  memory.map(2 * page, 2 * page, true);
  memory.map(5 * page, std::uint64_t{1} << 30, true);
  EXPECT_TRUE(memory.is_mapped(page, 3 * page));
  EXPECT_FALSE(memory.is_mapped(page - 1, 2));
  EXPECT_FALSE(memory.is_mapped(page, 3 * page + 1)) << "the gap";
  EXPECT_FALSE(memory.is_mapped(page, 6 * page)) << "over the gap";
  EXPECT_TRUE(memory.is_writable(2 * page, 2 * page));
  EXPECT_FALSE(memory.is_writable(2 * page - 1, 2));
  EXPECT_TRUE(memory.is_writable(5 * page, std::uint64_t{1} << 30));
  EXPECT_FALSE(memory.is_writable(5 * page, (std::uint64_t{1} << 30) + 1));
  EXPECT_TRUE(memory.is_mapped(0, 0));
  EXPECT_FALSE(memory.is_mapped(~std::uint64_t{0}, 2)) << "past the last address";
}

}  // namespace
}  // namespace pmusim
