// The C API for properties of events and unit masks.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "encoder/src/text.h"
#include "session.h"

using namespace pmusim::encoder;
using namespace pmusim::encoder::capi;

namespace {

/// Returns an allocated copy, which the caller must free.
pfm_err_t hand_out(std::string_view text, char** to) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) return PFMLIB_ERR_NOMEM;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  *to = copy;
  return PFMLIB_SUCCESS;
}

void copy_name(std::string_view name, char* to) {
  const std::string text = upper(name);
  std::memcpy(to, text.c_str(), text.size() + 1);
}

/// Mask `mask_idx` of the event. Null if it does not exist; the failure is recorded.
const UnitMask* checked_mask(const Event& event, unsigned int mask_idx) {
  if (mask_idx < event.unit_masks.size()) return &event.unit_masks[mask_idx];
  fail(PFMLIB_ERR_INVAL,
       fmt::format("unit-mask descriptor {}: {} has {} masks", mask_idx, event.name, event.unit_masks.size()));
  return nullptr;
}

/// Returns `call(pmu, event)` for a valid descriptor, else an error.
template <class Call>
pfm_err_t with_event(unsigned int idx, Call call) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    const Event* event = checked_event(pmu, idx);
    if (!event) return PFMLIB_ERR_INVAL;
    return call(pmu, *event);
  });
}

/// Stands for the first counter of an event: PFMLIB_CNT_FIRST of libpfm.
constexpr unsigned int kFirstCounter = ~0u;

/// The code of an event on counter number `cnt`. If codes do not depend on the counter, libpfm returns the code for
/// every counter of the PMU, even if it cannot count the event.
std::optional<std::uint32_t> code_on(const Pmu& pmu, const Event& event, unsigned int cnt) {
  if (cnt == kFirstCounter) return event.codes.front().code;
  for (unsigned counter = 0; counter < pmu.backend->info().counters; ++counter)
    if (pmu.model->pmds[counter].number == cnt)
      return pmu.model->code_per_counter ? event.code_on(counter) : event.codes.front().code;
  return std::nullopt;
}

}  // namespace

PMUSIM_C_API pfm_err_t pfm_get_num_events(unsigned int* count) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t { return store(pmu.backend->events().size(), count); });
}

PMUSIM_C_API pfm_err_t pfm_get_num_event_masks(unsigned int event_idx, unsigned int* count) {
  return with_event(event_idx,
                    [&](const Pmu&, const Event& event) -> pfm_err_t { return store(event.unit_masks.size(), count); });
}

PMUSIM_C_API pfm_err_t pfm_get_max_event_name_len(size_t* len) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!len) return null_argument();
    *len = 0;
    for (const Event& event : pmu.backend->events()) {
      std::size_t length = event.name.size();
      for (const UnitMask& mask : event.unit_masks) length += 1 + mask.name.size();
      *len = std::max(*len, length);
    }
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_name(unsigned int idx, char* name, size_t maxlen) {
  return with_event(idx, [&](const Pmu&, const Event& event) -> pfm_err_t {
    if (!name || maxlen < 1) return null_argument();
    if (event.name.size() + 1 > maxlen)
      return fail(PFMLIB_ERR_INVAL, fmt::format("{} needs a buffer of {} bytes", event.name, event.name.size() + 1));
    copy_name(event.name, name);
    return PFMLIB_SUCCESS;
  });
}

// After the event's name each part needs one byte more than its length: libpfm-3 counts a terminator for every part.
PMUSIM_C_API pfm_err_t pfm_get_full_event_name(pfmlib_event_t* e, char* name, size_t maxlen) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!e || !name || maxlen < 1) return null_argument();
    if (const pfm_err_t code = check_event(pmu, *e); code != PFMLIB_SUCCESS) return code;
    *name = '\0';
    const Event& event = pmu.backend->events()[e->event];
    const auto full = [&] { return fail(PFMLIB_ERR_FULL, fmt::format("{} bytes are too few for the name", maxlen)); };
    if (event.name.size() > maxlen - 1) return full();
    copy_name(event.name, name);
    std::size_t used = event.name.size();
    std::size_t room = maxlen - (event.name.size() + 1);
    for (unsigned i = 0; i < e->num_masks; ++i) {
      const std::string_view mask = event.unit_masks[e->unit_masks[i]].name;
      if (room == 0 || mask.size() > room - 1) return full();
      name[used++] = ':';
      copy_name(mask, name + used);
      used += mask.size();
      room -= mask.size() + 1;
    }
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_code(unsigned int idx, int* code) {
  return with_event(idx,
                    [&](const Pmu&, const Event& event) -> pfm_err_t { return store(event.codes.front().code, code); });
}

PMUSIM_C_API pfm_err_t pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int* code) {
  return with_event(idx, [&](const Pmu& pmu, const Event& event) -> pfm_err_t {
    if (!code) return null_argument();
    const auto found = code_on(pmu, event, cnt);
    if (!found) return fail(PFMLIB_ERR_INVAL, fmt::format("counter {} cannot count {}", cnt, event.name));
    return store(*found, code);
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t* counters) {
  return with_event(idx, [&](const Pmu& pmu, const Event& event) -> pfm_err_t {
    if (!counters) return null_argument();
    *counters = {};
    for (const CounterCode& entry : event.codes) pfm_regmask_set(counters, pmu.model->pmds[entry.counter].number);
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_description(unsigned int idx, char** str) {
  return with_event(idx, [&](const Pmu&, const Event& event) -> pfm_err_t {
    if (!str) return null_argument();
    return hand_out(event.description, str);
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char* name,
                                               size_t maxlen) {
  return with_event(event_idx, [&](const Pmu&, const Event& event) -> pfm_err_t {
    if (!name || maxlen < 1) return null_argument();
    if (event.unit_masks.empty()) return fail(PFMLIB_ERR_NOTSUPP, fmt::format("{} has no unit masks", event.name));
    const UnitMask* mask = checked_mask(event, mask_idx);
    if (!mask) return PFMLIB_ERR_INVAL;
    if (mask->name.size() >= maxlen - 1)
      return fail(PFMLIB_ERR_FULL, fmt::format("{} needs a buffer of {} bytes", mask->name, mask->name.size() + 2));
    copy_name(mask->name, name);
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx, unsigned int* code) {
  return with_event(idx, [&](const Pmu& pmu, const Event& event) -> pfm_err_t {
    if (!code) return null_argument();
    if (!pmu.model->has_unit_masks) return store(0, code);
    const UnitMask* mask = checked_mask(event, mask_idx);
    return mask ? store(mask->code, code) : PFMLIB_ERR_INVAL;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char** desc) {
  return with_event(event_idx, [&](const Pmu& pmu, const Event& event) -> pfm_err_t {
    if (!desc) return null_argument();
    if (!pmu.model->has_unit_masks) return hand_out("this PMU has no unit masks", desc);
    const UnitMask* mask = checked_mask(event, mask_idx);
    if (!mask) return PFMLIB_ERR_INVAL;
    return hand_out(mask->description, desc);
  });
}
