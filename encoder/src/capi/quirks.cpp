// PFMLIB_QUIRKS and pfm_set_quirks: select the behaviours of libpfm 3.10 to reproduce.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "session.h"

namespace pmusim::encoder::capi {
namespace {

std::atomic<ia64::Quirks> chosen{ia64::Quirks{}};
std::atomic<bool> environment_read{false};

pfm_err_t choose(std::string_view where, std::string_view words) {
  const auto parsed = ia64::Quirks::parse(words);
  if (!parsed) return fail(PFMLIB_ERR_INVAL, fmt::format("{}: {}", where, parsed.error().message));
  chosen = *parsed;
  return PFMLIB_SUCCESS;
}

}  // namespace

ia64::Quirks quirks() { return chosen; }

pfm_err_t read_quirks(bool again) {
  if (environment_read.exchange(true) && !again) return PFMLIB_SUCCESS;
  const char* words = std::getenv("PFMLIB_QUIRKS");
  return words ? choose("PFMLIB_QUIRKS", words) : PFMLIB_SUCCESS;
}

}  // namespace pmusim::encoder::capi

using namespace pmusim::encoder::capi;

PMUSIM_C_API pfm_err_t pfm_set_quirks(const char* words) {
  return guarded([&]() -> pfm_err_t {
    (void)read_quirks(false);  // a later selection must not read it and undo this call
    return choose("pfm_set_quirks", words ? words : "");
  });
}
