// The pfm device over a modelled processor, for rules about events: a program with a known number of instructions of
// one kind, so that the driver's counts follow by arithmetic.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"
#include "sys/pfcntr.h"
#include "testbench/pfm/machine.h"

namespace pmusim::testbench::pfm {

inline constexpr std::uint64_t program_start = 0x120000000, data_start = 0x140000000;
/// Events from tick to tick of counters 0 and 1.
inline constexpr std::uint64_t period0 = 4096, period1 = 256;

/// A trace built instruction by instruction; every page of it is mapped.
class ProgramText {
 public:
  ProgramText& say(std::string_view directive) {
    text_ += fmt::format("! {}\n", directive);
    return *this;
  }
  /// Integer operates without dependences: addq $31,0,$1.
  ProgramText& additions(std::uint64_t number) { return instructions(number, "0114e043"); }
  /// Iterations of a loop of eight dependent operates: addq $1,$1,$1 or mulq $1,$1,$1, and bne.
  ProgramText& chains(std::uint64_t rounds) { return eights(rounds, "01042140"); }
  ProgramText& multiplications(std::uint64_t rounds) { return eights(rounds, "0104214c"); }
  /// An integer and a floating-point operate in one quadword, independent of each other: addq $31,0,$1; addt f1,f2,f3.
  ProgramText& pairs(std::uint64_t number) {
    for (; number != 0; --number) instructions(1, "0114e043").instructions(1, "03142258");
    return *this;
  }
  /// ldq $1 or stq $1 to consecutive blocks of 32 bytes, in a loop: each followed by bne.
  ProgramText& loads(std::uint64_t number, std::uint64_t from) { return accesses(number, from, "000022a4 L"); }
  ProgramText& stores(std::uint64_t number, std::uint64_t from) { return accesses(number, from, "000022b4 S"); }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::uint64_t end() const { return at_; }

 private:
  ProgramText& instructions(std::uint64_t number, std::string_view bytes) {
    for (; number != 0; --number, at_ += 4) text_ += fmt::format("{:x} {} itlb=hit\n", at_, bytes);
    return *this;
  }
  ProgramText& eights(std::uint64_t rounds, std::string_view bytes) {
    const std::uint64_t top = at_;
    for (; rounds != 0; --rounds) {
      at_ = top;
      instructions(8, bytes);
      branch(top, rounds != 1);
    }
    return *this;
  }
  ProgramText& accesses(std::uint64_t number, std::uint64_t from, std::string_view what) {
    const std::uint64_t top = at_;
    for (; number != 0; --number, from += 32) {
      at_ = top;
      text_ += fmt::format("{:x} {} {:x} 8 itlb=hit dtlb=hit\n", at_, what, from);
      at_ += 4;
      branch(top, number != 1);
    }
    return *this;
  }
  /// bne $1 to an earlier address.
  void branch(std::uint64_t to, bool taken) {
    const std::uint64_t word = 0xf4200000 | (((to - at_ - 4) >> 2) & 0x1fffff);
    text_ +=
        fmt::format("{:x} {:02x}{:02x}{:02x}{:02x}", at_, word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24);
    text_ += taken ? fmt::format(" T {:x} itlb=hit\n", to) : " itlb=hit\n";
    at_ += 4;
  }
  std::string text_ = "! isa alpha\n";
  std::uint64_t at_ = program_start;
};

/// Processors that each run the program, and a superuser's process on the first that opens the device.
struct Modelled {
  struct Parameter {
    std::string_view name;
    std::int64_t value;
  };
  Modelled(std::string_view target_name, const ProgramText& program, const std::vector<Parameter>& set = {},
           unsigned cpus = 1, pfm::Setup setup = {}) {
    const models::Target& target = *models::find_target(target_name);
    models::Parameters parameters = target.parameters();
    for (const Parameter& parameter : set) parameters.set(parameter.name, parameter.value);
    std::vector<std::unique_ptr<trace::Reader>> traces;
    for (unsigned i = 0; i < cpus; ++i) traces.push_back(trace::open_text(program.text(), "program"));
    machine = std::make_unique<Machine>(target, parameters, std::move(traces), std::move(setup));
    process.cpu = 0;
    process.superuser = true;
  }
  void open(unsigned mode = PCNTOPENALL) { ASSERT_GE(descriptor = machine->device().open(process, mode), 0); }
  template <class T>
  int call(std::uint32_t request, T argument) {
    return machine->device().ioctl(process, descriptor, request, &argument);
  }
  int call(std::uint32_t request) { return machine->device().ioctl(process, descriptor, request, nullptr); }
  /// The driver's data of one kind: pfcntrs, pfipls.
  template <class Data>
  Data data(std::uint32_t request) {
    Data data{};
    Data* pointer = &data;
    EXPECT_EQ(machine->device().ioctl(process, descriptor, request, &pointer), 0) << std::hex << request;
    return data;
  }
  /// The buckets of a profile.
  std::vector<std::uint32_t> samples() {
    long bytes = 0;
    EXPECT_EQ(machine->device().ioctl(process, descriptor, PCNTGETRSIZE, &bytes), 0);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint32_t));
    EXPECT_EQ(machine->device().read(process, descriptor, words.data(), words.size() * sizeof(std::uint32_t)), bytes);
    return words;
  }
  void run() { machine->run_to_end(); }

  std::unique_ptr<Machine> machine;
  Process process;
  int descriptor = -1;
};

/// An EV4 that counts, opened for all processes: event 0 every 4096 and event 1 every 256, both counters collecting.
struct ModelledEv4 : Modelled {
  ModelledEv4(unsigned long event0, unsigned long event1, const ProgramText& program, long items = PFM_COUNTERS,
              const std::vector<Parameter>& set = {})
      : Modelled("alpha-ev4", program, set) {
    open();
    EXPECT_EQ(call(PCNTSETITEMS, items), 0);
    iccsr fields{};
    fields.iccsr_mux0 = event0 & 0xF;
    fields.iccsr_mux1 = event1 & 7;
    fields.iccsr_pc0 = PF_C0_INT_EVERY_4096;
    fields.iccsr_pc1 = PF_C1_INT_EVERY_256;
    EXPECT_EQ(call(PCNTSETMUX, fields), 0);
    EXPECT_EQ(call(PCNTRENABLE), 0);
  }
  [[nodiscard]] pfcntrs counts() { return data<pfcntrs>(PCNTGETCNT); }
};

/// Selects all counters, for the calls of an EV5 and an EV6.
inline pmctrs_ev5 all_of_ev5() {
  pmctrs_ev5 which{};
  which.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev5_select = PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_1 | PF5_SEL_COUNTER_2;
  return which;
}
inline pmctrs_ev6 all_of_ev6() {
  pmctrs_ev6 which{};
  which.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev6_select = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
  return which;
}

}  // namespace pmusim::testbench::pfm
