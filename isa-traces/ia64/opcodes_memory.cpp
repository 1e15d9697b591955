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

// M-unit instructions other than memory accesses (formats M20-M48): major opcodes 0 and 1.

// B-unit (formats B1-B9) and X-unit instructions (formats X1-X5).

namespace {

/// Major opcodes 0 and 2: x6.
constexpr Pattern extended(unsigned major, unsigned x6) { return opcode(major) + bits(32, 27, x6); }

}  // namespace

std::vector<Row> branch_rows() {
  std::vector<Row> rows;
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  const auto branch = [&](Pattern pattern, const char* mnemonic, BranchKind kind, Op op, const char* operands) {
    rows.push_back(
        {pattern, fmt::format("{}{{w}}{{p}}{{d}}", mnemonic), Kind::branch, op, operands, static_cast<unsigned>(kind)});
  };
  const auto relative = [](unsigned type) { return opcode(4) + bits(8, 6, type); };
  branch(relative(0), "br.cond", BranchKind::cond, Op::br_cond, "target25");
  branch(relative(2), "br.wexit", BranchKind::wexit, Op::br_wexit, "target25|ar66,p63=ar66");
  branch(relative(3), "br.wtop", BranchKind::wtop, Op::br_wtop, "target25|ar66,p63=ar66");
  branch(relative(5), "br.cloop", BranchKind::cloop, Op::br_cloop, "target25|ar65=ar65");
  branch(relative(6), "br.cexit", BranchKind::cexit, Op::br_cexit, "target25|ar65,ar66,p63=ar65,ar66");
  branch(relative(7), "br.ctop", BranchKind::ctop, Op::br_ctop, "target25|ar65,ar66,p63=ar65,ar66");
  branch(opcode(5), "br.call", BranchKind::call, Op::br_call, "b1=target25|ar64=ar66");
  branch(extended(0, 0x20) + bits(8, 6, 0), "br.cond", BranchKind::indirect, Op::br_indirect, "=b2");
  branch(extended(0, 0x20) + bits(8, 6, 1), "br.ia", BranchKind::ia, Op::unsupported, "=b2");
  branch(extended(0, 0x21) + bits(8, 6, 4), "br.ret", BranchKind::ret, Op::br_ret, "=b2|ar66=ar64");
  branch(opcode(1) + bit(32, 1), "br.call", BranchKind::indirect_call, Op::br_indirect_call, "b1=b2|ar64=ar66");
  row(opcode(7), "brp{b}", Kind::branch_predict, Op::brp, "target25,tag13");
  row(extended(2, 0x10), "brp{b}", Kind::branch_predict, Op::brp, "=b2,tag13");
  row(extended(2, 0x11), "brp.ret{b}", Kind::branch_predict, Op::brp, "=b2,tag13");
  row(extended(0, 0x00), "break.b", Kind::break_, Op::break_, "imm21");
  row(extended(2, 0x00), "nop.b", Kind::nop, Op::nop, "imm21");
  row(extended(2, 0x01), "hint.b", Kind::hint, Op::hint, "imm21");
  row(extended(0, 0x02), "cover", Kind::cover, Op::cover, "");
  row(extended(0, 0x04), "clrrrb", Kind::clrrrb, Op::clrrrb, "");
  row(extended(0, 0x05), "clrrrb.pr", Kind::clrrrb, Op::clrrrb_pr, "");
  row(extended(0, 0x08), "rfi", Kind::system_branch, Op::unsupported, "");
  row(extended(0, 0x0c), "bsw.0", Kind::system_branch, Op::unsupported, "");
  row(extended(0, 0x0d), "bsw.1", Kind::system_branch, Op::unsupported, "");
  row(extended(0, 0x10), "epc", Kind::system_branch, Op::unsupported, "");
  row(extended(0, 0x18), "vmsw.0", Kind::system_branch, Op::unsupported, "");
  row(extended(0, 0x19), "vmsw.1", Kind::system_branch, Op::unsupported, "");
  return rows;
}

