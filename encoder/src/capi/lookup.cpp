// The C API for the look-up of events and unit masks, with libpfm-3's grammar EVENT[:MASK[:MASK...]].
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "encoder/src/text.h"
#include "session.h"

using namespace pmusim::encoder;
using namespace pmusim::encoder::capi;

namespace {

/// Parses the whole text as a number in C notation (0x.., 0.., decimal).
std::optional<unsigned long> c_number(const std::string& text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text.c_str(), &end, 0);
  if (*end != '\0' || errno != 0) return std::nullopt;
  return value;
}

pfm_err_t unknown_mask(const Event& event, std::string_view word) {
  return fail(PFMLIB_ERR_UMASK, fmt::format("{} has no unit mask {}", event.name, in_quotes(word)));
}

/// Finds a mask by name, else by its exact code.
std::optional<unsigned> find_mask(const Event& event, const std::string& word) {
  const auto masks = event.unit_masks;
  for (unsigned i = 0; i < masks.size(); ++i)
    if (same_word(masks[i].name, word)) return i;
  if (const auto code = c_number(word))
    for (unsigned i = 0; i < masks.size(); ++i)
      if (masks[i].code == *code) return i;
  return std::nullopt;
}

/// The masks whose combined code is the number `word`; empty if there are none.
std::vector<unsigned> find_combination(const Event& event, const std::string& word) {
  const auto code = c_number(word);
  if (!code) return {};
  std::vector<unsigned> found;
  unsigned long covered = 0;
  for (unsigned i = 0; i < event.unit_masks.size(); ++i) {
    const unsigned long bits = event.unit_masks[i].code;
    if ((*code & bits) != bits) continue;
    found.push_back(i);
    covered |= bits;
  }
  return covered == *code ? found : std::vector<unsigned>{};
}

pfm_err_t add_mask(const Event& event, unsigned mask, pfmlib_event_t& e) {
  const unsigned* end = e.unit_masks + e.num_masks;
  if (std::find(e.unit_masks, const_cast<unsigned*>(end), mask) != end) return PFMLIB_SUCCESS;
  if (e.num_masks == PFMLIB_MAX_MASKS_PER_EVENT)
    return fail(PFMLIB_ERR_TOOMANY, fmt::format("{}: more than {} unit masks", event.name, PFMLIB_MAX_MASKS_PER_EVENT));
  e.unit_masks[e.num_masks++] = mask;
  return PFMLIB_SUCCESS;
}

pfm_err_t add_word(const Event& event, const std::string& word, pfmlib_event_t& e) {
  if (word.empty()) return fail(PFMLIB_ERR_UMASK, fmt::format("{}: empty unit mask after ':'", event.name));
  std::vector<unsigned> masks;
  if (const auto mask = find_mask(event, word))
    masks.push_back(*mask);
  else
    masks = find_combination(event, word);
  if (masks.empty()) return unknown_mask(event, word);
  for (const unsigned mask : masks)
    if (const pfm_err_t code = add_mask(event, mask, e); code != PFMLIB_SUCCESS) return code;
  return PFMLIB_SUCCESS;
}

/// Finds the event with the name before the first colon.
pfm_err_t find_by_name(const Pmu& pmu, std::string_view text, unsigned int* idx) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto& events = pmu.backend->events();
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < events.size(); ++i) {
    if (same_word(events[i].name, name)) {
      *idx = i;
      return PFMLIB_SUCCESS;
    }
    names.push_back(events[i].name);
  }
  for (const Event& reserved : pmu.backend->reserved_events())
    if (same_word(reserved.name, name))
      return fail(PFMLIB_ERR_NOTFOUND,
                  fmt::format("{} is a reserved code or only a name: {}", reserved.name, reserved.description));
  return fail(PFMLIB_ERR_NOTFOUND,
              fmt::format("{} has no event {}{}", pmu.model->backend, in_quotes(name), did_you_mean(name, names)));
}

/// Finds the first event at or after descriptor `from` that has code `code` on its first counter.
pfm_err_t find_by_code(const Pmu& pmu, long code, std::size_t from, unsigned int* idx) {
  const auto& events = pmu.backend->events();
  for (std::size_t i = from; i < events.size(); ++i)
    if (static_cast<long>(events[i].codes.front().code) == code) {
      *idx = static_cast<unsigned int>(i);
      return PFMLIB_SUCCESS;
    }
  return fail(PFMLIB_ERR_NOTFOUND, fmt::format("{} has no {}event of code {:#x}", pmu.model->backend,
                                               from ? "further " : "", static_cast<unsigned long>(code)));
}

pfm_err_t find_named_event(const Pmu& pmu, std::string_view name, pfmlib_event_t* e) {
  if (!e) return null_argument();
  *e = {};
  return find_by_name(pmu, name, &e->event);
}

}  // namespace

PMUSIM_C_API pfm_err_t pfm_find_event_byname(const char* name, unsigned int* idx) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!name || !idx) return null_argument();
    return find_by_name(pmu, name, idx);
  });
}

PMUSIM_C_API pfm_err_t pfm_find_event(const char* str, unsigned int* idx) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!str || !idx) return null_argument();
    if (*str < '0' || *str > '9') return find_by_name(pmu, str, idx);
    const auto code = c_number(str);
    if (!code || *code > INT_MAX) return fail(PFMLIB_ERR_INVAL, fmt::format("{} is no event code", in_quotes(str)));
    return find_by_code(pmu, static_cast<long>(*code), 0, idx);
  });
}

PMUSIM_C_API pfm_err_t pfm_find_event_bycode(int code, unsigned int* idx) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!idx) return null_argument();
    return find_by_code(pmu, code, 0, idx);
  });
}

PMUSIM_C_API pfm_err_t pfm_find_event_bycode_next(int code, unsigned int start, unsigned int* next) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!next) return null_argument();
    return find_by_code(pmu, code, std::size_t{start} + 1, next);
  });
}

PMUSIM_C_API pfm_err_t pfm_find_event_mask(unsigned int event_idx, const char* str, unsigned int* mask_idx) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!str || !mask_idx) return null_argument();
    const Event* event = checked_event(pmu, event_idx);
    if (!event) return PFMLIB_ERR_INVAL;
    const auto mask = find_mask(*event, str);
    if (!mask) return unknown_mask(*event, str);
    *mask_idx = *mask;
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_find_full_event(const char* str, pfmlib_event_t* e) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!str || !e) return null_argument();
    const std::string text(str);
    if (const pfm_err_t code = find_named_event(pmu, text, e); code != PFMLIB_SUCCESS) return code;
    const Event& event = pmu.backend->events()[e->event];
    std::size_t colon = text.find(':');
    if (colon == std::string::npos) return check_event(pmu, *e);
    if (event.unit_masks.empty())
      return fail(PFMLIB_ERR_UMASK, fmt::format("{} has no unit masks, but {} names one", event.name, in_quotes(text)));
    while (colon != std::string::npos) {
      const std::size_t start = colon + 1;
      colon = text.find(':', start);
      const std::string word = text.substr(start, colon == std::string::npos ? colon : colon - start);
      if (const pfm_err_t code = add_word(event, word, *e); code != PFMLIB_SUCCESS) return code;
    }
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_cycle_event(pfmlib_event_t* e) {
  return with_pmu([&](const Pmu& pmu) { return find_named_event(pmu, pmu.model->cycle_event, e); });
}

PMUSIM_C_API pfm_err_t pfm_get_inst_retired_event(pfmlib_event_t* e) {
  return with_pmu([&](const Pmu& pmu) { return find_named_event(pmu, pmu.model->instruction_event, e); });
}
