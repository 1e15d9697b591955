// Filters of a run: code ranges, opcodes, data ranges, in the terms of the encoder and of the oracle.
#include <fmt/format.h>

#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::ia64 {
namespace {

constexpr std::uint64_t whole_opcode = (std::uint64_t{1} << 41) - 1;
constexpr std::uint64_t major_opcode = std::uint64_t{0xf} << 37;

class Places {
 public:
  Places(const Processor& processor, Group& group, const Landmarks& landmarks)
      : processor_(processor), group_(group), marks_(landmarks) {
    encoder::QualifierTexts& texts = group.filters;
    texts.irange.clear(), texts.drange.clear(), texts.opcode.clear(), texts.fetch.clear();
    texts.no_fine = texts.inverse = false;
    each([](asked::Qualifiers& q) {
      q.code.clear(), q.data.clear(), q.opcodes.clear();
      q.fine_mode = q.outside = false;
    });
  }

  void put(Filter filter) {
    const std::uint64_t block = 64, hot = marks_.hot_code, data = marks_.hot_data & ~std::uint64_t{127};
    // Two ranges must be fine ones: a range that ends with its page is not, and the block before the last of a page
    // takes its place.
    const std::uint64_t paired = hot - ((hot + block) % processor_.fine_page == 0 ? block : 0);
    // Whole pairs of bundles inside the page of the hot block, and a block that is smaller than the page.
    switch (filter) {
      case none:
        return;
      case fine:
        return put_fine(hot, hot + block);
      case fine_odd:
        return put_fine(hot + 16, hot + block - 16);
      case fine_twice:
        put_fine(paired, paired + block);
        return processor_.names_fetches ? serve("both") : put_fine(paired, paired + block);
      case fine_again:
        put_fine(paired, paired + block);
        return put_fine(paired, paired + block);
      case fine_demand:
        put_fine(hot, hot + block);
        each([](asked::Qualifiers& q) { q.code.push_back(everywhere); });
        if (processor_.names_fetches) serve("demand");  // else one range is always that of demand fetches
        return;
      case fine_prefetch:
        put_fine(hot, hot + block);
        each([](asked::Qualifiers& q) { q.code.insert(q.code.begin(), everywhere); });
        return serve("prefetch");
      case fine_inverse:
        invert();
        return put_fine(hot, hot + block / 2);
      case coarse:
        return put_coarse(hot, hot + block);
      case coarse_inverse:
        invert();
        return put_coarse(hot, hot + block / 2);
      case large: {
        const std::uint64_t size = 2 * processor_.fine_page, start = hot & ~(size - 1);
        return put_coarse(start, start + size);
      }
      case other_level:
        return put_code(hot, hot + block, hot, hot + block, true, 1);
      case load_kind:
        return put_opcode(marks_.load_syllable, whole_opcode & ~major_opcode, "m");
      case load_itself:
        return put_opcode(marks_.load_syllable, processor_.uncompared, "mifb");
      case m_slots:
      case i_slots:
      case f_slots:
      case b_slots:
        return put_opcode(0, whole_opcode, std::string_view("mifb").substr(filter - m_slots, 1));
      case data_block:
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case data_two_pairs:
        return put_data(data, data + 3 * block);
      case data_two_ranges:
        put_data(marks_.hot_data, marks_.hot_data + block / 8);
        return put_data(marks_.hot_data + block / 2, marks_.hot_data + block);
      case code_and_opcode:
        put_fine(hot, hot + block);
        return put_opcode(0, whole_opcode, "m");
      case code_and_data:
        put_coarse(hot, hot + block);
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case code_and_two_pairs:
        put_fine(hot, hot + block);
        return put_data(data, data + 3 * block);
      case opcode_and_data:
        put_opcode(marks_.load_syllable, whole_opcode & ~major_opcode, "m");
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case everything:
        put_fine(hot, hot + block);
        put_opcode(0, whole_opcode, "m");
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case channels_coarse:
        return put_channels();
      case channels_fine:
        put_fine(paired, paired + block / 2);
        return put_fine(paired + block / 2, paired + block);
      case channels_opcode:
        put_opcode(0, whole_opcode, "m");
        return put_opcode(0, whole_opcode, "ib");
      case as_asked:
        return;
    }
  }

