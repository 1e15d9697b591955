#include "facts.h"

#include <algorithm>
#include <charconv>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/x86.h"
#include "pmusim/trace/x86_operands.h"

namespace pmusim::trace::import {
namespace {

constexpr unsigned x87_extended = 10;  // bytes; emulators report two accesses for this operand

Facts ppc_facts(const Code& code) {
  const ppc::Operation op = ppc::classify(code);
  Facts facts;
  facts.branches = op.branch != ppc::BranchKind::none || op.kind == ppc::Kind::return_from_interrupt;
  facts.conditional = op.conditional;
  facts.has_target = op.has_target;
  facts.target = op.target;
  using enum ppc::Kind;
  if (op.kind == load || op.kind == load_reserve) {
    facts.load_bytes = op.access_size;
  } else if (op.kind == store || op.kind == store_conditional) {
    facts.store_bytes = op.access_size;
  } else if (op.kind == load_multiple || op.kind == store_multiple) {
    (op.kind == load_multiple ? facts.load_bytes : facts.store_bytes) = ppc::words_moved(code) * 4;
  } else {
    facts.block = ppc::normal_form(op.kind, 0).has_value();
  }
  return facts;
}

Facts alpha_facts(const Code& code) {
  const alpha::Operation op = alpha::classify(code);
  Facts facts;
  facts.branches = op.is_branch();
  facts.conditional = op.branch == alpha::BranchKind::conditional || op.branch == alpha::BranchKind::pal_entry;
  facts.has_target = op.has_target;
  facts.target = op.target;
  if (op.is_load()) facts.load_bytes = op.access_size;
  if (op.is_store()) facts.store_bytes = op.access_size;
  return facts;
}

Facts x86_facts(const Code& code) {
  const x86::Operation op = x86::classify(code);
  const auto operands = x86::memory_operands({code.bytes.data(), code.length});
  Facts facts;
  facts.branches = op.branch != x86::BranchKind::none;
  facts.conditional = op.branch == x86::BranchKind::conditional || op.branch == x86::BranchKind::loop;
  facts.has_target = op.has_target;
  facts.target = op.target;
  facts.repeats = op.repeats;
  facts.load_bytes = operands.load_bytes;
  facts.store_bytes = operands.store_bytes;
  return facts;
}

/// Divides `bytes` among accesses without a size.
void share(std::vector<Access>& list, unsigned bytes) {
  if (list.size() == 2 && bytes == x87_extended) list.pop_back();
  for (Access& access : list) access.size = static_cast<std::uint16_t>(std::max<std::size_t>(1, bytes / list.size()));
}

}  // namespace

unsigned length_of(Isa isa, std::span<const std::uint8_t> bytes) {
  if (isa == Isa::i386) return x86::memory_operands(bytes).length;
  return bytes.size() < 4 ? 0 : 4;
}

Facts facts_of(Isa isa, const Code& code) {
  if (isa == Isa::ppc) return ppc_facts(code);
  if (isa == Isa::alpha) return alpha_facts(code);
  return isa == Isa::i386 ? x86_facts(code) : Facts{};
}

void complete_accesses(Isa isa, const Code& code, const Facts& facts, const std::vector<StepAccess>& reported,
                       std::vector<Access>& list) {
  list.clear();
  if (reported.empty()) return;
  if (facts.block) {
    list.push_back(*ppc::normal_form(ppc::classify(code).kind, reported.front().address));
    return;
  }
  using Kind = StepAccess::Kind;
  if (reported.front().size != 0) {
    // Valgrind reports an atomic instruction as a load and a compare-and-swap, which reads again.
    unsigned loaded = 0;
    for (const StepAccess& access : reported) {
      const bool again = access.kind == Kind::modify && loaded >= facts.load_bytes && loaded > 0;
      if (access.kind != Kind::store && !again) {
        list.push_back({access.address, access.size, false, 0});
        loaded += access.size;
      }
      if (access.kind != Kind::load) list.push_back({access.address, access.size, true, 0});
    }
    return;
  }
  // Loads of an instruction that does not read memory are dropped: emulators report a load and a store for a
  // store-conditional. The encoding determines the kind of an access of unknown kind.
  const bool multiple = isa == Isa::ppc && reported.size() == 1 && std::max(facts.load_bytes, facts.store_bytes) > 8;
  if (multiple) {
    list = ppc::words(static_cast<std::uint32_t>(reported.front().address),
                      std::max(facts.load_bytes, facts.store_bytes), facts.store_bytes > 0);
    return;
  }
  std::vector<Access> loads, stores;
  for (const StepAccess& access : reported) {
    const bool either = access.kind == Kind::unknown || access.kind == Kind::modify;
    if (facts.load_bytes > 0 && (either || access.kind == Kind::load)) loads.push_back({access.address, 0, false, 0});
    if (facts.store_bytes > 0 && (either || access.kind == Kind::store)) stores.push_back({access.address, 0, true, 0});
  }
  share(loads, facts.load_bytes);
  share(stores, facts.store_bytes);
  list = std::move(loads);
  list.insert(list.end(), stores.begin(), stores.end());
}

std::optional<std::uint64_t> take_number(std::string_view& text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

const LineKind* kind_of(std::span<const LineKind> kinds, std::string_view line) {
  const auto row = std::find_if(kinds.begin(), kinds.end(), [&](const LineKind& one) { return one.matches(line); });
  return row == kinds.end() ? nullptr : &*row;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

}  // namespace pmusim::trace::import

namespace pmusim::trace::ppc {
namespace {

constexpr std::uint32_t block_size = 32;  // block of the 750's caches in bytes, which dcbz clears

}  // namespace

std::optional<Access> normal_form(Kind kind, std::uint64_t address) {
  using enum Kind;
  if (kind == dcbz) return Access{address & ~std::uint64_t{block_size - 1}, block_size, true, 0};
  for (const Kind of_line : {dcbf, dcbst, dcbi, dcbt, dcbtst, icbi})
    if (kind == of_line) return Access{address, 1, false, 0};
  return std::nullopt;
}

std::vector<Access> words(std::uint32_t address, std::uint32_t bytes, bool store) {
  std::vector<Access> list;
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    list.push_back(
        {static_cast<std::uint32_t>(address + at), static_cast<std::uint16_t>(std::min(4U, bytes - at)), store, 0});
  }
  return list;
}

std::uint32_t word_of(const Code& code) {
  const auto& b = code.bytes;
  return std::uint32_t{b[0]} << 24U | std::uint32_t{b[1]} << 16U | std::uint32_t{b[2]} << 8U | b[3];
}

unsigned words_moved(const Code& code) { return 32 - (word_of(code) >> 21U & 31U); }

}  // namespace pmusim::trace::ppc
