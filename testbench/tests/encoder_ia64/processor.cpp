#include "processor.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "testbench/tests/manual_pages/pages.h"

namespace pmusim::encoder::test {
namespace {

const char* name_of(int code) {
  static constexpr const char* names[] = {
      "SUCCESS",        "ERR_NOTSUPP",   "ERR_INVAL",    "ERR_NOINIT",   "ERR_NOTFOUND",   "ERR_NOASSIGN",
      "ERR_FULL",       "ERR_EVTMANY",   "ERR_MAGIC",    "ERR_FEATCOMB", "ERR_EVTSET",     "ERR_EVTINCOMP",
      "ERR_TOOMANY",    "ERR_IRRTOOBIG", "ERR_IRREMPTY", "ERR_IRRINVAL", "ERR_IRRTOOMANY", "ERR_DRRINVAL",
      "ERR_DRRTOOMANY", "ERR_BADHOST",   "ERR_IRRALIGN", "ERR_IRRFLAGS", "ERR_UMASK",      "ERR_NOMEM"};
  return code <= 0 && -code < static_cast<int>(std::size(names)) ? names[-code] : "another code";
}

std::string unpacked(const std::string& bytes) {
  std::string text(ZSTD_getFrameContentSize(bytes.data(), bytes.size()), '\0');
  if (ZSTD_isError(ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size())))
    throw std::runtime_error("the recorded answers are damaged");
  return text;
}

/// Members that are numbers, each truncated to the type of a field, which may be an enumeration and then hold a value
/// without a name.
template <class Field, class... More>
void put(const Json& object, const char* name, Field& to, More&... more) {
  const unsigned long value = member(object, name);
  static_assert(sizeof to <= sizeof value);
  std::memcpy(&to, &value, sizeof to);  // little-endian
  if constexpr (sizeof...(more) > 0) put(object, more...);
}

/// A used flag: 1 for a member that is present, unless it has another value.
unsigned char used(const Json& object) {
  return object.contains("used") ? static_cast<unsigned char>(member(object, "used")) : 1;
}

template <class Ear>
void read_ear(const Json& model, const char* name, Ear& ear) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ear.ear_used = used(from);
  put(from, "mode", ear.ear_mode);
  if constexpr (requires { ear.ear_ism; }) put(from, "ism", ear.ear_ism);
  put(from, "plm", ear.ear_plm, "umask", ear.ear_umask);
}

void read_model(const Json& model, pfmlib_ita2_input_param_t& block) {
  for (const auto& [name, matcher] : {std::pair{"pmc8", &block.pfp_ita2_pmc8}, {"pmc9", &block.pfp_ita2_pmc9}}) {
    if (!model.contains(name)) continue;
    matcher->opcm_used = 1;
    put(model.at(name), "val", matcher->pmc_val);
  }
  read_ear(model, "iear", block.pfp_ita2_iear);
  read_ear(model, "dear", block.pfp_ita2_dear);
  if (!model.contains("btb")) return;
  const Json& from = model.at("btb");
  pfmlib_ita2_btb_t& btb = block.pfp_ita2_btb;
  btb.btb_used = 1;
  put(from, "ds", btb.btb_ds, "tm", btb.btb_tm, "ptm", btb.btb_ptm, "ppm", btb.btb_ppm, "brt", btb.btb_brt, "plm",
      btb.btb_plm);
}

void read_model(const Json& model, pfmlib_mont_input_param_t& block) {
  for (const auto& [name, matcher] : {std::pair{"opcm1", &block.pfp_mont_opcm1}, {"opcm2", &block.pfp_mont_opcm2}}) {
    if (!model.contains(name)) continue;
    const Json& from = model.at(name);
    matcher->opcm_used = 1;
    put(from, "m", matcher->opcm_m, "i", matcher->opcm_i, "f", matcher->opcm_f, "b", matcher->opcm_b, "match",
        matcher->opcm_match, "mask", matcher->opcm_mask);
  }
  read_ear(model, "iear", block.pfp_mont_iear);
  read_ear(model, "dear", block.pfp_mont_dear);
  if (model.contains("etb")) {
    const Json& from = model.at("etb");
    pfmlib_mont_etb_t& etb = block.pfp_mont_etb;
    etb.etb_used = used(from);
    put(from, "tm", etb.etb_tm, "ptm", etb.etb_ptm, "ppm", etb.etb_ppm, "brt", etb.etb_brt, "plm", etb.etb_plm);
  }
  if (model.contains("ipear")) {
    const Json& from = model.at("ipear");
    block.pfp_mont_ipear.ipear_used = used(from);
    put(from, "delay", block.pfp_mont_ipear.ipear_delay, "plm", block.pfp_mont_ipear.ipear_plm);
  }
}

/// Converts `irange` or `drange` to a pfmlib_..._input_rr_t.
template <class Ranges>
void read_ranges(const Json& model, const char* name, Ranges& ranges) {
  if (!model.contains(name)) return;
  const Json& from = model.at(name);
  ranges.rr_used = used(from);
  put(from, "rr_flags", ranges.rr_flags);
  std::size_t i = 0;
  for (const Json& limit : from.at("limits")) {
    ranges.rr_limits[i].rr_start = number(limit.at(0));
    ranges.rr_limits[i].rr_end = number(limit.at(1));
    if (limit.size() > 2) ranges.rr_limits[i].rr_plm = static_cast<unsigned>(number(limit.at(2)));
    ++i;
  }
}

