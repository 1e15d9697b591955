// The C API for PMUs and their registers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "session.h"

using namespace pmusim::encoder;
using namespace pmusim::encoder::capi;

namespace {

/// Copies as much of the text as fits, and a terminator.
void copy_cut(std::string_view text, char* to, std::size_t room) {
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

/// Converts a list of registers to a set.
pfm_err_t list(std::span<const LogicalRegister> registers, pfmlib_regmask_t* mask) {
  if (!mask) return null_argument();
  *mask = {};
  for (const LogicalRegister& reg : registers) pfm_regmask_set(mask, reg.number);
  return PFMLIB_SUCCESS;
}

std::span<const LogicalRegister> counters(const Pmu& pmu) {
  return pmu.model->pmds.first(pmu.backend->info().counters);
}

}  // namespace

PMUSIM_C_API pfm_err_t pfm_list_supported_pmus(int (*pf)(const char* fmt, ...)) {
  return guarded([&]() -> pfm_err_t {
    if (!pf) return null_argument();
    pf("PMU models:");
    for (const Pmu& pmu : pmus()) pf(" [%s]", pmu.model->name().data());
    const Pmu* now = current();
    pf("\nselected: %s\n", now ? now->model->name().data() : "none yet");
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_pmu_name(char* name, int maxlen) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    if (!name || maxlen < 1) return null_argument();
    copy_cut(pmu.model->name(), name, static_cast<std::size_t>(maxlen));
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_get_pmu_type(int* type) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t { return store(pmu.model->type, type); });
}

PMUSIM_C_API pfm_err_t pfm_get_pmu_name_bytype(int type, char* name, size_t maxlen) {
  return guarded([&]() -> pfm_err_t {
    if (!name || maxlen < 1) return null_argument();
    const Pmu* pmu = find_pmu(type);
    if (!pmu) return fail(PFMLIB_ERR_INVAL, fmt::format("no PMU has type {}", type));
    copy_cut(pmu->model->name(), name, maxlen);
    return PFMLIB_SUCCESS;
  });
}

PMUSIM_C_API pfm_err_t pfm_is_pmu_supported(int type) {
  return with_pmu([&](const Pmu&) -> pfm_err_t {
    if (find_pmu(type)) return PFMLIB_SUCCESS;
    return fail(PFMLIB_ERR_NOTSUPP, fmt::format("no PMU has type {}", type));
  });
}

PMUSIM_C_API pfm_err_t pfm_get_version(unsigned int* version) {
  return guarded([&]() -> pfm_err_t { return store(PFMLIB_VERSION, version); });
}

PMUSIM_C_API pfm_err_t pfm_get_impl_pmcs(pfmlib_regmask_t* impl_pmcs) {
  return with_pmu([&](const Pmu& pmu) { return list(pmu.model->pmcs, impl_pmcs); });
}

PMUSIM_C_API pfm_err_t pfm_get_impl_pmds(pfmlib_regmask_t* impl_pmds) {
  return with_pmu([&](const Pmu& pmu) { return list(pmu.model->pmds, impl_pmds); });
}

PMUSIM_C_API pfm_err_t pfm_get_impl_counters(pfmlib_regmask_t* impl_counters) {
  return with_pmu([&](const Pmu& pmu) { return list(counters(pmu), impl_counters); });
}

PMUSIM_C_API pfm_err_t pfm_get_num_pmcs(unsigned int* num) {
  return with_pmu([&](const Pmu& pmu) { return store(pmu.model->pmcs.size(), num); });
}

PMUSIM_C_API pfm_err_t pfm_get_num_pmds(unsigned int* num) {
  return with_pmu([&](const Pmu& pmu) { return store(pmu.model->pmds.size(), num); });
}

PMUSIM_C_API pfm_err_t pfm_get_num_counters(unsigned int* num) {
  return with_pmu([&](const Pmu& pmu) { return store(counters(pmu).size(), num); });
}

PMUSIM_C_API pfm_err_t pfm_get_hw_counter_width(unsigned int* width) {
  return with_pmu([&](const Pmu& pmu) { return store(pmu.backend->info().counter_width, width); });
}

// The PMUs of the C API, one line for each.
namespace pmusim::encoder::capi {

std::span<const Model* const> models() {
  static constexpr std::array<const Model*, 9> all{&athlon::kCModel,     &ppc750gx::kCModel, &itanium2::kCModel,
                                                   &montecito::kCModel,  &alpha::kCModelEv4, &alpha::kCModelEv5,
                                                   &alpha::kCModelPca56, &alpha::kCModelEv6, &alpha::kCModelEv67};
  return all;
}

}  // namespace pmusim::encoder::capi
