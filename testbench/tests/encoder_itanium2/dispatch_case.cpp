#include <gtest/gtest.h>
#include <perfmon/pfmlib_itanium2.h>

#include <nlohmann/json.hpp>

#include "json_case.h"

namespace pmusim::encoder::test {
namespace {

void read_ear(const Json& model, const char* name, pfmlib_ita2_ear_t& ear) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ear.ear_used = used(from);
  put(from, "mode", ear.ear_mode);
  put(from, "ism", ear.ear_ism);
  put(from, "plm", ear.ear_plm);
  put(from, "umask", ear.ear_umask);
}

void read_matcher(const Json& model, const char* name, pfmlib_ita2_opcm_t& matcher) {
  if (!model.contains(name)) return;
  matcher.opcm_used = 1;
  put(model.at(name), "val", matcher.pmc_val);
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
  put(from, "ds", btb.btb_ds);
  put(from, "tm", btb.btb_tm);
  put(from, "ptm", btb.btb_ptm);
  put(from, "ppm", btb.btb_ppm);
  put(from, "brt", btb.btb_brt);
  put(from, "plm", btb.btb_plm);
}

}  // namespace

Json answer_to(const Json& in) {
  const auto p = std::make_unique<pfmlib_input_param_t>();
  const auto q = std::make_unique<pfmlib_output_param_t>();
  const auto model_in = std::make_unique<pfmlib_ita2_input_param_t>();
  const auto model_out = std::make_unique<pfmlib_ita2_output_param_t>();
  EXPECT_EQ(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
  read_request(in, *p, [&](unsigned i, const Json& event) {
    if (i >= PMU_ITA2_NUM_COUNTERS) return;
    put(event, "flags", model_in->pfp_ita2_counters[i].flags);
    put(event, "thres", model_in->pfp_ita2_counters[i].thres);
    put(event, "ism", model_in->pfp_ita2_counters[i].ism);
  });
  const Json& model = in.at("model");
  if (!model.is_null()) read_model(model, *model_in);
  Json out = answer_words(in, *p, model_in.get(), *q, model_out.get());
  if (model.is_null() || !out.contains("pmcs")) return out;
  if (model.contains("irange")) {
    out["irange"] = range_words(model_out->pfp_ita2_irange, model.at("irange").at("limits"));
    out["irange_is_fine"] = pfm_ita2_irange_is_fine(q.get(), model_out.get());
  }
  if (model.contains("drange"))
    out["drange"] = range_words(model_out->pfp_ita2_drange, model.at("drange").at("limits"));
  return out;
}

const std::vector<Json>& recorded_cases() {
  static const std::vector<Json> cases =
      read_lines(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_itanium2/itanium2_dispatch.jsonl.zst");
  return cases;
}

std::string quirks_of(const Json& in) {
  const bool forced = in.contains("native") && in.at("native") == 0;
  return forced ? "libpfm-3.10,unrounded-fine" : "libpfm-3.10";
}

}  // namespace pmusim::encoder::test
