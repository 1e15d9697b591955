// Fuzzes the C API: the input is a sequence of calls with arbitrary arguments in valid memory. Buffers for names have
// exactly the announced size, so that a sanitizer detects an excess byte.
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_alpha.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "testbench/fuzz/input.h"

namespace {

using pmusim::fuzz::Input;
using pmusim::fuzz::require;

/// Passes a buffer of at most 79 bytes; after a successful call the name must be terminated inside it.
template <class Call>
void named(Input& in, Call call) {
  const std::size_t room = in.byte() % 80;
  const auto buffer = std::make_unique<char[]>(room);
  const int code = call(room == 0 ? nullptr : buffer.get(), room);
  if (code == PFMLIB_SUCCESS) require(std::memchr(buffer.get(), 0, room) != nullptr, "a name is not terminated");
}

template <class Call>
void described(Call call) {
  char* text = nullptr;
  if (call(&text) == PFMLIB_SUCCESS) std::free(text);
}

void fill_event(Input& in, pfmlib_event_t& e) {
  const std::string text = in.text();
  if (pfm_find_full_event(text.c_str(), &e) == PFMLIB_SUCCESS) {
    require(e.num_masks <= PFMLIB_MAX_MASKS_PER_EVENT, "too many unit masks");
  } else {
    e = {};
    e.event = in.index();
    e.num_masks = in.index();
    for (unsigned& mask : e.unit_masks) mask = in.byte();
  }
  e.plm = in.byte() & 0xf;
}

/// Stores any number in an enumeration.
template <class Enumeration>
void fill(Input& in, Enumeration& to) {
  const std::uint32_t number = in.byte() % 5;
  std::memcpy(&to, &number, sizeof to);
}

void fill_ear(Input& in, pfmlib_ita2_ear_t& ear) {
  ear.ear_used = static_cast<unsigned char>(in.byte() % 3);
  fill(in, ear.ear_mode);
  fill(in, ear.ear_ism);
  ear.ear_plm = in.byte() & 0x1f;
  ear.ear_umask = in.word();
}

void fill_ear(Input& in, pfmlib_mont_ear_t& ear) {
  ear.ear_used = static_cast<unsigned char>(in.byte() % 3);
  fill(in, ear.ear_mode);
  ear.ear_plm = in.byte() & 0x1f;
  ear.ear_umask = in.word();
}

template <class Ranges>
void fill_ranges(Input& in, Ranges& ranges) {
  ranges.rr_used = static_cast<unsigned char>(in.byte() % 3);
  ranges.rr_flags = in.byte() & 0x1f;
  for (unsigned i = in.byte() % 5; i > 0; --i) {
    auto& limit = ranges.rr_limits[i - 1];
    limit.rr_plm = in.byte() & 0x1f;
    limit.rr_start = in.word() & (in.byte() & 1 ? ~15ul : ~0ul);
    limit.rr_end = limit.rr_start + in.word();
    if (in.byte() & 1) limit.rr_end &= ~15ul;
  }
}

/// The parameter blocks of the Itanium 2 under names shared by both processors.
struct Itanium2 {
  using In = pfmlib_ita2_input_param_t;
  using Out = pfmlib_ita2_output_param_t;
  static auto& code(auto& block) { return block.pfp_ita2_irange; }
  static auto& data(auto& block) { return block.pfp_ita2_drange; }
  static constexpr auto is_fine = pfm_ita2_irange_is_fine;

  static void fill_model(Input& in, In& model) {
    for (auto& counter : model.pfp_ita2_counters) {
      counter.flags = in.byte() & 3;
      counter.thres = in.byte();
      fill(in, counter.ism);
    }
    for (auto* matcher : {&model.pfp_ita2_pmc8, &model.pfp_ita2_pmc9})
      *matcher = {static_cast<unsigned char>(in.byte() & 1), in.word()};
    fill_ear(in, model.pfp_ita2_iear);
    fill_ear(in, model.pfp_ita2_dear);
    auto& btb = model.pfp_ita2_btb;
    for (auto* field : {&btb.btb_used, &btb.btb_ds, &btb.btb_tm, &btb.btb_ptm, &btb.btb_ppm, &btb.btb_brt})
      *field = static_cast<unsigned char>(in.byte() & 7);
    btb.btb_plm = in.byte() & 0x1f;
    fill_ranges(in, model.pfp_ita2_drange);
    fill_ranges(in, model.pfp_ita2_irange);
  }
};

struct Montecito {
  using In = pfmlib_mont_input_param_t;
  using Out = pfmlib_mont_output_param_t;
  static auto& code(auto& block) { return block.pfp_mont_irange; }
  static auto& data(auto& block) { return block.pfp_mont_drange; }
  static constexpr auto is_fine = pfm_mont_irange_is_fine;

