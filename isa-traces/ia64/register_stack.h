// The stacked general registers and the register stack engine. Architecture manual, volume 2, chapter 6. The register
// file grows as needed, so that registers are spilled only by explicit request (flushrs, a new ar.bspstore, loadrs).
// The spills of a processor with 96 registers are part of the timing model.
#pragma once

#include <cstdint>
#include <vector>

#include "address_space.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::trace::ia64 {

/// A general register with its NaT bit.
struct General {
  std::uint64_t value = 0;
  bool nat = false;
};

class RegisterStack {
 public:
  explicit RegisterStack(Memory& memory) : memory_(memory), registers_(first + 256) {}

  Frame frame;
  std::size_t base = first;  ///< index of r32
  std::uint64_t bsp = 0;     ///< backing store address of r32
  std::uint64_t rnat = 0;    ///< NaT bits of the registers stored since the last collection

  [[nodiscard]] General& at(std::size_t index) { return registers_[index]; }
  [[nodiscard]] const General& at(std::size_t index) const { return registers_[index]; }

  /// Moves the base of the frame by `registers`. move_down() fills registers that are not in the file.
  void move_up(unsigned registers);
  void move_down(unsigned registers);
  /// Enlarges the file for a frame of this size.
  void reserve(unsigned sof);

  void flush();                    ///< flushrs
  void load(std::uint32_t bytes);  ///< loadrs: bytes below bsp
  [[nodiscard]] std::uint64_t bspstore() const { return bsp_minus(bsp, static_cast<unsigned>(base - dirty_)); }
  void set_bspstore(std::uint64_t address);
  [[nodiscard]] unsigned dirty() const { return static_cast<unsigned>(base - dirty_); }

 private:
  // `first` is not 0, because a program may return below its first frame after it switched the backing store.
  static constexpr std::size_t first = 65536, most = std::size_t{1} << 24;

  void spill(std::size_t index);
  void fill(std::size_t index);
  [[nodiscard]] std::uint64_t address_of(std::size_t index) const {
    return bsp_minus(bsp, static_cast<unsigned>(base - index));
  }

  Memory& memory_;
  std::vector<General> registers_;
  std::size_t dirty_ = first;  ///< registers from here to base are not in memory
  std::size_t valid_ = first;  ///< registers from here on are in the file
};

}  // namespace pmusim::trace::ia64
