#include "programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <vector>

#include "testbench/tests/core_itanium2/mixture.h"

namespace pmusim::testbench {
namespace {

struct Shape {
  const char* bytes;
  unsigned loads, stores;  ///< bytes of the operand, 0: none
};

/// The parts of a loop for one instruction set.
struct Language {
  std::span<const Shape> shapes;
  bool any_address;  ///< operands need not be aligned
  std::uint64_t code, data;
  const char* nop;
  const char* skip;   ///< conditional branch around the instruction after it
  const char* again;  ///< conditional branch, taken to the beginning of the loop
  const char* call;   ///< calls the function
  const char* come_back;
  bool call_stores;                           ///< the call stores the return address, and the return loads it
  std::span<const char* const> disturbances;  ///< {} is an address of the data
};

constexpr Shape x86_shapes[] = {{"01c0", 0, 0},   {"01d8", 0, 0}, {"8b03", 4, 0},  {"8b4604", 4, 0}, {"8903", 0, 4},
                                {"894604", 0, 4}, {"0303", 4, 0}, {"0103", 4, 4},  {"d8c1", 0, 0},   {"0fafc3", 0, 0},
                                {"f7f3", 0, 0},   {"8a03", 1, 0}, {"8803", 0, 1},  {"50", 0, 4},     {"58", 4, 0},
                                {"dd03", 8, 0},   {"dd1b", 0, 8}, {"db2b", 10, 0}, {"db3b", 0, 10},  {"f00fc103", 4, 4},
                                {"0f0d0b", 1, 0}, {"0fa2", 0, 0}, {"ff30", 4, 4},  {"8ec0", 0, 0},   {"d9fa", 0, 0}};
constexpr const char* x86_disturbances[] = {"snoop kind=invalidate addr={:x}",
                                            "snoop kind=read addr={:x}",
                                            "interrupt\n90000 fa\n90001 90\n90002 cf T {:x}",
                                            "halt cycles=77",
                                            "stop cycles=33",
                                            "idle cycles=50",
                                            "memory addr={:x} size=4096 type=wc",
                                            "memory addr={:x} size=4096 type=uc",
                                            "memory addr={:x} size=4096 type=wt",
                                            "process 2",
                                            "state addr={:x} line=S",
                                            "ecc source=l2 addr={:x}"};
constexpr Shape ppc_shapes[] = {{"7c632214", 0, 0}, {"38630001", 0, 0}, {"7c6321d6", 0, 0}, {"7c6323d6", 0, 0},
                                {"80630000", 4, 0}, {"90630000", 0, 4}, {"88630000", 1, 0}, {"98630000", 0, 1},
                                {"a0630000", 2, 0}, {"c8230000", 8, 0}, {"d8230000", 0, 8}, {"fc21102a", 0, 0},
                                {"fc2100b2", 0, 0}, {"fc211024", 0, 0}, {"7c601828", 4, 0}, {"7c60192d", 0, 4},
                                {"7c001a2c", 1, 0}, {"7c0018ac", 1, 0}, {"7c0004ac", 0, 0}, {"4c00012c", 0, 0},
                                {"7c6802a6", 0, 0}, {"4c421202", 0, 0}, {"2c030000", 0, 0}};
constexpr const char* ppc_disturbances[] = {"snoop kind=rwitm addr={:x}",
                                            "snoop kind=read addr={:x}",
                                            "snoop kind=flush addr={:x}",
                                            "halt cycles=77",
                                            "stop cycles=33",
                                            "idle cycles=50",
                                            "memory addr={:x} size=4096 type=wt",
                                            "memory addr={:x} size=4096 type=uc",
                                            "msr pr=1 pm=1",
                                            "tb ratio=5/2",
                                            "state addr={:x} line=E",
                                            "ecc source=l2 addr={:x}"};
constexpr Shape alpha_shapes[] = {{"01044340", 0, 0}, {"20044340", 0, 0}, {"05044540", 0, 0}, {"0404434c", 0, 0},
                                  {"0000a9a4", 8, 0}, {"0000c9a4", 8, 0}, {"0000a9b4", 0, 8}, {"0000c9a0", 4, 0},
                                  {"0000c9b0", 0, 4}, {"0000498c", 8, 0}, {"0000499c", 0, 8}, {"03142258", 0, 0},
                                  {"43142258", 0, 0}, {"63142258", 0, 0}, {"0000a9ac", 8, 0}, {"0000a9bc", 0, 8},
                                  {"00400060", 0, 0}, {"00440060", 0, 0}, {"1f04ff47", 0, 0}, {"0000fea7", 8, 0}};
constexpr const char* alpha_disturbances[] = {"snoop kind=read addr={:x}",
                                              "snoop kind=invalidate addr={:x}",
                                              "snoop kind=set_shared addr={:x}",
                                              "halt cycles=77",
                                              "idle cycles=50",
                                              "memory addr={:x} size=8192 type=uc",
                                              "pin 0 level=1 cycles=9",
                                              "state addr={:x} line=S",
                                              "stop cycles=33"};

constexpr Language languages[] = {
    // alpha: bne r1 over one word; bne r1 back; bsr r26; ret (r26)
    {alpha_shapes, false, 0x120000000, 0x140000000, "1f04ff47", "010020f4", "000020f4", "000040d3", "0180fa6b", false,
     alpha_disturbances},
    // ppc: bne over one word; bne back; bl; blr
    {ppc_shapes, true, 0x10000, 0x200000, "60000000", "40820008", "40820000", "48010001", "4e800020", false,
     ppc_disturbances},
    // i386: jne over a nop; jne back; call; ret
    {x86_shapes, true, 0x1000, 0x20000, "90", "7501", "0f8500000000", "e800000100", "c3", true, x86_disturbances},
};

class Maker {
 public:
  Maker(trace::Isa isa, std::uint64_t seed) : language_(languages[static_cast<std::size_t>(isa)]), random_(seed) {
    program_.text = fmt::format("! isa {}\n", trace::name_of(isa));
  }