  static void fill_model(Input& in, In& model) {
    for (auto& counter : model.pfp_mont_counters) counter = {in.byte() & 0xf, in.byte()};
    for (auto* matcher : {&model.pfp_mont_opcm1, &model.pfp_mont_opcm2}) {
      for (auto* field : {&matcher->opcm_used, &matcher->opcm_m, &matcher->opcm_i, &matcher->opcm_f, &matcher->opcm_b})
        *field = static_cast<unsigned char>(in.byte() & 3);
      matcher->opcm_match = in.word();
      matcher->opcm_mask = in.word();
    }
    fill_ear(in, model.pfp_mont_iear);
    fill_ear(in, model.pfp_mont_dear);
    auto& etb = model.pfp_mont_etb;
    for (auto* field : {&etb.etb_used, &etb.etb_ds, &etb.etb_tm, &etb.etb_ptm, &etb.etb_ppm, &etb.etb_brt})
      *field = static_cast<unsigned char>(in.byte() & 7);
    etb.etb_plm = in.byte() & 0x1f;
    model.pfp_mont_ipear.ipear_used = static_cast<unsigned char>(in.byte() & 1);
    model.pfp_mont_ipear.ipear_plm = in.byte() & 0x1f;
    model.pfp_mont_ipear.ipear_delay = static_cast<unsigned short>(in.word());
    fill_ranges(in, model.pfp_mont_drange);
    fill_ranges(in, model.pfp_mont_irange);
  }
};

/// Checks that the registers accept the first and the last address of each range.
template <class Asked, class Got>
void check_ranges(const Asked& asked, const Got& got, bool fine, bool keeps_promises) {
  require(got.rr_nbr_used % 2 == 0 && got.rr_nbr_used <= 8, "an odd number of debug registers");
  for (unsigned i = 0; i < got.rr_nbr_used; ++i) require(got.rr_br[i].reg_num < 8, "no such debug register");
  if (fine || !keeps_promises) return;
  for (const auto& limit : asked.rr_limits) {
    if (limit.rr_start == 0 && limit.rr_end == 0) break;
    for (const std::uint64_t address : {limit.rr_start, limit.rr_end - 1}) {
      bool passes = false;
      for (unsigned i = 0; i < got.rr_nbr_used; i += 2) {
        const std::uint64_t compared = got.rr_br[i + 1].reg_value << 8 >> 8 | 0xffull << 56;
        passes |= ((address ^ got.rr_br[i].reg_value) & compared) == 0;
      }
      require(passes, "an end of a range is left out");
    }
  }
}

template <class Blocks>
void dispatch_ia64(Input& in, pfmlib_input_param_t& request, pfmlib_output_param_t& answer) {
  static constexpr const char* quirks[] = {"", "libpfm-3.10", "libpfm-3.10,unrounded-fine", "no such quirk"};
  const unsigned chosen = in.byte() % 4;
  (void)pfm_set_quirks(quirks[chosen]);
  const auto model = std::make_unique<typename Blocks::In>();
  const auto result = std::make_unique<typename Blocks::Out>();
  std::memset(result.get(), static_cast<int>(in.byte()), sizeof *result);  // stale contents
  Blocks::fill_model(in, *model);
  const unsigned blocks = in.byte();
  const bool with_model = (blocks & 1) == 0;
  const bool with_result = (blocks & 2) == 0;
  const int code =
      pfm_dispatch_events(&request, with_model ? model.get() : nullptr, &answer, with_result ? result.get() : nullptr);
  if (code == PFMLIB_SUCCESS && with_model && with_result) {
    const bool fine = Blocks::is_fine(&answer, result.get());
    const bool promised = chosen == 0 || chosen == 3;
    if (Blocks::code(*model).rr_used) check_ranges(Blocks::code(*model), Blocks::code(*result), fine, promised);
    if (Blocks::data(*model).rr_used) check_ranges(Blocks::data(*model), Blocks::data(*result), false, promised);
  }
  if (code == PFMLIB_SUCCESS)
    require(answer.pfp_pmd_count >= request.pfp_event_count && answer.pfp_pmc_count >= request.pfp_event_count,
            "an event has no counter");
  (void)pfm_set_quirks(nullptr);
}

void dispatch(Input& in) {
  const auto request = std::make_unique<pfmlib_input_param_t>();
  const auto answer = std::make_unique<pfmlib_output_param_t>();
  request->pfp_event_count = in.byte() % 14;
  request->pfp_dfl_plm = in.byte() & 0xf;
  for (unsigned i = 0; i < request->pfp_event_count; ++i) fill_event(in, request->pfp_events[i]);
  request->pfp_unavail_pmcs.bits[0] = in.byte();
  int type = 0;
  pfm_get_pmu_type(&type);
  if (type == PFMLIB_ITANIUM2_PMU) return dispatch_ia64<Itanium2>(in, *request, *answer);
  if (type == PFMLIB_MONTECITO_PMU) {
    request->pfp_unavail_pmcs.bits[0] |= in.word();
    return dispatch_ia64<Montecito>(in, *request, *answer);
  }
  pfmlib_athlon_input_param_t athlon{};
  pfmlib_ppc750gx_input_param_t ppc{};
  for (auto& counter : athlon.pfp_athlon_counters) counter = {in.index(), in.byte() & 0x1f};
  for (auto& counter : ppc.pfp_ppc750gx_counters) counter = {in.byte() & 3, 0};
  ppc.pfp_ppc750gx_flags = in.byte() & 0x3f;
  ppc.pfp_ppc750gx_threshold = in.byte() & 0x7f;
  ppc.pfp_ppc750gx_rtcselect = in.byte() & 7;
  pfmlib_alpha_input_param_t alpha{};
  if (type >= PFMLIB_ALPHA_EV4_PMU) {
    constexpr unsigned periods[] = {0, 256, 4096, 16384, 65536, 1};
    for (auto& counter : alpha.pfp_alpha_counters) counter = {periods[in.byte() % 6], 0};
    alpha.pfp_alpha_flags = in.byte() & 0xf;
    alpha.pfp_alpha_unavail_counters = in.byte() & 0xf;
  }
  void* model = type == PFMLIB_ATHLON_PMU      ? static_cast<void*>(&athlon)
                : type >= PFMLIB_ALPHA_EV4_PMU ? static_cast<void*>(&alpha)
                                               : static_cast<void*>(&ppc);
  const int code = pfm_dispatch_events(request.get(), in.byte() & 1 ? model : nullptr, answer.get(), nullptr);
  if (code != PFMLIB_SUCCESS) return;
  require(answer->pfp_pmd_count == request->pfp_event_count, "an event has no counter");
  std::uint64_t used = 0;
  for (unsigned i = 0; i < answer->pfp_pmd_count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << answer->pfp_pmds[i].reg_num;
    require((used & bit) == 0, "two events share a counter");
    used |= bit;
  }
}

/// What the Itaniums tell of an event, whichever PMU is chosen.
void ask_ia64(unsigned event) {
  for (auto* const is : {pfm_ita2_is_ear,       pfm_ita2_is_dear,      pfm_ita2_is_dear_tlb,  pfm_ita2_is_dear_cache,
                         pfm_ita2_is_dear_alat, pfm_ita2_is_iear,      pfm_ita2_is_iear_tlb,  pfm_ita2_is_iear_cache,
                         pfm_ita2_is_btb,       pfm_ita2_support_opcm, pfm_ita2_support_iarr, pfm_ita2_support_darr,
                         pfm_mont_is_ear,       pfm_mont_is_dear,      pfm_mont_is_dear_tlb,  pfm_mont_is_dear_cache,
                         pfm_mont_is_dear_alat, pfm_mont_is_iear,      pfm_mont_is_iear_tlb,  pfm_mont_is_iear_cache,
                         pfm_mont_is_etb,       pfm_mont_support_opcm, pfm_mont_support_iarr, pfm_mont_support_darr})
    (void)is(event);
  const bool is_dear = pfm_ita2_is_dear(event) != 0, is_mont_dear = pfm_mont_is_dear(event) != 0;
  require(!is_dear || pfm_ita2_is_ear(event) != 0, "a data EAR is no EAR");
  require(!is_mont_dear || pfm_mont_is_ear(event) != 0, "a data EAR is no EAR");
  unsigned increment = 0;
  for (auto* const of : {pfm_ita2_get_event_maxincr, pfm_mont_get_event_maxincr}) {
    if (of(event, &increment) == PFMLIB_SUCCESS) require(increment != 0, "an event never counts");
  }
  unsigned long umask = 0;
  for (auto* const of : {pfm_ita2_get_event_umask, pfm_mont_get_event_umask}) (void)of(event, &umask);
  int wires = 0;
  for (auto* const of : {pfm_ita2_get_event_group, pfm_ita2_get_event_set, pfm_mont_get_event_group,
                         pfm_mont_get_event_set, pfm_mont_get_event_type})
    (void)of(event, &wires);
  pfmlib_ita2_ear_mode_t mode{};
  (void)pfm_ita2_get_ear_mode(event, &mode);
  pfmlib_mont_ear_mode_t mont_mode{};
  (void)pfm_mont_get_ear_mode(event, &mont_mode);
}

void call(Input& in) {
  unsigned value = 0;
  int code = 0;
  pfmlib_event_t e{};
  pfmlib_regmask_t mask{};
  static constexpr int known[] = {PFMLIB_ATHLON_PMU,      PFMLIB_PPC750GX_PMU,  PFMLIB_ALPHA_EV4_PMU,
                                  PFMLIB_ITANIUM2_PMU,    PFMLIB_MONTECITO_PMU, PFMLIB_ALPHA_EV5_PMU,
                                  PFMLIB_ALPHA_PCA56_PMU, PFMLIB_ALPHA_EV6_PMU, PFMLIB_ALPHA_EV67_PMU};
  switch (in.byte() % 22) {
    case 0:
      return dispatch(in);
    case 1:
      (void)pfm_force_pmu(in.byte() & 1 ? known[in.byte() % std::size(known)] : static_cast<int>(in.index()));
      return;
    case 2:
      (void)pfm_initialize();
      (void)pfm_get_cycle_event(&e);
      (void)pfm_get_inst_retired_event(&e);
      return;
    case 3:
      (void)pfm_find_event(in.text().c_str(), &value);
      return;
    case 4:
      (void)pfm_find_event_byname(in.text().c_str(), &value);
      return;
    case 5:
      code = static_cast<int>(in.index());
      (void)pfm_find_event_bycode(code, &value);
      (void)pfm_find_event_bycode_next(code, in.index(), &value);
      return;
    case 6:
      value = in.index();
      (void)pfm_find_event_mask(value, in.text().c_str(), &value);
      return;
    case 7:
      fill_event(in, e);
      return named(in, [&](char* name, std::size_t room) { return pfm_get_full_event_name(&e, name, room); });
    case 8:
      value = in.index();
      return named(in, [&](char* name, std::size_t room) { return pfm_get_event_name(value, name, room); });
    case 9: {
      value = in.index();
      const unsigned mask_idx = in.index();
      return named(in,
                   [&](char* name, std::size_t room) { return pfm_get_event_mask_name(value, mask_idx, name, room); });
    }
    case 10:
      return named(in, [&](char* name, std::size_t room) { return pfm_get_pmu_name(name, static_cast<int>(room)); });
    case 11: {
      const int type = static_cast<int>(in.index()) + 200;
      return named(in, [&](char* name, std::size_t room) { return pfm_get_pmu_name_bytype(type, name, room); });
    }
    case 12:
      return described([&](char** text) { return pfm_get_event_description(in.index(), text); });
    case 13:
      value = in.index();
      return described([&](char** text) { return pfm_get_event_mask_description(value, in.index(), text); });
    case 14:
      (void)pfm_get_event_code(in.index(), &code);
      return;
    case 15:
      value = in.index();
      (void)pfm_get_event_code_counter(value, in.index(), &code);
      return;
    case 16:
      (void)pfm_get_event_counters(in.index(), &mask);
      return;
    case 17:
      value = in.index();
      (void)pfm_get_event_mask_code(value, in.index(), &value);
      return;
    case 18:
      (void)pfm_athlon_get_event_maxincr(in.index(), &value);
      (void)pfm_ppc750gx_get_event_maxincr(in.index(), &value);
      (void)pfm_ppc750gx_uses_threshold(in.index());
      (void)pfm_alpha_get_event_maxincr(in.index(), &value);
      (void)pfm_alpha_get_profileme_statistic(in.index());
      ask_ia64(in.index());
      return;
    default:
      require(pfm_strerror(static_cast<int>(in.index()) - 64) != nullptr, "no error text");
      require(std::strlen(pfm_last_error()) < 4096, "an endless sentence");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  pfm_force_pmu(PFMLIB_ATHLON_PMU);
  while (!in.empty()) call(in);
  return 0;
}
