// Everything legal must be preserved: items -> .pmt -> items, and text -> .pmt -> text, for random traces of each ISA.
#include <rapidcheck.h>

#include <random>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

/// Makes random legal traces from one seed, with loops, so that predictions hit and miss.
class TraceMaker {
 public:
  TraceMaker(Isa isa, unsigned seed) : isa_(isa), random_(seed) {}

  std::vector<Record> make(std::size_t length) {
    std::vector<Record> records;
    bool explained = true;
    for (std::size_t i = 0; i < length; ++i) {
      if (one_in(12)) {
        records.push_back(directive());
        explained |= find_directive_form(records.back().directive.name)->explains_jump;
        if (one_in(3)) --i;
        continue;
      }
      if (explained && one_in(2)) pc_ = address(true);
      explained = false;
      records.push_back(instruction());
    }
    return records;  // a taken branch may be last: what follows it was cut off
  }

 private:
  std::uint64_t number(std::uint64_t below) {
    return std::uniform_int_distribution<std::uint64_t>(0, below - 1)(random_);
  }
  bool one_in(unsigned n) { return number(n) == 0; }
  std::uint64_t mask() const { return isa_ == Isa::ppc || isa_ == Isa::i386 ? 0xffffffffu : ~std::uint64_t{0}; }
  std::uint64_t alignment() const { return isa_ == Isa::ia64 ? 16 : isa_ == Isa::i386 ? 1 : 4; }

  /// Mostly one of a few addresses, so that they recur; occasionally any address.
  std::uint64_t address(bool code) {
    const std::uint64_t wide = one_in(20) ? random_() * 0x9e3779b97f4a7c15u : 0x1000 + 16 * number(8);
    return wide & mask() & ~((code ? alignment() : 1) - 1);
  }

  Record directive() {
    static const std::vector<std::string> lines = {"msr pr=1",
                                                   "interrupt",
                                                   "interrupt vector=0x20",
                                                   "return",
                                                   "switch",
                                                   "process 77",
                                                   "cpl 3",
                                                   "halt cycles=12",
                                                   "nmi",
                                                   "function addr=1f00 name=a%20b size=7",
                                                   "line addr=1f04 file=/x/y.c line=12",
                                                   "line addr=1f08",
                                                   "state addr=1f00 line=M",
                                                   "smi",
                                                   "if 0",
                                                   "psr is=1 up=0",
                                                   "idle cycles=3",
                                                   "thread 1",
                                                   "snoop kind=probe addr=ffff0",
                                                   "pin SMI# level=1 cycles=4"};
    const std::string text = "! isa ppc\n! " + lines[number(lines.size())] + "\n";
    return records_of_text(text).front();
  }

  /// The bytes at an address are a function of the address, but change occasionally.
  void fill_code(Code& code) {
    if (one_in(30)) ++generation_;
    code.pc = pc_;
    std::mt19937_64 bytes(pc_ ^ generation_ << 60);
    code.length = static_cast<std::uint8_t>(isa_ == Isa::ia64 ? 16 : isa_ == Isa::i386 ? 1 + bytes() % 15 : 4);
    for (unsigned i = 0; i < code.length; ++i) code.bytes[i] = static_cast<std::uint8_t>(bytes());
    // Instructions that may be taken or not: a conditional branch, a return, a bundle with an undefined template.
    switch (isa_) {
      case Isa::alpha:
        code.bytes[3] |= 0xe4;
        break;
      case Isa::ppc:
        code.bytes[0] = 0x41;
        code.bytes[1] = 0x82;
        break;
      case Isa::i386:
        std::fill_n(code.bytes.begin(), code.length, std::uint8_t{0xc3});
        break;
      case Isa::ia64:
        code.bytes[0] |= 0x1f;
        break;
    }
  }

  Record instruction() {
    Record r;
    fill_code(r.code);
    if (isa_ == Isa::ia64) {
      for (char& slot : r.mask) slot = "xxxp-"[number(5)];
      if (r.mask == std::array<char, 3>{'-', '-', '-'}) r.mask[0] = 'x';
    }
    for (std::uint64_t left = one_in(3) ? number(4) : 0; left > 0; --left) {
      Access access{address(false), static_cast<std::uint16_t>(one_in(9) ? 1 + number(65535) : 4), one_in(2), 0};
      if (isa_ == Isa::ia64) access.slot = static_cast<std::uint8_t>(number(3));
      if (r.mask[access.slot] == 'x') r.accesses.push_back(access);
    }
    const bool can_branch = isa_ != Isa::ia64 || [&] {
      const unsigned slot = taken_slot(r.mask);
      return r.mask[slot] == 'x' &&
             std::all_of(r.mask.begin() + slot + 1, r.mask.end(), [](char c) { return c == '-'; });
    }();
    r.taken = can_branch && one_in(3);
    if (r.taken) r.target = address(true);
    if (one_in(10)) annotate(r);
    pc_ = (r.taken ? r.target : pc_ + r.code.length) & mask();
    return r;
  }

