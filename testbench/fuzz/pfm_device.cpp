// Fuzzes Tru64 UNIX's pfm device: calls of up to three processes and ticks, in any order and with any argument, over
// monitors that PALcode programs. Calls must return a number of the manual page and write no byte outside the process's
// memory; PALcode must only get arguments that it knows; when all have closed the device, no counter may be on.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "models/alpha/alpha.h"
#include "models/alpha/wrperfmon.h"
#include "sys/pfcntr.h"
#include "testbench/fuzz/input.h"
#include "testbench/pfm/device.h"

namespace {

using namespace pmusim::testbench::pfm;
using pmusim::fuzz::Input;
using pmusim::fuzz::require;

struct Model {
  pmusim::models::Parameters (*parameters)();
  std::unique_ptr<pmusim::pmu::Monitor> (*make_monitor)(const pmusim::models::Parameters&);
};
/// By family.
constexpr Model models[] = {{pmusim::pmu::alpha_ev4_pmu_parameters, pmusim::pmu::make_alpha_ev4_monitor},
                            {pmusim::pmu::alpha_ev5_pmu_parameters, pmusim::pmu::make_alpha_ev5_monitor},
                            {pmusim::pmu::alpha_pca56_pmu_parameters, pmusim::pmu::make_alpha_pca56_monitor},
                            {pmusim::pmu::alpha_ev6_pmu_parameters, pmusim::pmu::make_alpha_ev6_monitor},
                            {pmusim::pmu::alpha_ev67_pmu_parameters, pmusim::pmu::make_alpha_ev67_monitor}};

/// A monitor behind PALcode. Arguments must be those of the handbook's functions (appendix E).
class CheckedProcessor final : public Processor {
 public:
  explicit CheckedProcessor(Family family)
      : family_(family),
        monitor_(model(family).make_monitor(model(family).parameters())),
        palcode_(static_cast<pmusim::pmu::AlphaChip>(family), *monitor_) {}
  [[nodiscard]] Family family() const override { return family_; }
  [[nodiscard]] std::uint64_t cycles() const override { return clock_; }
  std::uint64_t wrperfmon(Function function, std::uint64_t argument) override {
    clock_ += 100;
    check(function, argument);
    if (function == Function::disable) on_ &= family_ == Family::ev4 ? 0 : ~argument;
    if (function == Function::enable || function == Function::enable_write)
      on_ |= family_ == Family::ev4 ? 3 : argument & (is_ev5() ? 7 : 3);
    const std::uint64_t result = palcode_(static_cast<std::uint64_t>(function), argument);
    require(function == Function::read || result == pmusim::pmu::Wrperfmon::success, "PALcode refuses a call");
    return result;
  }
  [[nodiscard]] bool on() const { return on_ != 0; }

 private:
  static const Model& model(Family family) { return models[static_cast<std::size_t>(family)]; }
  [[nodiscard]] bool is_ev5() const { return family_ == Family::ev5 || family_ == Family::pca56; }
  void check(Function function, std::uint64_t argument) const {
    if (function == Function::select) {
      const std::uint64_t seconds = family_ == Family::ev5 ? 0x1F80000 : 0x3F00;
      const std::uint64_t taken = family_ == Family::ev4 ? 0x700000F09 : is_ev5() ? 0x800000FF | seconds : 0x1F;
      require((argument & ~taken) == 0, "an event select with other bits");
    } else if (function == Function::options) {
      const std::uint64_t taken = family_ == Family::ev4 ? 3 : is_ev5() ? 0x40000301 : 1;
      require((argument & ~taken) == 0, "an option with other bits");
    } else if (function == Function::frequency) {
      require(is_ev5() && (argument & 0x2A0) == 0x2A0 && (argument & ~std::uint64_t{0x3F0}) == 0, "a period of none");
    }
  }

