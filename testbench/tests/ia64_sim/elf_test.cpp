// The ELF loader against readelf: the same entry point, segments, access rights and bytes, for random ELF files and for
// assembled programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "assembled.h"
#include "disassembly.h"
#include "program_loader.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/tests/as_word.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/tools.h"

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
