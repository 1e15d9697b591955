#include "dispatch_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <perfmon/pfmlib_itanium2.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace pmusim::encoder::test {
namespace {

/// Numbers that may need more than 32 bits are texts.
unsigned long number(const Json& value) {
  return value.is_string() ? std::stoul(value.get<std::string>(), nullptr, 16) : value.get<unsigned long>();
}

unsigned long member(const Json& object, const char* name) {
  return object.contains(name) ? number(object.at(name)) : 0;
}

std::string hex(unsigned long long value) { return fmt::format("{:#x}", value); }

/// Enumerations of the block may hold numbers that are none of their names.
template <class Enumeration>
void put(Enumeration& to, unsigned long value) {
  const auto word = static_cast<unsigned>(value);
  std::memcpy(&to, &word, sizeof to);
}

void read_ear(const Json& model, const char* name, pfmlib_ita2_ear_t& ear) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ear.ear_used = from.contains("used") ? static_cast<unsigned char>(member(from, "used")) : 1;
  put(ear.ear_mode, member(from, "mode"));
  put(ear.ear_ism, member(from, "ism"));
  ear.ear_plm = static_cast<unsigned>(member(from, "plm"));
  ear.ear_umask = member(from, "umask");
}

void read_matcher(const Json& model, const char* name, pfmlib_ita2_opcm_t& matcher) {
  if (!model.contains(name)) return;
  matcher.opcm_used = 1;
  matcher.pmc_val = member(model.at(name), "val");
}

void read_ranges(const Json& model, const char* name, pfmlib_ita2_input_rr_t& ranges) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ranges.rr_used = from.contains("used") ? static_cast<unsigned char>(member(from, "used")) : 1;
  ranges.rr_flags = static_cast<unsigned>(member(from, "rr_flags"));
  std::size_t i = 0;
  for (const Json& limit : from.at("limits")) {
    ranges.rr_limits[i].rr_start = number(limit.at(0));
    ranges.rr_limits[i].rr_end = number(limit.at(1));
    if (limit.size() > 2) ranges.rr_limits[i].rr_plm = static_cast<unsigned>(number(limit.at(2)));
    ++i;
  }
}

void read_model(const Json& model, pfmlib_ita2_input_param_t& block) {
  read_matcher(model, "pmc8", block.pfp_ita2_pmc8);
  read_matcher(model, "pmc9", block.pfp_ita2_pmc9);
  read_ear(model, "iear", block.pfp_ita2_iear);
  read_ear(model, "dear", block.pfp_ita2_dear);
  read_ranges(model, "irange", block.pfp_ita2_irange);
  read_ranges(model, "drange", block.pfp_ita2_drange);
  if (!model.contains("btb")) return;
  const Json& from = model.at("btb");
  pfmlib_ita2_btb_t& btb = block.pfp_ita2_btb;
  btb.btb_used = 1;
  btb.btb_ds = static_cast<unsigned char>(member(from, "ds"));
  btb.btb_tm = static_cast<unsigned char>(member(from, "tm"));
  btb.btb_ptm = static_cast<unsigned char>(member(from, "ptm"));
  btb.btb_ppm = static_cast<unsigned char>(member(from, "ppm"));
  btb.btb_brt = static_cast<unsigned char>(member(from, "brt"));
  btb.btb_plm = static_cast<unsigned>(member(from, "plm"));
}

void read_events(const Json& in, pfmlib_input_param_t& p, pfmlib_ita2_input_param_t& block) {
  for (const Json& from : in.at("events")) {
    const unsigned i = p.pfp_event_count++;
    pfmlib_event_t& event = p.pfp_events[i];
    event.event = static_cast<unsigned>(member(from, "index"));
    if (from.contains("name")) {
      const auto name = from.at("name").get<std::string>();
      EXPECT_EQ(pfm_find_event(name.c_str(), &event.event), PFMLIB_SUCCESS) << name;
    }
    event.plm = static_cast<unsigned>(member(from, "plm"));
    if (from.contains("masks"))
      for (const Json& mask : from.at("masks")) event.unit_masks[event.num_masks++] = mask.get<unsigned>();
    if (i >= PMU_ITA2_NUM_COUNTERS) continue;
    pfmlib_ita2_counter_t& counter = block.pfp_ita2_counters[i];
    counter.flags = static_cast<unsigned>(member(from, "flags"));
    counter.thres = static_cast<unsigned>(member(from, "thres"));
    put(counter.ism, member(from, "ism"));
  }
}

