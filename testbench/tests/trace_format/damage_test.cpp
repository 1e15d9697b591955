// Every cut and every changed bit of a binary trace must be reported with its position, and undamaged parts kept.
#include <gmock/gmock.h>

#include "testbench/fuzz/pmt_file.h"
#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<Record>& records() {
  static const std::vector<Record> list = records_of_text(
      "! isa ia64\n"
      "4000 00112233445566778899aabbccddeeff xpx L0 6000 8 S2 6008 4 T2 8000\n"
      "8000 000102030405060708090a0b0c0d0e0f x-- T0 4000\n"
      "4000 00112233445566778899aabbccddeeff xxx L0 6010 8 S2 6018 4 lat=3 rd=PMD4\n"
      "! interrupt\n"
      "9000 000102030405060708090a0b0c0d0e0f xxx\n"
      "! psr up=1\n"
      "9010 000102030405060708090a0b0c0d0e0e xxx wr=PMC4:0x10\n");
  return list;
}

std::string sample() {
  PmtOptions options;
  options.chunk_instructions = 2;
  return pmt_of(records(), Isa::ia64, options, "sample");
}

bool is_prefix(const std::vector<Record>& part) {
  return part.size() <= records().size() && std::equal(part.begin(), part.end(), records().begin());
}

/// Reads everything; returns the message of the error, or of the damage when salvaging.
std::string defect_of(const std::string& file, bool salvage, std::vector<Record>& got) {
  std::string damage;
  ReadOptions options;
  options.salvage = salvage;
  options.on_damage = [&](const std::string& what) { damage = what; };
  const std::string error = error_of([&] {
    const auto reader = open_memory(file, "f.pmt", options);
    for (Item item; reader->next(item);) got.emplace_back(item);
  });
  return error + damage;
}

TEST(Damage, CutAtEveryByte) {
  const std::string file = sample();
  std::size_t most = 0;
  for (std::size_t size = 1; size < file.size(); ++size) {
    std::vector<Record> got, salvaged;
    EXPECT_THAT(defect_of(file.substr(0, size), false, got), StartsWith("f.pmt: byte " + std::to_string(size) + ": "));
    EXPECT_THAT(defect_of(file.substr(0, size), true, salvaged), HasSubstr("was cut"));
    EXPECT_TRUE(is_prefix(salvaged)) << size;
    EXPECT_GE(salvaged.size(), most) << size;  // with more bytes never fewer items
    most = salvaged.size();
  }
  EXPECT_EQ(most, records().size());  // only the index is missing
}

TEST(Damage, EveryFlippedBitIsReportedOrHarmless) {
  const std::string file = sample();
  std::size_t harmless = 0;
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    std::vector<Record> got, salvaged;
    const std::string defect = defect_of(damaged, false, got);
    if (defect.empty()) {
      ++harmless;
      EXPECT_EQ(got, records()) << "bit " << bit;
    } else {
      EXPECT_THAT(defect, AllOf(StartsWith("f.pmt"), ::testing::Not(HasSubstr("\n"))));
      if (bit / 8 >= 4) {  // otherwise it is not a .pmt file
        EXPECT_THAT(defect, StartsWith("f.pmt: byte "));
      }
    }
    defect_of(damaged, true, salvaged);
    EXPECT_TRUE(is_prefix(salvaged)) << "bit " << bit;
  }
  EXPECT_LT(harmless, file.size() / 8);  // unused bits of a zstd frame
}

TEST(Damage, MessagesNameChunkAndReason) {
  const std::string file = sample();
  std::vector<Record> got;
  const auto changed = [&](std::size_t at, const std::string& bytes) {
    std::string copy = file;
    copy.replace(at, bytes.size(), bytes);
    return defect_of(copy, false, got);
  };
  EXPECT_THAT(changed(8, "\x07"), HasSubstr("byte 8: format version 7 is not known; this program reads version 1"));
  EXPECT_THAT(changed(4, "\n"), HasSubstr("byte 0: not a .pmt file"));
  EXPECT_THAT(changed(20, "\x09"), HasSubstr("header: checksum"));
  const std::size_t second = file.find("CHNK", file.find("CHNK") + 1);
  const std::string place = "f.pmt: byte " + std::to_string(second) + ": ";
  EXPECT_THAT(changed(second, "XXXX"), StartsWith(place + "neither chunk 1 nor the index"));
  EXPECT_THAT(changed(second + 16, "\x77"), StartsWith(place + "chunk 1: checksum"));
  EXPECT_THAT(changed(second + 7, "\x7f"), StartsWith(place + "chunk 1: its header claims"));
  EXPECT_THAT(changed(second + 4, std::string(1, static_cast<char>(file[second + 4] + 1))),
              StartsWith(place + "chunk 1: unpacks to"));
  EXPECT_THAT(changed(second + 28, "XXXX"), StartsWith(place + "chunk 1: cannot be unpacked"));
  EXPECT_THAT(changed(file.find("INDX") + 4, "\x09"), HasSubstr("the index does not agree with the 3 chunks"));
  EXPECT_THAT(defect_of(file + "x", false, got), HasSubstr("bytes after the end"));
}

