// Converts the data that an instruction-set simulator has about a retired instruction to the activity that a PMU reads.
// The simulator determines the cycles: retire() adds instructions to the present cycle, pass() ends it.
#pragma once

#include <models/activity/activity.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace platform {

/// The level of detail of the activity. More detail costs more time, and lets more events count.
enum class Detail {
  counts,        ///< the number of instructions retired in a cycle
  instructions,  ///< each instruction: address, bytes, kind, next address
  accesses       ///< ... and its data accesses
};

/// A data access, and its result in the simulator's cache.
struct Access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  bool store = false;
  bool miss = false;
};

/// The data of a retired instruction, from the simulator's callback.
struct Retired {
  std::uint64_t ip = 0;
  std::uint64_t next_ip = 0;
  std::uint64_t encoding = 0;  ///< first bytes, the first in memory in bits 7:0
  std::uint16_t length = 4;
  bool branch = false;
  bool conditional = false;
  std::span<const Access> accesses = {};
};

/// Builds blocks for one target. A block stays valid until the second next one is begun.
class ActivityFeed {
 public:
  /// `target` is a target of pmusim: it determines the encoding of privilege and the records of an instruction.
  ActivityFeed(std::string_view target, Detail detail);
  /// The cycle to which retire() adds instructions.
  [[nodiscard]] pmusim::activity::Cycle now() const { return now_; }
  /// First cycle that end_block() has not returned yet.
  [[nodiscard]] pmusim::activity::Cycle begun() const { return blocks_[open_].begin; }
  void retire(const Retired& instruction);
  /// Advances by `cycles`; the present cycle is complete, and the others are empty.
  void pass(pmusim::activity::Cycle cycles = 1) { now_ += cycles; }
  /// From the present cycle on the processor is at user level, or at the most privileged.
  void set_user(bool user);
  /// From the present cycle on the core clock runs, or stands still.
  void set_running(bool running);
  /// Returns the cycles before the present one as a block; it has at least one.
  const pmusim::activity::Block& end_block();

 private:
  void state(pmusim::activity::State which, std::uint64_t value);
  void occur(pmusim::activity::Signal signal, std::uint32_t ref, std::uint16_t detail = 0);
  void add_record(const Retired& instruction);
  void add_accesses(const Retired& instruction, std::uint32_t owner);

  Detail detail_;
  bool ppc_, ia64_, digital_;
  bool user_ = false;
  pmusim::activity::Cycle now_ = 0;
  std::uint64_t instructions_ = 0, requests_ = 0;
  std::array<pmusim::activity::Block, 2> blocks_;
  std::size_t open_ = 0;
};

}  // namespace platform
