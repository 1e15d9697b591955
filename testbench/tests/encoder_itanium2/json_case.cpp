#include "json_case.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

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

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string unpacked(const std::string& path) {
  const std::string bytes = bytes_of(path);
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw std::runtime_error(path + ": no frame");
  std::string text(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size())))
    throw std::runtime_error(path + ": damaged");
  return text;
}

}  // namespace

WithQuirks::WithQuirks(const std::string& words) { EXPECT_EQ(pfm_set_quirks(words.c_str()), PFMLIB_SUCCESS) << words; }
WithQuirks::~WithQuirks() { pfm_set_quirks(nullptr); }

unsigned long number(const Json& value) {
  return value.is_string() ? std::stoul(value.get<std::string>(), nullptr, 16) : value.get<unsigned long>();
}

unsigned long member(const Json& object, const char* name) {
  return object.contains(name) ? number(object.at(name)) : 0;
}

unsigned char used(const Json& object) {
  return object.contains("used") ? static_cast<unsigned char>(member(object, "used")) : 1;
}

std::vector<Json> read_lines(const std::string& path) {
  std::vector<Json> all;
  std::stringstream lines(path.ends_with(".zst") ? unpacked(path) : bytes_of(path));
  for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
  return all;
}

namespace {

void read_event(const Json& from, pfmlib_event_t& event) {
  put(from, "index", event.event);
  if (from.contains("name")) {
    const auto name = from.at("name").get<std::string>();
    EXPECT_EQ(pfm_find_event(name.c_str(), &event.event), PFMLIB_SUCCESS) << name;
  }
  put(from, "plm", event.plm);
  if (from.contains("masks"))
    for (const Json& mask : from.at("masks")) event.unit_masks[event.num_masks++] = mask.get<unsigned>();
}

}  // namespace

void read_request(const Json& in, pfmlib_input_param_t& p) {
  put(in, "dfl_plm", p.pfp_dfl_plm);
  put(in, "flags", p.pfp_flags);
  if (in.contains("unavail_pmcs"))
    for (const Json& number : in.at("unavail_pmcs")) pfm_regmask_set(&p.pfp_unavail_pmcs, number.get<unsigned>());
  for (const Json& event : in.at("events")) read_event(event, p.pfp_events[p.pfp_event_count++]);
}

std::string hex(unsigned long long value) { return fmt::format("{:#x}", value); }

Json register_words(const pfmlib_reg_t& reg) {
  Json words{reg.reg_num, hex(reg.reg_value)};
  if (reg.reg_addr != reg.reg_num) words.push_back(reg.reg_addr);
  EXPECT_EQ(reg.reg_alt_addr, reg.reg_addr);
  return words;
}

Json answer_words(const Json& in, pfmlib_input_param_t& p, void* model_in, pfmlib_output_param_t& q, void* model_out) {
  const bool with_model = !in.at("model").is_null();
  const bool with_output = in.contains("model_out") ? member(in, "model_out") != 0 : with_model;
  const int code = pfm_dispatch_events(&p, with_model ? model_in : nullptr, &q, with_output ? model_out : nullptr);
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
  return out;
}

}  // namespace pmusim::encoder::test
