// Every input member of the C API with values that its register has no room for. The library refuses them, or
// docs/libpfm3.md says how many bits are used; a member that neither is fails here.
#include <fmt/format.h>
#include <perfmon/pfmlib_alpha.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "testbench/tests/manual_pages/pages.h"

namespace pmusim::encoder::test {
namespace {

/// What becomes of the bits that a member has above those of its register field.
enum class Rest {
  cut,      ///< dropped: a row of the page
  flags,    ///< flags that are not defined are dropped: a row of the page
  refused,  ///< an error
  yes,      ///< there are none: every value but 0 is 1
  none,     ///< there are none: the member is as wide as what it sets, or each of its values is looked at
  unread,   ///< the member is reserved: never looked at
};

struct Member {
  const char* name;  ///< in the page's table
  std::size_t offset, size;
  unsigned bits;  ///< that are used
  Rest rest;
  const char* mode = "";  ///< in the page's table, if the number of bits depends on another member
};

/// A member of a block, by its place.
#define PMUSIM_MEMBER(Block, path, ...) \
  Member { #path, offsetof(Block, path), sizeof(Block::path), __VA_ARGS__ }

// --- the page -----------------------------------------------------------------------------------------------------

std::string without(std::string text, const std::string& what) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
  return text;
}

/// "ear_umask, TLB mode" -> "7": the table under "Fields that are cut to their width".
const std::map<std::string, std::string>& documented() {
  static const std::map<std::string, std::string> rows = [] {
    std::map<std::string, std::string> found;
    std::ifstream page(PMUSIM_SOURCE_DIR "/docs/libpfm3.md");
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("#")) inside = line == "### Fields that are cut to their width";
      if (!inside || !line.starts_with("| `")) continue;
      const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
      std::string names = without(line.substr(2, first - 2), "`"), mode;
      if (const std::size_t open = names.find(" ("); open != std::string::npos) {
        mode = ", " + names.substr(open + 2, names.size() - open - 3);
        names.resize(open);
      }
      for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t comma = std::min(names.find(", ", begin), names.size());
        const bool fresh =
            found.emplace(names.substr(begin, comma - begin) + mode, line.substr(first + 3, second - first - 3)).second;
        EXPECT_TRUE(fresh) << line;
        begin = comma + 2;
      }
    }
    return found;
  }();
  return rows;
}

/// The last part of a path: "thres" of "pfp_ita2_counters[0].thres".
std::string last_part(const std::string& path) { return path.substr(path.find_last_of('.') + 1); }

std::string key_of(const Member& member) {
  return last_part(member.name) + (*member.mode == '\0' ? "" : std::string(", ") + member.mode);
}

std::set<std::string>& cut_members() {
  static std::set<std::string> keys;
  return keys;
}

/// A member that is cut stands in the table with its number of bits.
void expect_documented(const Member& member) {
  const std::string key = key_of(member);
  const auto row = documented().find(key);
  ASSERT_NE(row, documented().end()) << member.name << " is cut silently: docs/libpfm3.md lacks " << key;
  EXPECT_EQ(row->second, member.rest == Rest::flags ? "the defined flags" : std::to_string(member.bits)) << key;
  cut_members().insert(key);
}

// --- one member ---------------------------------------------------------------------------------------------------

