// Named sizes and latencies of the Alpha processors. The meaning of a field is defined once; its value on a chip and
// the source of the value are in that chip's table (chips.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/common/parameter_rows.h"

namespace pmusim::core::alpha {

enum class Chip : std::uint8_t { ev4, ev5, pca56, ev6, ev67 };

inline constexpr std::uint64_t page_bytes = 8192;

/// The parts of a parameter that are the same on all chips.
template <class S>
struct Field {
  std::string_view name;
  models::Put<S> put;
  std::int64_t least;
  std::int64_t most;
  std::string_view unit;
  std::string_view meaning;
};

/// A row of a chip's table. A field without a row is not a parameter of the chip and keeps the default of its struct.
struct Value {
  std::string_view name;
  std::int64_t value;
  std::string_view source;
  bool confirmed;
};

inline constexpr bool yes = true;
inline constexpr bool choice = false;

/// A chip's table (chips.cpp).
[[nodiscard]] std::span<const Value> values_of(Chip chip);

/// The parameters among these fields that the chip has.
template <class S>
[[nodiscard]] models::ParameterRows<S> rows_of(std::span<const Field<S>> fields, Chip chip) {
  models::ParameterRows<S> rows;
  for (const Value& v : values_of(chip)) {
    for (const Field<S>& f : fields) {
      if (f.name != v.name) continue;
      rows.push_back({{f.name, v.value, f.least, f.most, f.unit, f.meaning, v.source, v.confirmed}, {f.put}});
    }
  }
  return rows;
}

/// The parameters of a chip: the shared ones and those of its pipeline.
template <class Shared, class Pipeline>
[[nodiscard]] models::Parameters parameters_of(std::span<const Field<Shared>> shared,
                                               std::span<const Field<Pipeline>> pipeline, Chip chip) {
  models::Parameters all = models::parameters_of(rows_of(shared, chip));
  all.append(models::parameters_of(rows_of(pipeline, chip)));
  return all;
}

/// The settings of all chips: memory side, translation, PALcode. A chip without a parameter has the default given here.
/// A size of 0 means that the chip has no such structure.
struct Settings {
  /// Throws ParameterError for inconsistent values.
  Settings(Chip made, const models::Parameters& given);

  Chip chip;
  bool write_back =
      false;  ///< the Dcache is write-back and stores allocate (21264); otherwise write-through with a write buffer

  // instruction side
  unsigned l1i_bytes = 0, l1i_ways = 0, l1i_line = 0;
  unsigned stream_lines = 0;  ///< lines requested after a line that misses
  unsigned code_fills = 0;    ///< requests for lines of code in flight or held, prefetches included
  // data side
  unsigned l1d_bytes = 0, l1d_ways = 0, l1d_line = 0;
  unsigned load_use = 0;   ///< cycles from the issue of a load that hits to the issue of a consumer
  unsigned miss_file = 0;  ///< entries of the miss address file
  unsigned write_buffer = 0, write_buffer_start = 2, write_buffer_age = 64, writes_under_way = 2;
  // lower levels; latencies are from the cycle of the request to the cycle of the data, with free ports
  unsigned scache_bytes = 0, scache_ways = 1, scache_line = 64, scache_read = 8, scache_interval = 2;
  unsigned bcache_bytes = 0, bcache_line = 0, bcache_read = 0, bcache_interval = 0;
  unsigned bcache_write = 0;  ///< of a line from the write buffer; 0: as a read
  unsigned memory_read = 0;
  unsigned pin_events = 0;  ///< Bcache misses pulse pin 0 (with victim) or 1 (without)
  // translation and PALcode
  unsigned itb_entries = 0, dtb_entries = 0;
  unsigned tb_round_robin = 0;  ///< translation buffers fill their entries in turn
  unsigned tb_flow = 0, tb_double_flow = 0, trap_flow = 0, interrupt_flow = 0, call_pal_flow = 0;
  unsigned pal_instructions = 0;
};

[[nodiscard]] std::span<const Field<Settings>> shared_fields();

}  // namespace pmusim::core::alpha
