// The event tables of the Alpha implementations. They contain facts only, with one row for each selector of a counter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace pmusim::encoder::alpha {

struct Row {
  std::string_view name;  ///< the constant of sys/pfcntr.h
  unsigned counter;
  std::uint32_t code;  ///< value of the counter's input field; EV5: second_select(), EV67: see ev67_table()
  unsigned max_per_cycle;
  std::string_view description;
  bool confirmed = true;
};

/// A selector for which no document defines an event.
struct Reserved {
  unsigned counter;
  std::uint32_t code;
};

/// A statistic of ProfileMe. Only one can be collected at a time.
struct Statistic {
  unsigned number;        ///< in the enumeration of sys/pfcntr.h
  std::string_view name;  ///< the constant of sys/pfcntr.h
  std::string_view tool;  ///< name in uprofile; empty if unknown
  std::uint32_t sl1;      ///< value of SL1 with which the counters collect it
  std::string_view description;
};

struct Table {
  std::string_view source;
  std::array<std::span<const Row>, 2> rows;  ///< rows of the family, rows of this implementation only
  std::span<const Reserved> reserved;
  std::span<const Statistic> statistics = {};  ///< 21264A only
};

/// Value of SEL1 or SEL2 that selects the input from the Cbox. Its code combines it with the second select of the Cbox.
inline constexpr std::uint32_t kSecond = 0xF;
constexpr std::uint32_t second_select(std::uint32_t select) { return select << 4 | kSecond; }

[[nodiscard]] const Table& ev4_table();
[[nodiscard]] const Table& ev5_table();
[[nodiscard]] const Table& pca56_table();
[[nodiscard]] const Table& ev6_table();
/// Events of the aggregate mode, with the names of uprofile. The code is the value of SL1: bit 0 of it on counter 0,
/// the whole field on counter 1.
[[nodiscard]] const Table& ev67_table();

/// A constant of sys/pfcntr.h that selects an aggregate mode of the EV67, with the events of this mode.
struct Pair {
  std::string_view name;
  std::array<std::string_view, 2> events;  ///< the second may be empty
};
[[nodiscard]] std::span<const Pair> pairs();

}  // namespace pmusim::encoder::alpha