/// What a request gives: an error, or the registers.
struct Answer {
  int error = PFMLIB_SUCCESS;
  std::vector<std::array<unsigned long long, 3>> registers;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Sends a request with this value in a member.
using Ask = std::function<Answer(std::uint64_t)>;

std::uint64_t ones(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// Tries the bits from `bits` on, one at a time and all at once, beside legal values.
void check(const Member& member, const std::vector<std::uint64_t>& legal, const Ask& ask) {
  const unsigned width = 8 * static_cast<unsigned>(member.size);
  std::vector<std::uint64_t> beyond;
  for (unsigned bit = member.bits; bit < width; ++bit) beyond.push_back(std::uint64_t{1} << bit);
  if (member.bits < width) beyond.push_back(ones(width) & ~ones(member.bits));
  for (const std::uint64_t value : legal) {
    const Answer right = ask(value);
    EXPECT_EQ(right.error, PFMLIB_SUCCESS) << member.name << " = " << value << ": " << pfm_last_error();
    for (const std::uint64_t more : beyond) {
      const Answer got = ask(value | more);
      const std::string where = fmt::format("{} = {:#x}", member.name, value | more);
      if (member.rest == Rest::refused) {
        EXPECT_NE(got.error, PFMLIB_SUCCESS) << where;
      } else {
        EXPECT_EQ(got, right) << where;
      }
    }
  }
  // The bits that are used are looked at: the number is not too large.
  if (member.rest == Rest::cut) {
    EXPECT_NE(ask(std::uint64_t{1} << (member.bits - 1)), ask(legal.front()))
        << member.name << ": bit " << member.bits - 1 << " has no effect";
  }
  if (member.rest == Rest::cut || member.rest == Rest::flags) expect_documented(member);
}

/// Sets a member in a block.
template <class Block>
void put(Block& block, const Member& member, std::uint64_t value) {
  std::memcpy(reinterpret_cast<unsigned char*>(&block) + member.offset, &value, member.size);  // little endian
}

/// The bytes of a block that are in no member; arrays are covered by their first element, `repeated` bytes from
/// `offset` on stand for `times` of it.
struct Array {
  std::size_t offset, element, times;
};
std::size_t uncovered(std::size_t size, const std::vector<Member>& members, const std::vector<Array>& arrays) {
  std::vector<bool> covered(size);
  for (const Member& member : members)
    for (std::size_t i = 0; i < member.size; ++i) covered.at(member.offset + i) = true;
  for (const Array& array : arrays)
    for (std::size_t i = array.element; i < array.element * array.times; ++i)
      covered.at(array.offset + i) = covered.at(array.offset + i % array.element);
  return static_cast<std::size_t>(std::count(covered.begin(), covered.end(), false));
}

// --- the generic block --------------------------------------------------------------------------------------------

const std::vector<Member>& generic_members() {
  using In = pfmlib_input_param_t;
  static const std::vector<Member> members{
      PMUSIM_MEMBER(In, pfp_event_count, 32, Rest::none),
      PMUSIM_MEMBER(In, pfp_dfl_plm, 4, Rest::cut),
      PMUSIM_MEMBER(In, pfp_flags, 1, Rest::flags),
      PMUSIM_MEMBER(In, reserved1, 0, Rest::unread),
      PMUSIM_MEMBER(In, pfp_events[0].event, 32, Rest::none),
      PMUSIM_MEMBER(In, pfp_events[0].plm, 4, Rest::cut),
      PMUSIM_MEMBER(In, pfp_events[0].flags, 0, Rest::unread),
      PMUSIM_MEMBER(In, pfp_events[0].unit_masks, 32, Rest::none),
      PMUSIM_MEMBER(In, pfp_events[0].num_masks, 32, Rest::none),
      PMUSIM_MEMBER(In, pfp_events[0].reserved, 0, Rest::unread),
      PMUSIM_MEMBER(In, pfp_unavail_pmcs, 64, Rest::none),
      PMUSIM_MEMBER(In, reserved, 0, Rest::unread),
  };
  return members;
}

/// The registers of a request, or its error.
template <class Output>
Answer answer_of(int error, const pfmlib_output_param_t& out, const Output* ranges) {
  Answer answer{error, {}};
  if (error != PFMLIB_SUCCESS) return answer;
  const auto add = [&](const pfmlib_reg_t& reg) {
    answer.registers.push_back({reg.reg_num, reg.reg_addr, reg.reg_value});
  };
  for (unsigned i = 0; i < out.pfp_pmc_count; ++i) add(out.pfp_pmcs[i]);
  for (unsigned i = 0; i < out.pfp_pmd_count; ++i) add(out.pfp_pmds[i]);
  if constexpr (requires { ranges->rr_nbr_used; })
    for (unsigned i = 0; i < ranges->rr_nbr_used; ++i) add(ranges->rr_br[i]);
  return answer;
}

/// Sends an event at levels 0 and 3, with a change of the generic block, and a block of the model.
template <class Change>
Answer single(const std::string& event, Change change, void* model_in = nullptr) {
  auto in = std::make_unique<pfmlib_input_param_t>();
  auto out = std::make_unique<pfmlib_output_param_t>();
  in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
  in->pfp_event_count = 1;
  in->pfp_events[0].event = descriptor(event);
  change(*in);
  return answer_of<void>(pfm_dispatch_events(in.get(), model_in, out.get(), nullptr), *out, nullptr);
}

struct Processor {
  int pmu;
  const char* event;
};
const Processor processors[] = {{PFMLIB_ITANIUM2_PMU, "CPU_CYCLES"},
                                {PFMLIB_MONTECITO_PMU, "CPU_OP_CYCLES_ALL"},
                                {PFMLIB_ATHLON_PMU, "CPU_CLK_UNHALTED"},
                                {PFMLIB_PPC750GX_PMU, "PROCESSOR_CYCLES"},
                                {PFMLIB_ALPHA_EV5_PMU, "PF5_MUX2_C_CYCLES"}};

TEST(Fields, OfTheGenericBlockAreRefusedOrDocumented) {
  for (const Processor& processor : processors) {
    SCOPED_TRACE(processor.event);
    ASSERT_EQ(pfm_force_pmu(processor.pmu), PFMLIB_SUCCESS);
    for (const Member& member : generic_members()) {
      if (member.rest == Rest::none || member.rest == Rest::unread) continue;
      const std::vector<std::uint64_t> legal = last_part(member.name) == "pfp_flags"
                                                   ? std::vector<std::uint64_t>{0, 1}
                                                   : std::vector<std::uint64_t>{1, 8, 9};
      check(member, legal,
            [&](std::uint64_t value) { return single(processor.event, [&](auto& in) { put(in, member, value); }); });
    }
    // Members whose values are all looked at.
    const auto refused = [&](auto change, int error) { EXPECT_EQ(single(processor.event, change).error, error); };
    refused([](auto& in) { in.pfp_event_count = PFMLIB_MAX_PMCS; }, PFMLIB_ERR_INVAL);
    refused([](auto& in) { in.pfp_event_count = ~0u; }, PFMLIB_ERR_INVAL);
    refused([](auto& in) { in.pfp_events[0].event = number_of_events(); }, PFMLIB_ERR_INVAL);
    refused([](auto& in) { in.pfp_events[0].event = ~0u; }, PFMLIB_ERR_INVAL);
    refused([](auto& in) { in.pfp_events[0].num_masks = PFMLIB_MAX_MASKS_PER_EVENT + 1; }, PFMLIB_ERR_TOOMANY);
    refused([](auto& in) { in.pfp_events[0].num_masks = ~0u; }, PFMLIB_ERR_TOOMANY);
    refused([](auto& in) { in.pfp_events[0].num_masks = 1, in.pfp_events[0].unit_masks[0] = ~0u; }, PFMLIB_ERR_UMASK);
    refused([](auto& in) { in.pfp_dfl_plm = 0; }, PFMLIB_ERR_INVAL);
  }
  using In = pfmlib_input_param_t;
  EXPECT_EQ(
      uncovered(sizeof(In), generic_members(), {{offsetof(In, pfp_events), sizeof(pfmlib_event_t), PFMLIB_MAX_PMCS}}),
      PFMLIB_MAX_PMCS * 4u)
      << "four bytes behind num_masks are in no member";
}

// --- IA-64 --------------------------------------------------------------------------------------------------------

/// A member of the model's block, and a request in which it matters.
template <class Page>
struct Probe {
  Member member;
  std::vector<std::uint64_t> legal;
  std::function<void(Request<Page>&)> use;
  const char* event = "NOPS_RETIRED";
};

template <class Page>
Answer answer_to(const Probe<Page>& probe, std::uint64_t value) {
  Request<Page> request({descriptor(probe.event)});
  probe.use(request);
  put(request.model_in, probe.member, value);
  const int error = request.dispatch();
  Answer answer = answer_of(error, request.out, &Page::irange(request.model_out));
  const Answer data = answer_of(error, request.out, &Page::drange(request.model_out));
  answer.registers.insert(answer.registers.end(), data.registers.begin(), data.registers.end());
  return answer;
}

constexpr std::uint64_t text = 0x4000000000001000, heap = 0x6000000000001000;

template <class Page>
void use_iear(Request<Page>& r, int mode) {
  Page::iear(r.model_in).ear_used = 1;
  Page::iear(r.model_in).ear_mode = static_cast<typename Page::EarMode>(mode);
}
template <class Page>
void use_dear(Request<Page>& r, int mode) {
  Page::dear(r.model_in).ear_used = 1;
  Page::dear(r.model_in).ear_mode = static_cast<typename Page::EarMode>(mode);
}

/// Members that both pages have, under their own names.
#define PMUSIM_EAR(prefix, name, use, cache_bits, tlb_bits, modes)                                                   \
  {PMUSIM_MEMBER(In, prefix##name.ear_used, 0, Rest::yes), {}, [](Request<Page>&) {}},                               \
      {PMUSIM_MEMBER(In, prefix##name.ear_mode, modes, Rest::refused), {0, 1}, [](Request<Page>& r) { use(r, 0); }}, \
      {PMUSIM_MEMBER(In, prefix##name.ear_plm, 4, Rest::cut), {1, 8, 15}, [](Request<Page>& r) { use(r, 0); }},      \
      {PMUSIM_MEMBER(In, prefix##name.ear_umask, cache_bits, Rest::cut, #name " in cache mode"),                     \
       {0, 1, 5},                                                                                                    \
       [](Request<Page>& r) { use(r, 0); }},                                                                         \
  {                                                                                                                  \
    PMUSIM_MEMBER(In, prefix##name.ear_umask, tlb_bits, Rest::cut, #name " in TLB mode"), {0, 1, 5},                 \
        [](Request<Page>& r) { use(r, 1); }                                                                          \
  }
#define PMUSIM_RANGE(prefix, name, event, use, legal_flags, flag_bits)                                              \
  {PMUSIM_MEMBER(In, prefix##name.rr_flags, flag_bits, Rest::flags), legal_flags, [](Request<Page>& r) { use; },    \
   event},                                                                                                          \
      {PMUSIM_MEMBER(In, prefix##name.rr_used, 0, Rest::yes), {}, [](Request<Page>& r) { use; }, event}, {          \
    PMUSIM_MEMBER(In, prefix##name.rr_limits[0].rr_plm, 4, Rest::cut), {1, 5}, [](Request<Page>& r) { use; }, event \
  }

std::vector<Probe<Itanium2Page>> itanium2_probes() {
  using Page = Itanium2Page;
  using In = Page::Input;
  const auto nothing = [](Request<Page>&) {};
  const auto buffer = [](Request<Page>& r) { Page::branches(r.model_in, 3, 3, 3, 0, 8); };
  std::vector<Probe<Page>> probes{
      {PMUSIM_MEMBER(In, pfp_ita2_counters[0].flags, 1, Rest::flags), {0, 1}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_counters[0].thres, 3, Rest::cut), {0, 1, 5}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_counters[0].ism, 2, Rest::cut), {0, 1, 2}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_flags, 0, Rest::unread), {0}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_pmc8.opcm_used, 0, Rest::yes), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_pmc8.pmc_val, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_pmc9.opcm_used, 0, Rest::yes), {}, nothing, "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"},
      {PMUSIM_MEMBER(In, pfp_ita2_pmc9.pmc_val, 64, Rest::none), {}, nothing},
      PMUSIM_EAR(pfp_ita2_, iear, use_iear, 8, 7, 1),
      PMUSIM_EAR(pfp_ita2_, dear, use_dear, 4, 4, 2),
      {PMUSIM_MEMBER(In, pfp_ita2_iear.ear_ism, 2, Rest::cut), {0, 1, 2}, [](Request<Page>& r) { use_iear(r, 0); }},
      {PMUSIM_MEMBER(In, pfp_ita2_dear.ear_ism, 2, Rest::cut), {0, 1, 2}, [](Request<Page>& r) { use_dear(r, 0); }},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_used, 0, Rest::yes), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_ds, 1, Rest::cut), {0}, buffer},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_tm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_ptm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_ppm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_brt, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_ita2_btb.btb_plm, 4, Rest::cut), {1, 8, 15}, buffer},
      PMUSIM_RANGE(pfp_ita2_, irange, "NOPS_RETIRED", r.code_range(text, text + 0x100),
                   (std::vector<std::uint64_t>{0, 1, 2, 3}), 2),
      PMUSIM_RANGE(pfp_ita2_, drange, "LOADS_RETIRED", r.data_range(heap, heap + 0x100),
                   (std::vector<std::uint64_t>{0}), 0),
      {PMUSIM_MEMBER(In, pfp_ita2_irange.rr_limits[0].rr_start, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_irange.rr_limits[0].rr_end, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_drange.rr_limits[0].rr_start, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_ita2_drange.rr_limits[0].rr_end, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, reserved, 0, Rest::unread), {0}, nothing},
  };
  return probes;
}

std::vector<Probe<MontecitoPage>> montecito_probes() {
  using Page = MontecitoPage;
  using In = Page::Input;
  const auto nothing = [](Request<Page>&) {};
  const auto buffer = [](Request<Page>& r) { Page::branches(r.model_in, 3, 3, 3, 0, 8); };
  const auto matcher = [](Request<Page>& r) { Page::match_all(r.model_in); };
  const auto second = [](Request<Page>& r) {
    Page::match_all(r.model_in);
    r.model_in.pfp_mont_opcm2 = r.model_in.pfp_mont_opcm1;
  };
  const auto ip_ear = [](Request<Page>& r) { r.model_in.pfp_mont_ipear = {1, 8, 0}; };
  const auto with_prefetches = std::vector<std::uint64_t>{4, 5, 6, 8, 12};
  std::vector<Probe<Page>> probes{
      {PMUSIM_MEMBER(In, pfp_mont_counters[0].flags, 2, Rest::flags), {0, 1}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_counters[0].thres, 3, Rest::cut), {0, 1, 5}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_flags, 0, Rest::unread), {0}, nothing},
      PMUSIM_EAR(pfp_mont_, iear, use_iear, 8, 7, 1),
      PMUSIM_EAR(pfp_mont_, dear, use_dear, 4, 4, 2),
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_used, 0, Rest::yes), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_ds, 0, Rest::unread), {0}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_tm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_ptm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_ppm, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_brt, 2, Rest::cut), {0, 1, 3}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_etb.etb_plm, 4, Rest::cut), {1, 8, 15}, buffer},
      {PMUSIM_MEMBER(In, pfp_mont_ipear.ipear_used, 0, Rest::yes), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_ipear.ipear_plm, 4, Rest::cut), {1, 8, 15}, ip_ear},
      {PMUSIM_MEMBER(In, pfp_mont_ipear.ipear_delay, 8, Rest::cut), {0, 1, 44, 255}, ip_ear},
      PMUSIM_RANGE(pfp_mont_, irange, "NOPS_RETIRED", r.code_range(text, text + 0x100), with_prefetches, 4),
      PMUSIM_RANGE(pfp_mont_, drange, "LOADS_RETIRED", r.data_range(heap, heap + 0x100),
                   (std::vector<std::uint64_t>{0}), 0),
      {PMUSIM_MEMBER(In, pfp_mont_irange.rr_limits[0].rr_start, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_irange.rr_limits[0].rr_end, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_drange.rr_limits[0].rr_start, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, pfp_mont_drange.rr_limits[0].rr_end, 64, Rest::none), {}, nothing},
      {PMUSIM_MEMBER(In, reserved, 0, Rest::unread), {0}, nothing},
  };
