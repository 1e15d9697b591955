// The processes that are counted, on modelled processors: R37 to R40.
#include "modelled.h"

namespace pmusim::testbench::pfm {
namespace {

constexpr int first = 5, second = 6, third = 7;  ///< processes of the program
constexpr std::uint64_t of_first = 3000, of_second = 5000, of_third = 2500, of_first_again = 1700;

/// Additions of three processes, none of them marked by the trace.
ProgramText processes() {
  ProgramText program;
  const auto run = [&](int process, std::uint64_t additions) {
    program.say(fmt::format("process {}", process)).additions(additions);
  };
  run(first, of_first);
  run(second, of_second);
  run(third, of_third);
  run(first, of_first_again);
  return program;
}

const std::array<const char*, 5> chips{"alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};

/// A processor whose driver counts integer operates or retired instructions; the caller is the first process.
struct Counting : Modelled {
  explicit Counting(const std::string& chip) : Modelled(chip, processes()), family(machine->processor(0).family()) {
    process.id = first;
    open();
  }
  void start() {
    if (family == Family::ev4) {
      iccsr fields{};
      fields.iccsr_mux1 = PF_INTOPS;
      fields.iccsr_pc1 = PF_C1_INT_EVERY_256;
      EXPECT_EQ(call(PCNTSETMUX, fields), 0);
      EXPECT_EQ(call(PCNTRENABLE), 0);
    } else if (family == Family::ev5 || family == Family::pca56) {
      EXPECT_EQ(call(PCNT5MUX, long{PF5_MUX1_INTEGER_OPERATE}), 0);
      EXPECT_EQ(call(PCNT5RESTART, all_of_ev5()), 0);
    } else {
      EXPECT_EQ(call(PCNT6MUX, family == Family::ev6 ? long{PF6_MUX0_RET_INSTRUCTIONS} : PF67_RET_INST_AND_CYCLES), 0);
      EXPECT_EQ(call(PCNT6RESTART, all_of_ev6()), 0);
    }
  }
  /// Number of additions counted; an EV4 has only ticks, one for each 256.
  std::uint64_t counted() {
    switch (family) {
      case Family::ev4:
        return data<pfcntrs>(PCNTGETCNT).pf_cntr1 * 256;
      case Family::ev5:
      case Family::pca56:
        return data<pfcntrs_ev5>(PCNT5READCNTRS).pf_cntr1;
      default:
        return data<pfcntrs_ev6>(PCNT6READCNTRS).pf_cntr0;
    }
  }
  /// The number that the driver shows for a number of additions.
  [[nodiscard]] std::uint64_t shown(std::uint64_t additions) const {
    return family == Family::ev4 ? additions / 256 * 256 : additions;
  }
  Family family;
};

TEST(Pfm, R37_LogAllCountsAllProcesses) {
  for (const std::string chip : chips) {
    Counting m(chip);
    ASSERT_EQ(m.call(PCNTLOGSELECT), 0);
    EXPECT_EQ(m.call(PCNTLOGALL), 0);
    m.start();
    m.run();
    EXPECT_EQ(m.counted(), m.shown(of_first + of_second + of_third + of_first_again)) << chip;
  }
}

TEST(Pfm, R38_LogSelectCountsMarkedProcessesAndMarksTheCaller) {
  for (const std::string chip : chips) {
    Counting m(chip);
    EXPECT_EQ(m.call(PCNTLOGSELECT), 0);
    m.start();
    m.run();
    EXPECT_TRUE(m.process.marked);
    EXPECT_EQ(m.counted(), m.shown(of_first + of_first_again)) << chip;
  }
}

TEST(Pfm, R39_ChildrenInheritTheMark) {
  for (const std::string chip : chips) {
    Counting m(chip);
    const Process before = m.machine->device().fork(m.process, third);
    EXPECT_FALSE(before.marked) << "made before the mark was set";
    ASSERT_EQ(m.call(PCNTLOGSELECT), 0);
    const Process child = m.machine->device().fork(m.process, second);
    EXPECT_EQ(child.id, second);
    EXPECT_TRUE(child.marked);
    m.start();
    m.run();
    EXPECT_EQ(m.counted(), m.shown(of_first + of_second + of_first_again)) << chip;
  }
}

TEST(Pfm, R40_UnmarkIsForTheCallerAlone) {
  for (const std::string chip : chips) {
    Counting m(chip);
    ASSERT_EQ(m.call(PCNTLOGSELECT), 0);
    Process child = m.machine->device().fork(m.process, second);
    const Process grandchild = m.machine->device().fork(child, third);
    EXPECT_EQ(m.machine->device().ioctl(child, m.descriptor, PCNTCLEARPCBPME, nullptr), 0);
    EXPECT_FALSE(child.marked);
    EXPECT_TRUE(m.process.marked);
    EXPECT_TRUE(grandchild.marked);
    m.start();
    m.run();
    EXPECT_EQ(m.counted(), m.shown(of_first + of_third + of_first_again)) << chip;
  }
}

}  // namespace
}  // namespace pmusim::testbench::pfm
