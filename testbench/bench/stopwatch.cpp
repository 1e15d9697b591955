#include "testbench/bench/stopwatch.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace pmusim::testbench {
namespace {

/// What a process hands back.
struct Sample {
  double seconds = 0;
  std::uint64_t digest = 0;
};

double processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

[[noreturn]] void child(const std::function<std::uint64_t()>& work, int to) {
  int status = 1;
  try {
    Sample m;
    const double begin = processor_seconds();
    m.digest = work();
    m.seconds = processor_seconds() - begin;
    if (::write(to, &m, sizeof m) == sizeof m) status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  ::_exit(status);
}

Sample once(const std::function<std::uint64_t()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe: no descriptors left");
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork: no process left");
  if (pid == 0) child(work, ends[1]);
  ::close(ends[1]);
  Sample m;
  const bool whole = ::read(ends[0], &m, sizeof m) == sizeof m;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!whole || status != 0) throw std::runtime_error("a measured process failed");
  return m;
}

}  // namespace

std::vector<Measurement> measure(const std::vector<std::function<std::uint64_t()>>& works, int rounds) {
  std::vector<Measurement> best(works.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const Sample m = once(works[i]);
      if (round != 0 && m.digest != best[i].digest) throw std::runtime_error("two rounds gave different results");
      best[i].seconds = round == 0 ? m.seconds : std::min(m.seconds, best[i].seconds);
      best[i].digest = m.digest;
      best[i].rounds.push_back(m.seconds);
    }
  }
  return best;
}

}  // namespace pmusim::testbench