std::vector<Row> long_rows() {
  const Pattern zero = opcode(0) + bits(35, 33, 0);
  return {
      {zero + bits(32, 27, 0), "break.x", Kind::break_, Op::break_, "imm62", 0},
      {zero + bits(32, 27, 1) + bit(26, 0), "nop.x", Kind::nop, Op::nop, "imm62", 0},
      {zero + bits(32, 27, 1) + bit(26, 1), "hint.x", Kind::hint, Op::hint, "imm62", 0},
      {opcode(6) + bit(20, 0), "movl", Kind::move_long, Op::movl, "r1=imm64", 0},
      {opcode(12) + bits(8, 6, 0), "brl.cond{w}{p}{d}", Kind::branch, Op::br_cond, "target64",
       static_cast<unsigned>(BranchKind::cond)},
      {opcode(13), "brl.call{w}{p}{d}", Kind::branch, Op::br_call, "b1=target64|ar64=ar66",
       static_cast<unsigned>(BranchKind::call)},
  };
}

namespace {

/// Major opcode 0, x3 = 0, x2 and x4.
constexpr Pattern zero(unsigned x2, unsigned x4) {
  return opcode(0) + bits(35, 33, 0) + bits(32, 31, x2) + bits(30, 27, x4);
}
/// The same for the mask instructions, in which x2 belongs to the immediate.
constexpr Pattern mask_form(unsigned x4) { return opcode(0) + bits(35, 33, 0) + bits(30, 27, x4); }
/// Major opcode 1, x3 = 0, x6.
constexpr Pattern one(unsigned x6) { return opcode(1) + bits(35, 33, 0) + bits(32, 27, x6); }

void add_checks_and_stack(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  row(zero(0, 0), "break.m", Kind::break_, Op::break_, "imm21");
  row(zero(0, 1) + bit(26, 0), "nop.m", Kind::nop, Op::nop, "imm21");
  row(zero(0, 1) + bit(26, 1), "hint.m", Kind::hint, Op::hint, "imm21");
  // argument of chk.a: 1 = clear the entry
  row(opcode(0) + bits(35, 33, 4), "chk.a.nc", Kind::check_advanced, Op::chk_a_gr, "=r1,target25b", 0);
  row(opcode(0) + bits(35, 33, 5), "chk.a.clr", Kind::check_advanced, Op::chk_a_gr, "=r1,target25b", 1);
  row(opcode(0) + bits(35, 33, 6), "chk.a.nc", Kind::check_advanced, Op::chk_a_fr, "=f1,target25b", 0);
  row(opcode(0) + bits(35, 33, 7), "chk.a.clr", Kind::check_advanced, Op::chk_a_fr, "=f1,target25b", 1);
  row(opcode(1) + bits(35, 33, 1), "chk.s.m", Kind::check_speculation, Op::chk_s_gr, "=r2,target25c");
  row(opcode(1) + bits(35, 33, 3), "chk.s", Kind::check_speculation, Op::chk_s_fr, "=f2,target25c");
  row(opcode(1) + bits(35, 33, 6), "alloc", Kind::alloc, Op::alloc, "r1=|=ar64");
  row(zero(0, 0xa), "loadrs", Kind::loadrs, Op::loadrs, "|=ar16");
  row(zero(0, 0xc), "flushrs", Kind::flushrs, Op::flushrs, "");
  row(zero(1, 0), "invala", Kind::invalidate_alat, Op::invala, "");
  row(zero(1, 2), "invala.e", Kind::invalidate_alat, Op::invala_gr, "=r1");
  row(zero(1, 3), "invala.e", Kind::invalidate_alat, Op::invala_fr, "=f1");
  row(zero(2, 0), "fwb", Kind::fence, Op::fence, "");
  row(zero(2, 2), "mf", Kind::fence, Op::fence, "");
  row(zero(2, 3), "mf.a", Kind::fence, Op::fence, "");
  row(zero(3, 0), "srlz.d", Kind::serialize_data, Op::serialize, "");
  row(zero(3, 1), "srlz.i", Kind::serialize_instruction, Op::serialize, "");
  row(zero(3, 3), "sync.i", Kind::serialize_instruction, Op::serialize, "");
  row(mask_form(4), "sum", Kind::psr, Op::user_mask_set, "imm24");
  row(mask_form(5), "rum", Kind::psr, Op::user_mask_reset, "imm24");
  row(mask_form(6), "ssm", Kind::psr, Op::unsupported, "imm24");
  row(mask_form(7), "rsm", Kind::psr, Op::unsupported, "imm24");
}

void add_system_moves(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands) {
    rows.push_back({pattern, mnemonic, kind, op, operands});
  };
  row(zero(2, 8), "mov.m", Kind::move_to_ar, Op::mov_to_ar, "ar3=imm8");
  row(one(0x2a), "mov.m", Kind::move_to_ar, Op::mov_to_ar, "ar3=r2");
  row(one(0x22), "mov.m", Kind::move_from_ar, Op::mov_from_ar, "r1=ar3");
  row(one(0x2c), "mov", Kind::move_to_cr, Op::unsupported, "cr3=r2");
  row(one(0x24), "mov", Kind::move_from_cr, Op::unsupported, "r1=cr3");
  row(one(0x21), "mov", Kind::psr, Op::mov_from_psr_um, "r1=");
  row(one(0x29), "mov", Kind::psr, Op::mov_to_psr_um, "=r2");
  row(one(0x25), "mov", Kind::psr, Op::unsupported, "r1=");
  row(one(0x2d), "mov", Kind::psr, Op::unsupported, "=r2");
  // Indexed register files in the order of x6; only cpuid and pmd can be read by user programs.
  for (unsigned x6 = 0; x6 < 7; ++x6) row(one(x6), "mov", Kind::move_indexed, Op::unsupported, "=r3,r2");
  for (unsigned x6 = 0x10; x6 < 0x18; ++x6) {
    const bool user = x6 == 0x15 || x6 == 0x17;
    rows.push_back({one(x6), "mov", Kind::move_indexed, user ? Op::read_indexed : Op::unsupported, "r1=r3", x6});
  }
}

