// Modelled processors for the pfm device: a core on a trace, its performance monitor, and PALcode between them. The
// interrupts of the monitors are the device's ticks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/activity/activity.h"
#include "models/alpha/wrperfmon.h"
#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/call_stack.h"
#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

/// The code that was fetched, by address: the interpretation of a profile-me sample depends on the instruction in
/// memory.
class CodeMap {
 public:
  void consume(const activity::Block& block) {
    for (const auto signal : {activity::Signal::instruction_fetch, activity::Signal::retire}) {
      for (const activity::Occurrence& what : block.column(signal)) {
        if (what.ref == activity::no_ref) continue;
        const activity::InstructionRecord& record = block.instructions[what.ref];
        const auto word = static_cast<std::uint32_t>(record.encoding);
        if (word != 0) words_[record.ip] = word;  // on a wrong path code may be unknown
      }
    }
  }
  /// The instruction word at an address; 0 (call_pal halt) if none was fetched from there.
  [[nodiscard]] std::uint32_t at(std::uint64_t pc) const {
    const auto found = words_.find(pc & ~std::uint64_t{3});
    return found == words_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> words_;
};

// Opcodes in bits 31:26 (Alpha Architecture Handbook, appendix C).
/// BR, BSR, or a jump. A BR or BSR that a trace says goes elsewhere than its word says is mispredicted like a jump.
[[nodiscard]] constexpr bool is_unconditional(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26;
  return opcode == 0x1a || opcode == 0x30 || opcode == 0x34;
}
[[nodiscard]] constexpr bool is_conditional_branch(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26;
  return opcode > 0x30 && opcode != 0x34;  // 0x30 is br, 0x34 bsr
}
/// True for instructions that leave the 21264 without executing: TRAPB, EXCB, and those whose only effect would be to
/// write R31 or F31.
[[nodiscard]] constexpr bool is_squashed(std::uint32_t word) {
  const std::uint32_t opcode = word >> 26, function = word >> 5 & 0x7ff;
  if (opcode == 0x18) return (word & 0xffff) == 0 || (word & 0xffff) == 0x400;
  if (opcode == 0x08 || opcode == 0x09 || opcode == 0x0b) return (word >> 21 & 31) == 31;  // lda, ldah, ldq_u
  const bool operate = (opcode >= 0x10 && opcode <= 0x17) || opcode == 0x1c;
  const bool mt_fpcr = opcode == 0x17 && function == 0x024;
  return operate && !mt_fpcr && (word & 31) == 31;
}
/// True for an instruction that may change the flow of control: a basic block ends after it.
[[nodiscard]] constexpr bool ends_block(std::uint32_t word) {
  return word >> 26 > 0x30 || is_unconditional(word) || word >> 26 == 0;
}

/// Marks of processes by their numbers in the trace, set or cleared by the driver; other processes keep the trace's
/// marks.
using Marks = std::map<std::uint64_t, bool>;

class ModelledProcessor final : public Processor {
 public:
  /// Throws std::invalid_argument for a target that is not an Alpha.
  ModelledProcessor(const models::Target& target, const models::Parameters& parameters,
                    std::unique_ptr<trace::Reader> trace);
  [[nodiscard]] Family family() const override { return chip_; }
  std::uint64_t wrperfmon(Function function, std::uint64_t argument) override;
  void mark(int process, bool marked) override { marks_[static_cast<std::uint64_t>(process)] = marked; }
  [[nodiscard]] std::uint64_t cycles() const override { return follower_.consumed(); }

  /// Runs at least to cycle `limit`, or to the end of the trace and then returns false. Ticks are delivered to the
  /// device as those of processor `cpu`.
  bool run(Cycle limit, Device& device, unsigned cpu);
  /// The number of instructions retired.
  [[nodiscard]] std::uint64_t instructions() const { return source_.instructions(); }
  [[nodiscard]] const pmu::Monitor& monitor() const { return follower_.monitor(); }

 private:
  void consume(const Block& block, Device& device, unsigned cpu);
  [[nodiscard]] std::optional<ProfileMe> profile_sample();
  [[nodiscard]] std::uint64_t read(std::string_view name);

  pmu::AlphaChip chip_;
  bool only_mispredicts_retire_;
  bool squashed_aborts_;
  CoreSource source_;
  pmu::Follower follower_;
  pmu::Wrperfmon palcode_;
  CodeMap code_;
  CallStack calls_{0};
  Marks marks_;
  Block marked_;  ///< the current block with the marks of processes applied
};

/// Processors of one kind with the device. They run side by side in time slices.
class Machine {
 public:
  /// Creates one processor per trace.
  Machine(const models::Target& target, const models::Parameters& parameters,
          std::vector<std::unique_ptr<trace::Reader>> traces, Setup setup = {});
  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] ModelledProcessor& processor(unsigned cpu) { return *processors_.at(cpu); }
  /// The profile-me period of the set-up.
  [[nodiscard]] std::uint64_t profile_me_period() const { return profile_me_period_; }
  /// Runs all processors for `cycles` or to the end of their traces; false when all are at the end.
  bool run(Cycle cycles);
  void run_to_end() {
    while (run(slice)) {
    }
  }

 private:
  static constexpr Cycle slice = 8192;
  std::vector<std::unique_ptr<ModelledProcessor>> processors_;
  std::unique_ptr<Device> device_;
  std::uint64_t profile_me_period_;
  Cycle now_ = 0;
};

}  // namespace pmusim::testbench::pfm
