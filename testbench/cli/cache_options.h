// Options of the cache that validations share.
#pragma once

#include <memory>

#include "testbench/store/cache.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --cache, --no-cache, --cache-size.
void add_cache_options(Arguments::Description& options);
/// The cache that the options name: --cache DIR, or $PMUSIM_CACHE, or pmusim in $XDG_CACHE_HOME or ~/.cache. Returns
/// null with --no-cache, with PMUSIM_CACHE=off, and for a folder that cannot be written; the last case prints a note.
[[nodiscard]] std::unique_ptr<Cache> cache_of(const Arguments& arguments);
/// Reduces the cache to its size limit, and prints its problem if there was one.
void close_cache(Cache* cache);

}  // namespace pmusim::testbench
