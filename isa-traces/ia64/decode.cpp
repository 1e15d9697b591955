// Decodes encodings to operations, and to the properties of a slot that the timing model needs.
#include <algorithm>
#include <charconv>

#include "operation.h"

namespace pmusim::trace::ia64 {
namespace {

/// Calls visit(word, is_target, is_implicit) for each operand of a row.
template <typename Visit>
void each_operand(std::string_view operands, Visit&& visit) {
  bool implicit = false;
  for (;;) {
    const std::size_t bar = operands.find('|');
    std::string_view part = operands.substr(0, bar);
    const std::size_t equals = part.find('=');
    const auto words = [&](std::string_view list, bool target) {
      while (!list.empty()) {
        const std::size_t comma = list.find(',');
        visit(list.substr(0, comma), target, implicit);
        list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
      }
    };
    if (equals != part.npos) words(part.substr(0, equals), true);
    words(equals == part.npos ? part : part.substr(equals + 1), false);
    if (bar == operands.npos) return;
    operands.remove_prefix(bar + 1);
    implicit = true;
  }
}

constexpr std::pair<std::string_view, RegisterFile> files[] = {
    {"ar", RegisterFile::ar}, {"cr", RegisterFile::cr}, {"pr", RegisterFile::pr}, {"r", RegisterFile::gr},
    {"f", RegisterFile::fr},  {"p", RegisterFile::pr},  {"b", RegisterFile::br}};

/// Gets the register that a word of an operand list names. False if the word does not name a register.
bool register_of(std::string_view word, std::uint64_t encoding, bool implicit, Register& result) {
  if (word == "r3short") {
    result = {RegisterFile::gr, static_cast<std::uint8_t>(field(encoding, 21, 20))};
    return true;
  }
  for (const auto& [prefix, file] : files) {
    if (!word.starts_with(prefix)) continue;
    const std::string_view digits = word.substr(prefix.size());
    if (prefix == "pr" && digits.empty()) {
      result = {RegisterFile::pr, all_predicates};
      return true;
    }
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) continue;
    if (!implicit) {
      const unsigned low = file == RegisterFile::pr ? 6 + 21 * (number - 1) : 6 + 7 * (number - 1);
      const unsigned width = file == RegisterFile::pr ? 6 : file == RegisterFile::br ? 3 : 7;
      number = static_cast<unsigned>(field(encoding, low + width - 1, low));
    }
    result = {file, static_cast<std::uint8_t>(number)};
    return true;
  }
  return false;
}

/// True for r0, f0, f1 and p0, whose values are constant.
bool is_constant(Register r) {
  return r.number == 0 ? r.file == RegisterFile::gr || r.file == RegisterFile::fr || r.file == RegisterFile::pr
                       : r.number == 1 && r.file == RegisterFile::fr;
}
void add(std::vector<Register>& list, Register r) {
  if (!is_constant(r) && std::find(list.begin(), list.end(), r) == list.end()) list.push_back(r);
}

constexpr const char* locality_words[] = {"", ".nt1", ".nt2", ".nta"};
constexpr const char* whether_words[] = {".spnt", ".sptk", ".dpnt", ".dptk", ".loop", ".exit"};

Whether whether_of(std::uint64_t encoding) {
  constexpr Whether words[] = {Whether::sptk, Whether::spnt, Whether::dptk, Whether::dpnt};
  return words[field(encoding, 34, 33)];
}
Whether predicted_by(std::uint64_t encoding) {
  constexpr Whether words[] = {Whether::sptk, Whether::loop, Whether::dptk, Whether::exit};
  return words[field(encoding, 4, 3)];
}

std::string expand(const Row& row, std::uint64_t encoding) {
  std::string text;
  for (std::size_t i = 0; i < row.mnemonic.size(); ++i) {
    if (row.mnemonic[i] != '{') {
      text += row.mnemonic[i];
      continue;
    }
    switch (row.mnemonic[i + 1]) {
      case 'h':
        text += locality_words[field(encoding, 29, 28)];
        break;
      case 'w':
        text += whether_words[static_cast<unsigned>(whether_of(encoding))];
        break;
      case 'p':
        text += field(encoding, 12, 12) != 0 ? ".many" : ".few";
        break;
      case 'd':
        if (field(encoding, 35, 35) != 0) text += ".clr";
        break;
      case 's':
        text += std::string(".s") + static_cast<char>('0' + field(encoding, 35, 34));
        break;
      default:  // b
        if (row.kind == Kind::branch_predict) {
          text += whether_words[static_cast<unsigned>(predicted_by(encoding))];
          if (field(encoding, 35, 35) != 0) text += ".imp";
        } else {
          constexpr const char* words[] = {".sptk", "", ".dptk", ""};
          text += words[field(encoding, 21, 20)];
          if (field(encoding, 23, 23) != 0) text += ".imp";
        }
    }
    i += 2;
  }
  return text;
}

/// Formats B2, B8, M25, M34, B6 and B7 have no qualifying predicate.
bool ignores_predicate(const Row& row) {
  constexpr Kind kinds[] = {Kind::alloc,  Kind::cover,          Kind::clrrrb,       Kind::flushrs,
                            Kind::loadrs, Kind::branch_predict, Kind::system_branch};
  const BranchKind branch = branch_of(row);
  return std::ranges::find(kinds, row.kind) != std::end(kinds) ||
         (branch >= BranchKind::wexit && branch <= BranchKind::ctop);
}

std::uint8_t access_size_of(const Row& row) {
  constexpr std::uint8_t fp_sizes[] = {10, 8, 4, 8, 16};
  switch (row.kind) {
    case Kind::load:
    case Kind::store:
    case Kind::semaphore:
      return row.op == Op::cmp8xchg16 ? 16 : static_cast<std::uint8_t>(1u << (row.argument & 15));
    case Kind::fp_load:
    case Kind::fp_store:
      return fp_sizes[row.argument & 15];
    case Kind::fp_load_pair:
      return static_cast<std::uint8_t>(2 * fp_sizes[row.argument & 15]);
    default:
      return 0;
  }
}

std::uint8_t fp_operations_of(const Row& row, std::uint64_t encoding) {
  const auto constant = [&](unsigned low) { return field(encoding, low + 6, low) < 2; };
  switch (row.kind) {
    case Kind::fp_arithmetic:
      return constant(13) || constant(20) || constant(27) ? 1 : 2;
    case Kind::fp_parallel:
      return constant(13) || constant(20) || constant(27) ? 2 : 4;
    case Kind::fp_reciprocal:
    case Kind::fp_minmax:
    case Kind::fp_convert:
      return row.mnemonic.starts_with("fp") ? 2 : 1;
    default:
      return 0;
  }
}

void set_registers(const Row& row, std::uint64_t encoding, Slot& slot) {
  each_operand(row.operands, [&](std::string_view word, bool target, bool implicit) {
    Register r;
    if (word.front() == '[') {
      r = {RegisterFile::gr, static_cast<std::uint8_t>(field(encoding, 26, 20))};
      add(slot.reads, r);
      add(slot.address_reads, r);
    } else if (register_of(word, encoding, implicit, r)) {
      add(target ? slot.writes : slot.reads, r);
    }
  });
  if (slot.post_increment) add(slot.writes, {RegisterFile::gr, static_cast<std::uint8_t>(field(encoding, 26, 20))});
}

void describe(const Row& row, const Operation& o, std::uint64_t encoding, Slot& slot) {
  slot.kind = row.kind;
  slot.mnemonic = expand(row, encoding);
  slot.a_type = (slot.unit == Unit::M || slot.unit == Unit::I) && encoding >> 37 >= 8;
  slot.predicate = o.predicate;
  slot.unpredicated = ignores_predicate(row);
  slot.access_size = access_size_of(row);
  slot.branch = branch_of(row);
  slot.fp_operations = fp_operations_of(row, encoding);
  const bool memory = slot.access_size != 0;
  if (memory || row.kind == Kind::prefetch) {
    slot.locality = static_cast<Locality>(field(encoding, 29, 28));
    slot.post_increment = increment_of(row.argument) != Increment::none;
  }
  if (memory) {
    slot.load_kind = slot.kind == Kind::semaphore ? LoadKind::plain : load_kind_of(row.argument);
    slot.release = (row.argument & 0x400) != 0;
    const LoadKind order = load_kind_of(row.argument);
    slot.acquire = order == LoadKind::acquire || order == LoadKind::check_clear_acquire;
  }
  slot.excl = row.kind == Kind::prefetch && (row.argument & 1) != 0;
  slot.fault = row.kind == Kind::prefetch && (row.argument & 2) != 0;
  if (slot.is_branch()) {
    slot.whether = whether_of(encoding);
    slot.many = field(encoding, 12, 12) != 0;
    slot.deallocate = field(encoding, 35, 35) != 0;
  }
  if (row.kind == Kind::branch_predict) {
    slot.whether = predicted_by(encoding);
    slot.important = field(encoding, 35, 35) != 0;
    slot.tagged = static_cast<std::uint64_t>(o.immediate);
  }
  slot.has_target = row.operands.find("target") != std::string::npos;
  slot.target = o.target;
  if (row.kind == Kind::alloc) {
    slot.sof = static_cast<std::uint8_t>(field(encoding, 19, 13));
    slot.sol = static_cast<std::uint8_t>(field(encoding, 26, 20));
    slot.sor = static_cast<std::uint8_t>(field(encoding, 30, 27));
  }
  if (row.kind != Kind::branch_predict) slot.immediate = static_cast<std::uint64_t>(o.immediate);
  set_registers(row, encoding, slot);
}

constexpr Template make(Unit a, Unit b, Unit c, bool stop0, bool stop1, bool stop2) {
  return {true, {a, b, c}, {stop0, stop1, stop2}};
}

}  // namespace