void add_system(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, const char* operands) {
    rows.push_back({pattern, mnemonic, Kind::system, Op::unsupported, operands});
  };
  rows.push_back({one(0x30) + bit(36, 0), "fc", Kind::flush_cache, Op::flush_cache, "[r3]"});
  rows.push_back({one(0x30) + bit(36, 1), "fc.i", Kind::flush_cache, Op::flush_cache, "[r3]"});
  row(one(0x18), "probe.r", "r1=r3,imm2");
  row(one(0x19), "probe.w", "r1=r3,imm2");
  row(one(0x38), "probe.r", "r1=r3,r2");
  row(one(0x39), "probe.w", "r1=r3,r2");
  row(one(0x31), "probe.rw.fault", "=r3,imm2");
  row(one(0x32), "probe.r.fault", "=r3,imm2");
  row(one(0x33), "probe.w.fault", "=r3,imm2");
  row(one(0x1a), "thash", "r1=r3");
  row(one(0x1b), "ttag", "r1=r3");
  row(one(0x1e), "tpa", "r1=r3");
  row(one(0x1f), "tak", "r1=r3");
  row(one(0x2e), "itc.d", "=r2");
  row(one(0x2f), "itc.i", "=r2");
  row(one(0x0e), "itr.d", "=r3,r2");
  row(one(0x0f), "itr.i", "=r3,r2");
  row(one(0x09), "ptc.l", "=r3,r2");
  row(one(0x0a), "ptc.g", "=r3,r2");
  row(one(0x0b), "ptc.ga", "=r3,r2");
  row(one(0x0c), "ptr.d", "=r3,r2");
  row(one(0x0d), "ptr.i", "=r3,r2");
  row(one(0x34), "ptc.e", "=r3");
}

}  // namespace

std::vector<Row> system_rows() {
  std::vector<Row> rows;
  add_checks_and_stack(rows);
  add_system_moves(rows);
  add_system(rows);
  return rows;
}

}  // namespace pmusim::trace::ia64
