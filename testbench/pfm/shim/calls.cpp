// The kernel's side of /dev/pfcntr for a program of this machine. The measured work is a trace.
//   PMUSIM_PFM_TARGET   alpha-ev4, alpha-ev5, alpha-pca56, alpha-ev6 (default) or alpha-ev67
//   PMUSIM_PFM_TRACE    traces, separated by colons, one for each processor
//   PMUSIM_PFM_CYCLES   cycles that pass before each call once counters are enabled; default: all of the trace
// The trace starts when counters are enabled, and advances before each further call is served.
#include "testbench/pfm/shim/calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sys/pfcntr.h"
#include "testbench/pfm/machine.h"

namespace pmusim::testbench::pfm {
namespace {

constexpr std::string_view device_name = "/dev/pfcntr";

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

/// Copies within this process by the system, which reports an address that is not mapped or not writable instead of
/// raising a signal. Where the system refuses the call altogether, as some sandboxes do, it is a plain copy.
template <auto transfer>
bool copied(void* to, const void* from, std::size_t size, void* remote) {
  if (size == 0) return true;
  const iovec local{remote == to ? const_cast<void*>(from) : to, size}, other{remote, size};
  const ssize_t done = transfer(getpid(), &local, 1, &other, 1, 0);
  if (done >= 0) return static_cast<std::size_t>(done) == size;
  if (errno != ENOSYS && errno != EPERM) return false;
  std::memcpy(to, from, size);
  return true;
}
bool copy_in(void* to, const void* from, std::size_t size) {
  return copied<process_vm_readv>(to, from, size, const_cast<void*>(from));
}
bool copy_out(void* to, const void* from, std::size_t size) { return copied<process_vm_writev>(to, from, size, to); }

/// The modelled machine on which the program runs, and the program's process.
class Kernel {
 public:
  Kernel() {
    const std::string name = variable("PMUSIM_PFM_TARGET", "alpha-ev6"), list = variable("PMUSIM_PFM_TRACE", "");
    const auto* const target = models::find_target(name);
    if (target == nullptr || target->isa != trace::Isa::alpha)
      throw std::runtime_error(fmt::format("PMUSIM_PFM_TARGET={}: expected an Alpha, such as alpha-ev6", name));
    if (list.empty()) throw std::runtime_error("PMUSIM_PFM_TRACE is not set: name the trace that is to be measured");
    if (const std::string text = variable("PMUSIM_PFM_CYCLES", ""); !text.empty()) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles_);
      if (error != std::errc{} || end != text.data() + text.size() || cycles_ == 0)
        throw std::runtime_error(fmt::format("PMUSIM_PFM_CYCLES={}: expected a number of cycles", text));
    }
    trace::ReadOptions options;
    options.isa = target->isa;
    std::vector<std::unique_ptr<trace::Reader>> traces;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t colon = std::min(list.find(':', begin), list.size());
      traces.push_back(trace::open(list.substr(begin, colon - begin), options));
      begin = colon + 1;
    }
    machine_ = std::make_unique<Machine>(*target, target->parameters(), std::move(traces));
    program_.cpu = 0;
    program_.superuser = geteuid() == 0;
    program_.memory.copy_by(copy_in, copy_out);
  }
  int open(unsigned flags) { return machine_->device().open(program_, flags); }
  int close(int descriptor) {
    work();
    return machine_->device().close(descriptor);
  }
  int ioctl(int descriptor, std::uint32_t request, void* argument) {
    work();
    const int result = machine_->device().ioctl(program_, descriptor, request, argument);
    if (result == 0 && enables(request)) enabled_ = true;
    return result;
  }
  long read(int descriptor, void* buffer, std::size_t size) {
    work();
    return machine_->device().read(program_, descriptor, buffer, size);
  }

 private:
  static bool enables(std::uint32_t request) {
    for (const std::uint32_t one :
         {PCNTRENABLE, PCNT5ENABLE, PCNT5RESTART, PCNT6ENABLE, PCNT6RESTART, PCNT6ENABWRITE}) {
      if (request == one) return true;
    }
    return false;
  }
  /// Advances the measured work before a call.
  void work() {
    if (!enabled_) return;
    if (cycles_ == 0) {
      machine_->run_to_end();
    } else {
      (void)machine_->run(cycles_);
    }
  }

  std::unique_ptr<Machine> machine_;
  Process program_;
  std::uint64_t cycles_ = 0;
  bool enabled_ = false;
};