const char* name_of(int code) {
  switch (code) {
    case PFMLIB_SUCCESS:
      return "PFMLIB_SUCCESS";
    case PFMLIB_ERR_NOTSUPP:
      return "PFMLIB_ERR_NOTSUPP";
    case PFMLIB_ERR_INVAL:
      return "PFMLIB_ERR_INVAL";
    case PFMLIB_ERR_NOASSIGN:
      return "PFMLIB_ERR_NOASSIGN";
    case PFMLIB_ERR_FEATCOMB:
      return "PFMLIB_ERR_FEATCOMB";
    case PFMLIB_ERR_EVTSET:
      return "PFMLIB_ERR_EVTSET";
    case PFMLIB_ERR_EVTINCOMP:
      return "PFMLIB_ERR_EVTINCOMP";
    case PFMLIB_ERR_IRRTOOBIG:
      return "PFMLIB_ERR_IRRTOOBIG";
    case PFMLIB_ERR_IRRINVAL:
      return "PFMLIB_ERR_IRRINVAL";
    case PFMLIB_ERR_IRRTOOMANY:
      return "PFMLIB_ERR_IRRTOOMANY";
    case PFMLIB_ERR_IRRALIGN:
      return "PFMLIB_ERR_IRRALIGN";
    case PFMLIB_ERR_DRRINVAL:
      return "PFMLIB_ERR_DRRINVAL";
    case PFMLIB_ERR_DRRTOOMANY:
      return "PFMLIB_ERR_DRRTOOMANY";
    case PFMLIB_ERR_UMASK:
      return "PFMLIB_ERR_UMASK";
    default:
      return "another code";
  }
}

Json register_words(const pfmlib_reg_t& reg) {
  Json words{reg.reg_num, hex(reg.reg_value)};
  if (reg.reg_addr != reg.reg_num) words.push_back(reg.reg_addr);
  return words;
}

Json range_words(const pfmlib_ita2_output_rr_t& from, const Json& limits) {
  Json words{{"nbr_used", from.rr_nbr_used}, {"br", Json::array()}, {"infos", Json::array()}};
  for (unsigned i = 0; i < from.rr_nbr_used; ++i) words["br"].push_back(register_words(from.rr_br[i]));
  for (std::size_t i = 0; i < limits.size() && (number(limits[i][0]) != 0 || number(limits[i][1]) != 0); ++i)
    words["infos"].push_back(Json{hex(from.rr_infos[i].rr_soff), hex(from.rr_infos[i].rr_eoff)});
  return words;
}

std::string unpacked(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream packed;
  packed << file.rdbuf();
  const std::string bytes = packed.str();
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw std::runtime_error(path + ": no frame");
  std::string text(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size())))
    throw std::runtime_error(path + ": damaged");
  return text;
}

}  // namespace

Json answer_to(const Json& in) {
  const auto p = std::make_unique<pfmlib_input_param_t>();
  const auto q = std::make_unique<pfmlib_output_param_t>();
  const auto model_in = std::make_unique<pfmlib_ita2_input_param_t>();
  const auto model_out = std::make_unique<pfmlib_ita2_output_param_t>();
  p->pfp_dfl_plm = static_cast<unsigned>(member(in, "dfl_plm"));
  p->pfp_flags = static_cast<unsigned>(member(in, "flags"));
  if (in.contains("unavail_pmcs"))
    for (const Json& number : in.at("unavail_pmcs")) pfm_regmask_set(&p->pfp_unavail_pmcs, number.get<unsigned>());
  EXPECT_EQ(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
  read_events(in, *p, *model_in);
  const Json& model = in.at("model");
  if (!model.is_null()) read_model(model, *model_in);
  const bool with_output = in.contains("model_out") ? member(in, "model_out") != 0 : !model.is_null();
  const int code = pfm_dispatch_events(p.get(), model.is_null() ? nullptr : model_in.get(), q.get(),
                                       with_output ? model_out.get() : nullptr);
  Json out{{"ret", name_of(code)}};
  if (code != PFMLIB_SUCCESS) return out;
  out["pmcs"] = Json::array();
  out["pmds"] = Json::array();
  for (unsigned i = 0; i < q->pfp_pmc_count; ++i) out["pmcs"].push_back(register_words(q->pfp_pmcs[i]));
  for (unsigned i = 0; i < q->pfp_pmd_count; ++i) {
    EXPECT_EQ(q->pfp_pmds[i].reg_value, 0u);
    EXPECT_EQ(q->pfp_pmds[i].reg_addr, q->pfp_pmds[i].reg_num);
    out["pmds"].push_back(q->pfp_pmds[i].reg_num);
  }
  if (model.is_null()) return out;
  if (model.contains("irange")) {
    out["irange"] = range_words(model_out->pfp_ita2_irange, model.at("irange").at("limits"));
    out["irange_is_fine"] = pfm_ita2_irange_is_fine(q.get(), model_out.get());
  }
  if (model.contains("drange"))
    out["drange"] = range_words(model_out->pfp_ita2_drange, model.at("drange").at("limits"));
  return out;
}

const std::vector<Json>& recorded_cases() {
  static const std::vector<Json> cases = [] {
    std::vector<Json> all;
    std::stringstream lines(
        unpacked(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_itanium2/itanium2_dispatch.jsonl.zst"));
    for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
    return all;
  }();
  return cases;
}

WithQuirks::WithQuirks(const std::string& words) { EXPECT_EQ(pfm_set_quirks(words.c_str()), PFMLIB_SUCCESS) << words; }
WithQuirks::~WithQuirks() { pfm_set_quirks(nullptr); }

std::string quirks_of(const Json& in) {
  const bool forced = in.contains("native") && in.at("native") == 0;
  return forced ? "libpfm-3.10,unrounded-fine" : "libpfm-3.10";
}

}  // namespace pmusim::encoder::test
