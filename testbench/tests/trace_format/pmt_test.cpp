// The binary format must preserve its input: layout, chunks, ids, constant memory, safe writing.
#include <gmock/gmock.h>
#include <zstd.h>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::HasSubstr;

std::uint64_t little(const std::string& bytes, std::size_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// A walk through `distinct` 4-byte instructions in a ring, each with a load that advances by 16.
std::vector<Record> ring(std::size_t instructions, std::size_t distinct) {
  std::vector<Record> records(instructions);
  for (std::size_t i = 0; i < instructions; ++i) {
    Record& r = records[i];
    const std::size_t place = i % distinct;
    r.code.pc = 0x1000 + 4 * place;
    r.code.length = 4;
    r.code.bytes = {0x41, 0x82, static_cast<std::uint8_t>(place), 0xe4};  // a conditional branch: bc, and beq of alpha
    r.accesses = {{0x80000 + 0x1000 * place + 16 * (i / distinct), 4, false, 0}};
    r.taken = place + 1 == distinct && i + 1 < instructions;
    if (r.taken) r.target = 0x1000;
  }
  return records;
}

TEST(Pmt, LayoutByteForByte) {
  const std::string text =
      "! isa i386\n"
      "10 f3a5 L 100 4 T 10\n"  // new code, taken, new target, new list, new address
      "10 f3a5 L 104 4 T 10\n"  // stride 4 is new
      "10 f3a5 L 108 4 T 10\n"  // only taken
      "10 f3a5\n"               // list differs
      "! cpl 3\n"
      "12 90 lat=5\n"  // rare: directive and annotation
      "13 90\n";
  const std::string file = pmt_of(records_of_text(text), Isa::i386, {}, "p");
  EXPECT_EQ(file.substr(0, 8), "\x89PMT\r\n\x1a\n");
  EXPECT_EQ(little(file, 8, 4), 1u);
  EXPECT_EQ(little(file, 12, 1), 2u);  // i386
  EXPECT_EQ(little(file, 13, 1), 1u);  // has `! isa`
  EXPECT_EQ(little(file, 14, 2), 1u);  // length of "p"
  EXPECT_EQ(little(file, 16, 4), 262144u);
  EXPECT_EQ(little(file, 20, 8), 6u);  // instructions
  EXPECT_EQ(file[28], 'p');
  const std::size_t chunk = 29 + 4;  // after the CRC
  EXPECT_EQ(file.substr(chunk, 4), "CHNK");
  const std::uint64_t raw = little(file, chunk + 4, 4), packed = little(file, chunk + 8, 4);
  EXPECT_EQ(little(file, chunk + 12, 4), 6u);
  EXPECT_EQ(little(file, chunk + 16, 8), 0x10u);
  std::string payload(raw, '\0');
  ASSERT_EQ(ZSTD_decompress(payload.data(), raw, &file[chunk + 28], packed), raw);
  const std::string expected =
      std::string("\x1f\x02\xf3\xa5\x20\x01\x08\x80\x04", 9) +  // 1+2+4+8+16; target +0x10; 1 load of 4; stride +0x100
      std::string("\x0a\xf7\x03", 3) +                          // 2+8; stride 0x100 -> 4: -252 = zigzag 503
      std::string("\x02", 1) +                                  // predicted
      std::string("\x10\x00", 2) +                              // 16; no access
      std::string(
          "\x21\x05\x01\x03"
          "cpl"
          "\x01\x00\x01"
          "3",
          11) +                                 // 1+32; both; 1 directive: "cpl" ("", "3")
      std::string("\x01\x03\x05\x01\x90", 5) +  // one key: 3 = lat, 5; then 1 byte: 90
      std::string("\x01\x01\x90", 3);
  EXPECT_EQ(payload, expected);
  const std::size_t index = chunk + 28 + packed;
  EXPECT_EQ(file.substr(index, 4), "INDX");
  EXPECT_EQ(little(file, index + 4, 8), 1u);
  EXPECT_EQ(little(file, index + 12, 8), chunk);
  EXPECT_EQ(little(file, index + 20, 8), 0u);
  EXPECT_EQ(little(file, index + 28, 8), 6u);
  EXPECT_EQ(little(file, index + 40, 8), index);
  EXPECT_EQ(file.substr(index + 48), "PMTEND\r\n");
}

TEST(Pmt, RunsOfPredictedInstructionsCostOneByteFor128) {
  // Nops in a loop would need a branch at short distances, so a long straight line runs twice: in the second pass all
  // instructions are predicted, except the first one after the jump back.
  constexpr std::size_t line = 1280;  // 10 runs of 128
  std::vector<Record> records(2 * line);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].code.pc = 0x1000 + i % line;
    records[i].code.length = 1;
    records[i].code.bytes[0] = i % line == line - 1 ? 0xc3 : 0x90;  // ret
  }
  records[line - 1].taken = true;
  records[line - 1].target = 0x1000;
  const std::string file = pmt_of(records, Isa::i386, {}, "");
  const std::size_t chunk = 28 + 4;
  // First pass: (control, length, byte) each, and the target +0x1000 (2 bytes) once; second: runs of 128.
  EXPECT_EQ(little(file, chunk + 4, 4), 3 * line + 2 + (line + 127) / 128);
  EXPECT_EQ(read_all(*open_memory(file, "t")), records);
}

