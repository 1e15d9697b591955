// From what an instruction-set simulator knows of an instruction when it retires, to the activity that a PMU reads. The
// simulator says what a cycle is: retire() puts instructions into the present one, pass() ends it.
#pragma once

#include <models/activity/activity.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace platform {

/// How much becomes activity. More detail is more work, and lets more events count.
enum class Detail {
  counts,        ///< how many instructions retired in a cycle
  instructions,  ///< each of them: address, bytes, what kind it is, where it went
  accesses       ///< and its data accesses
};

/// A data access, and what the simulator's cache made of it.
struct Access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  bool store = false;
  bool miss = false;
};

/// What a simulator tells in its callback.
struct Retired {
  std::uint64_t ip = 0;
  std::uint64_t next_ip = 0;
  std::uint64_t encoding = 0;  ///< first bytes, the first in memory in bits 7:0
  std::uint16_t length = 4;
  bool branch = false;
  bool conditional = false;
  std::span<const Access> accesses = {};
};

/// Makes blocks for one target. A block stays as it is until the next but one is begun.
class ActivityFeed {
 public:
  /// `target` is one of pmusim's: it decides how privilege is told, and which records belong to an instruction.
  ActivityFeed(std::string_view target, Detail detail);
  /// The cycle that retire() puts instructions into.
  [[nodiscard]] pmusim::activity::Cycle now() const { return now_; }
  /// First cycle that end_block() has not given away.
  [[nodiscard]] pmusim::activity::Cycle begun() const { return blocks_[open_].begin; }
  void retire(const Retired& instruction);
  /// Goes on by `cycles`: nothing happens after the present one.
  void pass(pmusim::activity::Cycle cycles = 1) { now_ += cycles; }
  /// From the present cycle on the processor is at user level, or at the most privileged.
  void set_user(bool user);
  /// From the present cycle on the core clock runs, or stands still.
  void set_running(bool running);
  /// The cycles before the present one as a block; there is one at least.
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
