// A machine for the tests of the pfm device: stand-ins for processors that record the arguments of WRPERFMON.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sys/pfcntr.h"
#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

/// Keeps the counters' values in the layout of the family's register, and a list of the calls.
class StandIn final : public Processor {
 public:
  struct Made {
    Function function;
    std::uint64_t argument;
    friend bool operator==(const Made&, const Made&) = default;
  };
  explicit StandIn(Family family) : family_(family) {}
  [[nodiscard]] Family family() const override { return family_; }
  [[nodiscard]] std::uint64_t cycles() const override { return clock; }
  std::uint64_t wrperfmon(Function function, std::uint64_t argument) override {
    made.push_back({function, argument});
    switch (function) {
      case Function::read:
        return family_ == Family::ev5 || family_ == Family::pca56 ? image | 1 : image;
      case Function::write:
        image = family_ == Family::ev6 || family_ == Family::ev67 ? merged(argument) : argument;
        return 1;
      default:
        return 1;
    }
  }
  /// The argument of the last call of this function; all ones if there was none.
  [[nodiscard]] std::uint64_t last(Function function) const {
    for (auto call = made.rbegin(); call != made.rend(); ++call) {
      if (call->function == function) return call->argument;
    }
    return ~std::uint64_t{0};
  }
  std::vector<Made> made;
  std::uint64_t image = 0;  ///< the counters
  std::uint64_t clock = 0;

 private:
  /// An EV6 writes only the counters that bits 1:0 select.
  [[nodiscard]] std::uint64_t merged(std::uint64_t argument) const {
    pmctrs_ev6 now{}, next{};
    now.pmctrs_ev6_long = image;
    next.pmctrs_ev6_long = argument;
    if ((next.pmctrs_ev6_select & PF6_SEL_COUNTER_0) != 0) now.pmctrs_ev6_cntr0 = next.pmctrs_ev6_cntr0;
    if ((next.pmctrs_ev6_select & PF6_SEL_COUNTER_1) != 0) now.pmctrs_ev6_cntr1 = next.pmctrs_ev6_cntr1;
    return now.pmctrs_ev6_long;
  }
  Family family_;
};

struct StandIns {
  explicit StandIns(Family family, unsigned cpus = 2, pfm::Setup setup = {}) {
    std::vector<Processor*> pointers;
    for (unsigned i = 0; i < cpus; ++i) {
      processors.push_back(std::make_unique<StandIn>(family));
      pointers.push_back(processors.back().get());
    }
    device = std::make_unique<Device>(pointers, std::move(setup));
    user.id = 1;
    user.cpu = 0;
    root.id = 2;
    root.cpu = 0;
    root.superuser = true;
  }
  /// A call whose argument is a value in the program's memory.
  template <class T>
  int call(int descriptor, std::uint32_t request, T argument) {
    return device->ioctl(user, descriptor, request, &argument);
  }
  int call(int descriptor, std::uint32_t request) { return device->ioctl(user, descriptor, request, nullptr); }
  int open(unsigned mode) { return device->open(user, mode); }
  /// Opens the device, with its counters' ticks enabled and these items.
  int ready(unsigned mode, long items = PFM_COUNTERS) {
    const int descriptor = open(mode);
    EXPECT_GE(descriptor, 0);
    EXPECT_EQ(call(descriptor, PCNTSETITEMS, items), 0);
    EXPECT_EQ(call(descriptor, PCNTRENABLE), 0);
    return descriptor;
  }
  [[nodiscard]] long read_size(int descriptor) {
    long bytes = -1;
    EXPECT_EQ(device->ioctl(user, descriptor, PCNTGETRSIZE, &bytes), 0);
    return bytes;
  }
  /// The samples of all buckets.
  std::vector<std::uint32_t> samples(int descriptor) {
    std::vector<std::uint32_t> buckets(static_cast<std::size_t>(read_size(descriptor)) / sizeof(std::uint32_t));
    const auto bytes = static_cast<long>(buckets.size() * sizeof(std::uint32_t));
    EXPECT_EQ(device->read(user, descriptor, buckets.data(), buckets.size() * sizeof(std::uint32_t)), bytes);
    return buckets;
  }
  /// Counts as an array of `Counts`, one element per CPU.
  template <class Counts>
  std::vector<Counts> counts(int descriptor, std::uint32_t request, std::size_t elements, int expected = 0) {
    std::vector<Counts> array(elements);
    Counts* pointer = array.data();
    EXPECT_EQ(device->ioctl(user, descriptor, request, &pointer), expected);
    return array;
  }
  StandIn& cpu(unsigned i) { return *processors[i]; }

  std::vector<std::unique_ptr<StandIn>> processors;
  std::unique_ptr<Device> device;
  Process user, root;
};

/// Processors whose device a program has opened; the calls are those of its descriptor.
struct Opened : StandIns {
  explicit Opened(Family family, unsigned mode = PCNTOPENALL, unsigned cpus = 2, pfm::Setup setup = {})
      : StandIns(family, cpus, std::move(setup)), d(open(mode)) {
    EXPECT_GE(d, 0);
  }
  template <class... T>
  int call(std::uint32_t request, T... argument) {
    return StandIns::call(d, request, argument...);
  }
  [[nodiscard]] long read_size() { return StandIns::read_size(d); }
  std::vector<std::uint32_t> samples() { return StandIns::samples(d); }
  template <class Counts>
  std::vector<Counts> counts(std::uint32_t request, std::size_t elements = 1, int expected = 0) {
    return StandIns::counts<Counts>(d, request, elements, expected);
  }
  int d;
};
/// With the counters' ticks enabled and these items.
struct Ready : Opened {
  explicit Ready(Family family, long items = PFM_COUNTERS, unsigned mode = PCNTOPENALL, unsigned cpus = 2,
                 pfm::Setup setup = {})
      : Opened(family, mode, cpus, std::move(setup)) {
    EXPECT_EQ(call(PCNTSETITEMS, items), 0);
    EXPECT_EQ(call(PCNTRENABLE), 0);
  }
};

inline Tick in_kernel(std::uint64_t pc, unsigned counter = 0, std::uint64_t caller = 0) {
  return {.counter = counter, .pc = pc, .caller = caller};
}
inline Tick in_user(std::uint64_t pc, unsigned counter = 0) { return {.counter = counter, .pc = pc, .user = true}; }

inline constexpr std::uint64_t text = pfm::Setup{}.kernel_text.start;

}  // namespace pmusim::testbench::pfm
