// Options for what is kept from one run to the next.
#pragma once

#include <memory>

#include "testbench/support/arguments.h"
#include "testbench/validate/cache.h"

namespace pmusim::testbench {

/// Adds --cache, --no-cache, --cache-size.
void add_cache_options(Arguments::Description& options);
/// The cache that they name: --cache DIR, else $PMUSIM_CACHE, else pmusim in $XDG_CACHE_HOME or ~/.cache. Null without
/// one: --no-cache, PMUSIM_CACHE=off, or a folder that cannot be written, of which a note is printed.
[[nodiscard]] std::unique_ptr<Cache> cache_of(const Arguments& arguments);
/// Keeps it within its bound; prints why something could not be kept.
void close_cache(Cache* cache);

}  // namespace pmusim::testbench
