#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "testbench/bench/workload.h"

namespace pmusim::testbench {
namespace {

/// The result of a process.
struct MeasuredRun {
  double seconds = 0;
  std::uint64_t digest = 0;
};

double processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A process that measures one sample.
struct Process {
  pid_t pid;
  int from;  ///< the pipe from which the sample is read
};

Process begin(const std::function<MeasuredRun()>& make) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe: no descriptors left");
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork: no process left");
  if (pid != 0) {
    ::close(ends[1]);
    return {pid, ends[0]};
  }
  int status = 1;
  try {
    const MeasuredRun s = make();
    if (::write(ends[1], &s, sizeof s) == sizeof s) status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  ::_exit(status);
}

MeasuredRun end(const Process& process) {
  MeasuredRun s;
  const bool whole = ::read(process.from, &s, sizeof s) == sizeof s;
  ::close(process.from);
  int status = 0;
  ::waitpid(process.pid, &status, 0);
  if (!whole || status != 0) throw std::runtime_error("a measured process failed");
  return s;
}

MeasuredRun once(const Work& work) {
  return end(begin([&work] {
    const double begin = processor_seconds();
    const std::uint64_t digest = work();
    return MeasuredRun{processor_seconds() - begin, digest};
  }));
}

void require_same(std::uint64_t digest, std::uint64_t before) {
  if (digest != before) throw std::runtime_error("the same work gave different results");
}

/// The mean of `times` successive runs.
MeasuredRun again(const Work& work, int times) {
  MeasuredRun mean = once(work);
  for (int i = 1; i < times; ++i) {
    const MeasuredRun s = once(work);
    require_same(s.digest, mean.digest);
    mean.seconds += s.seconds;
  }
  mean.seconds /= times;
  return mean;
}

/// Keeps this process and its children on the current processor during its lifetime.
class OneProcessor {
 public:
  OneProcessor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
    if (::sched_getaffinity(0, sizeof all_, &all_) != 0 || ::sched_setaffinity(0, sizeof one, &one) != 0)
      throw std::runtime_error("a process cannot be kept on one processor");
  }
  ~OneProcessor() { ::sched_setaffinity(0, sizeof all_, &all_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t all_{};
};

}  // namespace

std::vector<Measurement> measure(const std::vector<Work>& works, int rounds) {
  std::vector<Measurement> result;
  for (const Work& work : works) {
    const MeasuredRun alone = once(work);
    result.push_back({alone.seconds, alone.digest, {}});
  }
  double longest = 0;
  for (const Measurement& m : result) longest = std::max(longest, m.seconds);
  std::vector<int> times;
  times.reserve(result.size());
  for (const Measurement& m : result) times.push_back(static_cast<int>(std::lround(longest / m.seconds)));
  for (int round = 0; round < rounds; ++round) {
    const OneProcessor shared;
    std::vector<Process> sides;
    for (std::size_t i = 0; i < works.size(); ++i) sides.push_back(begin([&, i] { return again(works[i], times[i]); }));
    for (std::size_t i = 0; i < works.size(); ++i) {
      const MeasuredRun s = end(sides[i]);
      require_same(s.digest, result[i].digest);
      result[i].seconds = round == 0 ? s.seconds : std::min(result[i].seconds, s.seconds);
      result[i].rounds.push_back(s.seconds);
    }
  }
  return result;
}

double ratio(const Measurement& first, const Measurement& second, double start) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < first.rounds.size(); ++round)
    ratios.push_back((first.rounds[round] - start) / (second.rounds[round] - start));
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace pmusim::testbench
