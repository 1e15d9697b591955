#include "testbench/cli/cache_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

#include "testbench/cli/command.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The XDG Base Directory Specification requires that relative names are ignored.
std::filesystem::path usual_folder() {
  if (const std::filesystem::path base = environment("XDG_CACHE_HOME"); base.is_absolute()) return base / "pmusim";
  if (const std::filesystem::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "pmusim";
  return {};
}

void note(const std::string& problem) {
  std::cerr << fmt::format("pmusim: running without the cache: {}\n", printable(problem));
}

}  // namespace

void add_cache_options(Arguments::Description& options) {
  options.add_options()("cache", po::value<std::string>(),
                        "cache folder for activity and verdicts (default: pmusim in $XDG_CACHE_HOME or ~/.cache; "
                        "PMUSIM_CACHE=FOLDER|off)")("no-cache", po::bool_switch(), "do not read or write the cache")(
      "cache-size", po::value<std::uint64_t>()->default_value(Cache::default_bytes >> 20),
      "maximum size of the folder in MiB; the least recently used entries are removed first");
}

std::unique_ptr<Cache> cache_of(const Arguments& arguments) {
  const auto named = arguments.maybe<std::string>("cache");
  const bool none = arguments.get<bool>("no-cache");
  if (named && none) throw UsageError("give either --cache or --no-cache");
  if (none && arguments.has("cache-size")) throw UsageError("--cache-size does not go with --no-cache");
  if (named && named->empty()) throw UsageError("--cache names no folder; --no-cache runs without a cache");
  const std::uint64_t mebibytes = arguments.get<std::uint64_t>("cache-size");
  if (mebibytes == 0 || mebibytes > std::uint64_t{1} << 30)
    throw UsageError(fmt::format("--cache-size {}: 1 to {} MiB; --no-cache runs without a cache", mebibytes,
                                 std::uint64_t{1} << 30));
  const std::string variable = environment("PMUSIM_CACHE");
  if (none || (!named && variable == "off")) return nullptr;
  const std::filesystem::path folder = named              ? std::filesystem::path(*named)
                                       : variable.empty() ? usual_folder()
                                                          : std::filesystem::path(variable);
  if (folder.empty()) return nullptr;
  auto cache = std::make_unique<Cache>(folder, mebibytes << 20);
  if (cache->problem().empty()) return cache;
  note(cache->problem());
  return nullptr;
}

void close_cache(Cache* cache) {
  if (cache == nullptr) return;
  cache->trim();
  cache->probe();
  if (!cache->problem().empty()) note(cache->problem());
}

}  // namespace pmusim::testbench
