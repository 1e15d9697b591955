#include "session.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "encoder/src/text.h"

namespace pmusim::encoder::capi {
namespace {

std::atomic<const Pmu*> selected{nullptr};
std::atomic<bool> option_verbose{false};
std::atomic<bool> option_debug{false};
std::atomic<bool> options_fixed{false};  // set by the environment; pfm_set_options has no effect
std::atomic<bool> to_stdout{false};

std::string& last_error() {
  thread_local std::string message;
  return message;
}

void print(const std::string& message) {
  std::FILE* stream = to_stdout ? stdout : stderr;
  std::fputs((message + "\n").c_str(), stream);
}

/// Sets an option from the first character of an environment variable, if that is a digit.
void read_option(const char* variable, std::atomic<bool>& option) {
  const char* text = std::getenv(variable);
  if (!text || *text < '0' || *text > '9') return;
  option = (*text - '0') & 1;
  options_fixed = true;
}

}  // namespace

std::span<const Pmu> pmus() {
  static const std::vector<Pmu> all = [] {
    std::vector<Pmu> list;
    for (const Model* model : models()) list.push_back({model, find_backend(model->backend)});
    return list;
  }();
  return all;
}

const Pmu* find_pmu(int type) {
  for (const Pmu& pmu : pmus())
    if (pmu.model->type == type) return &pmu;
  return nullptr;
}

const Pmu* current() { return selected; }

bool select(int type) {
  const Pmu* found = find_pmu(type);
  if (found) selected = found;
  return found != nullptr;
}

pfm_err_t fail(pfm_err_t code, const std::string& message) {
  last_error() = message;
  if (option_debug) print(message);
  return code;
}

pfm_err_t fail(const Failure& failure) { return fail(failure.code, failure.message); }

void verbose(const std::string& message) {
  if (option_verbose) print(message);
}

pfm_err_t null_argument() { return fail(PFMLIB_ERR_INVAL, "an argument is NULL or a buffer has no room"); }

const Event* checked_event(const Pmu& pmu, unsigned int idx) {
  const auto& events = pmu.backend->events();
  if (idx < events.size()) return &events[idx];
  fail(PFMLIB_ERR_INVAL,
       fmt::format("event descriptor {}: {} has events 0 to {}", idx, pmu.model->backend, events.size() - 1));
  return nullptr;
}

pfm_err_t check_event(const Pmu& pmu, const pfmlib_event_t& event) {
  const Event* known = checked_event(pmu, event.event);
  if (!known) return PFMLIB_ERR_INVAL;
  if (event.num_masks > PFMLIB_MAX_MASKS_PER_EVENT)
    return fail(PFMLIB_ERR_TOOMANY, fmt::format("{}: {} unit masks given, at most {} fit", known->name, event.num_masks,
                                                PFMLIB_MAX_MASKS_PER_EVENT));
  if (known->unit_masks.empty() && event.num_masks != 0)
    return fail(PFMLIB_ERR_UMASK, fmt::format("{} has no unit masks", known->name));
  for (unsigned i = 0; i < event.num_masks; ++i)
    if (event.unit_masks[i] >= known->unit_masks.size())
      return fail(PFMLIB_ERR_UMASK, fmt::format("unit-mask descriptor {}: {} has masks 0 to {}", event.unit_masks[i],
                                                known->name, known->unit_masks.size() - 1));
  if (!known->unit_masks.empty() && event.num_masks == 0 && !known->default_mask())
    return fail(PFMLIB_ERR_UMASK, fmt::format("{} needs a unit mask", known->name));
  return PFMLIB_SUCCESS;
}

pfm_err_t code_of(ErrorCode code) {
  using enum ErrorCode;
  static constexpr std::pair<ErrorCode, pfm_err_t> codes[] = {
      {unknown_target, PFMLIB_ERR_NOTSUPP},         {unknown_event, PFMLIB_ERR_NOTFOUND},
      {reserved_event, PFMLIB_ERR_NOTFOUND},        {unknown_unit_mask, PFMLIB_ERR_UMASK},
      {missing_unit_mask, PFMLIB_ERR_UMASK},        {unit_mask_combination, PFMLIB_ERR_UMASK},
      {attribute_conflict, PFMLIB_ERR_FEATCOMB},    {register_conflict, PFMLIB_ERR_EVTINCOMP},
      {too_many_events, PFMLIB_ERR_NOASSIGN},       {no_assignment, PFMLIB_ERR_NOASSIGN},
      {feature_conflict, PFMLIB_ERR_FEATCOMB},      {event_set_conflict, PFMLIB_ERR_EVTSET},
      {event_conflict, PFMLIB_ERR_EVTINCOMP},       {bad_code_range, PFMLIB_ERR_IRRINVAL},
      {unaligned_code_range, PFMLIB_ERR_IRRALIGN},  {too_many_code_ranges, PFMLIB_ERR_IRRTOOMANY},
      {code_range_too_big, PFMLIB_ERR_IRRTOOBIG},   {missing_range_flags, PFMLIB_ERR_IRRFLAGS},
      {not_supported, PFMLIB_ERR_NOTSUPP},          {bad_data_range, PFMLIB_ERR_DRRINVAL},
      {too_many_data_ranges, PFMLIB_ERR_DRRTOOMANY}};
  for (const auto& [one, published] : codes)
    if (one == code) return published;
  return PFMLIB_ERR_INVAL;  // all other errors
}

pfm_err_t most_per_cycle(int type, unsigned int idx, unsigned int* maxincr) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (pmu.model->type != type)
      return fail(PFMLIB_ERR_NOTSUPP, fmt::format("the selected PMU is {}", pmu.model->backend));
    if (!maxincr) return null_argument();
    const Event* event = checked_event(pmu, idx);
    if (!event) return PFMLIB_ERR_INVAL;
    return store(event->max_per_cycle, maxincr);
  });
}

}  // namespace pmusim::encoder::capi

