// The text reader's results for legal lines.
#include <zstd.h>

#include <set>

#include "trace_tools.h"

namespace pmusim::trace::test {

namespace {

std::string export_of(const std::string& text) {
  const TemporaryFolder folder;
  const auto reader = open_text(text, "t");
  const auto writer = create_text(folder / "out.txt", reader->info().isa, reader->info().isa_line);
  copy(*reader, *writer);
  writer->close();
  return content_of(folder / "out.txt");
}

TEST(Text, PowerPcLine) {
  const auto records = records_of_text(
      "! isa ppc\n"
      "# a loop\n"
      "100003f0 41820ff0 S 7ffe0 4 T 100\n"
      "100 80010008 L 7ffe8 4 L 7ffec 2 lat=12 data=l2 dtlb=walk fetch=mem itlb=hit mispredict=path rd=PMC1 "
      "wr=MMCR0:80\n");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].code.pc, 0x100003f0u);
  EXPECT_EQ(records[0].code.length, 4);
  EXPECT_EQ(records[0].code.bytes[0], 0x41);
  EXPECT_EQ(records[0].code.bytes[3], 0xf0);
  EXPECT_EQ(records[0].accesses, (std::vector<Access>{{0x7ffe0, 4, true, 0}}));
  EXPECT_TRUE(records[0].taken);
  EXPECT_EQ(records[0].target, 0x100u);
  EXPECT_FALSE(records[0].annotated);
  EXPECT_EQ(records[1].accesses, (std::vector<Access>{{0x7ffe8, 4, false, 0}, {0x7ffec, 2, false, 0}}));
  const Annotations& a = records[1].annotations;
  EXPECT_EQ(a.latency, 12u);
  EXPECT_EQ(a.data, Level::l2);
  EXPECT_EQ(a.dtlb, TlbOutcome::walk);
  EXPECT_EQ(a.fetch, Level::memory);
  EXPECT_EQ(a.itlb, TlbOutcome::hit);
  EXPECT_EQ(a.mispredict, Mispredict::path);
  ASSERT_EQ(a.registers.size(), 2u);
  EXPECT_EQ(a.registers[0].name, "PMC1");
  EXPECT_FALSE(a.registers[0].write);
  EXPECT_EQ(a.registers[1].value, 0x80u);
  EXPECT_TRUE(a.registers[1].write);
}

TEST(Text, Ia64BundleHasMaskAndSlots) {
  const auto records = records_of_text(
      "! isa ia64\n"
      "4000 00112233445566778899aabbccddeeff xpx L0 6000 8 S2 6008 4 T2 8000\n"
      "8000 00112233445566778899aabbccddeeff x--\n");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].mask, (std::array<char, 3>{'x', 'p', 'x'}));
  EXPECT_EQ(records[0].accesses, (std::vector<Access>{{0x6000, 8, false, 0}, {0x6008, 4, true, 2}}));
  EXPECT_EQ(records[0].target, 0x8000u);
  EXPECT_EQ(taken_slot(records[0].mask), 2u);
  EXPECT_EQ(taken_slot({'x', '-', '-'}), 0u);
}

TEST(Text, DirectivesKeepOrderSpellingAndLine) {
  const auto reader = open_text("! isa i386\n\n!  pin   STPCLK cycles=07 level=1\n! cpl 3\n10 90\n", "t");
  Item item;
  ASSERT_TRUE(reader->next(item));
  EXPECT_EQ(item.directive->name, "pin");
  using Operands = decltype(Directive::operands);
  EXPECT_EQ(item.directive->operands, (Operands{{"", "STPCLK"}, {"cycles", "07"}, {"level", "1"}}));
  EXPECT_EQ(item.directive->line, 3u);
  ASSERT_TRUE(reader->next(item));
  EXPECT_EQ(item.directive->line, 4u);
  ASSERT_TRUE(reader->next(item));
  EXPECT_EQ(item.directive, nullptr);
  EXPECT_FALSE(reader->next(item));
  EXPECT_EQ(reader->info().instructions, 1u);
}

TEST(Text, ExportNormalisesWhatTheGrammarLeavesFree) {
  EXPECT_EQ(export_of("! isa i386\r\n\n  \n  0010\t0F1F00  L 00A0 04  \r\n # x\n13 90 lat=007 rd=PerfCtr0"),
            "! isa i386\n10 0f1f00 L a0 4\n13 90 lat=7 rd=PerfCtr0\n");
}

TEST(Text, AnOrderThatIsNotOfTheseKeysIsIgnored) {
  Record r;
  r.code.pc = 0x10;
  r.code.length = 1;
  r.annotated = true;
  r.annotations.registers = {{"A", false, 0, false}, {"B", true, 1, false}};
  r.annotations.latency = 2;
  for (const std::vector<Key>& order :
       {std::vector<Key>{Key::wr, Key::rd, Key::lat}, {Key::lat}, {Key::rd, Key::wr, Key::data}}) {
    r.annotations.order = order;
    std::string line;
    append_line(line, Isa::i386, r.item().instruction);
    EXPECT_EQ(line, "10 00 rd=A wr=B:1 lat=2");
  }
  r.annotations.order = {Key::rd, Key::lat, Key::wr};
  std::string line;
  append_line(line, Isa::i386, r.item().instruction);
  EXPECT_EQ(line, "10 00 rd=A lat=2 wr=B:1");
}

