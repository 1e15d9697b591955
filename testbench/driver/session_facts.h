// What a session needs to know of a target: the rule by which its handlers sample, and where its capture units are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/ia64/branch_ring.h"

namespace pmusim::testbench {

/// How a target's counters overflow and what its handler has to do.
struct SamplingRule {
  unsigned width;                ///< bits of a counter
  std::uint64_t overflow_value;  ///< reached from below, the counter overflows (2^width: it wraps)
  std::string_view status;       ///< register whose bit with the counter's number says that it overflowed, or "":
  unsigned sign_bit;             ///< the counter's own bit that tells
  bool overflowed_when_set;
  std::uint64_t longest_period;
  std::string_view latched;  ///< register that holds more about the event, or ""
  std::string_view rearm;    ///< register to change to get another interrupt, or ""
  std::uint64_t rearm_keeps, rearm_sets;
};

/// Capture units of an IA-64 processor: numbers of its PMCs and names of its PMDs.
struct CaptureRegisters {
  unsigned fetch_ear, data_ear, branch_buffer;
  unsigned ip_ear;  ///< 0: there is none
  std::string_view fetch_address, fetch_latency;
  std::string_view data_address, data_latency, data_instruction;
  std::span<const std::string_view> ring;  ///< entries, index, flags
  std::string_view ring_index;
  pmu::ia64::BranchRingRegisters (*ring_of)(std::span<const std::uint64_t>);  ///< from the values of `ring`
};

struct Firmware;

/// The register writes with which an operating system's driver lets an overflow reach the processor. A handler repeats
/// them, because a delivery may mask the interrupt.
struct InterruptEntry {
  std::string_view reg;
  std::uint64_t value;
};

struct SessionFacts {
  const SamplingRule* sampling = nullptr;      ///< null if no handler reads and writes its counters on the bus
  const CaptureRegisters* captures = nullptr;  ///< null: there are no such units
  const Firmware* firmware = nullptr;          ///< null: counters are registers of their own (driver/firmware.h)
  const InterruptEntry* delivery = nullptr;    ///< null: overflows reach the processor as they are
};
/// Null for a target without such facts.
[[nodiscard]] const SessionFacts* find_session_facts(std::string_view target);
/// Null for a target that needs none.
[[nodiscard]] const InterruptEntry* interrupt_entry(std::string_view target);

}  // namespace pmusim::testbench

#define FACTS SessionFacts
#define MEMBER sessions
#include "testbench/targets/declare_facts.inc"
