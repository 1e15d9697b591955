// Faults of a model's multiplexer: each connected row is removed, changes places with the next one, and is replaced by
// each of its variants.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "testbench/faults/table_faults.h"

namespace pmusim::testbench::faults {

/// What takes the place of a row: nothing, another row, or several.
template <class Row>
struct Variant {
  std::string name;
  std::vector<Row> rows;
};

/// Collects the variants of a row.
template <class Row>
class Variants {
 public:
  explicit Variants(const Row& row) : row_(row) {}
  [[nodiscard]] const Row& row() const { return row_; }
  template <class Change>
  void add(std::string name, Change change) {
    list.push_back({std::move(name), {row_}});
    change(list.back().rows[0]);
  }
  /// Adds a variant for each bit of a set.
  template <class Set, class Change>
  void for_each_bit(std::string_view name, Set set, Change change) {
    for (Set bit = 1; bit != 0 && bit <= set; bit = static_cast<Set>(bit << 1)) {
      if ((set & bit) != 0) add(fmt::format("{} {:#x}", name, bit), [&](Row& row) { change(row, bit); });
    }
  }
  std::vector<Variant<Row>> list;

 private:
  const Row& row_;
};

template <class Enum>
Enum next_of(Enum value) {
  return static_cast<Enum>((static_cast<unsigned>(value) + 1) % static_cast<unsigned>(Enum::count_));
}

/// A family has `Row`, `target`, table(), is_connected(row), rows_of(row), place(row), exchange_places(row, row),
/// variants(row), and make(), which makes a monitor with the table `changed`.
template <class Family>
struct Multiplexer {
  using Row = typename Family::Row;
  static inline const std::vector<Row> original = Family::table();
  static inline std::vector<Row> changed;  ///< of monitors made from now on

  static std::vector<TableFault> faults() {
    std::vector<TableFault> list;
    for (std::size_t i = 0; i < original.size(); ++i) {
      if (!Family::is_connected(original[i])) continue;
      const Rows rows = Family::rows_of(original[i]);
      if (rows.empty()) {
        EXPECT_FALSE(Family::each_counts) << Family::place(original[i]) << " belongs to no event";
        continue;
      }
      const auto add = [&](const std::string& change, const Rows& affected, auto make) {
        list.push_back({{fmt::format("{}: {}", place_of(i), change)}, affected, [make] {
                          changed = original;
                          make(changed);
                          return Exchange{.make_monitor = Family::make};
                        }});
      };
      const auto at = static_cast<std::ptrdiff_t>(i);
      add("removed", rows, [at](auto& table) { table.erase(table.begin() + at); });
      const std::size_t next = next_place(i);
      Rows both = rows;
      both.merge(Family::rows_of(original[next]));
      add("place exchanged with the next", both,
          [i, next](auto& table) { Family::exchange_places(table[i], table[next]); });
      for (const Variant<Row>& variant : Family::variants(original[i])) {
        add(variant.name, rows, [at, rows = variant.rows](auto& table) {
          table.erase(table.begin() + at);
          table.insert(table.begin() + at, rows.begin(), rows.end());
        });
      }
    }
    return list;
  }

 private:
  /// Rows with the same place are numbered.
  static std::string place_of(std::size_t row) {
    const std::string place = Family::place(original[row]);
    const auto same = std::count_if(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(row),
                                    [&](const Row& other) { return Family::place(other) == place; });
    return same == 0 || !Family::numbered ? place : fmt::format("{} line {}", place, same + 1);
  }
  /// The next connected row with another place; after the last one comes the first.
  static std::size_t next_place(std::size_t row) {
    for (std::size_t next = (row + 1) % original.size(); next != row; next = (next + 1) % original.size()) {
      if (Family::is_connected(original[next]) && Family::place(original[next]) != Family::place(original[row]))
        return next;
    }
    return row;
  }
};

}  // namespace pmusim::testbench::faults
