// M-unit loads, stores, semaphores and transfers (formats M1-M19): major opcodes 4 to 7.
#include <fmt/format.h>

#include "opcodes.h"

namespace pmusim::trace::ia64 {
namespace {

/// m (bit 36), x (bit 27) and x6 of major opcodes 4 and 6.
constexpr Pattern form(unsigned major, unsigned m, unsigned x, unsigned x6) {
  return opcode(major) + bit(36, m) + bit(27, x) + bits(35, 30, x6);
}
/// x6 of major opcodes 5 and 7, in which bits 36 and 27 belong to the immediate.
constexpr Pattern form(unsigned major, unsigned x6) { return opcode(major) + bits(35, 30, x6); }

/// Load types in the order of x6 / 4.
struct LoadType {
  unsigned x6;
  const char* completer;
  LoadKind kind;
  bool fp;  ///< exists for floating-point loads, too
};
constexpr LoadType load_types[] = {{0x00, "", LoadKind::plain, true},
                                   {0x04, ".s", LoadKind::speculative, true},
                                   {0x08, ".a", LoadKind::advanced, true},
                                   {0x0c, ".sa", LoadKind::speculative_advanced, true},
                                   {0x10, ".bias", LoadKind::bias, false},
                                   {0x14, ".acq", LoadKind::acquire, false},
                                   {0x20, ".c.clr", LoadKind::check_clear, true},
                                   {0x24, ".c.nc", LoadKind::check_no_clear, true},
                                   {0x28, ".c.clr.acq", LoadKind::check_clear_acquire, false}};

/// The three addressing forms of a load.
void add_load(std::vector<Row>& rows, bool fp, unsigned x6, const std::string& mnemonic, unsigned size, LoadKind kind) {
  const Op op = fp ? Op::fp_load : Op::load;
  const Kind work = fp ? Kind::fp_load : Kind::load;
  const std::string target = fp ? "f1" : "r1", implicit = !fp && kind == LoadKind::fill ? "|=ar36" : "";
  const unsigned major = fp ? 6 : 4;
  rows.push_back({form(major, 0, 0, x6), mnemonic, work, op, target + "=[r3]" + implicit,
                  memory_argument(size, kind, Increment::none)});
  rows.push_back({form(major, 1, 0, x6), mnemonic, work, op, target + "=[r3],r2" + implicit,
                  memory_argument(size, kind, Increment::by_register)});
  rows.push_back({form(major + 1, x6), mnemonic, work, op, target + "=[r3],imm9b" + implicit,
                  memory_argument(size, kind, Increment::by_immediate)});
}

void add_store(std::vector<Row>& rows, bool fp, unsigned x6, const std::string& mnemonic, unsigned size,
               LoadKind kind = LoadKind::plain, bool release = false) {
  const Op op = fp ? Op::fp_store : Op::store;
  const Kind work = fp ? Kind::fp_store : Kind::store;
  const std::string source = fp ? "f2" : "r2", implicit = !fp && kind == LoadKind::fill ? "|ar36=" : "";
  const unsigned major = fp ? 6 : 4;
  rows.push_back({form(major, 0, 0, x6), mnemonic, work, op, "[r3]=" + source + implicit,
                  memory_argument(size, kind, Increment::none, release)});
  rows.push_back({form(major + 1, x6), mnemonic, work, op, "[r3]=" + source + ",imm9a" + implicit,
                  memory_argument(size, kind, Increment::by_immediate, release)});
}

void add_integer(std::vector<Row>& rows) {
  for (const LoadType& type : load_types) {
    for (unsigned size = 0; size < 4; ++size) {
      add_load(rows, false, type.x6 + size, fmt::format("ld{}{}{{h}}", 1 << size, type.completer), size, type.kind);
    }
  }
  add_load(rows, false, 0x1b, "ld8.fill{h}", 3, LoadKind::fill);
  for (unsigned size = 0; size < 4; ++size) {
    add_store(rows, false, 0x30 + size, fmt::format("st{}{{h}}", 1 << size), size);
    add_store(rows, false, 0x34 + size, fmt::format("st{}.rel{{h}}", 1 << size), size, LoadKind::plain, true);
  }
  add_store(rows, false, 0x3b, "st8.spill{h}", 3, LoadKind::fill);
}

void add_float(std::vector<Row>& rows) {
  constexpr const char* formats[] = {"ldfe", "ldf8", "ldfs", "ldfd"};
  constexpr const char* stores[] = {"stfe", "stf8", "stfs", "stfd"};
  for (unsigned format = 0; format < 4; ++format) {
    for (const LoadType& type : load_types) {
      if (!type.fp) continue;
      add_load(rows, true, type.x6 + format, fmt::format("{}{}{{h}}", formats[format], type.completer), format,
               type.kind);
      if (format == 0) continue;
      // M11, M12: pairs
      constexpr const char* pairs[] = {"", "ldfp8", "ldfps", "ldfpd"};
      for (const bool increment : {false, true}) {
        rows.push_back({form(6, increment, 1, type.x6 + format),
                        fmt::format("{}{}{{h}}", pairs[format], type.completer), Kind::fp_load_pair, Op::fp_load_pair,
                        increment ? "f1,f2=[r3],pair_step" : "f1,f2=[r3]",
                        memory_argument(format, type.kind, increment ? Increment::by_immediate : Increment::none)});
      }
    }
    add_store(rows, true, 0x30 + format, fmt::format("{}{{h}}", stores[format]), format);
  }
  add_load(rows, true, 0x1b, "ldf.fill{h}", static_cast<unsigned>(FpFormat::spill), LoadKind::fill);
  add_store(rows, true, 0x3b, "stf.spill{h}", static_cast<unsigned>(FpFormat::spill), LoadKind::fill);
}

/// M16, M17: argument = log2 of the size; acquire and release in bits 4 and 10, as for other memory instructions.
void add_semaphores(std::vector<Row>& rows) {
  const auto row = [&](unsigned x6, std::string mnemonic, Op op, const char* operands, unsigned size, bool release) {
    const LoadKind kind = release ? LoadKind::plain : LoadKind::acquire;
    rows.push_back({form(4, 0, 1, x6), std::move(mnemonic), Kind::semaphore, op, operands,
                    memory_argument(size, kind, Increment::none, release)});
  };
  for (const bool release : {false, true}) {
    const char* const order = release ? "rel" : "acq";
    for (unsigned size = 0; size < 4; ++size) {
      row((release ? 4 : 0) + size, fmt::format("cmpxchg{}.{}{{h}}", 1 << size, order), Op::cmpxchg, "r1=[r3],r2|=ar32",
          size, release);
    }
    for (unsigned size = 2; size < 4; ++size) {
      row((release ? 0x14 : 0x10) + size, fmt::format("fetchadd{}.{}{{h}}", 1 << size, order), Op::fetchadd,
          "r1=[r3],inc3", size, release);
    }
    row(release ? 0x24 : 0x20, fmt::format("cmp8xchg16.{}{{h}}", order), Op::cmp8xchg16, "r1=[r3],r2|=ar25,ar32", 3,
        release);
  }
  for (unsigned size = 0; size < 4; ++size) {
    row(8 + size, fmt::format("xchg{}{{h}}", 1 << size), Op::xchg, "r1=[r3],r2", size, false);
  }
  rows.push_back({form(4, 0, 1, 0x28), "ld16{h}", Kind::load, Op::load16,
                  "r1=[r3]|ar25=", memory_argument(4, LoadKind::plain, Increment::none)});
  rows.push_back({form(4, 0, 1, 0x2c), "ld16.acq{h}", Kind::load, Op::load16,
                  "r1=[r3]|ar25=", memory_argument(4, LoadKind::acquire, Increment::none)});
  rows.push_back({form(4, 0, 1, 0x30), "st16{h}", Kind::store, Op::store16, "[r3]=r2|=ar25",
                  memory_argument(4, LoadKind::plain, Increment::none)});
  rows.push_back({form(4, 0, 1, 0x34), "st16.rel{h}", Kind::store, Op::store16, "[r3]=r2|=ar25",
                  memory_argument(4, LoadKind::plain, Increment::none, true)});
}

/// M13-M15 (argument: bit 0 exclusive, bit 1 faulting, Increment in bits 9:8), M18, M19 (argument: index in the table).
void add_prefetches_and_transfers(std::vector<Row>& rows) {
  constexpr const char* completers[] = {"", ".excl", ".fault", ".fault.excl"};
  for (unsigned i = 0; i < 4; ++i) {
    const std::string mnemonic = fmt::format("lfetch{}{{h}}", completers[i]);
    const auto row = [&](Pattern pattern, const char* operands, Increment increment) {
      rows.push_back(
          {pattern, mnemonic, Kind::prefetch, Op::lfetch, operands, i | static_cast<unsigned>(increment) << 8});
    };
    row(form(6, 0, 0, 0x2c + i), "[r3]", Increment::none);
    row(form(6, 1, 0, 0x2c + i), "[r3],r2", Increment::by_register);
    row(form(7, 0x2c + i), "[r3],imm9b", Increment::by_immediate);
  }
  constexpr const char* parts[] = {"sig", "exp", "s", "d"};
  for (unsigned i = 0; i < 4; ++i) {
    rows.push_back({form(6, 0, 1, 0x1c + i), fmt::format("setf.{}", parts[i]), Kind::setf, Op::setf, "f1=r2", i});
    rows.push_back({form(4, 0, 1, 0x1c + i), fmt::format("getf.{}", parts[i]), Kind::getf, Op::getf, "r1=f2", i});
  }
}

}  // namespace

std::vector<Row> memory_rows() {
  std::vector<Row> rows;
  add_integer(rows);
  add_float(rows);
  add_semaphores(rows);
  add_prefetches_and_transfers(rows);
  return rows;
}

}  // namespace pmusim::trace::ia64
