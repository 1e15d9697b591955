// The register stack engine: how many of the physical stacked registers hold which frame, and the mandatory spills
// and fills. Frames are those that the program makes (trace::ia64::FrameTracker). The engine moves words one after the
// other (SDM volume 2, chapter 6): a NaT collection is stored when the store pointer stands at its word and more has
// to be stored, and loaded on the way down past its word.
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

  /// An executed instruction that changes the frame; `before` and `after` it, `bsp` after it.
  /// `loadrs`: bytes below bsp that a loadrs makes sure of, or nothing if the trace does not say.
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