 private:
  /// The range of an unrestricted channel.
  static constexpr asked::CodeRange everywhere{0, ~std::uint64_t{0}, 15};

  template <class Change>
  void each(Change change) {
    for (Check& check : group_.checks) change(check.request.ia64);
  }

  void invert() {
    group_.filters.inverse = true;
    each([](asked::Qualifiers& q) { q.outside = true; });
  }
  /// Names the fetches that use the range.
  void serve(const char* fetches) { group_.filters.fetch = {fetches}; }

  /// The request is for [start, end); the registers cover [from, to).
  void put_code(std::uint64_t start, std::uint64_t end, std::uint64_t from, std::uint64_t to, bool no_fine,
                unsigned levels = 0) {
    std::string text = fmt::format("{:#x}-{:#x}", start, end);
    if (levels != 0) text += fmt::format(":{}", levels);
    group_.filters.irange.push_back(std::move(text));
    group_.filters.no_fine = no_fine;
    each([&](asked::Qualifiers& q) {
      q.code.push_back({from, to, levels != 0 ? levels : 15});
      q.fine_mode = !no_fine;
    });
  }
  void put_fine(std::uint64_t start, std::uint64_t end) {
    const std::uint64_t granule = processor_.fine_granule;
    put_code(start, end, start & ~(granule - 1), (end + granule - 1) & ~(granule - 1), false);
  }
  void put_coarse(std::uint64_t start, std::uint64_t end) { put_code(start, end, start, end, true); }
  void put_channels() {
    constexpr std::uint64_t block = 32;
    for (std::uint64_t k = 0; k < 4; ++k) put_coarse(marks_.hot_code + k * block, marks_.hot_code + (k + 1) * block);
  }
  void put_data(std::uint64_t start, std::uint64_t end) {
    group_.filters.drange.push_back(fmt::format("{:#x}-{:#x}", start, end));
    each([&](asked::Qualifiers& q) { q.data.push_back({start, end}); });
  }
  void put_opcode(std::uint64_t match, std::uint64_t mask, std::string_view slots) {
    mask |= processor_.uncompared;
    group_.filters.opcode.push_back(fmt::format("{:#x}/{:#x}:{}", match, mask, slots));
    each([&](asked::Qualifiers& q) { q.opcodes.push_back(opcode_match(processor_, match, mask, slots)); });
  }

  const Processor& processor_;
  Group& group_;
  const Landmarks& marks_;
};

bool is_breakpoint(const Request& row) { return row.event.starts_with("DATA_DEBUG_REGISTER_"); }

}  // namespace

asked::OpcodeMatch opcode_match(const Processor& processor, std::uint64_t match, std::uint64_t ignored,
                                std::string_view slots) {
  const auto has = [&](char slot) { return slots.find(slot) != std::string_view::npos; };
  return {processor.opcode_bits(match), processor.opcode_bits(ignored), has('m'), has('i'), has('f'), has('b')};
}

void complete(const Processor& processor, Group& group, const Landmarks& landmarks) {
  if (group.filter != as_asked) Places(processor, group, landmarks).put(static_cast<Filter>(group.filter));
  // Breakpoints on the octet of the first load, in the last pair, which no data range of the plan uses.
  for (Check& check : group.checks) {
    if (!is_breakpoint(check.request)) continue;
    constexpr std::uint64_t octet = ~std::uint64_t{7}, mask_bits = (std::uint64_t{1} << 56) - 1;
    constexpr std::uint64_t all_levels = std::uint64_t{15} << 56, read_and_write = std::uint64_t{3} << 62;
    const std::uint64_t at = landmarks.load & octet;
    check.request.ia64.breakpoints = {{{at, at + 8}}};
    group.extra = {{"DBR6", at}, {"DBR7", (octet & mask_bits) | all_levels | read_and_write}};
  }
}

}  // namespace pmusim::testbench::ia64
