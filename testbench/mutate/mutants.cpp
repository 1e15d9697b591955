#include "testbench/mutate/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace pmusim::testbench::mutate {
namespace {

constexpr std::array<std::string_view, kinds> kind_names{"bit",           "off by one", "exchanged",
                                                         "wrong counter", "dropped",    "stale"};
/// Number of neighbouring requests that are searched for another value of a field or register.
constexpr std::size_t reach = 64;
/// Fields up to this width are codes from a table; wider ones are addresses and masks.
constexpr unsigned widest_code = 16;

bool has_meaning(const Field& field) {
  return !field.name.starts_with("reserved") && !field.name.starts_with("fixed") && field.name != "unnamed";
}

bool alike(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) {
    return x.name == y.name && x.low == y.low && x.width == y.width;
  });
}

const encoder::RegisterValue* find(const Registers* registers, const std::string& name) {
  if (registers == nullptr) return nullptr;
  const auto found = std::find_if(registers->begin(), registers->end(), [&](const auto& r) { return r.name == name; });
  return found == registers->end() ? nullptr : &*found;
}

class Maker {
 public:
  Maker(const Layout& layout, const std::vector<const Registers*>& answers, std::size_t request,
        const std::vector<std::uint64_t>& reset)
      : layout_(layout), answers_(answers), request_(request), own_(*answers[request]), reset_(reset) {
    made_.insert(digest(own_));
  }

  std::vector<Mutation> all() {
    for (std::size_t r = 0; r < own_.size(); ++r) {
      for (const Field& field : layout_[r]) {
        for (unsigned bit = 0; bit < field.width; ++bit) {
          add({.kind = Kind::bit, .reg = r, .field = field, .change = std::uint64_t{1} << (field.low + bit)});
        }
        if (field.width == 1 || !has_meaning(field)) continue;
        add({.kind = Kind::off_by_one, .reg = r, .field = field, .change = 1});
        add({.kind = Kind::off_by_one, .reg = r, .field = field, .change = field.limit()});
        if (field.width <= widest_code) exchange(r, field);
      }
      add({.kind = Kind::dropped, .reg = r, .field = {"", 0, 0}});
      leave_stale(r);
      swap_with_next(r);
    }
    return std::move(list_);
  }

 private:
  /// Hash (FNV-1a, by words) of the register values after these writes, which cover all registers or all but one.
  std::uint64_t digest(const Registers& written) const {
    std::uint64_t hash = 0xcbf29ce484222325;
    std::size_t at = 0;
    for (std::size_t r = 0; r < own_.size(); ++r) {
      const bool is_written = at < written.size() && written[at].name == own_[r].name;
      hash = (hash ^ (is_written ? written[at++].value : reset_[r])) * 0x100000001b3;
      hash ^= hash >> 29;
    }
    return hash;
  }
  void add(Mutation mutation) {
    const Registers* const donor = mutation.needs_donor() ? answers_[mutation.donor] : nullptr;
    if (made_.insert(digest(apply(mutation, own_, donor))).second) list_.push_back(std::move(mutation));
  }

  /// The nearest other request in direction `step` for whose register r `differs` is true.
  template <class Differs>
  std::optional<std::size_t> nearest(std::size_t r, std::ptrdiff_t step, Differs differs) const {
    auto at = static_cast<std::ptrdiff_t>(request_);
    for (std::size_t i = 0; i < reach; ++i) {
      at += step;
      if (at < 0 || at >= static_cast<std::ptrdiff_t>(answers_.size())) break;
      const auto* const other = find(answers_[static_cast<std::size_t>(at)], own_[r].name);
      if (other != nullptr && differs(other->value)) return static_cast<std::size_t>(at);
    }
    return std::nullopt;
  }
  void exchange(std::size_t r, const Field& field) {
    const auto differs = [&](std::uint64_t value) { return field.of(value) != field.of(own_[r].value); };
    for (const std::ptrdiff_t step : {+1, -1}) {
      if (const auto donor = nearest(r, step, differs)) {
        add({.kind = Kind::exchanged, .reg = r, .field = field, .donor = *donor});
      }
    }
  }
  void leave_stale(std::size_t r) {
    if (const auto donor = nearest(r, -1, [&](std::uint64_t value) { return value != own_[r].value; })) {
      add({.kind = Kind::stale, .reg = r, .field = {"", 0, 0}, .donor = *donor});
    }
  }
  /// Exchanges the register with the next one of its kind, and each field with the next one of its kind in any
  /// register.
  void swap_with_next(std::size_t r) {
    for (std::size_t other = r + 1; other < own_.size(); ++other) {
      if (stem(own_[other].name) != stem(own_[r].name) || !alike(layout_[other], layout_[r])) continue;
      add({.kind = Kind::wrong_counter, .reg = r, .field = {"", 0, 0}, .other_reg = other, .other_field = {"", 0, 0}});
      break;
    }
    for (std::size_t f = 0; f < layout_[r].size(); ++f) swap_field(r, f);
  }
  void swap_field(std::size_t r, std::size_t f) {
    const Field& field = layout_[r][f];
    if (!has_meaning(field) || stem(field.name) == field.name) return;
    for (std::size_t other = r; other < own_.size(); ++other) {
      for (std::size_t g = other == r ? f + 1 : 0; g < layout_[other].size(); ++g) {
        const Field& candidate = layout_[other][g];
        if (stem(candidate.name) != stem(field.name) || candidate.name == field.name) continue;
        add({.kind = Kind::wrong_counter, .reg = r, .field = field, .other_reg = other, .other_field = candidate});
        return;
      }
    }
  }

