#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "encoder/src/text.h"
#include "encoding.h"

namespace pmusim::encoder::ia64 {
namespace {

constexpr std::uint64_t kOpcodeLimit = (std::uint64_t{1} << 41) - 1;
constexpr std::uint64_t kAllLevels = 15;

Error bad(std::string_view option, std::string_view text, const std::string& why) {
  return {ErrorCode::bad_qualifier, fmt::format("{} {}: {}", option, in_quotes(text), why)};
}

/// The parts before and after the first `separator`; the second is empty if there is none.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string_view> list(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

Result<AddressRange> read_range(std::string_view option, std::string_view text) {
  const auto [bounds, levels] = cut(text, ':');
  const auto [first, behind] = cut(bounds, '-');
  const auto start = number(first);
  const auto end = number(behind);
  const auto mask = text.find(':') == std::string_view::npos ? std::optional<std::uint64_t>(0) : number(levels);
  if (!start || !end || !mask || *mask > kAllLevels)
    return bad(option, text, "the form is START-END or START-END:PLM with numbers, END after the range, PLM 1 to 15");
  return AddressRange{*start, *end, static_cast<unsigned>(*mask)};
}

Result<OpcodeFilter> read_opcode(std::string_view text) {
  const auto [word, slots] = cut(text, ':');
  const auto [match, mask] = cut(word, '/');
  const auto match_bits = number(match);
  const auto mask_bits = number(mask);
  if (!match_bits || !mask_bits || *match_bits > kOpcodeLimit || *mask_bits > kOpcodeLimit)
    return bad(
        "--opcode", text,
        "the form is MATCH/MASK or MATCH/MASK:SLOTS with numbers of 41 bits; mask bits that are 1 do not matter");
  OpcodeFilter filter{*match_bits, *mask_bits};
  if (text.find(':') == std::string_view::npos) return filter;
  const auto has = [&, &slots = slots](char lower, char upper_case) {
    return slots.find(lower) != std::string_view::npos || slots.find(upper_case) != std::string_view::npos;
  };
  if (slots.empty() || slots.find_first_not_of("mifbMIFB") != std::string_view::npos)
    return bad("--opcode", text, "slot types are letters of mifb");
  filter.m = has('m', 'M');
  filter.i = has('i', 'I');
  filter.f = has('f', 'F');
  filter.b = has('b', 'B');
  return filter;
}

/// Options of the form key=value,key=value.
class Keys {
 public:
  Keys(std::string_view option, std::string_view text) : option_(option), text_(text) {
    for (const std::string_view part : list(text, ',')) {
      const auto [key, value] = cut(part, '=');
      parts_.push_back({key, value, false});
    }
  }

  /// The value of a key; empty if the key is missing.
  std::string_view get(std::string_view key) {
    for (Part& part : parts_)
      if (same_word(part.key, key)) {
        part.read = true;
        return part.value;
      }
    return {};
  }
  [[nodiscard]] bool has(std::string_view key) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return same_word(part.key, key); });
  }
  /// A number up to `limit`, or one of `words`, whose value is its position; `default_value` if the key is missing.
  unsigned choice(std::string_view key, std::uint64_t limit, std::string_view words, unsigned default_value) {
    if (!has(key)) return default_value;
    const std::string_view text = get(key);
    if (const auto place = place_among(words, text)) return *place;
    const auto value = number(text);
    if (value && *value <= limit) return static_cast<unsigned>(*value);
    refuse(fmt::format("{} is {}{}a number from 0 to {}", key, words, words.empty() ? "" : " or ", limit));
    return default_value;
  }
  void refuse(const std::string& why) {
    if (!error_) error_ = bad(option_, text_, why);
  }
  /// The first error, if any. Unknown keys and keys given twice are errors, too.
  Failed finish(std::string_view legal) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].read) refuse(fmt::format("{} is none of {}, or is given twice", in_quotes(parts_[i].key), legal));
    }
    return error_;
  }

 private:
  struct Part {
    std::string_view key;
    std::string_view value;
    bool read;
  };
  std::string_view option_;
  std::string_view text_;
  std::vector<Part> parts_;
  Failed error_;
};

/// A minimum latency of the instruction EAR with its unit mask.
struct Latency {
  std::uint64_t cycles;
  std::uint32_t umask;
};
constexpr Latency kFetchLatencies[] = {{0, 0x40},   {4, 0xff},   {8, 0xfe},    {16, 0xfc},  {32, 0xf8},
                                       {128, 0xf0}, {256, 0xe0}, {1024, 0xc0}, {4096, 0x80}};

