// Sizes and latencies of the Alpha processors by name: what a field means is said once, what it is on a chip and
// which source says so stands in that chip's table (chips/*.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"

namespace pmusim::core::alpha {

enum class Chip : std::uint8_t { ev4, ev5, pca56, ev6, ev67 };

inline constexpr std::uint64_t page_bytes = 8192;

/// What a parameter sets, whatever the chip. `place` is the field of the settings S.
template <class S>
struct Field {
  std::string_view name;
  unsigned S::*place;
  std::int64_t least;
  std::int64_t most;
  std::string_view unit;
  std::string_view meaning;
};

/// A row of a chip's table. A field without a row there is no parameter of the chip and keeps the value that its
/// struct gives it.
struct Value {
  std::string_view name;
  std::int64_t value;
  std::string_view source;
  bool confirmed;
};

inline constexpr bool yes = true;
inline constexpr bool choice = false;

/// Adds the parameters of the fields that the chip has.
template <class S>
void add_parameters(std::vector<models::ParameterInfo>& to, std::span<const Field<S>> fields,
                    std::span<const Value> values) {
  for (const Value& v : values) {
    for (const Field<S>& f : fields) {
      if (f.name != v.name) continue;
      to.push_back({f.name, v.value, f.least, f.most, f.unit, f.meaning, v.source, v.confirmed});
    }
  }
}
/// Reads the fields that `given` has.
template <class S>
void read_fields(S& settings, std::span<const Field<S>> fields, const models::Parameters& given) {
  for (const Field<S>& f : fields) {
    if (given.has(f.name)) settings.*f.place = static_cast<unsigned>(given.get(f.name));
  }
}

/// What all chips have: memory side, translation, PALcode. A size of 0 means that there is no such thing.
struct Settings {
  /// Throws ParameterError for an impossible set of values.
  Settings(Chip made, const models::Parameters& given);

  Chip chip;
  bool write_back = false;  ///< the Dcache is (21264), stores allocate; else write-through with a write buffer

  // instruction side
  unsigned l1i_bytes = 8192, l1i_ways = 1, l1i_line = 32;
  unsigned stream_lines = 1;  ///< lines asked for after one that misses
  unsigned code_fills = 2;    ///< requests for lines of code under way or held, prefetches included
  // data side
  unsigned l1d_bytes = 8192, l1d_ways = 1, l1d_line = 32;
  unsigned load_use = 2;   ///< cycles from the issue of a load that hits to that of a user
  unsigned miss_file = 6;  ///< entries of the miss address file
  unsigned write_buffer = 6, write_buffer_start = 2, write_buffer_age = 64, writes_under_way = 2;
  // lower levels; latencies from the cycle of the request to that of the data, ports free
  unsigned scache_bytes = 0, scache_ways = 1, scache_line = 64, scache_read = 8, scache_interval = 2;
  unsigned bcache_bytes = 0, bcache_line = 64, bcache_read = 20, bcache_interval = 4;
  unsigned memory_read = 80;
  unsigned pin_events = 0;  ///< Bcache misses pulse pin 0 (with victim) or 1 (without)
  // translation and PALcode
  unsigned itb_entries = 48, dtb_entries = 64;
  unsigned tb_round_robin = 0;  ///< a translation buffer fills its entries in turn
  unsigned tb_flow = 20, tb_double_flow = 20, trap_flow = 40, interrupt_flow = 40, call_pal_flow = 20;
  unsigned pal_instructions = 10;
  unsigned virtual_page_table = 1;  ///< page tables are looked at through the DTB: double misses
};

[[nodiscard]] std::span<const Field<Settings>> shared_fields();

}  // namespace pmusim::core::alpha
