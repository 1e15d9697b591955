#include <gtest/gtest.h>
#include <perfmon/pfmlib_montecito.h>

#include <nlohmann/json.hpp>

#include "testbench/tests/encoder_itanium2/json_case.h"

namespace pmusim::encoder::test {
namespace {

void read_ear(const Json& model, const char* name, pfmlib_mont_ear_t& ear) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ear.ear_used = used(from);
  put(from, "mode", ear.ear_mode);
  put(from, "plm", ear.ear_plm);
  put(from, "umask", ear.ear_umask);
}

void read_matcher(const Json& model, const char* name, pfmlib_mont_opcm_t& matcher) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  matcher.opcm_used = 1;
  put(from, "m", matcher.opcm_m);
  put(from, "i", matcher.opcm_i);
  put(from, "f", matcher.opcm_f);
  put(from, "b", matcher.opcm_b);
  put(from, "match", matcher.opcm_match);
  put(from, "mask", matcher.opcm_mask);
}

void read_buffer(const Json& model, pfmlib_mont_etb_t& etb, pfmlib_mont_ipear_t& ipear) {
  if (model.contains("etb")) {
    const Json& from = model.at("etb");
    etb.etb_used = used(from);
    put(from, "tm", etb.etb_tm);
    put(from, "ptm", etb.etb_ptm);
    put(from, "ppm", etb.etb_ppm);
    put(from, "brt", etb.etb_brt);
    put(from, "plm", etb.etb_plm);
  }
  if (model.contains("ipear")) {
    const Json& from = model.at("ipear");
    ipear.ipear_used = used(from);
    put(from, "delay", ipear.ipear_delay);
    put(from, "plm", ipear.ipear_plm);
  }
}

void read_model(const Json& model, pfmlib_mont_input_param_t& block) {
  read_matcher(model, "opcm1", block.pfp_mont_opcm1);
  read_matcher(model, "opcm2", block.pfp_mont_opcm2);
  read_ear(model, "iear", block.pfp_mont_iear);
  read_ear(model, "dear", block.pfp_mont_dear);
  read_buffer(model, block.pfp_mont_etb, block.pfp_mont_ipear);
  read_ranges(model, "irange", block.pfp_mont_irange);
  read_ranges(model, "drange", block.pfp_mont_drange);
}

}  // namespace

Json answer_to(const Json& in) {
  const auto p = std::make_unique<pfmlib_input_param_t>();
  const auto q = std::make_unique<pfmlib_output_param_t>();
  const auto model_in = std::make_unique<pfmlib_mont_input_param_t>();
  const auto model_out = std::make_unique<pfmlib_mont_output_param_t>();
  EXPECT_EQ(pfm_force_pmu(PFMLIB_MONTECITO_PMU), PFMLIB_SUCCESS);
  read_request(in, *p, [&](unsigned i, const Json& event) {
    if (i >= PMU_MONT_NUM_COUNTERS) return;
    put(event, "flags", model_in->pfp_mont_counters[i].flags);
    put(event, "thres", model_in->pfp_mont_counters[i].thres);
  });
  const Json& model = in.at("model");
  if (!model.is_null()) read_model(model, *model_in);
  Json out = answer_words(in, *p, model_in.get(), *q, model_out.get());
  if (model.is_null() || !out.contains("pmcs")) return out;
  if (model.contains("irange")) {
    out["irange"] = range_words(model_out->pfp_mont_irange, model.at("irange").at("limits"));
    out["irange_is_fine"] = pfm_mont_irange_is_fine(q.get(), model_out.get());
  }
  if (model.contains("drange"))
    out["drange"] = range_words(model_out->pfp_mont_drange, model.at("drange").at("limits"));
  return out;
}

const std::vector<Json>& recorded_cases() {
  static const std::vector<Json> cases =
      read_lines(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_montecito/montecito_dispatch.jsonl.zst");
  return cases;
}

std::string quirks_of(const Json& /*in*/) { return "libpfm-3.10"; }

}  // namespace pmusim::encoder::test