TEST(Pmt, InfoComesFromTheHeader) {
  PmtOptions options;
  options.isa_line = false;
  const auto reader = open_memory(pmt_of(ring(10, 3), Isa::alpha, options, "sieve"), "t");
  EXPECT_EQ(reader->info().isa, Isa::alpha);
  EXPECT_EQ(reader->info().program, "sieve");
  EXPECT_EQ(reader->info().instructions, 10u);
  EXPECT_EQ(reader->info().version, 1u);
  EXPECT_FALSE(reader->info().isa_line);
  EXPECT_EQ(reader->info().chunks, 0u);
  read_all(*reader);
  EXPECT_EQ(reader->info().chunks, 1u);
}

TEST(Pmt, ChunkBoundaries) {
  for (const std::uint32_t chunk : {1u, 2u, 3u, 7u, 8u}) {
    for (const std::size_t length : {0u, 1u, 6u, 7u, 8u, 14u, 15u}) {
      PmtOptions options;
      options.chunk_instructions = chunk;
      const auto records = ring(length, 3);
      const auto reader = open_memory(pmt_of(records, Isa::ppc, options), "t");
      EXPECT_EQ(read_all(*reader), records) << chunk << " " << length;
      EXPECT_EQ(reader->info().chunks, (length + chunk - 1) / chunk);
    }
  }
}

TEST(Pmt, ManyDirectivesBeforeOneInstructionSplitTheChunk) {
  std::vector<Record> records;
  Record directive;
  directive.is_directive = true;
  directive.directive.name = "pin";
  directive.directive.operands = {{"", std::string(60000, 'P')}, {"level", "1"}};
  for (unsigned i = 0; i < 300; ++i) records.push_back(directive);  // 18 MB
  records.push_back(ring(1, 1)[0]);
  const auto reader = open_memory(pmt_of(records, Isa::ppc), "t");
  EXPECT_EQ(read_all(*reader), records);
  EXPECT_GT(reader->info().chunks, 2u);
}

TEST(Pmt, IdsLastOverChunksAndFindGivesTheLatest) {
  PmtOptions options;
  options.chunk_instructions = 2;
  const auto records = records_of_text("! isa i386\n10 c3 T 10\n10 cf T 10\n10 c3 T 10\n10 cf T 10\n10 c3\n");
  const auto reader = open_memory(pmt_of(records, Isa::i386, options), "t");
  std::vector<std::uint32_t> ids;
  for (Item item; reader->next(item);) {
    ids.push_back(item.instruction.code->id);
    EXPECT_EQ(reader->find(0x10), item.instruction.code);
  }
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
  EXPECT_EQ(reader->code_count(), 2u);
}

TEST(Pmt, SameInputSameBytes) {
  PmtOptions options;
  options.chunk_instructions = 100;
  EXPECT_EQ(pmt_of(ring(1000, 7), Isa::ppc, options), pmt_of(ring(1000, 7), Isa::ppc, options));
}

