// The amounts that an Athlon counter adds in each clock, with its comparison, gates and edge detector in the order of
// 22007 Rev. E, pp. 163-164.
#pragma once

#include <cstddef>
#include <vector>

namespace pmusim::testing {

struct AthlonVector {
  std::vector<unsigned> n;  ///< occurrences of each clock
  unsigned mask;            ///< CNT_MASK
  bool inverted, edge;      ///< INV, E
  std::vector<unsigned> adds;
  std::vector<unsigned> cpl = {};  ///< of each clock, with only USR set; empty: USR and OS, any level
};

inline const AthlonVector athlon_vectors[] = {{{0, 1, 3, 2, 0}, 0, false, false, {0, 1, 3, 2, 0}},
                                              {{0, 1, 3, 2, 0}, 0, true, false, {0, 1, 3, 2, 0}},
                                              {{0, 1, 3, 2, 0}, 2, false, false, {0, 0, 1, 1, 0}},
                                              {{0, 1, 3, 2, 0}, 2, true, false, {1, 1, 0, 0, 1}},
                                              {{0, 1, 3, 2, 0}, 0, false, true, {0, 1, 0, 0, 0}},
                                              {{0, 1, 3, 2, 0, 1}, 1, false, true, {0, 1, 0, 0, 0, 1}},
                                              {{0, 1, 3, 2, 0}, 2, true, true, {1, 0, 0, 0, 1}},
                                              {{3, 3, 3}, 4, false, false, {0, 0, 0}},
                                              {{3, 3, 3}, 255, true, false, {1, 1, 1}},
                                              {{1, 1, 1, 1}, 1, false, true, {1, 0, 0, 1}, {3, 0, 0, 3}},
                                              {{0, 0, 0, 0}, 1, true, false, {1, 0, 0, 1}, {3, 0, 0, 3}}};

}  // namespace pmusim::testing