TEST(Text, AddressesWrapAtTheirWidth) {
  EXPECT_EQ(records_of_text("! isa ppc\nfffffffc 60000000\n0 60000000\n").size(), 2u);
  EXPECT_EQ(records_of_text("! isa i386\nffffffff 9090\n1 90\n").size(), 2u);
  EXPECT_EQ(records_of_text("! isa alpha\nfffffffffffffffc 0000fee7\n0 0000fee7\n").size(), 2u);
}

TEST(Text, ChangedCodeGetsANewEntryAndTheOldOneIsFoundAgain) {
  const auto reader = open_text("! isa i386\n10 c3 T 10\n10 cf T 10\n10 c3 T 10\n10 eb00\n", "t");
  Item item;
  std::vector<const Code*> codes;
  while (reader->next(item)) {
    codes.push_back(item.instruction.code);
    EXPECT_EQ(reader->find(0x10), item.instruction.code);
  }
  ASSERT_EQ(codes.size(), 4u);
  EXPECT_EQ(codes[0]->id, 0u);
  EXPECT_EQ(codes[1]->id, 1u);
  EXPECT_EQ(codes[2], codes[0]);
  EXPECT_EQ(codes[3]->id, 2u);
  EXPECT_EQ(codes[3]->length, 2);
  EXPECT_EQ(reader->code_count(), 3u);
  EXPECT_EQ(reader->find(0x11), nullptr);
}

TEST(Text, PackedTextIsToldByItsContent) {
  const TemporaryFolder folder;
  const std::string text = "! isa ppc\n100 60000000\n104 60000000\n";
  {
    const auto reader = open_text(text, "t");
    const auto writer = create_text(folder / "t.txt.zst", Isa::ppc);
    copy(*reader, *writer);
    writer->close();
  }
  std::filesystem::rename(folder / "t.txt.zst", folder / "any-name");
  EXPECT_EQ(content_of(folder / "any-name").substr(0, 4), "\x28\xb5\x2f\xfd");
  EXPECT_EQ(read_all(*open(folder / "any-name")), records_of_text(text));
}

TEST(Text, TwoPackedFramesAreOneText) {
  const auto pack = [](const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
  };
  EXPECT_EQ(read_all(*open_memory(pack("! isa ppc\n100 600") + pack("00000\n104 60000000\n"), "t")).size(), 2u);
}

TEST(Text, LongTextCrossesBuffers) {
  constexpr unsigned lines = 100000;  // 2.4 MB, several buffers
  std::string text = "! isa ppc\n";
  for (unsigned i = 0; i < lines; ++i) text += i + 1 < lines ? "100 4bffffff L 7000 4 T 100\n" : "100 4bffffff";
  const auto reader = open_text(text, "t");
  unsigned count = 0;
  for (Item item; reader->next(item);) ++count;
  EXPECT_EQ(count, lines);
  EXPECT_EQ(reader->info().instructions, lines);
  EXPECT_EQ(reader->code_count(), 1u);
}

TEST(Text, SalvageEndsAtTheDefect) {
  std::vector<std::string> damages;
  ReadOptions options;
  options.salvage = true;
  options.on_damage = [&](const std::string& what) { damages.push_back(what); };
  const auto reader = open_text("! isa ppc\n100 60000000\n104 6000\n108 60000000\n", "t", options);
  EXPECT_EQ(read_all(*reader).size(), 1u);
  ASSERT_EQ(damages.size(), 1u);
  EXPECT_EQ(damages[0].substr(0, 4), "t:3:");
  Item item;
  EXPECT_FALSE(reader->next(item));
  EXPECT_EQ(damages.size(), 1u);
}

}  // namespace

// Reader::read() returns many items at once, but never tells of an instruction before its turn: a core asks find() for
// the code of wrong paths.

namespace {

/// A loop of a load, a store and a branch, in which the second half of the turns has another load, and an interrupt
/// precedes one of them.
std::vector<Record> loop(unsigned turns) {
  std::string text = "! isa ppc\n";
  for (unsigned i = 0; i < turns; ++i) {
    if (i == turns / 3) text += "! interrupt\n";
    text += i < turns / 2 ? "1000 80640000 L 8000 4\n" : "1000 80840000 L 8000 4\n";
    text += "1004 90660000 S 9000 4\n1008 4bfffff8 T 1000\n";
  }
  text += "1000 60000000\n";
  const auto reader = open_text(text, "loop");
  return read_all(*reader);
}

TEST(Read, OnlyTheFirstItemIsNew) {
  const std::vector<Record> records = loop(300);
  const auto reader = open_memory(pmt_of(records, Isa::ppc), "loop.pmt");
  std::set<const Code*> known;
  std::vector<Record> got;
  std::size_t calls = 0;
  for (auto items = reader->read(); !items.empty(); items = reader->read(), ++calls) {
    for (const Item& item : items.subspan(1)) {
      EXPECT_EQ(item.directive, nullptr);
      EXPECT_EQ(item.instruction.annotations, nullptr);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].directive == nullptr) {
        const Code* const code = items[i].instruction.code;
        EXPECT_EQ(known.insert(code).second && i != 0, false) << got.size();
        EXPECT_EQ(reader->find(code->pc), code) << got.size();
      }
      got.emplace_back(items[i]);
    }
    EXPECT_EQ(reader->code_count(), known.size());
  }
  EXPECT_EQ(got, records);
  EXPECT_EQ(known.size(), 5u);
  EXPECT_LT(calls, records.size() / 10);
}

}  // namespace

}  // namespace pmusim::trace::test