/// The unit mask of the minimum latency in `keys`.
std::uint32_t latency_mask(Keys& keys, bool data) {
  constexpr unsigned kLargest = 10;  // 4096 cycles
  const std::string_view text = keys.get("latency");
  if (!data && same_word(text, "rab")) return 0;
  const auto cycles = number(text);
  if (data && cycles && std::has_single_bit(*cycles) && *cycles >= 4 && *cycles <= (4u << kLargest))
    return static_cast<std::uint32_t>(std::countr_zero(*cycles)) - 2;
  std::vector<std::uint64_t> legal;
  for (const Latency& row : kFetchLatencies) {
    if (!data && cycles && row.cycles == *cycles) return row.umask;
    legal.push_back(row.cycles);
  }
  keys.refuse(data ? "latency is a power of two from 4 to 4096"
                   : fmt::format("latency is rab or one of {}", fmt::join(legal, ", ")));
  return 0;
}

/// The unit mask of the levels that serve a TLB miss: l2, vhpt, fault, separated by '+'.
std::uint32_t level_mask(Keys& keys, bool data) {
  std::uint32_t mask = 0;
  for (const std::string_view word : list(keys.get("level"), '+')) {
    const auto place = place_among("l2|vhpt|fault", word);
    if (!place) {
      keys.refuse("level is l2, vhpt, fault or several of them with '+' between");
      return 0;
    }
    mask |= 1u << *place;
  }
  if (mask == 0) keys.refuse("level names nothing");
  return data ? mask << 1 : mask;
}

std::uint32_t umask_of(Keys& keys, const EarFilter& filter) {
  using Mode = EarFilter::Mode;
  const int given = keys.has("umask") + keys.has("latency") + keys.has("level");
  if (given > 1) keys.refuse("only one of umask, latency and level can be given");
  if (keys.has("umask")) return keys.choice("umask", filter.data ? 0xf : 0xff, "", 0);
  if (keys.has("latency")) {
    if (filter.mode != Mode::cache) keys.refuse("latency is a filter of mode=cache");
    return latency_mask(keys, filter.data);
  }
  if (keys.has("level")) {
    if (filter.mode != Mode::tlb) keys.refuse("level is a filter of mode=tlb");
    return level_mask(keys, filter.data);
  }
  if (filter.mode == Mode::tlb) return filter.data ? 0xe : 0x7;  // all
  return filter.data ? 0 : 0x40;
}

Result<EarFilter> read_ear(std::string_view text) {
  Keys keys("--ear", text);
  EarFilter filter;
  if (!keys.has("unit")) keys.refuse("unit=data or unit=instruction is missing");
  filter.data = keys.choice("unit", 0, "data|instruction", 0) == 0;
  filter.mode = static_cast<EarFilter::Mode>(keys.choice("mode", 2, "cache|tlb|alat", 0));
  if (!filter.data && filter.mode == EarFilter::Mode::alat) keys.refuse("the instruction EAR has no mode=alat");
  filter.umask = umask_of(keys, filter);
  filter.levels = keys.choice("plm", kAllLevels, "", 0);
  filter.instruction_set = keys.choice("ism", 2, "both|ia32|ia64", 0);
  if (auto failed = keys.finish("unit, mode, umask, latency, level, plm, ism")) return *std::move(failed);
  return filter;
}

Result<BranchFilter> read_branches(std::string_view option, std::string_view text) {
  Keys keys(option, text);
  BranchFilter filter;
  filter.ds = keys.choice("ds", 1, "target|prediction", filter.ds);
  filter.tm = keys.choice("tm", 3, "none|nottaken|taken|all", filter.tm);
  filter.ptm = keys.choice("ptm", 3, "none|wrong|right|all", filter.ptm);
  filter.ppm = keys.choice("ppm", 3, "none|wrong|right|all", filter.ppm);
  filter.brt = keys.choice("brt", 3, "all|iprel|return|indirect", filter.brt);
  filter.levels = keys.choice("plm", kAllLevels, "", 0);
  if (auto failed = keys.finish("ds, tm, ptm, ppm, brt, plm")) return *std::move(failed);
  return filter;
}

Result<IpFilter> read_instructions(std::string_view text) {
  constexpr std::uint64_t longest = 255;
  Keys keys("--ipear", text);
  IpFilter filter;
  filter.delay = keys.choice("delay", longest, "", 0);
  filter.levels = keys.choice("plm", kAllLevels, "", 0);
  if (auto failed = keys.finish("delay, plm")) return *std::move(failed);
  return filter;
}

/// The fetches that a range restricts: bit 0 demand, bit 1 prefetch.
Result<unsigned> read_fetches(std::string_view text) {
  if (const auto place = place_among("demand|prefetch|both", text)) return *place + 1;
  return bad("--fetch", text, "it is one of demand, prefetch, both");
}