const Template& template_of(unsigned number) {
  using enum Unit;
  static constexpr std::array<Template, 32> templates = [] {
    std::array<Template, 32> t{};
    const auto pair = [&](unsigned n, Unit a, Unit b, Unit c, bool stop0 = false, bool stop1 = false) {
      t[n] = make(a, b, c, stop0, stop1, false);
      t[n + 1] = make(a, b, c, stop0, stop1, true);
    };
    pair(0x00, M, I, I);
    pair(0x02, M, I, I, false, true);
    pair(0x04, M, L, X);
    pair(0x08, M, M, I);
    pair(0x0a, M, M, I, true);
    pair(0x0c, M, F, I);
    pair(0x0e, M, M, F);
    pair(0x10, M, I, B);
    pair(0x12, M, B, B);
    pair(0x16, B, B, B);
    pair(0x18, M, M, B);
    pair(0x1c, M, F, B);
    return t;
  }();
  return templates[number & 31];
}

std::array<std::uint64_t, 3> slots_of(std::span<const std::uint8_t, 16> bytes) {
  std::uint64_t low = 0, high = 0;
  for (unsigned i = 0; i < 8; ++i) {
    low |= static_cast<std::uint64_t>(bytes[i]) << 8 * i;
    high |= static_cast<std::uint64_t>(bytes[i + 8]) << 8 * i;
  }
  constexpr std::uint64_t mask = (std::uint64_t{1} << 41) - 1;
  return {low >> 5 & mask, (low >> 46 | high << 18) & mask, high >> 23};
}