TEST(Pmt, MostAccesses) {
  std::vector<Record> records = ring(1, 1);
  records[0].accesses.assign(4096, {8, 8, true, 0});
  EXPECT_EQ(read_all(*open_memory(pmt_of(records, Isa::ppc), "t")), records);
  records[0].accesses.push_back({8, 8, true, 0});
  EXPECT_THAT(error_of([&] { pmt_of(records, Isa::ppc); }), HasSubstr("4097 accesses; at most 4096"));
}

TEST(Pmt, NoNameUntilClosed) {
  const TemporaryFolder folder;
  make_file(folder / "t.pmt", "old");
  {
    const auto writer = create_pmt(folder / "t.pmt", Isa::ppc, "");
    writer->write(ring(1, 1)[0].item());
    EXPECT_EQ(content_of(folder / "t.pmt"), "old");
    EXPECT_EQ(folder.files(), 1u);
  }
  EXPECT_EQ(content_of(folder / "t.pmt"), "old");
  EXPECT_EQ(folder.files(), 1u);
  const auto writer = create_pmt(folder / "t.pmt", Isa::ppc, "");
  writer->close();
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_TRUE(read_all(*open(folder / "t.pmt")).empty());
  EXPECT_THAT(error_of([&] { writer->write(ring(1, 1)[0].item()); }), HasSubstr("after close()"));
}

TEST(Pmt, WriterRefuses) {
  const TemporaryFolder folder;
  const auto path = folder / "t.pmt";
  PmtOptions options;
  options.level = 0;
  EXPECT_THAT(error_of([&] { (void)create_pmt(path, Isa::ppc, "", options); }),
              HasSubstr("zstd level 0; must be 1 to"));
  options = {};
  options.chunk_instructions = 0;
  EXPECT_THAT(error_of([&] { (void)create_pmt(path, Isa::ppc, "", options); }), HasSubstr("chunks of 0"));
  EXPECT_THAT(error_of([&] { (void)create_pmt(path, Isa::ppc, std::string(65536, 'x')); }), HasSubstr("65535 bytes"));
  EXPECT_THAT(error_of([&] { (void)create_pmt(folder / "no/t.pmt", Isa::ppc, ""); }), HasSubstr("cannot be made"));
  EXPECT_THAT(error_of([&] { (void)create_pmt("/dev/null", Isa::ppc, ""); }), HasSubstr("no regular file"));
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Pmt, MemoryStaysFlat) {
  // Ten times the instructions with the same dictionary: the reader must keep using the same two buffers. Spans that
  // point into its tables show whether these are reallocated: few distinct addresses, however long the trace is.
  const TemporaryFolder folder;
  PmtOptions options;
  options.chunk_instructions = 10000;
  options.level = 1;
  {
    const auto writer = create_pmt(folder / "t.pmt", Isa::ppc, "", options);
    const auto records = ring(3 * 1000, 1000);
    for (unsigned pass = 0; pass < 1000; ++pass) {
      for (std::size_t i = 0; i < 1000; ++i) {
        Record record = records[i];
        record.taken = i == 999 && pass != 999;
        record.target = record.taken ? 0x1000 : 0;
        writer->write(record.item());
      }
    }
    writer->close();
  }
  const auto reader = open(folder / "t.pmt");
  std::uint64_t instructions = 0, loads = 0;
  const Access* lowest = nullptr;
  const Access* highest = nullptr;
  for (Item item; reader->next(item); ++instructions) {
    loads += item.instruction.accesses.size();
    if (instructions < 10000) continue;  // the tables grow during the first chunk
    const Access* at = item.instruction.accesses.data();
    lowest = lowest == nullptr ? at : std::min(lowest, at);
    highest = std::max(highest, at);
  }
  EXPECT_EQ(instructions, 1000u * 1000u);
  EXPECT_EQ(loads, 1000u * 1000u);
  EXPECT_EQ(reader->code_count(), 1000u);
  EXPECT_LT(highest - lowest, 1000);
}

}  // namespace
}  // namespace pmusim::trace::test