  RandomProgram make() {
    const unsigned length = 2 + below(24);
    for (unsigned i = 0; i < length; ++i)
      body_.push_back(
          {below(language_.shapes.size() + 3), below(0x3000), strides[below(strides.size())], 1 + below(9)});
    footprint_ = footprints[below(footprints.size())];
    disturbed_ = below(3) == 0;
    const unsigned rounds = 50 + below(250);
    for (unsigned round = 0; round < rounds; ++round) {
      pc_ = language_.code;
      for (const Part& part : body_) {
        if (disturbed_ && below(300) == 0) disturb();
        add(part, round);
      }
      line(language_.again, "", round + 1 < rounds ? language_.code : 0);
    }
    line(language_.nop);
    return std::move(program_);
  }

 private:
  struct Part {
    std::size_t shape;
    unsigned offset, stride, period;
  };
  static constexpr std::array<unsigned, 8> strides{0, 0, 0, 1, 4, 8, 12, 4160};
  static constexpr std::array<unsigned, 5> footprints{0x100, 0x400, 0x1800, 0x9000, 0x40000};

  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }

  /// Writes the instruction at pc_ and sets pc_ to the next address: `target`, or the address after it if that is 0.
  void line(const std::string& bytes, const std::string& rest = "", std::uint64_t target = 0) {
    program_.text += fmt::format("{:x} {}{}", pc_, bytes, rest);
    if (target != 0) program_.text += fmt::format(" T {:x}", target);
    if (disturbed_ && !rest.empty() && below(200) == 0) {
      constexpr std::array<const char*, 4> forced{" data=l2", " dtlb=walk", " data=mem", " lat=40"};
      program_.text += forced[below(forced.size())];
    }
    program_.text += '\n';
    pc_ = target != 0 ? target : pc_ + bytes.size() / 2;
    ++program_.instructions;
  }

  void disturb() {
    const std::string said = language_.disturbances[below(language_.disturbances.size())];
    const bool interrupts = said.starts_with("interrupt");
    program_.text +=
        "! " + fmt::format(fmt::runtime(said), interrupts ? pc_ : (language_.data + below(0x3000)) & ~0xfffULL) + '\n';
    if (interrupts) program_.instructions += 3;
  }

  void add(const Part& part, unsigned round) {
    std::uint64_t at = language_.data + (part.offset + part.stride * round) % footprint_;
    if (part.shape < language_.shapes.size()) {
      const Shape& shape = language_.shapes[part.shape];
      const unsigned size = std::max(shape.loads, shape.stores);
      if (!language_.any_address && size != 0) at = at / size * size;
      std::string accesses;
      if (shape.loads != 0) accesses += fmt::format(" L {:x} {}", at, shape.loads);
      if (shape.stores != 0) accesses += fmt::format(" S {:x} {}", at, shape.stores);
      return line(shape.bytes, accesses);
    }
    const std::string nop = language_.nop;
    if (part.shape == language_.shapes.size()) {
      const std::string call = language_.call;
      const std::uint64_t back = pc_ + call.size() / 2;
      const std::string stack = fmt::format(" {:x} 4", at);
      line(call, language_.call_stores ? " S" + stack : "", language_.code + 0x10000);
      line(nop);
      return line(language_.come_back, language_.call_stores ? " L" + stack : "", back);
    }
    const std::string skip = language_.skip;
    const bool taken = part.offset % 3 == 0 ? below(4) == 0 : round % part.period == 0;
    line(skip, "", taken ? pc_ + skip.size() / 2 + nop.size() / 2 : 0);
    if (!taken) line(nop);
  }

  const Language& language_;
  std::mt19937_64 random_;
  std::vector<Part> body_;
  std::uint64_t pc_ = 0;
  unsigned footprint_ = 0;
  bool disturbed_ = false;
  RandomProgram program_;
};

RandomProgram of_bundles(std::uint64_t seed) {
  ia64::Mix mix;
  mix.seed = static_cast<unsigned>(seed);
  mix.bundles = 300 + seed * 7 % 700;
  mix.bytes = 0x1000 << seed % 6;
  mix.forced_fetch = seed % 3 == 0;
  mix.code_stores = seed % 5 == 0;
  mix.outside = seed % 2 == 0;
  RandomProgram program{ia64::mixture(mix).text(), 0};
  if (!program.text.starts_with("! isa")) program.text = "! isa ia64\n" + program.text;
  return program;
}

}  // namespace

RandomProgram random_program(trace::Isa isa, std::uint64_t seed) {
  return isa == trace::Isa::ia64 ? of_bundles(seed) : Maker(isa, seed).make();
}

}  // namespace pmusim::testbench
