#include "testbench/pfm/profiler.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "sys/pfcntr.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench::pfm {
namespace {

/// An open device; errors of calls are reported as exceptions.
class Session {
 public:
  explicit Session(Device& device) : device_(device) {
    process_.id = 1;
    process_.cpu = 0;
    process_.superuser = true;
    descriptor_ = check("open", device.open(process_, PCNTOPENALL));
  }
  ~Session() { device_.close(descriptor_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  template <class T>
  T call(const char* name, std::uint32_t request, T argument) {
    check(name, device_.ioctl(process_, descriptor_, request, &argument));
    return argument;
  }
  void call(const char* name, std::uint32_t request) {
    check(name, device_.ioctl(process_, descriptor_, request, nullptr));
  }
  /// The value that a call stores at its argument.
  template <class T>
  T fetch(const char* name, std::uint32_t request) {
    T result{};
    call(name, request, &result);
    return result;
  }
  std::vector<std::uint32_t> samples() {
    const long bytes = call("PCNTGETRSIZE", PCNTGETRSIZE, long{0});
    std::vector<std::uint32_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint32_t));
    if (bytes != 0) check("read", device_.read(process_, descriptor_, words.data(), words.size() * 4));
    return words;
  }

 private:
  template <class Result>
  static Result check(const char* call, Result result) {
    if (result < 0)
      throw std::runtime_error(std::string("pfm: ") + call + ": " + std::strerror(static_cast<int>(-result)));
    return result;
  }
  Device& device_;
  Process process_;
  int descriptor_ = -1;
};

void start_ev4(Session& device, const ProfileRequest& request) {
  iccsr image{};
  std::memcpy(&image, &request.select, sizeof image);
  image.iccsr_disable = ~request.counters & 3;
  device.call("PCNTSETMUX", PCNTSETMUX, image);
  device.call("PCNTRENABLE", PCNTRENABLE);
}

// The ioctl has the second selects in bits 51 and 54; the driver moves them to the bits that PALcode uses.
void start_ev5(Session& device, const ProfileRequest& request, bool pca56) {
  const std::uint64_t first = request.select & (0xFF | std::uint64_t{1} << 31);
  const std::uint64_t second = (request.select & (pca56 ? 0x3F00u : 0x1F80000u)) << (pca56 ? 43 : 32);
  device.call("PCNT5MUX", PCNT5MUX, static_cast<long>(first | second));
  device.call("PCNT5FREQ", PCNT5FREQ, static_cast<long>(request.frequency));
  pmctrs_ev5 which{};
  which.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev5_select = request.counters & 7;
  device.call("PCNT5RESTART", PCNT5RESTART, which);
}

void start_ev6(Session& device, const ProfileRequest& request, std::uint64_t first_sample) {
  device.call("PCNT6MUX", PCNT6MUX, static_cast<long>(request.select));
  pmctrs_ev6 which{};
  which.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev6_select = request.counters & 3;
  if (request.statistic == 0) {
    device.call("PCNT6RESTART", PCNT6RESTART, which);
  } else {
    which.pmctrs_ev6_cntr0 = ((1u << PF6_C0_WIDTH) - first_sample) & ((1u << PF6_C0_WIDTH) - 1);
    device.call("PCNT6ENABWRITE", PCNT6ENABWRITE, which);
  }
}

template <class Counts>
Profile with_counts(Session& device, const char* get_name, std::uint32_t get, const char* read_name,
                    std::uint32_t read) {
  const auto ticks = device.fetch<Counts>(get_name, get);
  Profile result;
  result.cycles = ticks.pr_cycle;
  result.ticks = {ticks.pf_cntr0, ticks.pf_cntr1};
  if constexpr (requires { ticks.pf_cntr2; }) result.ticks.push_back(ticks.pf_cntr2);
  if (read == 0) return result;
  const auto counts = device.fetch<Counts>(read_name, read);
  result.counts = {counts.pf_cntr0, counts.pf_cntr1};
  if constexpr (requires { counts.pf_cntr2; }) result.counts.push_back(counts.pf_cntr2);
  return result;
}

Profile counts_of(Session& device, Family family) {
  switch (family) {
    case Family::ev4:
      return with_counts<pfcntrs>(device, "PCNTGETCNT", PCNTGETCNT, "", 0);
    case Family::ev5:
    case Family::pca56:
      return with_counts<pfcntrs_ev5>(device, "PCNT5GETCNT", PCNT5GETCNT, "PCNT5READCNTRS", PCNT5READCNTRS);
    default:
      return with_counts<pfcntrs_ev6>(device, "PCNT6GETCNT", PCNT6GETCNT, "PCNT6READCNTRS", PCNT6READCNTRS);
  }
}

}  // namespace

Profile profile(Machine& machine, const ProfileRequest& request) {
  return profile(
      machine.device(), machine.processor(0).family(), machine.profile_me_period(), [&] { machine.run_to_end(); },
      request);
}

Profile profile(Device& driver, Family family, std::uint64_t profile_me_period, const std::function<void()>& run,
                const ProfileRequest& request) {
  Session device(driver);
  device.call("PCNTSETITEMS", PCNTSETITEMS,
              long{PFM_COUNTERS | PFM_IPL | PFM_PROFILING} | static_cast<long>(request.statistic)
                                                                 << PFM_PROFME_MODE_SHIFT);
  const addr_range_t range{request.range.start, request.range.end, request.stride, 0};
  if (request.kernel) {
    device.call("PCNTSETKRANGE", PCNTSETKRANGE, range);
  } else {
    device.call("PCNTSETURANGE", PCNTSETURANGE, range);
  }
  device.call("PCNTCLEARCNT", PCNTCLEARCNT);
  switch (family) {
    case Family::ev4:
      start_ev4(device, request);
      break;
    case Family::ev5:
    case Family::pca56:
      start_ev5(device, request, family == Family::pca56);
      break;
    default:
      start_ev6(device, request, request.statistic == 0 ? 0 : driver.draw(0, profile_me_period, true));
      break;
  }
  run();

  Profile result = counts_of(device, family);
  const auto levels = device.fetch<pfipls>("PCNTGETIPLHIS", PCNTGETIPLHIS);
  result.levels.assign(std::begin(levels.ipl), std::end(levels.ipl));
  const std::vector<std::uint32_t> words = device.samples();
  const std::size_t step = is_per_retired(request.statistic) ? 2 : 1;
  for (std::size_t i = 0; i < words.size(); i += step) {
    const Bucket bucket{request.range.start + i / step * 4 * request.stride, words[i], step == 2 ? words[i + 1] : 0};
    if (bucket.value != 0 || bucket.retired != 0) result.buckets.push_back(bucket);
  }
  return result;
}

}  // namespace pmusim::testbench::pfm