using namespace pmusim::encoder::capi;

PMUSIM_C_API const char* pfm_last_error(void) { return last_error().c_str(); }

PMUSIM_C_API pfm_err_t pfm_set_options(pfmlib_options_t* opt) {
  return guarded([&]() -> pfm_err_t {
    if (!opt) return null_argument();
    if (options_fixed) return PFMLIB_SUCCESS;
    option_debug = opt->pfm_debug;
    option_verbose = opt->pfm_verbose;
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_initialize(void) {
  return guarded([]() -> pfm_err_t {
    options_fixed = false;
    if (const pfm_err_t code = read_quirks(true); code != PFMLIB_SUCCESS) return code;
    read_option("LIBPFM_VERBOSE", option_verbose);
    read_option("LIBPFM_DEBUG", option_debug);
    to_stdout = std::getenv("LIBPFM_DEBUG_STDOUT") != nullptr;
    if (const char* forced = std::getenv("LIBPFM_FORCE_PMU")) {
      const auto type = pmusim::encoder::number(forced);
      if (!type || *type > 0x7fffffff || !select(static_cast<int>(*type)))
        return fail(PFMLIB_ERR_NOTSUPP,
                    fmt::format("LIBPFM_FORCE_PMU: no PMU has type {}", pmusim::encoder::in_quotes(forced)));
    } else if (!current()) {
      select(models().front()->type);
    }
    verbose(fmt::format("PMU model: {}", current()->model->backend));
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_force_pmu(int type) {
  return guarded([&]() -> pfm_err_t {
    if (!select(type)) return fail(PFMLIB_ERR_NOTSUPP, fmt::format("no PMU has type {}", type));
    return read_quirks(false);
  });
}

// The texts of the return codes.
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

// PFMLIB_QUIRKS and pfm_set_quirks: select the behaviours of libpfm 3.10 to reproduce.
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
