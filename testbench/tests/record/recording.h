// A recorded profile with the facts of the activity: the cycles of events, where the processor can be interrupted, the
// executed instructions. The samples come from the driver; the facts are computed here or by the oracle.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/captured.h"
#include "testbench/driver/sampling.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench::record_tests {

/// The event to be sampled, and the trace.
struct Subject {
  std::string target;
  std::string trace;  ///< name of a recorded trace, or a text trace if it contains newlines
  std::string event;
  std::uint64_t period = 0;
  std::uint64_t delivery = 0;               ///< Athlon: LVTPC; IA-64: PMV
  std::uint32_t threshold = 0;              ///< 750GX `t=`
  bool oracle = true;                       ///< false: without crossings and events, which need a step for each cycle
  encoder::QualifierTexts qualifiers = {};  ///< IA-64
  oracle::ia64::Qualifiers place = {};      ///< the same as the oracle's qualifiers
  Cycle block_cycles = 1024;                ///< no result depends on it
};
void PrintTo(const Subject& subject, std::ostream* out);

inline constexpr std::uint64_t nmi = 0x400;          ///< LVTPC: delivery mode 4
inline constexpr std::uint64_t fixed_vector = 0x20;  ///< LVTPC: delivery mode 0, waits for EFLAGS.IF
inline constexpr std::uint64_t linux_vector = 0xee;  ///< PMV: not masked, waits for PSR.i

/// The last instruction that retired in a cycle.
struct Retired {
  std::uint64_t id;  ///< ordinal in the trace; Itanium: four for each bundle, one for each slot
  std::uint64_t ip;
};

struct Recording {
  std::vector<Sample> samples;
  std::vector<Cycle> crossings;  ///< cycles in which the oracle counts event 1 x period, 2 x period, ...
  std::uint64_t events = 0;      ///< counted by the oracle
  std::map<Cycle, Retired> retired;
  std::map<Cycle, bool> running;    ///< core clock, from this cycle on
  std::map<Cycle, bool> accepting;  ///< MSR[EE], PSR.i; EFLAGS.IF for a fixed vector; NMI: always
  std::map<Cycle, std::vector<std::uint64_t>> slow_loads;  ///< addresses of loads above the threshold, by return
  /// Addresses in the order of execution, by Retired::id; a number without an instruction has the address of the next
  /// one.
  std::vector<std::uint64_t> program;
  CaptureUnits units;  ///< the units of the samples' latched registers
  Cycle end = 0;
  Cycle delay = 0;  ///< from the overflow to the request: the Athlon's APIC receives it one clock later
  Cycle skid = 0;   ///< from the request to the first possible boundary

  /// True if the interrupt is enabled in this cycle.
  [[nodiscard]] bool accepts(Cycle at) const;
  /// True if the interrupt is enabled and, in this cycle, an instruction retires or the clock is stopped.
  [[nodiscard]] bool boundary_at(Cycle at) const;
  /// The cycle in which the rule of the target's page takes a request: the first cycle from request + skid on in which
  /// an instruction retires or the clock is stopped, with the interrupt enabled; `end` if there is none.
  [[nodiscard]] Cycle boundary(Cycle requested) const;
  /// Address of the instruction that runs next after cycle `at`: the one after the last retired instruction in the
  /// trace.
  [[nodiscard]] std::uint64_t next_address(Cycle at) const;
};

/// The boundary() and next_address() of a sample for each cycle in which an interrupt can be requested, computed for
/// all cycles at once.
class SamplePlaces {
 public:
  struct Place {
    Cycle boundary;
    std::uint64_t address;
  };
  explicit SamplePlaces(const Recording& recording);
  /// The place of the sample if an event in this cycle overflows the counter; empty after the program's last
  /// instruction.
  [[nodiscard]] std::optional<Place> of_event(Cycle at) const;

 private:
  Cycle wait_;                                ///< from the event to the first possible boundary
  std::vector<std::optional<Place>> places_;  ///< by the first possible boundary
};

[[nodiscard]] std::unique_ptr<trace::Reader> open_subject(const Subject& subject);
[[nodiscard]] oracle::Request request_of(const Subject& subject);
/// The writes by which a driver, before its selectors and again in its handler, makes an overflow reach the processor.
[[nodiscard]] std::vector<RegisterWrite> delivery_of(const Subject& subject, const pmu::Monitor& monitor);
[[nodiscard]] Recording record(const Subject& subject, const Sampler::NextPeriod& next = {});

}  // namespace pmusim::testbench::record_tests