/// The error for the first qualifier that the processor does not have.
Failed check_form(const Qualifiers& qualifiers, const QualifierForm& form) {
  const auto lacks = [&](std::string_view what) {
    return Error{ErrorCode::bad_qualifier, fmt::format("{} {}", form.target, what)};
  };
  for (const EarFilter& filter : qualifiers.ears)
    if (!form.instruction_sets && filter.instruction_set == 1)
      return lacks("runs IA-64 code only: an EAR with ism=ia32 takes nothing in");
  if (!form.prediction_details && qualifiers.branches && qualifiers.branches->ds != 0)
    return lacks("has no details of predictions in its trace buffer: ds is 0");
  if (!form.ip_ear && qualifiers.instructions) return lacks("has no IP-EAR; montecito has it");
  if (!form.fetch_kinds && (qualifiers.demand_fetches || qualifiers.prefetches))
    return lacks("has no events that follow a code range by the kind of fetch; montecito has them");
  return std::nullopt;
}

Failed add_ranges(const std::vector<AddressRange>& ranges, std::string_view option, RangeRequest& to) {
  if (ranges.size() > kRanges)
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("{} {} ranges; there are debug registers for {}", ranges.size(), option, kRanges)};
  to.used = !ranges.empty();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].start == 0 && ranges[i].end == 0)
      return Error{ErrorCode::bad_qualifier, fmt::format("{}: a range from 0 to 0 is empty", option)};
    to.limits[i] = {ranges[i].start, ranges[i].end, ranges[i].levels};
  }
  return std::nullopt;
}

}  // namespace

Result<Qualifiers> read_qualifiers(const QualifierTexts& texts, const QualifierForm& form) {
  Qualifiers qualifiers;
  Failed failed;
  const auto read = [&failed](const std::vector<std::string>& from, auto& to, auto reader) {
    for (const std::string& text : from) {
      auto result = reader(text);
      if (result)
        to.push_back(*std::move(result));
      else if (!failed)
        failed = result.error();
    }
  };
  read(texts.irange, qualifiers.code, [](std::string_view text) { return read_range("--irange", text); });
  read(texts.drange, qualifiers.data, [](std::string_view text) { return read_range("--drange", text); });
  read(texts.opcode, qualifiers.opcodes, read_opcode);
  read(texts.ear, qualifiers.ears, read_ear);
  std::vector<BranchFilter> branches;
  read(texts.btb, branches, [](std::string_view text) { return read_branches("--btb", text); });
  read(texts.etb, branches, [](std::string_view text) { return read_branches("--etb", text); });
  std::vector<IpFilter> instructions;
  read(texts.ipear, instructions, read_instructions);
  std::vector<unsigned> fetches;
  read(texts.fetch, fetches, read_fetches);
  const auto once = [&failed](std::string_view option, std::size_t times) {
    if (times > 1 && !failed)
      failed = Error{ErrorCode::bad_qualifier, fmt::format("{} is given {} times; there is one", option, times)};
  };
  once(texts.btb.empty() ? "--etb" : "--btb", branches.size());
  once("--ipear", instructions.size());
  once("--fetch", fetches.size());
  if (failed) return *std::move(failed);
  if (!branches.empty()) qualifiers.branches = branches.front();
  if (!instructions.empty()) qualifiers.instructions = instructions.front();
  if (!fetches.empty()) {
    qualifiers.demand_fetches = (fetches.front() & 1) != 0;
    qualifiers.prefetches = (fetches.front() & 2) != 0;
  }
  qualifiers.inverse = texts.inverse;
  qualifiers.no_fine = texts.no_fine;
  if (auto unknown = check_form(qualifiers, form)) return *std::move(unknown);
  return qualifiers;
}

Failed add_qualifiers(const Qualifiers& qualifiers, const QualifierForm& form, RunInput& in) {
  if (auto unknown = check_form(qualifiers, form)) return unknown;
  if (auto failed = add_ranges(qualifiers.code, "code", in.code)) return failed;
  if (auto failed = add_ranges(qualifiers.data, "data", in.data)) return failed;
  const std::string_view about_code = qualifiers.inverse                                   ? "inverse"
                                      : qualifiers.no_fine                                 ? "no-fine"
                                      : qualifiers.demand_fetches || qualifiers.prefetches ? "fetch"
                                                                                           : "";
  if (!about_code.empty() && qualifiers.code.empty())
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("--{} says something about a code range, but there is none", about_code)};
  in.code.inverse = qualifiers.inverse;
  in.code.no_fine = qualifiers.no_fine;
  in.code.demand_fetches = qualifiers.demand_fetches;
  in.code.prefetches = qualifiers.prefetches;
  for (const EarFilter& filter : qualifiers.ears) {
    EarInput& ear = filter.data ? in.data_ear : in.instruction_ear;
    if (ear.used)
      return Error{ErrorCode::bad_qualifier,
                   fmt::format("the {} EAR is set up twice", filter.data ? "data" : "instruction")};
    ear = {true, true, static_cast<std::uint32_t>(filter.mode), filter.instruction_set, filter.levels, filter.umask};
  }
  if (const auto& filter = qualifiers.branches)
    in.buffer = {true, filter->ds, filter->tm, filter->ptm, filter->ppm, filter->brt, filter->levels};
  return std::nullopt;
}

}  // namespace pmusim::encoder::ia64
