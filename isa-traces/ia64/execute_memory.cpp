// Loads of every kind, stores, semaphores, prefetches, the ALAT, and moves between general and floating-point files.
#include <algorithm>

#include "machine.h"

namespace pmusim::trace::ia64 {
namespace {

constexpr bool is_speculative(LoadKind k) { return k == LoadKind::speculative || k == LoadKind::speculative_advanced; }
constexpr bool is_advanced(LoadKind k) { return k == LoadKind::advanced || k == LoadKind::speculative_advanced; }
constexpr bool is_check(LoadKind k) { return k >= LoadKind::check_clear; }

/// Post-increment of the base register. The result is NaT if the base or the step is NaT.
void increment(Machine& m, const Operation& o, const General& base) {
  const Increment form = increment_of(o.argument);
  if (form == Increment::none) return;
  const General step = form == Increment::by_register ? m.gr(o.r2) : General{static_cast<std::uint64_t>(o.immediate)};
  m.set_gr(o.r3, base.value + step.value, base.nat || step.nat);
}

/// The common part of all loads. `read()` loads and writes the target, `defer()` writes NaT, `register_id` identifies
/// the target in the ALAT. The base is incremented afterwards.
template <typename Read, typename Defer>
void load_any(Machine& m, const Operation& o, unsigned size, std::uint32_t register_id, Read read, Defer defer) {
  const LoadKind kind = load_kind_of(o.argument);
  const General base = m.gr(o.r3);
  if (is_speculative(kind)) {
    const bool loadable =
        !base.nat && m.loadable(base.value, size) && ((m.user_mask & 8) == 0 || base.value % size == 0);
    if (is_advanced(kind)) m.alat.remove(register_id);
    if (loadable) {
      read(base.value);
      if (is_advanced(kind)) m.alat.allocate(register_id, base.value, size);
    } else {
      if (!base.nat) m.effects.deferrals.push_back({static_cast<std::uint8_t>(m.slot), base.value});
      defer();
    }
  } else {
    const std::uint64_t address = m.value(o.r3);
    if (is_check(kind) && m.alat.holds(register_id, address, size)) {
      if (kind != LoadKind::check_no_clear) m.alat.remove(register_id);
    } else {
      m.check_alignment(address, size, false);
      read(address);
      if (kind == LoadKind::check_no_clear || is_advanced(kind)) {
        m.alat.allocate(register_id, address, size);
      } else if (is_check(kind)) {
        m.alat.remove(register_id);
      }
    }
  }
  increment(m, o, base);
}

/// Reverses the bytes of a datum in memory order if the user mask asks for big-endian data (UM.be).
void order(const Machine& m, void* datum, unsigned size) {
  constexpr std::uint64_t be = 2;
  auto* const bytes = static_cast<std::uint8_t*>(datum);
  if ((m.user_mask & be) != 0) std::reverse(bytes, bytes + size);
}
/// The order of two registers in 16 bytes of big-endian memory is not implemented.
void check_order(const Machine& m) {
  if ((m.user_mask & 2) != 0) throw Fault("accesses 16 bytes of big-endian data, which is not in the supported set");
}

std::uint64_t load_integer(Machine& m, std::uint64_t address, unsigned size) {
  std::uint64_t value = 0;  // the build checks that the host is little-endian
  m.load(address, &value, size, m.slot);
  order(m, &value, size);
  return value;
}
void store_integer(Machine& m, std::uint64_t address, std::uint64_t value, unsigned size) {
  order(m, &value, size);
  m.store(address, &value, size, m.slot);
}

void load(Machine& m, const Operation& o) {
  const unsigned size = 1u << (o.argument & 15);
  load_any(
      m, o, size, m.alat_gr(o.r1),
      [&](std::uint64_t address) {
        const std::uint64_t value = load_integer(m, address, size);
        const bool fill = load_kind_of(o.argument) == LoadKind::fill;
        m.set_gr(o.r1, value, fill && (m.ar[ar_unat] >> (address >> 3 & 63) & 1) != 0);
      },
      [&] { m.set_gr(o.r1, 0, true); });
}

void store(Machine& m, const Operation& o) {
  const unsigned size = 1u << (o.argument & 15);
  const std::uint64_t address = m.value(o.r3);
  const bool spill = load_kind_of(o.argument) == LoadKind::fill;
  const General source = m.gr(o.r2);
  if (!spill) (void)m.value(o.r2);
  m.check_alignment(address, size, false);
  store_integer(m, address, source.value, size);
  if (spill) {
    const std::uint64_t bit = std::uint64_t{1} << (address >> 3 & 63);
    m.ar[ar_unat] = source.nat ? m.ar[ar_unat] | bit : m.ar[ar_unat] & ~bit;
  }
  increment(m, o, {address});
}

void load16(Machine& m, const Operation& o) {
  check_order(m);
  const std::uint64_t address = m.value(o.r3);
  std::uint64_t value[2];
  m.check_alignment(address, 16, true);
  m.load(address, value, 16, m.slot);
  m.set_gr(o.r1, value[0]);
  m.ar[ar_csd] = value[1];
}
void store16(Machine& m, const Operation& o) {
  check_order(m);
  const std::uint64_t address = m.value(o.r3);
  const std::uint64_t value[2] = {m.value(o.r2), m.ar[ar_csd]};
  m.check_alignment(address, 16, true);
  m.store(address, value, 16, m.slot);
}

constexpr unsigned fp_sizes[] = {10, 8, 4, 8, 16};

/// The register for a datum in memory, of which `high` has the bytes from the ninth on.
FloatRegister register_of(FpFormat format, std::uint64_t low, std::uint64_t high = 0) {
  if (format == FpFormat::single) return from_single(static_cast<std::uint32_t>(low));
  if (format == FpFormat::double_) return from_double(low);
  if (format == FpFormat::integer) return integer_register(low);
  if (format == FpFormat::extended) return from_extended(low, static_cast<std::uint16_t>(high));
  return {low, static_cast<std::uint32_t>(high & 0x1ffff), (high >> 17 & 1) != 0};
}

void fp_load(Machine& m, const Operation& o) {
  const unsigned size = fp_sizes[o.argument & 15];
  load_any(
      m, o, size, m.alat_fr(o.r1),
      [&](std::uint64_t address) {
        std::uint64_t words[2] = {0, 0};
        m.load(address, words, size, m.slot);
        order(m, words, size);
        m.set_fr(o.r1, register_of(static_cast<FpFormat>(o.argument & 15), words[0], words[1]));
      },
      [&] { m.set_fr(o.r1, nat_value); });
}

void fp_load_pair(Machine& m, const Operation& o) {
  const auto format = static_cast<FpFormat>(o.argument & 15);
  const unsigned size = fp_sizes[o.argument & 15];
  load_any(
      m, o, 2 * size, m.alat_fr(o.r1),
      [&](std::uint64_t address) {
        // One access for both values.
        std::uint64_t words[2] = {0, 0};
        m.load(address, words, 2 * size, m.slot);
        auto* const bytes = reinterpret_cast<std::uint8_t*>(words);
        order(m, bytes, size);
        order(m, bytes + size, size);
        m.set_fr(o.r1, register_of(format, words[0]));
        m.set_fr(o.r2, register_of(format, size == 4 ? words[0] >> 32 : words[1]));
      },
      [&] {
        m.set_fr(o.r1, nat_value);
        m.set_fr(o.r2, nat_value);
      });
}

void fp_store(Machine& m, const Operation& o) {
  const auto format = static_cast<FpFormat>(o.argument & 15);
  const std::uint64_t address = m.value(o.r3);
  const unsigned size = fp_sizes[o.argument & 15];
  const FloatRegister& r = m.fr(o.r2);
  if (format != FpFormat::spill && is_nat(r)) throw Fault("consumes a NaTVal");
  m.check_alignment(address, size, false);
  std::uint64_t words[2] = {r.significand, 0};
  switch (format) {
    case FpFormat::single:
      words[0] = to_single(r);
      break;
    case FpFormat::double_:
      words[0] = to_double(r);
      break;
    case FpFormat::extended:
      words[1] = to_extended(r);
      break;
    case FpFormat::spill:
      words[1] = r.exponent | static_cast<std::uint64_t>(r.sign) << 17;
      break;
    case FpFormat::integer:
      break;
  }
  order(m, words, size);
  m.store(address, words, size, m.slot);
  increment(m, o, {address});
}

/// Reads the old value, computes the new one and writes it if update() returns true.
template <typename Update>
void semaphore(Machine& m, const Operation& o, unsigned size, Update update) {
  const std::uint64_t address = m.value(o.r3);
  m.check_alignment(address, size, true);
  const std::uint64_t old = load_integer(m, address, size);
  std::uint64_t changed = old;
  if (update(old, changed)) store_integer(m, address, changed, size);
  m.set_gr(o.r1, old);
}
std::uint64_t low_bytes(std::uint64_t value, unsigned size) {
  return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
}
void cmpxchg(Machine& m, const Operation& o) {
  const unsigned size = 1u << (o.argument & 15);
  const std::uint64_t fresh = m.value(o.r2);
  semaphore(m, o, size, [&](std::uint64_t old, std::uint64_t& changed) {
    changed = fresh;
    return old == low_bytes(m.ar[ar_ccv], size);
  });
}
void cmp8xchg16(Machine& m, const Operation& o) {
  check_order(m);
  const std::uint64_t address = m.value(o.r3), pair = address & ~std::uint64_t{8};
  const std::uint64_t fresh[2] = {m.value(o.r2), m.ar[ar_csd]};
  m.check_alignment(address, 8, true);
  const std::uint64_t old = load_integer(m, address, 8);
  if (old == m.ar[ar_ccv]) m.store(pair, fresh, 16, m.slot);
  m.set_gr(o.r1, old);
}
void xchg(Machine& m, const Operation& o) {
  const std::uint64_t fresh = m.value(o.r2);
  semaphore(m, o, 1u << (o.argument & 15), [&](std::uint64_t, std::uint64_t& changed) {
    changed = fresh;
    return true;
  });
}
void fetchadd(Machine& m, const Operation& o) {
  semaphore(m, o, 1u << (o.argument & 15), [&](std::uint64_t old, std::uint64_t& changed) {
    changed = old + static_cast<std::uint64_t>(o.immediate);
    return true;
  });
}

/// A line prefetch is recorded as an access of one byte at its address, unless the address is not mapped.
void lfetch(Machine& m, const Operation& o) {
  const General base = m.gr(o.r3);
  if ((o.argument & 2) != 0) {
    std::uint8_t byte = 0;
    m.load(m.value(o.r3), &byte, 1, m.slot);
  } else if (!base.nat && m.loadable(base.value, 1)) {
    m.effects.accesses.push_back({base.value, 1, false, static_cast<std::uint8_t>(m.slot)});
  }
  increment(m, o, base);
}
void flush_cache(Machine& m, const Operation& o) {
  std::uint8_t byte = 0;
  m.load(m.value(o.r3), &byte, 1, m.slot);
}

void invala(Machine& m, const Operation&) { m.alat.clear(); }
void invala_gr(Machine& m, const Operation& o) { m.alat.remove(m.alat_gr(o.r1)); }
void invala_fr(Machine& m, const Operation& o) { m.alat.remove(m.alat_fr(o.r1)); }

enum Part : unsigned { part_significand, part_exponent, part_single, part_double };

void setf(Machine& m, const Operation& o) {
  const General r = m.gr(o.r2);
  if (r.nat) return m.set_fr(o.r1, nat_value);
  switch (o.argument) {
    case part_significand:
      return m.set_fr(o.r1, integer_register(r.value));
    case part_exponent:
      return m.set_fr(o.r1, {integer_bit, static_cast<std::uint32_t>(r.value & 0x1ffff), (r.value >> 17 & 1) != 0});
    case part_single:
      return m.set_fr(o.r1, from_single(static_cast<std::uint32_t>(r.value)));
    default:
      return m.set_fr(o.r1, from_double(r.value));
  }
}
void getf(Machine& m, const Operation& o) {
  const FloatRegister& f = m.fr(o.r2);
  if (is_nat(f)) return m.set_gr(o.r1, 0, true);
  switch (o.argument) {
    case part_significand:
      return m.set_gr(o.r1, f.significand);
    case part_exponent:
      return m.set_gr(o.r1, f.exponent | static_cast<std::uint64_t>(f.sign) << 17);
    case part_single:
      return m.set_gr(o.r1, to_single(f));
    default:
      return m.set_gr(o.r1, to_double(f));
  }
}

}  // namespace

void add_memory_handlers(Handlers& handlers) {
  static constexpr OpHandler rows[] = {{Op::load, load},
                                       {Op::store, store},
                                       {Op::load16, load16},
                                       {Op::store16, store16},
                                       {Op::fp_load, fp_load},
                                       {Op::fp_load_pair, fp_load_pair},
                                       {Op::fp_store, fp_store},
                                       {Op::cmpxchg, cmpxchg},
                                       {Op::cmp8xchg16, cmp8xchg16},
                                       {Op::xchg, xchg},
                                       {Op::fetchadd, fetchadd},
                                       {Op::lfetch, lfetch},
                                       {Op::flush_cache, flush_cache},
                                       {Op::invala, invala},
                                       {Op::invala_gr, invala_gr},
                                       {Op::invala_fr, invala_fr},
                                       {Op::setf, setf},
                                       {Op::getf, getf}};
  add(handlers, rows);
}

}  // namespace pmusim::trace::ia64
