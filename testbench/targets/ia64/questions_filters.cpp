// Filters of an IA-64 run at the addresses of the traces every_address_bit, blocks_of_a_range and bounds_in_a_page. The
// registers cover a block of a power of two, or in fine mode pairs of bundles in a page, as determined by the address.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::questions::ia64 {
namespace {

using asked::CodeRange;
using Ranges = std::vector<CodeRange>;  ///< of code or data

constexpr std::array<std::uint64_t, 4> patterns{0x5555'5555'5555'5555, 0xaaaa'aaaa'aaaa'aaaa, 0x3333'3333'3333'3333,
                                                0xcccc'cccc'cccc'cccc};
constexpr const char *bits_trace = "every_address_bit", *page_trace = "bounds_in_a_page",
                     *blocks_trace = "blocks_of_a_range", *slots_trace = "slots_of_each_type";
constexpr unsigned smallest_code = 4, largest = 56;  ///< orders of blocks that a mask of 56 bits can express
constexpr CodeRange everywhere{0, ~std::uint64_t{0}, 15};
constexpr std::uint64_t bundle = 16, whole_opcode = (std::uint64_t{1} << 41) - 1;

CodeRange block(std::uint64_t address, unsigned order) {
  const std::uint64_t size = std::uint64_t{1} << order, start = address & ~(size - 1);
  return {start, start + size};
}
/// The block's half, its double, and the adjacent block.
Ranges like(std::uint64_t address, unsigned order) {
  Ranges others{block(address ^ std::uint64_t{1} << order, order)};
  if (order > smallest_code) others.push_back(block(address, order - 1));
  if (order < largest) others.push_back(block(address, order + 1));
  return others;
}

std::string text_of(const CodeRange& range) {
  const std::string text = fmt::format("{:#x}-{:#x}", range.start, range.end);
  return range.levels == 15 ? text : fmt::format("{}:{}", text, range.levels);
}

/// Code ranges in the terms of a run.
struct Code {
  Ranges asked;
  bool fine = false, inverse = false;
  std::string_view fetches = {};  ///< the fetches that use it
};

/// The range with the bundle pairs of both ends, as fine mode covers it; the processor determines their size.
CodeRange rounded(CodeRange range, std::uint64_t granule) {
  range.start &= ~(granule - 1);
  range.end = (range.end + granule - 1) & ~(granule - 1);
  return range;
}

/// The channel that tags a row: the digit after IBRP; 0 for ordinary rows.
std::size_t channel_of(const std::string& row) {
  const std::size_t at = row.find("_IBRP");
  return at == std::string::npos ? 0 : static_cast<std::size_t>(row[at + 5] - '0');
}

void put(Question& question, const Code& code, std::uint64_t granule) {
  encoder::QualifierTexts& texts = question.group.filters;
  question.group.filter = testbench::ia64::as_asked;
  for (const CodeRange& range : code.asked) texts.irange.push_back(text_of(range));
  texts.no_fine = !code.fine;
  texts.inverse = code.inverse;
  if (!code.fetches.empty()) texts.fetch = {std::string(code.fetches)};
  for (Check& check : question.group.checks) {
    asked::Qualifiers& q = check.request.ia64;
    // Ranges of other channels do not affect the row.
    const std::size_t channel = channel_of(check.request.event), number = code.fine ? channel % 2 : channel;
    q.code.assign(number, everywhere);
    if (number < code.asked.size())
      q.code.push_back(code.fine ? rounded(code.asked[number], granule) : code.asked[number]);
    if (code.fetches == "demand") q.code.push_back(everywhere);
    q.fine_mode = code.fine;
    q.outside = code.inverse && channel == 0;
  }
}

class Filters {
 public:
  Filters(const Family& family, Extent extent, std::vector<Question>& questions)
      : family_(family),
        processor_(processor_of(family)),
        channels_(channel_rows(family)),
        full_(extent == Extent::full),
        questions_(questions) {}

  /// Adds every size of a block in every register pair, in each of the four patterns.
  void code_blocks() {
    for (unsigned turn = 0; turn < (full_ ? 4u : 1u); ++turn) {
      for (unsigned step = 0; step < quarter; ++step) {
        const auto order = [&](unsigned pair) {
          return std::min(largest, smallest_code + step + quarter * ((pair + step + turn) % 4));
        };
        const auto pattern = [&](unsigned pair) { return patterns[(pair + turn) % 4]; };
        code_pairs(4, order, pattern);
      }
    }
    for (const unsigned pairs : {1u, 2u, 3u}) {
      code_pairs(
          pairs, [](unsigned pair) { return 5 + 3 * pair; }, [](unsigned pair) { return patterns[3 - pair]; });
    }
    // Every bit of each address, and of each mask.
    for (const unsigned turned : {0u, 1u})
      code_pairs(
          4, [](unsigned) { return smallest_code; }, [&](unsigned pair) { return patterns[pair ^ turned]; });
    code_pairs(
        4, [](unsigned) { return largest; }, [](unsigned pair) { return patterns[pair]; });
  }

  /// Adds ranges in a page: both sides of every power of two; pairs of bundles cut by both ends, and a single bundle.
  void fine_code() {
    for (const std::uint64_t pattern : {patterns[0], patterns[1]}) {
      const std::uint64_t page = pattern & ~std::uint64_t{0xffff};
      const auto range = [&](std::uint64_t from, std::uint64_t to) { return CodeRange{page + from, page + to}; };
      for (std::uint64_t at = 64; at < processor_.fine_page; at *= 2) {
        fine({range(at, at + at / 2)});
        if (!full_) continue;
        fine({range(at - bundle, at + bundle)});
        if (at > 64) fine({range(at + bundle, at + at / 2 - bundle)});
      }
      fine({range(0, processor_.fine_page - bundle)});
      fine({range(bundle, 2 * bundle)});
      fine({range(0, 64), range(processor_.fine_page / 2, processor_.fine_page - 2 * bundle)});
      fine({range(256, 512), range(64, 96)});
      if (page != (patterns[0] & ~std::uint64_t{0xffff})) continue;
      code({channels_[0]}, {{range(64, 128)}, true, true}, {{{range(64, 128)}, true}}, page_trace);
      code({row("LOADS_RETIRED")}, {{range(64, 128)}, true}, {{{range(64, 160)}, true}}, page_trace);
      if (!processor_.names_fetches) continue;
      for (const std::string_view fetches : {"demand", "both"})
        code({row("L1I_FILLS")}, {{range(64, 128)}, true, false, fetches}, {{{range(64, 160)}, true}}, page_trace);
    }
  }

  /// Adds a range that is no block, covered by the smallest block around it, and the outside of a block.
  void other_code() {
    for (const unsigned order : {8u, 20u, 40u}) {
      const CodeRange around = block(patterns[1], order);
      const auto inside = [&](Question& question) {
        put(question, {{around}}, 0);
        question.group.filters.irange = {text_of({around.start + bundle, around.end - bundle})};
      };
      Form form{{{row("LOADS_RETIRED")}}, {{"irange", {{"left out", {}}, {"inside", inside}}}}, bits_trace};
      for (const CodeRange& other : like(patterns[1], order)) form.dimensions[0].values.push_back(value({{other}}));
      questions_.push_back(second_of(std::move(form)));
      code({channels_[0]}, {{around}, false, true}, {{{around}}}, bits_trace);
    }
    // Prefetches are tagged by the second register pair.
    code({row("L1I_PREFETCHES")}, {{block(0x4000'0000'0001'0000, 9)}}, {}, "");
    // Every set of levels, for every register pair.
    for (unsigned levels = 1; levels < 15; ++levels) {
      std::vector<Check> rows = channels_;
      Code own, all;
      for (unsigned pair = 0; pair < 4; ++pair) {
        rows[pair] = with(rows[pair], {"plm", 15});
        rows[pair].request.ia64.levels = 15;
        all.asked.push_back(block(patterns[pair], 12));
        own.asked.push_back(all.asked.back());
        own.asked.back().levels = levels;
      }
      // One level more or less, for each pair.
      std::vector<Code> others{all};
      for (unsigned level = 1; level < 16; level *= 2) {
        others.push_back(own);
        for (CodeRange& range : others.back().asked) range.levels ^= level;
      }
      code(rows, own, others, bits_trace);
    }
  }

  /// Adds one to four ranges of every size; and one range that needs one to three register pairs.
  void data() {
    for (unsigned turn = 0; turn < (full_ ? 4u : 1u); ++turn) {
      for (unsigned step = 0; step < quarter; ++step) {
        data_pairs(
            4, [&](unsigned pair) { return std::min(largest, step + quarter * ((pair + step + turn) % 4)); },
            [&](unsigned pair) { return patterns[(pair + turn) % 4]; });
      }
    }
    for (const unsigned pairs : {1u, 2u, 3u}) {
      data_pairs(
          pairs, [](unsigned pair) { return 3 * pair; }, [](unsigned pair) { return patterns[3 - pair]; });
    }
    for (const unsigned turned : {0u, 1u})
      data_pairs(
          4, [](unsigned) { return 0; }, [&](unsigned pair) { return patterns[pair ^ turned]; });
    data_pairs(
        4, [](unsigned) { return largest; }, [](unsigned pair) { return patterns[pair]; });
    for (const unsigned order : {0u, 3u, 10u, 30u}) {
      for (const std::uint64_t end : {3u, 4u, 8u, 10u}) {
        const std::uint64_t unit = std::uint64_t{1} << order, base = patterns[end % 4] & ~(16 * unit - 1);
        const CodeRange own{base + unit, base + end * unit};
        data_ranges({own},
                    {{{own.start + unit, own.end}}, {{own.start, own.end - unit}}, {{own.start, own.end + unit}}},
                    blocks_trace);
      }
    }
  }

  /// Adds each compared bit of an instruction as 0 and as 1, in each matcher; and every set of slot types.
  void opcodes() {
    for (unsigned bit = 0; bit < 41; ++bit) {
      const std::uint64_t one = std::uint64_t{1} << bit;
      if ((processor_.uncompared & one) != 0) continue;
      const std::uint64_t ignored = whole_opcode & ~one;
      matchers({{one, ignored, "mifb"}, {one, ignored, "mifb"}});
      if (!full_) continue;
      matchers({{0, ignored, "mifb"}, {one, ignored, "mifb"}});
      matchers({{one, ignored, "mifb"}, {0, ignored, "mifb"}});
    }
    for (unsigned set = 1; set < 15; ++set) {
      const auto slots = [](unsigned types) {
        std::string text;
        for (unsigned i = 0; i < 4; ++i) text += (types >> i & 1) != 0 ? std::string(1, "mifb"[i]) : "";
        return text;
      };
      matchers({{0, whole_opcode, slots(set)}, {0, whole_opcode, slots(15 - set)}}, slots_trace);
    }
    matchers({{0, whole_opcode & ~std::uint64_t{0x3f} & ~(std::uint64_t{0xf} << 37), "mifb"}});
  }

  /// Adds an opcode for events that count captures: ld.c but no chk.a, conditional branches but no calls.
  void captures() {
    constexpr std::uint64_t major_opcode = std::uint64_t{0xf} << 37, load_or_conditional = std::uint64_t{4} << 37;
    for (const std::string_view name : {std::string_view("DATA_EAR_ALAT"), processor_.branch_event})
      matchers({row(std::string(name))}, {{load_or_conditional, whole_opcode & ~major_opcode, "mb"}});
  }

  /// Adds code, opcode and data filters together, with each left out in turn, and for an event that uses none of them.
  void together() {
    const Code where{{block(patterns[0], 30)}};
    const auto turned = [](unsigned bit) { return patterns[0] ^ std::uint64_t{1} << bit; };
    const Ranges places{block(patterns[0], 20), block(turned(40), 20), block(turned(41), 20)};
    const Dimension code{"irange", {{"left out", {}}, value(where)}};
    const Dimension opcode{
        "opcode",
        {{"left out", {}}, opcode_value({{std::uint64_t{1} << 7, whole_opcode & ~(std::uint64_t{1} << 7), "m"}})}};
    const Dimension data{"drange", {{"left out", {}}, data_value(places)}};
    const auto form = std::make_shared<const Form>(Form{{{row("LOADS_RETIRED")}}, {code, opcode, data}, bits_trace});
    for (std::size_t set = 1; set < 8; ++set) questions_.push_back(make(form, {set & 1, set >> 1 & 1, set >> 2}));
    for (const Dimension& filter : {code, opcode, data}) {
      Question question = second_of({{{with(row(cycles()), {"unchecked", 1})}}, {filter}, bits_trace});
      asked::Qualifiers& q = check_of(question).request.ia64;
      q.code.clear(), q.opcodes.clear(), q.data.clear();
      question.form = nullptr;
      questions_.push_back(std::move(question));
    }
  }

  void illegal_ones() {
    // Each with two events: an encoder that lacks one answers `unsupported`, which tells nothing.
    const std::array loads{row("LOADS_RETIRED"), row("STORES_RETIRED")},
        retired{row("IA64_INST_RETIRED"), row("NOPS_RETIRED")};
    const auto refused = [&](const char* why, const std::array<Check, 2>& checks, auto put) {
      for (const Check& check : checks) {
        Question question = illegal(why, {check});
        question.group.filter = testbench::ia64::as_asked;
        put(question.group.filters);
        questions_.push_back(std::move(question));
      }
    };
    using Texts = encoder::QualifierTexts;
    refused("a range has to end above its start", loads, [](Texts& t) { t.drange = {"0x2000-0x1000"}; });
    refused("code ranges begin and end with a bundle", retired, [](Texts& t) { t.irange = {"0x1008-0x2000"}; });
    refused("there are four pairs for data", loads, [](Texts& t) {
      t.drange = {"0x1000-0x1010", "0x2000-0x2010", "0x3000-0x3010", "0x4000-0x4010", "0x5000-0x5010"};
    });
    refused("two ranges in fine mode take all pairs", retired, [](Texts& t) {
      t.irange = {"0x1000-0x1040", "0x1080-0x10c0", "0x1100-0x1140"};
    });
    refused("there are two opcode matchers", retired, [](Texts& t) {
      t.opcode = {"0x0/0x1fffffffffe:m", "0x0/0x1fffffffffe:i", "0x0/0x1fffffffffe:b"};
    });
  }

 private:
  static constexpr unsigned quarter = 14;
  struct Matcher {
    std::uint64_t match, ignored;
    std::string slots;
  };

  [[nodiscard]] Check row(const std::string& name) const { return row_named(family_, name); }
  /// Cycles, which no filter restricts.
  [[nodiscard]] const char* cycles() const { return processor_.has_ia32 ? "CPU_CYCLES" : "CPU_OP_CYCLES_ALL"; }
  [[nodiscard]] Value value(const Code& code) const {
    const std::uint64_t granule = processor_.fine_granule;
    return {"range", [code, granule](Question& question) { put(question, code, granule); }};
  }
  [[nodiscard]] static Value data_value(const Ranges& ranges) {
    return {"range", [ranges](Question& question) {
              question.group.filter = testbench::ia64::as_asked;
              for (const CodeRange& range : ranges) {
                question.group.filters.drange.push_back(text_of(range));
                for (Check& check : question.group.checks) check.request.ia64.data.push_back({range.start, range.end});
              }
            }};
  }
  [[nodiscard]] Value opcode_value(const std::vector<Matcher>& matchers) const {
    return {"opcode", [matchers, this_processor = &processor_](Question& question) {
              question.group.filter = testbench::ia64::as_asked;
              std::vector<asked::OpcodeMatch> all;
              for (const Matcher& matcher : matchers) {
                const std::uint64_t ignored = matcher.ignored | this_processor->uncompared;
                question.group.filters.opcode.push_back(
                    fmt::format("{:#x}/{:#x}:{}", matcher.match, ignored, matcher.slots));
                all.push_back(testbench::ia64::opcode_match(*this_processor, matcher.match, ignored, matcher.slots));
              }
              for (Check& check : question.group.checks) {
                const std::size_t number = channel_of(check.request.event) % 2;
                auto& own = check.request.ia64.opcodes;
                own.assign(number, {0, asked::every_bit});
                if (number < all.size()) own.push_back(all[number]);
              }
            }};
  }

  /// Adds a question about a filter of some rows, with other values of it as neighbours.
  void ask(const std::vector<Check>& rows, const char* filter, Value own, const std::vector<Value>& others,
           const char* trace) {
    Form form{{rows}, {{filter, {{"left out", {}}, std::move(own)}}}, trace};
    std::vector<Value>& values = form.dimensions[0].values;
    values.insert(values.end(), others.begin(), others.end());
    questions_.push_back(second_of(std::move(form)));
  }
  void code(const std::vector<Check>& rows, const Code& own, const std::vector<Code>& others, const char* trace) {
    std::vector<Value> values;
    for (const Code& other : others) values.push_back(value(other));
    ask(rows, "irange", value(own), values, trace);
  }
  /// Blocks in some register pairs; and the same with one of them replaced by a similar one or, if `some`, without it.
  template <class Order, class Pattern>
  static std::pair<Ranges, std::vector<Ranges>> blocks(unsigned pairs, Order order, Pattern pattern, bool some) {
    Ranges own;
    for (unsigned i = 0; i < pairs; ++i) own.push_back(block(pattern(i), order(i)));
    std::vector<Ranges> others;
    for (unsigned i = 0; i < pairs; ++i) {
      for (const CodeRange& other : like(pattern(i), order(i))) others.emplace_back(own)[i] = other;
      if (!some || pairs == 1) continue;
      others.push_back(own);
      others.back().erase(others.back().begin() + i);
    }
    return {std::move(own), std::move(others)};
  }
  template <class Order, class Pattern>
  void code_pairs(unsigned pairs, Order order, Pattern pattern) {
    const auto [own, like_it] = blocks(pairs, order, pattern, false);
    std::vector<Code> others;
    for (const Ranges& other : like_it) others.push_back({other});
    code({channels_.begin(), channels_.begin() + pairs}, {own}, others, bits_trace);
  }
  template <class Order, class Pattern>
  void data_pairs(unsigned pairs, Order order, Pattern pattern) {
    const auto [own, others] = blocks(pairs, order, pattern, true);
    data_ranges(own, others);
  }
  /// Two ranges need rows of channels 0 and 1.
  void fine(const Ranges& ranges) {
    const std::uint64_t granule = processor_.fine_granule;
    std::vector<Code> others;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const auto other = [&](std::uint64_t from, std::uint64_t to) {
        others.push_back({ranges, true});
        others.back().asked[i] = {from, to};
      };
      const CodeRange own = rounded(ranges[i], granule);
      other(own.start + granule, own.end);
      other(own.start, own.end - granule);
      other(own.start, own.end + granule);
      if ((own.start & (processor_.fine_page - 1)) != 0) other(own.start - granule, own.end);
    }
    std::erase_if(others, [](const Code& c) {
      return std::any_of(c.asked.begin(), c.asked.end(), [](const CodeRange& r) { return r.start >= r.end; });
    });
    code({channels_.begin(), channels_.begin() + static_cast<std::ptrdiff_t>(ranges.size() > 1 ? 4 : 1)},
         {ranges, true}, others, page_trace);
  }
  void data_ranges(const Ranges& own, const std::vector<Ranges>& others, const char* trace = bits_trace) {
    std::vector<Value> values;
    for (const Ranges& other : others) {
      if (other.front().start < other.front().end) values.push_back(data_value(other));
    }
    ask({row("LOADS_RETIRED")}, "drange", data_value(own), values, trace);
  }
  /// Two matchers apply to all channels, one to the channel of ordinary events.
  void matchers(const std::vector<Matcher>& own, const char* trace = "") {
    matchers(own.size() == 2 ? channels_ : std::vector{channels_[0]}, own, trace);
  }
  void matchers(const std::vector<Check>& rows, const std::vector<Matcher>& own, const char* trace = "") {
    std::vector<Value> values;
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::vector<Matcher> other = own;
      other[i].match = ~other[i].match & ~other[i].ignored;
      values.push_back(opcode_value(other));
      other[i] = {0, whole_opcode, "mifb"};
      values.push_back(opcode_value(other));
    }
    ask(rows, "opcode", opcode_value(own), values, trace);
  }

  const Family& family_;
  const Processor& processor_;
  std::vector<Check> channels_;
  bool full_;
  std::vector<Question>& questions_;
};

}  // namespace

const Processor& processor_of(const Family& family) { return *judging_facts(family.target).ia64; }

Check row_named(const Family& family, const std::string& name) {
  for (Check row : rows_of(family.target)) {
    if (row.request.event != name) continue;
    row.request.ia64.levels = default_levels;
    return row;
  }
  throw std::invalid_argument("no row " + name);
}

std::vector<Check> channel_rows(const Family& family) {
  std::vector<Check> rows;
  for (Check row : rows_of(family.target)) {
    if (!row.request.event.starts_with("IA64_TAGGED_INST_RETIRED_")) continue;
    row.request.ia64.levels = default_levels;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const Check& a, const Check& b) { return a.request.event < b.request.event; });
  return rows;
}

Question second_of(Form form) {
  std::vector<std::size_t> values(form.dimensions.size());
  values.front() = 1;
  return make(std::make_shared<const Form>(std::move(form)), values);
}

void add_filters(const Family& family, Extent extent, std::vector<Question>& questions) {
  Filters filters(family, extent, questions);
  filters.code_blocks();
  filters.fine_code();
  filters.other_code();
  filters.data();
  filters.opcodes();
  filters.captures();
  filters.together();
  filters.illegal_ones();
}

}  // namespace pmusim::testbench::questions::ia64
