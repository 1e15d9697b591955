// The event tables of the Alpha implementations: facts only, one row a selector of a counter.
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

/// A statistic of ProfileMe: one may be collected at a time.
struct Statistic {
  unsigned number;        ///< in the enumeration of sys/pfcntr.h
  std::string_view name;  ///< the constant
  std::string_view tool;  ///< name in uprofile; empty where it is not known
  std::uint32_t sl1;      ///< what the counters collect for it
  std::string_view description;
};

struct Table {
  std::string_view source;
  std::array<std::span<const Row>, 2> rows;  ///< of the family, of the implementation alone
  std::span<const Reserved> reserved;
  std::span<const Statistic> statistics = {};  ///< of the 21264A
};

/// SEL1 or SEL2 = 0xF, and what the Cbox then feeds to the counter.
inline constexpr std::uint32_t kSecond = 0xF;
constexpr std::uint32_t second_select(std::uint32_t select) { return select << 4 | kSecond; }

[[nodiscard]] const Table& ev4_table();
[[nodiscard]] const Table& ev5_table();
[[nodiscard]] const Table& pca56_table();
[[nodiscard]] const Table& ev6_table();
/// Aggregate mode under the names of uprofile; the code is what SL1 has to be: its bit 0 on counter 0, the whole field
/// on counter 1.
[[nodiscard]] const Table& ev67_table();

/// The constants of sys/pfcntr.h that choose an aggregate mode of the EV67, and the events that it consists of.
struct Pair {
  std::string_view name;
  std::array<std::string_view, 2> events;  ///< the second may be empty
};
[[nodiscard]] std::span<const Pair> pairs();

}  // namespace pmusim::encoder::alpha
