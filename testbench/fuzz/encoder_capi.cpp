// Fuzzes the C API: the input is a sequence of calls with arbitrary arguments whose memory is sound. Names go
// into buffers of exactly the size announced, so that a sanitizer sees a byte too many.
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "encoder_capi: " << what << '\n';
  std::abort();
}

/// Takes arguments from the input; zeros behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }
  unsigned byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  /// Mostly a small number, sometimes a large one.
  unsigned index() {
    const unsigned first = byte();
    return first < 0xf0 ? first : first << 28 | byte() << 8 | byte();
  }
  std::string text() {
    std::string result;
    for (unsigned length = byte() % 64; length > 0 && left_ > 0; --length)
      if (const char c = static_cast<char>(byte())) result += c;
    return result;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// A name of at most `room` bytes, terminated inside its buffer when the call says success.
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

void dispatch(Input& in) {
  const auto request = std::make_unique<pfmlib_input_param_t>();
  const auto answer = std::make_unique<pfmlib_output_param_t>();
  request->pfp_event_count = in.byte() % 7;
  request->pfp_dfl_plm = in.byte() & 0xf;
  for (unsigned i = 0; i < request->pfp_event_count; ++i) fill_event(in, request->pfp_events[i]);
  request->pfp_unavail_pmcs.bits[0] = in.byte();
  int type = 0;
  pfm_get_pmu_type(&type);
  pfmlib_athlon_input_param_t athlon{};
  pfmlib_ppc750gx_input_param_t ppc{};
  for (auto& counter : athlon.pfp_athlon_counters) counter = {in.index(), in.byte() & 0x1f};
  for (auto& counter : ppc.pfp_ppc750gx_counters) counter = {in.byte() & 3, 0};
  ppc.pfp_ppc750gx_flags = in.byte() & 0x3f;
  ppc.pfp_ppc750gx_threshold = in.byte() & 0x7f;
  ppc.pfp_ppc750gx_rtcselect = in.byte() & 7;
  void* model = type == PFMLIB_ATHLON_PMU ? static_cast<void*>(&athlon) : static_cast<void*>(&ppc);
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

void call(Input& in) {
  unsigned value = 0;
  int code = 0;
  pfmlib_event_t e{};
  pfmlib_regmask_t mask{};
  switch (in.byte() % 20) {
    case 0:
      return dispatch(in);
    case 1:
      (void)pfm_force_pmu(in.byte() & 1 ? static_cast<int>(PFMLIB_ATHLON_PMU + in.byte() % 3)
                                        : static_cast<int>(in.index()));
      return;
    case 2:
      (void)pfm_initialize();
      return;
    case 3:
      (void)pfm_find_event(in.text().c_str(), &value);
      return;
    case 4:
      (void)pfm_find_event_byname(in.text().c_str(), &value);
      return;
    case 5:
      (void)pfm_find_event_bycode_next(static_cast<int>(in.index()), in.index(), &value);
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