Operation decode_slot(Unit unit, std::uint64_t encoding, std::uint64_t upper, std::uint64_t pc) {
  Operation o;
  if (unit == Unit::L) return o;
  o.row = find_row(unit, encoding);
  if (o.row == nullptr) return o;
  o.op = o.row->op;
  o.argument = static_cast<std::uint16_t>(o.row->argument);
  o.predicate =
      static_cast<std::uint8_t>(ignores_predicate(*o.row) && !is_while_branch(*o.row) ? 0 : field(encoding, 5, 0));
  o.r1 = static_cast<std::uint8_t>(field(encoding, 12, 6));
  o.r2 = static_cast<std::uint8_t>(field(encoding, 19, 13));
  o.r3 = static_cast<std::uint8_t>(field(encoding, 26, 20));
  o.r4 = static_cast<std::uint8_t>(field(encoding, 33, 27));
  o.p1 = static_cast<std::uint8_t>(field(encoding, 11, 6));
  o.p2 = static_cast<std::uint8_t>(field(encoding, 32, 27));
  if (unit == Unit::F) o.count = static_cast<std::uint8_t>(field(encoding, 35, 34));
  each_operand(o.row->operands, [&](std::string_view word, bool, bool implicit) {
    if (word == "r3short") o.r3 &= 3;
    if (!implicit) read_immediate(word, encoding, upper, pc, o);
  });
  return o;
}

Bundle decode(std::uint64_t pc, std::span<const std::uint8_t, 16> bytes) {
  Bundle bundle;
  bundle.pc = pc;
  bundle.template_number = bytes[0] & 31;
  const Template& shape = template_of(bundle.template_number);
  bundle.legal_template = shape.legal;
  const auto encodings = slots_of(bytes);
  for (unsigned i = 0; i < 3; ++i) {
    Slot& slot = bundle.slots[i];
    slot.encoding = encodings[i];
    if (!shape.legal) continue;
    slot.unit = shape.units[i];
    slot.stop_after = shape.stop_after[i];
    const Operation o = decode_slot(slot.unit, encodings[i], i == 2 ? encodings[1] : 0, pc);
    if (slot.unit == Unit::L) {
      slot.kind = Kind::long_immediate;
    } else if (o.row != nullptr) {
      describe(*o.row, o, encodings[i], slot);
    }
  }
  return bundle;
}

bool Slot::on_fp_register() const {
  if (kind == Kind::fp_load || kind == Kind::fp_load_pair || kind == Kind::fp_store) return true;
  if (kind != Kind::check_speculation && kind != Kind::check_advanced) return false;
  return unit == Unit::M && (encoding >> 37 == 1 ? (encoding >> 33 & 7) == 3 : (encoding >> 33 & 7) >= 6);
}

}  // namespace pmusim::trace::ia64
