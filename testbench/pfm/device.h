// The pfm pseudo-device of Tru64 UNIX over modelled processors: open, ioctl, read and close as described in pfm(7), and
// the performance counter interrupts that feed it. Calls return their result on success, or minus an error number.
// docs/tru64-pfm.md lists the rules, R1 to R102, each with its test.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "testbench/driver/random_period.h"
#include "testbench/pfm/processor.h"

namespace pmusim::testbench::pfm {

class Device {
 public:
  /// The processors must outlive the device; all are of one family.
  explicit Device(std::vector<Processor*> cpus, Setup setup = {});

  /// Returns a file descriptor; -ENXIO, -EINVAL, -EBUSY.
  int open(Process& process, unsigned flags);
  /// Disables the counters' interrupts; data are kept until the next open (R15, R16). -EBADF.
  int close(int descriptor);
  /// Returns 0; -EBADF, -EINVAL, -EFAULT, -EPERM, -ENOMEM, -ENOSPC. `argument` is the program's argument.
  int ioctl(Process& process, int descriptor, std::uint32_t request, void* argument);
  /// Reads the PC samples: 32-bit buckets, each call starting with the first. Returns the number of bytes; -EBADF,
  /// -EFAULT.
  long read(Process& process, int descriptor, void* buffer, std::size_t size);

  /// A performance counter interrupt of a processor, with a `sample` in profile-me mode. If the driver has disabled the
  /// processor or the counter, the interrupt is dismissed without effect.
  void tick(unsigned cpu, const Tick& tick, const std::optional<ProfileMe>& sample = {});

  /// Creates a child of a process: it inherits the mark (R39), and the processors are informed of it.
  [[nodiscard]] Process fork(const Process& parent, int child);
  /// Events to the next tick of a counter with this period, drawn according to the set-up. The instructions of
  /// profile-me samples are selected at random unless the set-up says that periods are constant (R98).
  [[nodiscard]] std::uint64_t draw(unsigned counter, std::uint64_t period, bool profile_me);

  /// Another tool takes the counters, or leaves them without restoring the interrupt handler (R11).
  void taken_by_another_tool() { taken_ = true; }
  /// True if the default handler of performance counter interrupts is installed (R16).
  [[nodiscard]] bool default_handler() const { return opens_.empty() && !taken_; }

 private:
  /// The data of a processor, kept from one open to the next.
  struct Data {
    std::array<std::uint64_t, 3> ticks{};
    std::array<std::uint64_t, 3> starts{};  ///< unless the hardware spaces ticks: the value last written to each
                                            ///< counter
    std::array<std::uint64_t, 3> moved{};   ///< ... and the total distance by which writes have moved it
    std::array<std::uint64_t, 9> levels{};
    std::uint64_t cleared_at = 0;        ///< cycle counter when the ticks were cleared, or at the last open
    std::vector<std::uint32_t> samples;  ///< buckets of one or two words each
  };
  enum class Profiled : std::uint8_t { nothing, user, kernel };
  struct Open {
    unsigned mode = 0;
    std::vector<unsigned> cpus;
    int process = 0;
    unsigned items = 0;
    unsigned statistic = 0;                  ///< PF67_PM_*
    std::optional<std::uint64_t> mux = {};   ///< of PCNT6MUX
    std::array<std::uint64_t, 3> periods{};  ///< of the counters, as requested
    std::uint64_t contexts = 0;              ///< PF5_CTXT_* in PALcode's format
    std::optional<unsigned> selected = {};   ///< counters that the family's own calls have enabled; all before these
    bool on = false;                         ///< interrupts are enabled
    unsigned without_data = 0;               ///< EV4: iccsr_disable
    Profiled profiled = Profiled::nothing;
    Range range;
    std::uint64_t stride = 4;
    bool to_caller = false;
    std::vector<Range> caller_ranges;
  };
  struct Call {
    Open& open;
    Process& process;
    void* argument;
  };
  struct CallRow;  ///< of the table of calls
  static const std::vector<CallRow>& calls();

  // argument passing (arguments.cpp)
  template <class T>
  static std::optional<T> value(const Call& call);
  template <class T>
  static int give(const Call& call, void* place, const T& what);

  // every family (device.cpp)
  int set_enabled(const Call& call, bool on);
  /// Counters whose ticks are processed.
  [[nodiscard]] unsigned enabled(const Open& open) const {
    return open.on ? open.selected.value_or(static_cast<unsigned>(all_counters())) : 0;
  }
  void select(Open& open, unsigned counters, bool on);
  int log(const Call& call, bool marked_only);
  int unmark(const Call& call);
  int set_items(const Call& call);
  int clear(const Call& call);
  int levels(const Call& call);
  // profiling (profiling.cpp)
  int read_size(const Call& call);
  int to_caller(const Call& call);
  int set_range(const Call& call, Profiled profiled, bool with_stride);
  int add_caller_range(Open& open, const Range& range);
  [[nodiscard]] static std::size_t buckets(const Open& open);
  [[nodiscard]] static std::size_t words(const Open& open);
  [[nodiscard]] std::size_t sample_bytes(const Open& open) const;
  void profile(const Open& open, Data& data, const Tick& tick, const std::optional<ProfileMe>& sample) const;
  // counters of one family (counters.cpp)
  int set_mux_ev4(const Call& call);
  int contexts_ev5(const Call& call);
  int mux_ev5(const Call& call);
  int frequency_ev5(const Call& call);
  int mux_ev6(const Call& call);
  int enable_ev5(const Call& call, Function function);
  int enable_ev6(const Call& call, Function function, bool with_values);
  int write_ev5(const Call& call, bool zero);
  int write_ev6(const Call& call, bool zero);
  int read_counters(const Call& call, bool ev5);
  template <class Counts>
  int counts(const Call& call, bool with_hardware);

  void program(const Open& open, Function function, std::uint64_t argument);
  void set_process_option(const Open& open, bool marked_only);
  void mark(Process& process, bool marked);
  /// True if the counters count what the profile-me statistic needs.
  [[nodiscard]] static bool makes_sense(const Open& open);
  // ticks spaced by the driver (profiling.cpp)
  [[nodiscard]] bool reloads() const;
  void start(const Open& open, unsigned counters);
  void reload(const Open& open, unsigned cpu, unsigned counter);
  void first_sample(const Open& open, unsigned counters);
  void next_sample(unsigned cpu);
  [[nodiscard]] std::uint64_t all_counters() const { return counters_ == 3 ? 7 : 3; }
  [[nodiscard]] std::optional<std::vector<unsigned>> chosen(const Open& open, unsigned cpu) const;
  [[nodiscard]] std::uint64_t cycles_since_cleared(unsigned cpu) const;

  std::vector<Processor*> cpus_;
  Setup setup_;
  RandomPeriod random_;
  Family family_;
  unsigned counters_;
  std::vector<Data> data_;
  std::map<int, Open> opens_;
  int next_descriptor_ = 3;
  bool taken_ = false;
};

template <class T>
std::optional<T> Device::value(const Call& call) {
  T result;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the argument of some calls is a pointer.
  if (!call.process.memory.copy_in(&result, call.argument, sizeof(T))) return {};
  return result;
}

template <class T>
int Device::give(const Call& call, void* place, const T& what) {
  return call.process.memory.copy_out(place, &what, sizeof(T)) ? 0 : -EFAULT;
}

}  // namespace pmusim::testbench::pfm
