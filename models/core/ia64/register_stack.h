// The register stack engine: which frames the physical stacked registers hold, and the mandatory spills and fills. The
// frames are those of the program (trace::ia64::FrameTracker). The engine moves words in order (SDM volume 2, chapter
// 6). It stores a NaT collection when the store pointer is at its word and more words must be stored, and loads it when
// the load pointer passes its word.
#pragma once

#include <optional>

#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

class RegisterStack {
 public:
  /// The words that the engine must move before the program continues.
  struct Traffic {
    unsigned words = 0;  ///< registers and NaT collections
    bool loads = false;
    unsigned cause = 0;      ///< act::cause::RegisterStack
    std::uint64_t from = 0;  ///< lowest backing store address
  };
  explicit RegisterStack(std::uint64_t registers) : registers_(registers) {}

  /// Executes an instruction that changes the frame. `before` and `after`: the frames; `bsp`: its value after the
  /// instruction. `loadrs`: the number of bytes below bsp that a loadrs makes valid; empty if the trace does not say.
  Traffic step(const Operation& op, bool taken, const isa::Frame& before, const isa::Frame& after, std::uint64_t bsp,
               std::optional<std::uint32_t> loadrs);
  [[nodiscard]] unsigned dirty() const { return static_cast<unsigned>(dirty_); }
  /// Physical register of r32.
  [[nodiscard]] std::uint64_t bottom() const { return bottom_; }

 private:
  Traffic load(std::uint64_t bsp, std::optional<std::uint32_t> bytes, std::uint64_t room);
  Traffic spill(std::uint64_t count, std::uint64_t bsp);
  Traffic flush(std::uint64_t bsp);
  Traffic give_back(std::uint64_t wanted, std::uint64_t bsp);
  [[nodiscard]] std::uint64_t store_pointer(std::uint64_t bsp) const;
  [[nodiscard]] std::uint64_t load_pointer(std::uint64_t bsp) const;
  void move_bottom(std::uint64_t up, std::uint64_t down) { bottom_ = (bottom_ + up + registers_ - down) % registers_; }

  std::uint64_t registers_;
  std::uint64_t dirty_ = 0;     ///< registers of callers' frames that memory does not have
  std::uint64_t clean_ = 0;     ///< ... that memory has as well, below the dirty ones
  bool at_collection_ = false;  ///< the store pointer stands at the NaT collection in front of the first dirty register
  std::uint64_t bottom_ = 0;
};

}  // namespace pmusim::core::ia64
