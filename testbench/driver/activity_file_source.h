// Activity from a file that `pmusim activity record`, another simulator or an RTL bench has written.
#pragma once

#include <array>
#include <memory>

#include "models/activity_file/reader.h"
#include "models/activity_file/rules.h"
#include "testbench/driver/activity_source.h"

namespace pmusim::testbench {

/// Plays the blocks of the file. next() ignores the requested length. The next block is read ahead, so that each block
/// can refer to the one that follows it. A block that breaks the rules of activity is refused with trace::TraceError.
class ActivityFileSource : public ActivitySource {
 public:
  enum class Rules : std::uint8_t { checked, known_to_be_kept };
  explicit ActivityFileSource(std::unique_ptr<activity_file::Reader> reader, Rules rules = Rules::checked);
  [[nodiscard]] Cycle now() const override { return now_; }
  const Block* next(Cycle cycles) override;
  /// From the file if it states them, otherwise counted as the instructions retire.
  [[nodiscard]] std::uint64_t instructions() const override;
  /// Instructions of one hardware thread; 0 if the file does not state them.
  [[nodiscard]] std::uint64_t instructions_of(unsigned thread) const;
  [[nodiscard]] const activity_file::Properties& properties() const { return reader_->properties(); }

 private:
  struct Stretch {
    Block block;
    std::array<std::uint64_t, 2> instructions{};
    bool there = false;
  };
  void read(Stretch& to);

  std::unique_ptr<activity_file::Reader> reader_;
  bool checked_;
  activity_file::Rules rules_;
  std::unique_ptr<Stretch> delivered_ = std::make_unique<Stretch>();  // two blocks, used alternately
  std::unique_ptr<Stretch> ahead_ = std::make_unique<Stretch>();
  RetiredInstructions retired_;
  Cycle now_ = 0;
};

}  // namespace pmusim::testbench
