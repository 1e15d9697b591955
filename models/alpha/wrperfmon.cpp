#include "models/alpha/wrperfmon.h"

#include "models/alpha/ev4/monitor.h"
#include "models/alpha/ev5/monitor.h"
#include "models/alpha/ev6/registers.h"

namespace pmusim::pmu {

namespace {

/// Functions of WRPERFMON.
enum Function : std::uint64_t {
  disable = 0,
  enable = 1,
  select = 2,
  options = 3,
  frequency = 4,
  read_counters = 5,
  write_counters = 6,
  enable_write = 7,
  read_i_stat = 8,
  read_pmpc = 9
};

constexpr std::uint64_t marked_only = 1;  ///< bit 0 of the options of the 21164 and 21264

std::uint64_t replace(std::uint64_t value, std::uint64_t mask, std::uint64_t by) {
  return (value & ~mask) | (by & mask);
}

}  // namespace

Wrperfmon::Wrperfmon(AlphaChip chip, Monitor& monitor)
    : Wrperfmon(chip, {[&monitor](RegisterId id) { return monitor.read(id, {}).value; },
                       [&monitor](RegisterId id, std::uint64_t value) { monitor.write(id, value, {}); }}) {}

std::uint64_t Wrperfmon::operator()(std::uint64_t function, std::uint64_t argument) {
  switch (chip_) {
    case AlphaChip::ev4:
      return on_ev4(function, argument);
    case AlphaChip::ev5:
    case AlphaChip::pca56:
      return on_ev5(function, argument);
    case AlphaChip::ev6:
    case AlphaChip::ev67:
      return on_ev6(function, argument);
  }
  return failure;
}

// Functions act on both counters and never fail.
std::uint64_t Wrperfmon::on_ev4(std::uint64_t function, std::uint64_t argument) {
  using namespace alpha::ev4;
  switch (function) {
    case disable:
      write(ipr::hier, read(ipr::hier) & ~(hier::pc0 | hier::pc1));
      break;
    case enable:
      write(ipr::hier, read(ipr::hier) | hier::pc0 | hier::pc1);
      break;
    case select:
      write(ipr::iccsr, replace(read(ipr::iccsr), iccsr::counting, argument));
      break;
    case options:
      write(ipr::pme_option, argument & (option::all | option::marked));
      break;
    default:
      break;
  }
  return success;
}

void Wrperfmon::enable_ev5(std::uint64_t which, bool clear) {
  using namespace alpha::ev5;
  std::uint64_t value = read(ipr::pmctr);
  for (unsigned i = 0; i < counters; ++i) {
    if ((which >> i & 1) == 0) continue;
    value = replace(value, pmctr::control[i].mask(), pmctr::control[i].put(periods_[i]));
    if (clear) value &= ~pmctr::counter[i].mask();
  }
  write(ipr::pmctr, value);
}

void Wrperfmon::select_ev5(std::uint64_t argument) {
  using namespace alpha::ev5;
  const std::uint64_t selects = pmctr::select[0].mask() | pmctr::select[1].mask() | pmctr::select[2].mask();
  write(ipr::pmctr, replace(read(ipr::pmctr), selects, argument));
  const bool has_scache = chip_ == AlphaChip::ev5;
  const unsigned* const shift = has_scache ? second_shift : pca56_second_shift;
  second_ = replace(second_, second_mask << shift[0] | second_mask << shift[1], argument);
  write(has_scache ? ipr::bc_ctl : ipr::cbu_config, second_);
}

// Other bits of the argument have no effect.
void Wrperfmon::options_ev5(std::uint64_t argument) {
  using namespace alpha::ev5;
  write(ipr::pmctr, replace(read(ipr::pmctr), pmctr::kills, argument));
  write(ipr::icsr, replace(read(ipr::icsr), icsr::pma, (argument & marked_only) != 0 ? 0 : icsr::pma));
}

std::uint64_t Wrperfmon::on_ev5(std::uint64_t function, std::uint64_t argument) {
  using namespace alpha::ev5;
  switch (function) {
    case disable: {
      std::uint64_t off = 0;
      for (unsigned i = 0; i < counters; ++i) off |= (argument >> i & 1) != 0 ? pmctr::control[i].mask() : 0;
      write(ipr::pmctr, read(ipr::pmctr) & ~off);
      return success;
    }
    case enable:
      enable_ev5(argument, false);
      return success;
    case select:
      select_ev5(argument);
      return success;
    case options:
      options_ev5(argument);
      return success;
    case frequency:
      for (unsigned i = 0; i < counters; ++i) periods_[i] = argument >> (8 - 2 * i) & 3;
      return success;
    case read_counters:
      return read(ipr::pmctr) | success;  // bit 0 reports success
    case write_counters:
      write(ipr::pmctr,
            replace(read(ipr::pmctr), pmctr::counter[0].mask() | pmctr::counter[1].mask() | pmctr::counter[2].mask(),
                    argument));
      return success;
    case enable_write:
      enable_ev5(argument, true);
      return success;
    default:
      return failure;
  }
}

// Counters and their interrupts are enabled together: PALcode changes both I_CTL and IER_CM.
void Wrperfmon::enable_ev6(std::uint64_t which, bool on) {
  using namespace alpha::ev6;
  const std::uint64_t both = which & 3;
  const auto set = [&](std::uint32_t number, unsigned shift) {
    write(number, replace(read(number), both << shift, on ? both << shift : 0));
  };
  set(ipr::i_ctl, i_ctl::pct_en_shift);
  set(ipr::ier_cm, interrupt_shift);
}

// Writing a counter that is close to its overflow sets its request. The request is unwanted, so it is cleared.
void Wrperfmon::write_ev6(std::uint64_t argument) {
  using namespace alpha::ev6;
  std::uint64_t value = read(ipr::pctr_ctl);
  for (unsigned i = 0; i < counters; ++i) {
    const std::uint64_t field = pctr_ctl::counter_mask << pctr_ctl::shift[i];
    if ((argument >> i & 1) != 0) value = replace(value, field, argument);
  }
  write(ipr::pctr_ctl, value);
  write(ipr::hw_int_clr, (argument & 3) << interrupt_shift);
}

std::uint64_t Wrperfmon::on_ev6(std::uint64_t function, std::uint64_t argument) {
  using namespace alpha::ev6;
  const bool is_ev67 = chip_ == AlphaChip::ev67;
  switch (function) {
    case disable:
    case enable:
      enable_ev6(argument, function == enable);
      return success;
    case select: {
      const std::uint64_t sl1 = is_ev67 ? pctr_ctl::sl1_ev67 << pctr_ctl::sl1_shift : pctr_ctl::sl1_ev6;
      write(ipr::pctr_ctl, replace(read(ipr::pctr_ctl), pctr_ctl::sl0 | sl1, argument));
      return success;
    }
    case options:
      write(ipr::i_ctl, replace(read(ipr::i_ctl), i_ctl::spce, (argument & marked_only) != 0 ? 0 : i_ctl::spce));
      return success;
    case read_counters:
      return read(ipr::pctr_ctl);
    case write_counters:
      write_ev6(argument);
      return success;
    case enable_write:
      write_ev6(argument);
      enable_ev6(argument, true);
      return success;
    case read_i_stat:
      return is_ev67 ? read(ipr::i_stat) : failure;
    case read_pmpc:
      return is_ev67 ? read(ipr::pmpc) : failure;
    default:
      return failure;
  }
}

std::uint64_t least_period(AlphaChip chip, const AlphaCounter& counter) {
  if (chip != AlphaChip::ev6 && chip != AlphaChip::ev67) return 1;
  return counter.number == 0 ? 16 : 4;
}

std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period) {
  return (counter.mask() + 1 - period + since % period) & counter.mask();
}

// On an EV6, function 6 writes the counters that bits 1:0 select; on an EV5, all three.
std::uint64_t write_argument(AlphaChip chip, const AlphaCounter& counter, std::uint64_t image, std::uint64_t value) {
  const std::uint64_t field = (value & counter.mask()) << counter.shift;
  if (chip == AlphaChip::ev6 || chip == AlphaChip::ev67) return field | std::uint64_t{1} << counter.number;
  return (image & ~(counter.mask() << counter.shift)) | field;
}

}  // namespace pmusim::pmu
