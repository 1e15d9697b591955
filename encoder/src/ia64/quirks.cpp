#include "quirks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "encoder/src/text.h"

namespace pmusim::encoder::ia64 {
namespace {

constexpr std::string_view kAll = "libpfm-3.10";

/// In the order of the enumeration.
constexpr std::string_view kNames[] = {"short-cover",      "wide-block",      "fine-page-32-bits", "fine-offsets",
                                       "used-exactly-one", "top-offset",      "unrounded-fine",    "cancel-anywhere",
                                       "second-fine",      "coarse-refused",  "coarse-pair-twice", "shifted-address",
                                       "set-eight",        "ungrouped-seven", "foreign-set",       "reject-on-chooser"};

}  // namespace

Result<Quirks> Quirks::parse(std::string_view words) {
  Quirks found;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, comma);
    words.remove_prefix(std::min(comma + 1, words.size()));
    if (same_word(word, kAll)) {
      for (unsigned quirk = 0; quirk < std::size(kNames); ++quirk)
        if (Quirk{quirk} != Quirk::unrounded_fine) found.add(Quirk{quirk});
      continue;
    }
    const auto* const known = std::find_if(std::begin(kNames), std::end(kNames),
                                           [&](std::string_view name) { return same_word(name, word); });
    if (known == std::end(kNames)) {
      std::vector<std::string_view> names{kAll};
      names.insert(names.end(), std::begin(kNames), std::end(kNames));
      return Error{ErrorCode::bad_value, fmt::format("quirk {} is unknown{}; there are {}", in_quotes(word),
                                                     did_you_mean(word, names), fmt::join(names, ", "))};
    }
    found.add(Quirk{static_cast<unsigned>(known - kNames)});
  }
  return found;
}

}  // namespace pmusim::encoder::ia64