TEST(Damage, ExpectedIsaIsChecked) {
  ReadOptions options;
  options.isa = Isa::ppc;
  EXPECT_THAT(error_of([&] { (void)open_memory(sample(), "f.pmt", options); }),
              HasSubstr("the trace is ia64 where it was expected to be ppc"));
}

// --- payloads that no writer produces, in files with right checksums ----------------------------------------

using pmusim::fuzz::pmt_file;
constexpr char alpha = 0, ppc = 1, i386 = 2, ia64 = 3;

std::string defect_of_payload(char isa, std::uint32_t instructions, std::uint64_t first_pc,
                              const std::string& payload) {
  std::vector<Record> got;
  return defect_of(pmt_file(isa, instructions, first_pc, payload, instructions), false, got);
}

#define BYTES(text) std::string(text, sizeof(text) - 1)

TEST(Malformed, HandMadeFileIsRead) {
  EXPECT_EQ(defect_of_payload(i386, 2, 0x10, BYTES("\x01\x01\x90\x01\x01\x90")), "");
  EXPECT_EQ(defect_of_payload(ppc, 0, 0, BYTES("\x01\x06return\x00")), "");
}

TEST(Malformed, IndexThatIsSoundInItselfButWrong) {
  const std::string payload = BYTES("\x01\x01\x90");
  std::vector<Record> got;
  EXPECT_EQ(defect_of(pmt_file(i386, 1, 0x10, payload, 1), false, got), "");
  EXPECT_THAT(defect_of(pmt_file(i386, 1, 0x10, payload, 1, 1), false, got),
              HasSubstr("index does not agree with the 1 chunks"));
  EXPECT_THAT(defect_of(pmt_file(i386, 1, 0x10, payload, 2), false, got),
              HasSubstr("the index counts 2 instructions, the header 2, the chunks hold 1"));
}

TEST(Malformed, DistancesAreKeptWhenTheListGrows) {
  // jmp to itself; two loads of 4, 8 apart; then three entries, all predicted: 0x100 further, 8 apart, 0 apart.
  const std::string payload =
      BYTES("\x1f\x02\xeb\xfe\x20\x02\x08\x08\x80\x04\x10") + BYTES("\x12\x03\x08\x08\x08") + BYTES("\x01\x01\x90");
  std::vector<Record> got;
  EXPECT_EQ(defect_of(pmt_file(i386, 3, 0x10, payload, 3), false, got), "");
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0].accesses, (std::vector<Access>{{0x100, 4, false, 0}, {0x108, 4, false, 0}}));
  EXPECT_EQ(got[1].accesses, (std::vector<Access>{{0x200, 4, false, 0}, {0x208, 4, false, 0}, {0x208, 4, false, 0}}));
}

// The instructions before an error are read, and the error again at every further call.
TEST(Malformed, AnErrorWithinALoopComesInItsPlace) {
  // nop; jmp back to it; both again as predicted; nop; jmp with a target, but not taken
  const std::string file =
      pmt_file(i386, 6, 0x10, BYTES("\x01\x01\x90\x07\x02\xeb\xfd\x20") + BYTES("\x00\x02\x00\x04\x02"), 6);
  for (const bool salvage : {false, true}) {
    std::vector<Record> got;
    EXPECT_THAT(defect_of(file, salvage, got), HasSubstr("payload byte 12: a target without a taken branch"));
    EXPECT_EQ(got.size(), 5u);
  }
  const auto reader = open_memory(file, "f.pmt");
  Item item;
  for (unsigned i = 0; i < 5; ++i) EXPECT_TRUE(reader->next(item));
  EXPECT_THROW((void)reader->next(item), TraceError);
  EXPECT_THROW((void)reader->next(item), TraceError);
}