#define PMUSIM_MATCHER(name, use)                                                                                      \
  for (Probe<Page> & probe :                                                                                           \
       std::vector<Probe<Page>>{{PMUSIM_MEMBER(In, pfp_mont_##name.opcm_used, 0, Rest::yes), {}, nothing},             \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_m, 1, Rest::cut), {0}, use},                   \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_i, 1, Rest::cut), {0}, use},                   \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_f, 1, Rest::cut), {0}, use},                   \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_b, 1, Rest::cut), {0}, use},                   \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_match, 41, Rest::cut), {0, 1, ones(41)}, use}, \
                                {PMUSIM_MEMBER(In, pfp_mont_##name.opcm_mask, 41, Rest::cut), {0, 1, ones(41)}, use}}) \
    probes.push_back(probe);
  PMUSIM_MATCHER(opcm1, matcher)
  PMUSIM_MATCHER(opcm2, second)
  return probes;
}

template <class Page>
void check_all(const std::vector<Probe<Page>>& probes) {
  for (const Probe<Page>& probe : probes) {
    SCOPED_TRACE(probe.member.name);
    const Ask ask = [&](std::uint64_t value) { return answer_to(probe, value); };
    if (probe.member.rest == Rest::yes) {
      for (const std::uint64_t value : {2, 3, 128, 255}) EXPECT_EQ(ask(value), ask(1)) << value;
    } else if (probe.member.rest != Rest::none) {
      check(probe.member, probe.legal, ask);
    }
  }
}

template <class Page>
std::vector<Member> members_of(const std::vector<Probe<Page>>& probes) {
  std::vector<Member> members;
  for (const Probe<Page>& probe : probes) members.push_back(probe.member);
  return members;
}

TEST(Fields, OfTheItanium2sBlockAreRefusedOrDocumented) {
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
  check_all(itanium2_probes());
  using In = pfmlib_ita2_input_param_t;
  constexpr std::size_t range = sizeof(pfmlib_ita2_input_rr_desc_t);
  // Two matchers have 7 bytes of padding, two EARs 3, the branch buffer 2 and 4 behind it; a range block 4 behind the
  // flags, 4 in each range, 7 at its end.
  EXPECT_EQ(uncovered(sizeof(In), members_of(itanium2_probes()),
                      {{offsetof(In, pfp_ita2_counters), sizeof(pfmlib_ita2_counter_t), PMU_ITA2_NUM_COUNTERS},
                       {offsetof(In, pfp_ita2_irange.rr_limits), range, 4},
                       {offsetof(In, pfp_ita2_drange.rr_limits), range, 4}}),
            2 * 7u + 2 * 3 + 2 + 4 + 2 * (4 + 4 * 4 + 7));
}

TEST(Fields, OfTheMontecitosBlockAreRefusedOrDocumented) {
  ASSERT_EQ(pfm_force_pmu(PFMLIB_MONTECITO_PMU), PFMLIB_SUCCESS);
  check_all(montecito_probes());
  using In = pfmlib_mont_input_param_t;
  constexpr std::size_t range = sizeof(pfmlib_mont_input_rr_desc_t);
  // Matchers 3, EARs 3 and 4, trace buffer 2, IP-EAR 3 and 2, range blocks as on the Itanium 2.
  EXPECT_EQ(uncovered(sizeof(In), members_of(montecito_probes()),
                      {{offsetof(In, pfp_mont_counters), sizeof(pfmlib_mont_counter_t), PMU_MONT_NUM_COUNTERS},
                       {offsetof(In, pfp_mont_irange.rr_limits), range, 4},
                       {offsetof(In, pfp_mont_drange.rr_limits), range, 4}}),
            2 * 3u + 2 * 7 + 2 + 5 + 2 * (4 + 4 * 4 + 7));
}

// --- the other blocks: every value that does not fit is refused
// --------------------------------------------------------

template <class Block>
void check_refusing(int pmu, const char* event, const std::vector<std::pair<Member, std::uint64_t>>& members,
                    const std::vector<Array>& arrays, std::size_t padding) {
  ASSERT_EQ(pfm_force_pmu(pmu), PFMLIB_SUCCESS);
  std::vector<Member> all;
  for (const auto& [member, legal] : members) {
    all.push_back(member);
    if (member.rest == Rest::none) continue;
    check(member, {legal}, [&, m = member](std::uint64_t value) {
      Block block{};
      put(block, m, value);
      return single(
          event, [](auto&) {}, &block);
    });
  }
  EXPECT_EQ(uncovered(sizeof(Block), all, arrays), padding);
}

TEST(Fields, OfTheOtherBlocksAreRefused) {
  using Athlon = pfmlib_athlon_input_param_t;
  check_refusing<Athlon>(PFMLIB_ATHLON_PMU, "RETIRED_INSTRUCTIONS",
                         {{PMUSIM_MEMBER(Athlon, pfp_athlon_counters[0].cnt_mask, 8, Rest::refused), 1},
                          {PMUSIM_MEMBER(Athlon, pfp_athlon_counters[0].flags, 4, Rest::refused), 0},
                          {PMUSIM_MEMBER(Athlon, reserved, 0, Rest::unread), 0}},
                         {{offsetof(Athlon, pfp_athlon_counters), sizeof(pfmlib_athlon_counter_t), 4}}, 0);
  using Ppc = pfmlib_ppc750gx_input_param_t;
  check_refusing<Ppc>(PFMLIB_PPC750GX_PMU, "PROCESSOR_CYCLES",
                      {{PMUSIM_MEMBER(Ppc, pfp_ppc750gx_counters[0].flags, 1, Rest::refused), 0},
                       {PMUSIM_MEMBER(Ppc, pfp_ppc750gx_counters[0].reserved, 0, Rest::unread), 0},
                       {PMUSIM_MEMBER(Ppc, pfp_ppc750gx_flags, 5, Rest::refused), 0},
                       {PMUSIM_MEMBER(Ppc, pfp_ppc750gx_threshold, 6, Rest::refused), 1},
                       {PMUSIM_MEMBER(Ppc, pfp_ppc750gx_rtcselect, 2, Rest::refused), 1},
                       {PMUSIM_MEMBER(Ppc, pfp_ppc750gx_unavail_counters, 4, Rest::refused), 1},
                       {PMUSIM_MEMBER(Ppc, reserved, 0, Rest::unread), 0}},
                      {{offsetof(Ppc, pfp_ppc750gx_counters), sizeof(pfmlib_ppc750gx_counter_t), 4}}, 0);
  using Alpha = pfmlib_alpha_input_param_t;
  check_refusing<Alpha>(PFMLIB_ALPHA_EV5_PMU, "PF5_MUX0_ISSUES",
                        {{PMUSIM_MEMBER(Alpha, pfp_alpha_counters[0].freq, 17, Rest::refused), 65536},
                         {PMUSIM_MEMBER(Alpha, pfp_alpha_counters[0].reserved, 0, Rest::unread), 0},
                         {PMUSIM_MEMBER(Alpha, pfp_alpha_flags, 3, Rest::refused), 0},
                         {PMUSIM_MEMBER(Alpha, pfp_alpha_unavail_counters, 3, Rest::refused), 0},
                         {PMUSIM_MEMBER(Alpha, reserved, 0, Rest::unread), 0}},
                        {{offsetof(Alpha, pfp_alpha_counters), sizeof(pfmlib_alpha_counter_t), 3}}, 0);
}

// Runs last: the other tests of the suite have noted what is cut.
TEST(Fields, ThePageNamesNoneThatIsNotCut) {
  if (cut_members().empty()) GTEST_SKIP() << "run with the other tests of the suite";
  for (const auto& [key, bits] : documented())
    EXPECT_TRUE(cut_members().contains(key)) << "docs/libpfm3.md: " << key << " is not cut to " << bits;
}

}  // namespace
}  // namespace pmusim::encoder::test