/// The program's descriptors of the device: by number, the device's own descriptor, or 0. They are open files of the
/// system, which reserves their numbers. Calls on other files look here without waiting for a call of the device.
constexpr std::size_t most_descriptors = 65536;
std::array<std::atomic<int>, most_descriptors> descriptors;

/// One call of the device at a time, in every thread. A child gets the lock free.
std::mutex calls_of_the_device;
std::unique_ptr<Kernel>& kernel() {
  static std::unique_ptr<Kernel> one;
  static const int at_fork = pthread_atfork([] { calls_of_the_device.lock(); }, [] { calls_of_the_device.unlock(); },
                                            [] { calls_of_the_device.unlock(); });
  (void)at_fork;
  return one;
}

/// Serves a call of the device: returns its result, or -1 with errno. Errors in the model are reported in one line.
template <class Call>
auto served(Call&& call) -> decltype(call()) {
  const std::scoped_lock lock(calls_of_the_device);
  try {
    const auto result = call();
    if (result >= 0) return result;
    errno = static_cast<int>(-result);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", device_name, error.what());
    errno = ENXIO;
  }
  return -1;
}

/// The device's descriptor, or 0 for a file of the system.
int own(int descriptor) {
  return descriptor >= 0 && static_cast<std::size_t>(descriptor) < most_descriptors
             ? descriptors[static_cast<std::size_t>(descriptor)].load()
             : 0;
}
/// The same, and the number is no longer one of the device.
int forget(int descriptor) {
  return own(descriptor) == 0 ? 0 : descriptors[static_cast<std::size_t>(descriptor)].exchange(0);
}
bool in_use(int device) {
  return std::ranges::any_of(descriptors, [&](const auto& one) { return one.load() == device; });
}

int open_device(int flags, const SystemCalls& system) {
  return served([&] {
    if (!kernel()) kernel() = std::make_unique<Kernel>();
    const int opened = kernel()->open(static_cast<unsigned>(flags));
    if (opened < 0) return opened;
    const int descriptor = system.open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : EMFILE;
    if (descriptor < 0 || static_cast<std::size_t>(descriptor) >= most_descriptors) {
      if (descriptor >= 0) (void)system.close(descriptor);
      (void)kernel()->close(opened);
      return -error;
    }
    descriptors[static_cast<std::size_t>(descriptor)] = opened;
    return descriptor;
  });
}

/// Closes the device if no other descriptor of the program has it.
int close_device(int device) {
  return served([&] { return in_use(device) ? 0 : kernel()->close(device); });
}

}  // namespace

int open_file(const char* path, int flags, mode_t mode, const SystemCalls& system) {
  if (path != nullptr && path == device_name) return open_device(flags, system);
  return system.open(path, flags, mode);
}

int close_file(int descriptor, const SystemCalls& system) {
  const int device = forget(descriptor);
  const int result = system.close(descriptor);
  return device == 0 ? result : close_device(device);
}

int duplicated(int from, int to) {
  if (to < 0 || from == to) return to;
  const int replaced = forget(to), device = own(from);
  if (device != 0 && static_cast<std::size_t>(to) < most_descriptors)
    descriptors[static_cast<std::size_t>(to)] = device;
  if (replaced != 0) (void)close_device(replaced);
  return to;
}

int control_file(int descriptor, unsigned long request, void* argument, const SystemCalls& system) {
  const int device = own(descriptor);
  if (device == 0) return system.ioctl(descriptor, request, argument);
  return served([&] { return kernel()->ioctl(device, static_cast<std::uint32_t>(request), argument); });
}

ssize_t read_file(int descriptor, void* buffer, std::size_t size, const SystemCalls& system) {
  const int device = own(descriptor);
  if (device == 0) return system.read(descriptor, buffer, size);
  return served([&] { return kernel()->read(device, buffer, size); });
}

mode_t mode_of(int flags, va_list list) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; }

}  // namespace pmusim::testbench::pfm
