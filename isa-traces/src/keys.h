// The keys of an instruction (`lat=`, `wr=`, ...) and the order in which they are written.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"
#include "rules.h"

namespace pmusim::trace {

/// Names in the order of Key.
inline constexpr std::array<std::string_view, 14> key_names = {
    "rd", "wr", "mispredict", "lat", "data", "dtlb", "fetch", "itlb", "cfm", "bsp", "loadrs", "defer", "ftz", "trap"};

/// The only instruction set that has the key; empty if all have it.
[[nodiscard]] constexpr std::optional<Isa> owner_of(Key key) {
  if (key == Key::trap) return Isa::alpha;
  return key >= Key::cfm ? std::optional(Isa::ia64) : std::nullopt;
}

/// A key whose value is a number.
struct NumberKey {
  Key key;
  int base;  ///< in the text
  std::uint64_t least, most;
  const char* right;   ///< what an error in the text expects
  const char* counts;  ///< what an error in the binary format says that the number counts
};
inline constexpr std::array number_keys{
    NumberKey{Key::lat, 10, 1, 0xffffffff, "expected lat=N, cycles in decimal, 1 to 4294967295", "cycles of latency"},
    NumberKey{Key::cfm, 16, 0, most_marker, "expected cfm=MARKER, hexadecimal without 0x, at most 38 bits",
              "as a frame marker"},
    NumberKey{Key::bsp, 16, 0, ~std::uint64_t{0}, "expected bsp=EA, hexadecimal without 0x", "as an address"},
    NumberKey{Key::loadrs, 10, 0, most_loadrs, "expected loadrs=N, bytes in decimal, at most 16376", "bytes of loadrs"},
    NumberKey{Key::ftz, 10, 0, most_flushed, "expected ftz=N, results in decimal, at most 6",
              "results flushed to zero"}};
[[nodiscard]] constexpr const NumberKey& number_key(Key key) {
  return *std::find_if(number_keys.begin(), number_keys.end(), [&](const NumberKey& one) { return one.key == key; });
}

/// Calls visit(value) with the value of a key other than `rd`, `wr` and `defer`: an outcome, or the optional number of
/// one of number_keys.
template <typename AnyAnnotations, typename Visit>
void visit_value(Key key, AnyAnnotations& annotations, Visit&& visit) {
  switch (key) {
    case Key::mispredict:
      return visit(annotations.mispredict);
    case Key::lat:
      return visit(annotations.latency);
    case Key::data:
      return visit(annotations.data);
    case Key::dtlb:
      return visit(annotations.dtlb);
    case Key::fetch:
      return visit(annotations.fetch);
    case Key::itlb:
      return visit(annotations.itlb);
    case Key::cfm:
      return visit(annotations.cfm);
    case Key::bsp:
      return visit(annotations.bsp);
    case Key::loadrs:
      return visit(annotations.loadrs);
    case Key::ftz:
      return visit(annotations.flushed);
    case Key::trap:
      return visit(annotations.trap);
    case Key::rd:
    case Key::wr:
    case Key::defer:
      break;
  }
}

/// The keys that are set, with one entry for each `rd=`, `wr=` and `defer=`, in the order of writing: the order of the
/// text, or registers first and then the order of Key.
[[nodiscard]] std::vector<Key> keys_of(const Annotations& annotations);
/// Stores the order of a text, unless it is the usual order.
void set_order(Annotations& annotations, std::vector<Key> order);

// The words of the outcome keys (`data=`, `dtlb=`, ...), in the order of their enumerations.

inline constexpr std::array<std::string_view, 5> level_words = {"", "l1", "l2", "l3", "mem"};
inline constexpr std::array<std::string_view, 5> tlb_words = {"", "hit", "l2", "walk", "fault"};
inline constexpr std::array<std::string_view, 4> mispredict_words = {"", "none", "path", "target"};
inline constexpr std::array<std::string_view, 2> trap_words = {"", "arithmetic"};

constexpr const auto& words_of(Level) { return level_words; }
constexpr const auto& words_of(TlbOutcome) { return tlb_words; }
constexpr const auto& words_of(Mispredict) { return mispredict_words; }
constexpr const auto& words_of(Trap) { return trap_words; }

template <typename Outcome>
[[nodiscard]] std::string_view word_of(Outcome outcome) {
  return words_of(outcome)[static_cast<std::size_t>(outcome)];
}

template <typename Outcome>
[[nodiscard]] std::optional<Outcome> outcome_of(std::string_view word) {
  const auto& words = words_of(Outcome{});
  const auto found = std::find(words.begin() + 1, words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Outcome>(found - words.begin());
}

}  // namespace pmusim::trace
