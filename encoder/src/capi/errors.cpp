// The texts of the return codes.

#include "session.h"

PMUSIM_C_API char* pfm_strerror(int code) {
  static char texts[][40] = {
      "success",
      "not supported",
      "invalid argument",
      "no PMU selected",
      "event not found",
      "events do not fit the counters",
      "buffer too small",
      "event given more than once",
      "wrong kind of model-specific block",
      "features exclude each other",
      "event sets exclude each other",
      "events exclude each other",
      "too many events or unit masks",
      "code range too large",
      "code range empty",
      "code range invalid",
      "too many code ranges",
      "data range invalid",
      "too many data ranges",
      "not supported on this processor",
      "code range not aligned to bundles",
      "code range needs flags",
      "unit mask invalid or missing",
      "out of memory",
  };
  static char unknown[] = "unknown error";
  if (code > 0 || code < PFMLIB_ERR_NOMEM) return unknown;
  return texts[-code];
}
