// Statistics of a trace: kinds of instructions, branches, accessed code and data, privilege.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "mix.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace::edit {

/// Number of accessed lines and pages.
struct Footprint {
  std::uint64_t lines = 0, pages = 0;
};

struct AtPrivilege {
  std::uint64_t instructions = 0, loads = 0, stores = 0, branches = 0, taken = 0;
};

struct Statistics {
  std::uint64_t lines = 0;           ///< lines of the trace, on ia64 bundles
  std::uint64_t instructions = 0;    ///< instructions (numbering.h), on ia64 executed slots
  std::uint64_t predicated_off = 0;  ///< ia64: slots with a false predicate
  std::array<std::uint64_t, class_count> classes{};
  std::map<std::string, std::uint64_t> mnemonics;

  std::uint64_t branches = 0, taken = 0, conditional = 0, conditional_taken = 0;
  std::uint64_t calls = 0, returns = 0, indirect = 0, branch_places = 0;

  std::uint64_t code_bytes = 0;  ///< total size of all static instructions
  Footprint code;
  std::uint64_t loads = 0, stores = 0, load_bytes = 0, store_bytes = 0;
  Footprint read, written, data;  ///< `data`: read or written
  std::map<std::string, AtPrivilege> privilege;
  std::map<std::string, std::uint64_t> directives;
};

/// Computes the statistics of a trace. Sizes must be powers of two.
[[nodiscard]] Statistics statistics_of(Reader& reader, std::uint64_t line_bytes, std::uint64_t page_bytes);

}  // namespace pmusim::trace::edit
