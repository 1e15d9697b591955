// The stacked general registers and the register stack engine. Manual, volume 2, chapter 6. The register file here is
// as large as the program needs, so that nothing is spilled unless the program asks for it (flushrs, a new
// ar.bspstore, loadrs); when and how often a processor with 96 registers would spill is a matter of timing.
#pragma once

#include <cstdint>
#include <vector>

#include "address_space.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::trace::ia64 {

/// A general register.
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

  /// The frame's base moves; fills what is not in the file.
  void move_up(unsigned registers);
  void move_down(unsigned registers);
  /// Makes room for a frame of this size.
  void reserve(unsigned sof);

  void flush();                    ///< flushrs
  void load(std::uint32_t bytes);  ///< loadrs: bytes below bsp
  [[nodiscard]] std::uint64_t bspstore() const { return bsp_minus(bsp, static_cast<unsigned>(base - dirty_)); }
  void set_bspstore(std::uint64_t address);
  [[nodiscard]] unsigned dirty() const { return static_cast<unsigned>(base - dirty_); }

 private:
  // A program may return below the frame that it started with, after switching the backing store.
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
