// Put before a program (LD_PRELOAD), this library is the kernel's side of /dev/pfcntr: open, ioctl, read and close of
// it end at the modelled device, all others go on to the system. The work that is measured is a trace.
//   PMUSIM_PFM_TARGET   alpha-ev4, alpha-ev5, alpha-pca56, alpha-ev6 (default) or alpha-ev67
//   PMUSIM_PFM_TRACE    traces with colons between, one for each processor
//   PMUSIM_PFM_CYCLES   cycles that pass before each call once counters are enabled; default: all of the trace
// The trace begins to run when counters are enabled, and runs before the next call is served.
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "sys/pfcntr.h"
#include "testbench/pfm/machine.h"

namespace {

namespace pfm = pmusim::testbench::pfm;

constexpr std::string_view device_name = "/dev/pfcntr";

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

/// The modelled machine that the program runs on, and the program.
class Kernel {
 public:
  Kernel() {
    const std::string name = variable("PMUSIM_PFM_TARGET", "alpha-ev6"), list = variable("PMUSIM_PFM_TRACE", "");
    const auto* const target = pmusim::models::find_target(name);
    if (target == nullptr || target->isa != pmusim::trace::Isa::alpha)
      throw std::runtime_error(fmt::format("PMUSIM_PFM_TARGET={}: an Alpha is right, such as alpha-ev6", name));
    if (list.empty()) throw std::runtime_error("PMUSIM_PFM_TRACE is not set: name the trace that is to be measured");
    if (const std::string text = variable("PMUSIM_PFM_CYCLES", ""); !text.empty()) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles_);
      if (error != std::errc{} || end != text.data() + text.size() || cycles_ == 0)
        throw std::runtime_error(fmt::format("PMUSIM_PFM_CYCLES={}: a number of cycles is right", text));
    }
    pmusim::trace::ReadOptions options;
    options.isa = target->isa;
    std::vector<std::unique_ptr<pmusim::trace::Reader>> traces;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t colon = std::min(list.find(':', begin), list.size());
      traces.push_back(pmusim::trace::open(list.substr(begin, colon - begin), options));
      begin = colon + 1;
    }
    machine_ = std::make_unique<pfm::Machine>(*target, target->parameters(), std::move(traces));
    program_.cpu = 0;
    program_.superuser = geteuid() == 0;
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
  /// What is measured goes on until the program calls.
  void work() {
    if (!enabled_) return;
    if (cycles_ == 0) {
      machine_->run_to_end();
    } else {
      (void)machine_->run(cycles_);
    }
  }

  std::unique_ptr<pfm::Machine> machine_;
  pfm::Process program_;
  std::uint64_t cycles_ = 0;
  bool enabled_ = false;
};

/// The program's descriptors of the device, each with the device's own. The program's are open files of the system, so
/// that nothing else gets their numbers.
std::map<int, int>& descriptors() {
  static std::map<int, int> map;
  return map;
}
std::unique_ptr<Kernel>& kernel() {
  static std::unique_ptr<Kernel> one;
  return one;
}

/// A call of the device: what it gives, or -1 with errno. What goes wrong in the model is told in one line.
template <class Call>
auto served(Call&& call) -> decltype(call()) {
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

int open_device(int flags) {
  return served([&] {
    if (!kernel()) kernel() = std::make_unique<Kernel>();
    const int own = kernel()->open(static_cast<unsigned>(flags));
    if (own < 0) return own;
    const int descriptor = next<int(const char*, int, ...)>("open")("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      (void)kernel()->close(own);
      return -errno;
    }
    descriptors()[descriptor] = own;
    return descriptor;
  });
}

int open_named(const char* name, const char* path, int flags, mode_t mode) {
  if (path != nullptr && path == device_name) return open_device(flags);
  return next<int(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t mode_of(int flags, va_list list) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_named("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_named("open64", path, flags, mode);
}

// What a compiler that checks arguments makes of open().
int __open_2(const char* path, int flags) { return open_named("open", path, flags, 0); }
int __open64_2(const char* path, int flags) { return open_named("open64", path, flags, 0); }

int close(int descriptor) {
  const auto found = descriptors().find(descriptor);
  if (found == descriptors().end()) return next<int(int)>("close")(descriptor);
  const int own = found->second;
  descriptors().erase(found);
  (void)next<int(int)>("close")(descriptor);
  return served([&] { return kernel()->close(own); });
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  const auto found = descriptors().find(descriptor);
  if (found == descriptors().end()) return next<int(int, unsigned long, ...)>("ioctl")(descriptor, request, argument);
  return served([&] { return kernel()->ioctl(found->second, static_cast<std::uint32_t>(request), argument); });
}

ssize_t read(int descriptor, void* buffer, size_t size) {
  const auto found = descriptors().find(descriptor);
  if (found == descriptors().end()) return next<ssize_t(int, void*, size_t)>("read")(descriptor, buffer, size);
  return served([&] { return kernel()->read(found->second, buffer, size); });
}

ssize_t __read_chk(int descriptor, void* buffer, size_t size, size_t room) {
  if (size > room) std::abort();
  return read(descriptor, buffer, size);
}
}
