// A recorded profile beside what the activity itself says: when events happen, where the processor can be
// interrupted, what it executes. The samples come from the driver; the rest is counted here or by the oracle.
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

namespace pmusim::testbench {

/// What is sampled on which trace.
struct Subject {
  std::string target;
  std::string trace;  ///< name of a recorded one, or a text trace if it has line ends
  std::string event;
  std::uint64_t period = 0;
  std::uint64_t delivery = 0;               ///< Athlon: LVTPC; IA-64: PMV
  std::uint32_t threshold = 0;              ///< 750GX `t=`
  bool oracle = true;                       ///< off: without crossings and events, which take a step for each cycle
  encoder::QualifierTexts qualifiers = {};  ///< IA-64
  oracle::ia64::Qualifiers place = {};      ///< the same in the oracle's words
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
  std::uint64_t events = 0;      ///< by the oracle
  std::map<Cycle, Retired> retired;
  std::map<Cycle, bool> running;    ///< core clock, from this cycle on
  std::map<Cycle, bool> accepting;  ///< MSR[EE], PSR.i; EFLAGS.IF for a fixed vector; NMI: always
  std::map<Cycle, std::vector<std::uint64_t>> slow_loads;  ///< addresses of loads above the threshold, by return
  /// Addresses in the order of execution, by Retired::id; where no instruction has this number, of the next one.
  std::vector<std::uint64_t> program;
  CaptureUnits units;  ///< what the samples' latched registers are
  Cycle end = 0;
  Cycle delay = 0;  ///< from the overflow to the request: the Athlon's APIC sees it one clock later
  Cycle skid = 0;   ///< from the request to the first boundary that counts

  /// Is the interrupt enabled in this cycle?
  [[nodiscard]] bool accepts(Cycle at) const;
  /// Does an instruction retire in this cycle, or the clock stand, with the interrupt enabled?
  [[nodiscard]] bool boundary_at(Cycle at) const;
  /// Where the rule of the target's page takes a request: the first cycle from request + skid on in which an
  /// instruction retires or the clock stands, with the interrupt enabled; `end` if there is none.
  [[nodiscard]] Cycle boundary(Cycle requested) const;
  /// Address of the instruction that runs next after cycle `at`: in the trace after the last one retired.
  [[nodiscard]] std::uint64_t next_address(Cycle at) const;
};

/// For each cycle in which an interrupt could be requested, where its sample would be: boundary() and next_address()
/// for all of them at once.
class SamplePlaces {
 public:
  struct Place {
    Cycle boundary;
    std::uint64_t address;
  };
  explicit SamplePlaces(const Recording& recording);
  /// Of an event in this cycle that overflows the counter. Nothing after the last instruction of the program.
  [[nodiscard]] std::optional<Place> of_event(Cycle at) const;

 private:
  Cycle wait_;                                ///< from the event to the first boundary that counts
  std::vector<std::optional<Place>> places_;  ///< by the first cycle that counts
};

[[nodiscard]] std::unique_ptr<trace::Reader> open_subject(const Subject& subject);
[[nodiscard]] oracle::Request request_of(const Subject& subject);
/// What a driver writes before its selectors so that an overflow reaches the processor, and again in its handler.
[[nodiscard]] std::vector<RegisterWrite> delivery_of(const Subject& subject, const pmu::Monitor& monitor);
[[nodiscard]] Recording record(const Subject& subject, const Sampler::NextPeriod& next = {});

}  // namespace pmusim::testbench