TEST(Malformed, EachIsRefused) {
  struct Row {
    char isa;
    std::uint32_t instructions;
    std::uint64_t pc;
    std::string payload;
    const char* message;
  };
  const std::string bundle = "\x10" + std::string(16, '\1');
  const Row rows[] = {
      {i386, 2, 0x10, BYTES("\x01\x01\x90"), "payload byte 3: the payload ends too early"},
      {i386, 1, 0x10, BYTES("\x01\x09\x90"), "a text is longer than the payload"},
      {i386, 1, 0x10, BYTES("\x01\x00"), "0 instruction bytes; one i386 instruction has 1 to 15"},
      {ppc, 1, 0x10, BYTES("\x01\x01\x90"), "one ppc instruction has 4"},
      {ppc, 1, 0x12, BYTES("\x01\x04\1\2\3\4"), "multiple of 4"},
      {alpha, 1, 0x10, BYTES("\x02"), "the instruction at 10 has no bytes"},
      {i386, 1, 0x10, BYTES("\x80"), "the instruction at 10 has no bytes"},
      {i386, 2, 0x10, BYTES("\x01\x01\x90\x81"), "a run goes on after the last instruction"},
      {i386, 1, 0x10, BYTES("\x21\x08\x01\x90"), "unknown flags 08"},
      {i386, 1, 0x10, BYTES("\x21\x01\x00\x01\x90"), "a list of directives is empty"},
      {i386, 1, 0x10, BYTES("\x01\x01\x90\x00"), "bytes after the last instruction"},
      {i386, 1, 0x10, BYTES("\x01\x01\x90\x01\x03xyz\x00"), "unknown directive"},
      {i386, 2, 0x10, BYTES("\x01\x01\x90\x21\x02\x40\x01\x90"), "'31': discontinuity"},
      {i386, 1, 0x10, BYTES("\x05\x01\x90"), "a target without a taken branch"},
      {i386, 1, 0x10, BYTES("\x41\x01\x90\x2a"), "a slot mask outside ia64"},
      {i386, 1, 0x10, BYTES("\x09\x01\x90\x02"), "addresses of an instruction without accesses"},
      {i386, 1, 0x10, BYTES("\x11\x01\x90\x81\x20"), "4097 accesses"},
      {i386, 1, 0x10, BYTES("\x11\x01\x90\x01\x00"), "'0': size of an access"},
      {i386, 1, 0x10, BYTES("\x11\x01\x90\x01\x80\x80\x08"), "an access of more than 65535 bytes"},
      {i386, 1, 0x10, BYTES("\x11\x01\x90\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), "more than ten bytes"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x16X\x00"), "unknown key 22"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x15\x01\x00"), "trap= is a key of alpha only"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x0bX\x00"), "unknown key 11"},
      {i386, 1, 0x10, BYTES("\x21\x04\x00\x01\x90"), "a list of keys is empty"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x00\x05X\x00"), "a text is longer"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x02\x04"), "unknown outcome 4"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x07\x00"), "unknown outcome 0"},
      {i386, 1, 0x10, BYTES("\x21\x04\x02\x04\x01\x04\x02\x01\x90"), "a key is given twice"},
      {i386, 1, 0x10, BYTES("\x21\x04\x02\x03\x01\x03\x02\x01\x90"), "a key is given twice"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x03\x00\x01\x90"), "lat=0"},
      {i386, 1, 0x10, BYTES("\x21\x04\x01\x00\x01/\x01\x90"), "not the name of a register"},
      {i386, 2, 0x10, BYTES("\x07\x02\xf3\xa5\x20\x02"), "an iteration of rep"},
      {i386, 2, 0x10, BYTES("\x17\x02\xf3\xa5\x60\x01\x08\x02"), "no target but itself"},
      {ia64, 1, 0x10, BYTES("\x41") + bundle + BYTES("\x40"), "three of x"},
      {ia64, 1, 0x10, BYTES("\x41") + bundle + BYTES("\x00"), "not all -"},
      {ia64, 1, 0x10, BYTES("\x41") + bundle + BYTES("\x03"), "three of x"},
      {ia64, 1, 0x10, BYTES("\x11") + bundle + BYTES("\x01\x46"), "an access in slot 3"},
      {ia64, 1, 0x10, BYTES("\x51") + bundle + BYTES("\x02\x01\x42"), "an access in slot 1"},
      {i386, 1, 0x10, BYTES("\x07\x01\x90\x20"), "'T 10': nop is no branch"},
      {i386, 2, 0x10, BYTES("\x01\x02\xeb\x10\x01\x01\x90"),
       "the line before, jmp at 10, is a branch without a condition"},
      // only the branch is new: its legal outcomes were not checked when the instruction was first read
      {i386, 4, 0x10, BYTES("\x01\x02\xf3\xa5\x07\x01\xc3\x20\x02\x01\x01\x90"), "no target but itself"},
      {ia64, 4, 0x10, BYTES("\x41") + bundle + BYTES("\x1a\x07") + bundle + BYTES("\x20\x02\x01") + bundle,
       "ends its bundle"},
      {ia64, 2, 0x10, BYTES("\x43") + bundle + BYTES("\x1a"), "ends its bundle"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(defect_of_payload(row.isa, row.instructions, row.pc, row.payload),
                AllOf(StartsWith("f.pmt: byte "), HasSubstr(row.message)))
        << ::testing::PrintToString(row.payload);
  }
}

}  // namespace
}  // namespace pmusim::trace::test