void read_event(const Json& from, pfmlib_event_t& event) {
  put(from, "index", event.event);
  if (from.contains("name")) event.event = descriptor(from.at("name").get<std::string>());
  put(from, "plm", event.plm);
  if (from.contains("masks"))
    for (const Json& mask : from.at("masks")) event.unit_masks[event.num_masks++] = mask.get<unsigned>();
}

template <class Page>
void read_request(const Json& in, Request<Page>& request) {
  pfmlib_input_param_t& p = request.in;
  put(in, "dfl_plm", p.pfp_dfl_plm, "flags", p.pfp_flags);
  if (in.contains("unavail_pmcs"))
    for (const Json& pmc : in.at("unavail_pmcs")) pfm_regmask_set(&p.pfp_unavail_pmcs, pmc.get<unsigned>());
  auto& counters = Page::counters_of(request.model_in);
  for (const Json& event : in.at("events")) {
    const unsigned i = p.pfp_event_count++;
    read_event(event, p.pfp_events[i]);
    if (i >= Page::counters) continue;
    put(event, "flags", counters[i].flags, "thres", counters[i].thres);
    if constexpr (requires { counters[i].ism; }) put(event, "ism", counters[i].ism);
  }
  const Json& model = in.at("model");
  if (model.is_null()) return;
  read_model(model, request.model_in);
  read_ranges(model, "irange", Page::irange(request.model_in));
  read_ranges(model, "drange", Page::drange(request.model_in));
}

Json register_words(const pfmlib_reg_t& reg) {
  Json words{reg.reg_num, hex(reg.reg_value)};
  if (reg.reg_addr != reg.reg_num) words.push_back(reg.reg_addr);
  EXPECT_EQ(reg.reg_alt_addr, reg.reg_addr);
  return words;
}

/// Converts a pfmlib_..._output_rr_t to JSON.
template <class Ranges>
Json range_words(const Ranges& from, const Json& limits) {
  Json words{{"nbr_used", from.rr_nbr_used}, {"br", Json::array()}, {"infos", Json::array()}};
  for (unsigned i = 0; i < from.rr_nbr_used; ++i) words["br"].push_back(register_words(from.rr_br[i]));
  for (std::size_t i = 0; i < limits.size() && (number(limits[i][0]) != 0 || number(limits[i][1]) != 0); ++i)
    words["infos"].push_back(Json{hex(from.rr_infos[i].rr_soff), hex(from.rr_infos[i].rr_eoff)});
  return words;
}

template <class Page>
Json answer_of(const Json& in) {
  EXPECT_EQ(pfm_force_pmu(Page::pmu), PFMLIB_SUCCESS);
  const auto request = std::make_unique<Request<Page>>();
  read_request(in, *request);
  const Json& model = in.at("model");
  const bool with_model = !model.is_null();
  const bool with_output = in.contains("model_out") ? member(in, "model_out") != 0 : with_model;
  pfmlib_output_param_t& q = request->out;
  const int code = pfm_dispatch_events(&request->in, with_model ? &request->model_in : nullptr, &request->out,
                                       with_output ? &request->model_out : nullptr);
  Json out{{"ret", fmt::format("PFMLIB_{}", name_of(code))}};
  if (code != PFMLIB_SUCCESS) return out;
  out["pmcs"] = Json::array();
  out["pmds"] = Json::array();
  for (unsigned i = 0; i < q.pfp_pmc_count; ++i) out["pmcs"].push_back(register_words(q.pfp_pmcs[i]));
  for (unsigned i = 0; i < q.pfp_pmd_count; ++i) {
    EXPECT_EQ(q.pfp_pmds[i].reg_value, 0u);
    EXPECT_EQ(q.pfp_pmds[i].reg_addr, q.pfp_pmds[i].reg_num);
    out["pmds"].push_back(q.pfp_pmds[i].reg_num);
  }
  if (with_model && model.contains("irange")) {
    out["irange"] = range_words(Page::irange(request->model_out), model.at("irange").at("limits"));
    out["irange_is_fine"] = Page::irange_is_fine(&q, &request->model_out);
  }
  if (with_model && model.contains("drange"))
    out["drange"] = range_words(Page::drange(request->model_out), model.at("drange").at("limits"));
  return out;
}

}  // namespace

unsigned long number(const Json& value) {
  return value.is_string() ? std::stoul(value.get<std::string>(), nullptr, 16) : value.get<unsigned long>();
}

unsigned long member(const Json& object, const char* name) {
  return object.contains(name) ? number(object.at(name)) : 0;
}

std::string hex(unsigned long long value) { return fmt::format("{:#x}", value); }

std::vector<Json> read_lines(const std::string& name) {
  std::ifstream file(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_ia64/" + name, std::ios::binary);
  std::stringstream lines;
  lines << file.rdbuf();
  if (name.ends_with(".zst")) lines = std::stringstream(unpacked(lines.str()));
  std::vector<Json> all;
  for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
  return all;
}

const Processor itanium2{"itanium2", answer_of<Itanium2Page>, 12, 32, 13};
const Processor montecito{"montecito", answer_of<MontecitoPage>, 16, 16, 41};

std::string quirks_of(const Json& in) {
  const bool forced = in.contains("native") && in.at("native") == 0;
  return forced ? "libpfm-3.10,unrounded-fine" : "libpfm-3.10";
}

}  // namespace pmusim::encoder::test