  const Layout& layout_;
  const std::vector<const Registers*>& answers_;
  std::size_t request_;
  const Registers& own_;
  const std::vector<std::uint64_t>& reset_;
  std::unordered_set<std::uint64_t> made_;
  std::vector<Mutation> list_;
};

}  // namespace

std::string_view name_of(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

Layout layout_of(const std::string& target, const Registers& registers) {
  Layout layout;
  for (const encoder::RegisterValue& reg : registers) layout.push_back(fields_of(target, reg.name, reg.width));
  return layout;
}

std::vector<Mutation> mutations_of(const Layout& layout, const std::vector<const Registers*>& answers,
                                   std::size_t request, const std::vector<std::uint64_t>& reset) {
  return Maker(layout, answers, request, reset).all();
}

Registers apply(const Mutation& mutation, const Registers& registers, const Registers* donor) {
  Registers mutant = registers;
  std::uint64_t& value = mutant[mutation.reg].value;
  const Field& field = mutation.field;
  switch (mutation.kind) {
    case Kind::bit:
      value ^= mutation.change;
      break;
    case Kind::off_by_one:
      value = field.with(value, field.of(value) + mutation.change);
      break;
    case Kind::exchanged:
      if (const auto* const other = find(donor, mutant[mutation.reg].name)) {
        value = field.with(value, field.of(other->value));
      }
      break;
    case Kind::wrong_counter: {
      std::uint64_t& other = mutant[mutation.other_reg].value;
      if (field.width == 0) {
        std::swap(value, other);
      } else {
        const std::uint64_t here = field.of(value), there = mutation.other_field.of(other);
        value = field.with(value, there);
        other = mutation.other_field.with(other, here);
      }
      break;
    }
    case Kind::dropped:
      mutant.erase(mutant.begin() + static_cast<std::ptrdiff_t>(mutation.reg));
      break;
    case Kind::stale:
      if (const auto* const other = find(donor, mutant[mutation.reg].name)) value = other->value;
      break;
  }
  return mutant;
}

std::string text_of(const Mutation& mutation, const Registers& registers) {
  const std::string& reg = registers[mutation.reg].name;
  const Field& field = mutation.field;
  const std::string place = field.width == 0 ? reg : reg + ' ' + field.name;
  switch (mutation.kind) {
    case Kind::bit: {
      unsigned bit = 0;
      while (mutation.change >> bit != 1) ++bit;
      return fmt::format("{}: bit {} flipped", place, bit);
    }
    case Kind::off_by_one:
      return fmt::format("{}: one {}", place, mutation.change == 1 ? "more" : "less");
    case Kind::exchanged:
      return fmt::format("{}: as in another request", place);
    case Kind::wrong_counter:
      return fmt::format("{}: exchanged with {}{}", place, registers[mutation.other_reg].name,
                         field.width == 0 ? "" : ' ' + mutation.other_field.name);
    case Kind::dropped:
      return fmt::format("{}: not written", place);
    default:
      return fmt::format("{}: left from another request", place);
  }
}

}  // namespace pmusim::testbench::mutate