  Family family_;
  std::unique_ptr<pmusim::pmu::Monitor> monitor_;
  pmusim::pmu::Wrperfmon palcode_;
  std::uint64_t clock_ = 0;
  std::uint64_t on_ = 0;  ///< counters that are enabled
};

constexpr std::uint32_t requests[] = {
    PCNTRDISABLE,    PCNTRENABLE,   PCNTSETMUX,    PCNTLOGALL,    PCNTLOGSELECT, PCNTCLEARCNT,   PCNTGETCNT,
    PCNTCLEARPCBPME, PCNTCALLER,    PCNTGETRSIZE,  PCNTGETIPLHIS, PCNTSETITEMS,  PCNTSETUADDR,   PCNTSETKADDR,
    PCNTSETURANGE,   PCNTSETKRANGE, PCNT5CTXTS,    PCNT5MUX,      PCNT5FREQ,     PCNT5DISABLE,   PCNT5ENABLE,
    PCNT5CLEAR,      PCNT5RESTART,  PCNT5SETCNTRS, PCNT5GETCNTRS, PCNT5GETCNT,   PCNT5READCNTRS, PCNT6MUX,
    PCNT6ENABWRITE,  PCNT6DISABLE,  PCNT6ENABLE,   PCNT6CLEAR,    PCNT6RESTART,  PCNT6SETCNTRS,  PCNT6GETCNTRS,
    PCNT6GETCNT,     PCNT6READCNTRS};

/// A program's memory with guard bytes on both sides.
class Memory {
 public:
  static constexpr std::size_t size = 256, fence = 64;
  Memory() : bytes_(size + 2 * fence, mark) {}
  [[nodiscard]] std::uint8_t* begin() { return bytes_.data() + fence; }
  /// An argument: a value in the memory, the address of an array there, or an invalid address.
  void* argument(Input& in) {
    const std::size_t at = in.byte() % (size + 8);
    const std::uint64_t words[4] = {in.word(), in.word(), in.word(), in.word()};
    std::uint8_t* const place = begin() + at;
    switch (in.byte() % 8) {
      case 0:
        return nullptr;
      case 1:
        return place;  // at the edge, or beyond it
      case 2:
      case 3: {
        std::uint8_t* const array = begin() + in.byte() % size;
        std::memcpy(begin(), &array, sizeof array);
        return begin();
      }
      default:
        std::memcpy(begin(), words, sizeof words);
        return begin();
    }
  }
  [[nodiscard]] bool fences_stand() const {
    for (std::size_t i = 0; i < fence; ++i) {
      if (bytes_[i] != mark || bytes_[bytes_.size() - 1 - i] != mark) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint8_t mark = 0xA5;
  std::vector<std::uint8_t> bytes_;
};

void check_result(long result) {
  static const std::set<long> errors{-ENXIO, -EINVAL, -EBUSY, -EBADF, -EFAULT, -EPERM, -ENOMEM, -ENOSPC};
  require(result >= 0 || errors.count(result) != 0, "an error that pfm(7) does not have");
}

class Driver {
 public:
  explicit Driver(Input& in) : in_(in) {
    const unsigned first = in.byte(), family = first % 5, cpus = 1 + in.byte() % 3;
    std::vector<Processor*> pointers;
    for (unsigned i = 0; i < cpus; ++i) {
      cpus_.push_back(std::make_unique<CheckedProcessor>(static_cast<Family>(family)));
      pointers.push_back(cpus_.back().get());
    }
    Setup setup;
    setup.most_sample_bytes = 1u << 16;
    setup.spacing = static_cast<Spacing>(first / 5 % 3);
    setup.utility_routines.push_back({setup.kernel_text.start + 64, setup.kernel_text.start + 128});
    device_ = std::make_unique<Device>(pointers, setup);
    for (int i = 0; i < 3; ++i) {
      processes_[i].id = i + 1;
      processes_[i].cpu = static_cast<int>(i) - 1;
      processes_[i].superuser = i == 2;
      processes_[i].memory.add(memory_[i].begin(), Memory::size);
    }
  }

  void run() {
    while (!in_.empty()) {
      step();
      for (const Memory& memory : memory_) require(memory.fences_stand(), "a byte outside the memory is written");
    }
    for (int descriptor = 0; descriptor < 300; ++descriptor) (void)device_->close(descriptor);
    for (const auto& cpu : cpus_) require(!cpu->on(), "a counter is on after the last close");
  }

 private:
  void step() {
    const unsigned who = in_.byte() % 3;
    Process& process = processes_[who];
    const int descriptor = 3 + static_cast<int>(in_.byte() % 4);
    switch (in_.byte() % 8) {
      case 0:
        return check_result(device_->open(process, (in_.byte() & 3) << 15 | (in_.byte() & 3)));
      case 1:
        return check_result(device_->close(descriptor));
      case 2: {
        const std::size_t wanted = in_.byte() % Memory::size;
        const long got = device_->read(process, descriptor, memory_[who].begin() + in_.byte() % 16, wanted);
        check_result(got);
        return require(got <= static_cast<long>(wanted), "more bytes are read than asked for");
      }
      case 3:
        return tick();
      case 4:
        if ((in_.byte() & 15) == 0) device_->taken_by_another_tool();
        process.cpu = static_cast<int>(in_.byte() % 5) - 1;
        return;
      default: {
        const unsigned chosen = in_.byte();
        const auto request = chosen < std::size(requests) * 6 ? requests[chosen % std::size(requests)]
                                                              : static_cast<std::uint32_t>(in_.word());
        return check_result(device_->ioctl(process, descriptor, request, memory_[who].argument(in_)));
      }
    }
  }
  void tick() {
    const Setup setup;
    const unsigned flags = in_.byte();
    Tick tick{.counter = in_.byte() % 4,
              .pc = ((flags & 1) != 0 ? setup.kernel_text.start : 0) + in_.word() % 0x1000,
              .caller = setup.kernel_text.start + in_.word() % 0x1000,
              .ipl = in_.byte(),
              .user = (flags & 2) != 0,
              .idle = (flags & 4) != 0};
    std::optional<ProfileMe> sample;
    if ((flags & 8) != 0) {
      sample = ProfileMe{.i_stat = in_.word(),
                         .pctr_ctl = in_.word(),
                         .pmpc = in_.word(),
                         .conditional_branch = (flags & 16) != 0,
                         .unconditional = (flags & 32) != 0};
    }
    const bool is_ev67 = cpus_[0]->family() == Family::ev67;
    device_->tick(in_.byte() % static_cast<unsigned>(cpus_.size()), tick, is_ev67 ? sample : std::nullopt);
  }

  Input& in_;
  std::vector<std::unique_ptr<CheckedProcessor>> cpus_;
  std::unique_ptr<Device> device_;
  Process processes_[3];
  Memory memory_[3];
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  Driver(in).run();
  return 0;
}