  /// Any order of the keys, except that register accesses stay in order.
  void shuffle_keys(Annotations& a) {
    std::vector<Key> usual;
    for (const RegisterUse& use : a.registers) usual.push_back(use.write ? Key::wr : Key::rd);
    if (a.mispredict != Mispredict::unset) usual.push_back(Key::mispredict);
    if (a.latency) usual.push_back(Key::lat);
    if (a.data != Level::unset) usual.push_back(Key::data);
    if (a.dtlb != TlbOutcome::unset) usual.push_back(Key::dtlb);
    if (a.fetch != Level::unset) usual.push_back(Key::fetch);
    if (a.itlb != TlbOutcome::unset) usual.push_back(Key::itlb);
    if (a.cfm) usual.push_back(Key::cfm);
    if (a.bsp) usual.push_back(Key::bsp);
    if (a.loadrs) usual.push_back(Key::loadrs);
    usual.insert(usual.end(), a.deferrals.size(), Key::defer);
    if (a.flushed) usual.push_back(Key::ftz);
    if (a.trap != Trap::unset) usual.push_back(Key::trap);
    std::vector<Key> order;
    for (const Key key : usual)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(number(order.size() + 1)), key);
    auto use = a.registers.begin();
    for (Key& key : order) {
      if (key <= Key::wr) key = use++->write ? Key::wr : Key::rd;
    }
    if (order != usual) a.order = std::move(order);
  }

  void annotate(Record& r) {
    r.annotated = true;
    Annotations& a = r.annotations;
    a.latency = one_in(2) ? std::optional<std::uint32_t>(1 + number(0xffffffff)) : std::nullopt;
    if (isa_ == Isa::ia64) {
      if (one_in(2)) a.cfm = number(std::uint64_t{1} << 38);
      if (one_in(2)) a.bsp = address(false) / 512 * 512 + 8 * (address(false) % 63);
      if (one_in(3)) a.loadrs = static_cast<std::uint32_t>(8 * number(0x800));
      for (std::uint64_t left = number(3); left > 0; --left) {
        a.deferrals.push_back({static_cast<std::uint8_t>(number(3)), address(false)});
      }
      if (one_in(3)) a.flushed = static_cast<std::uint32_t>(number(7));
    }
    if (isa_ == Isa::alpha && one_in(2)) a.trap = Trap::arithmetic;
    a.data = static_cast<Level>(number(5));
    a.fetch = static_cast<Level>(number(5));
    a.dtlb = static_cast<TlbOutcome>(number(5));
    a.itlb = static_cast<TlbOutcome>(number(5));
    a.mispredict = static_cast<Mispredict>(number(4));
    for (std::uint64_t left = number(3); left > 0; --left) {
      const bool write = one_in(2);
      a.registers.push_back({"PMC" + std::to_string(number(9)), write, write ? random_() : 0, write && one_in(2)});
    }
    if (a == Annotations{}) a.data = Level::l1;  // an empty annotation is the same as none
    shuffle_keys(a);
  }

  Isa isa_;
  std::mt19937_64 random_;
  std::uint64_t pc_ = 0x1000;
  std::uint64_t generation_ = 0;
};

std::vector<Record> some_trace(Isa& isa) {
  isa = *rc::gen::element(Isa::alpha, Isa::ppc, Isa::i386, Isa::ia64);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const auto length = *rc::gen::inRange<std::size_t>(0, 400);
  return TraceMaker(isa, seed).make(length);
}

TEST(RoundTrip, ItemsThroughPmt) {
  EXPECT_TRUE(rc::check("items -> .pmt -> items", [] {
    Isa isa{};
    const std::vector<Record> records = some_trace(isa);
    PmtOptions options;
    options.level = 1;
    options.chunk_instructions = *rc::gen::element(1u, 2u, 50u, 262144u);
    const auto reader = open_memory(pmt_of(records, isa, options), "t.pmt");
    RC_ASSERT(reader->info().isa == isa);
    RC_ASSERT(read_all(*reader) == records);
  }));
}

TEST(RoundTrip, TextThroughPmtAndBack) {
  EXPECT_TRUE(rc::check("text -> .pmt -> text", [] {
    Isa isa{};
    const std::vector<Record> records = some_trace(isa);
    std::string text;
    const bool isa_line = records.empty() || *rc::gen::arbitrary<bool>();
    if (isa_line) text = "! isa " + std::string(name_of(isa)) + "\n";
    for (const Record& record : records) {
      if (record.is_directive) {
        append_line(text, record.directive);
      } else {
        append_line(text, isa, record.item().instruction);
      }
      text += "\n";
    }
    const TemporaryFolder folder;
    ReadOptions options;
    if (!isa_line) options.isa = isa;
    {
      const auto from = open_text(text, "t", options);
      PmtOptions writing;
      writing.isa_line = from->info().isa_line;
      writing.level = 1;
      const auto to = create_pmt(folder / "t.pmt", isa, "", writing);
      copy(*from, *to);
      to->close();
    }
    {
      const auto from = open(folder / "t.pmt");
      const auto to = create_text(folder / "t.txt", isa, from->info().isa_line);
      copy(*from, *to);
      to->close();
    }
    RC_ASSERT(content_of(folder / "t.txt") == text);
  }));
}

TEST(RoundTrip, MakerMakesWhatItShould) {
  // The properties above are meaningful only if the traces have branches, accesses, keys and jumps.
  std::size_t taken = 0, accesses = 0, annotated = 0, directives = 0;
  for (const Record& r : TraceMaker(Isa::ia64, 1).make(5000)) {
    taken += r.taken;
    accesses += r.accesses.size();
    annotated += r.annotated;
    directives += r.is_directive;
  }
  EXPECT_GT(taken, 300u);
  EXPECT_GT(accesses, 800u);
  EXPECT_GT(annotated, 200u);
  EXPECT_GT(directives, 200u);
}

}  // namespace
}  // namespace pmusim::trace::test
