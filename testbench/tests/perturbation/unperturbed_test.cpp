#include <gtest/gtest.h>

#include <iostream>

#include "bench.h"

namespace pmusim::perturbation {
TEST(X, Y) {
  for (const std::string target : {"ppc750gx", "athlon"}) {
    auto& b = bench_of(target);
    std::cout << "recorded\n" << std::flush;
    auto f = b.judge_all(testbench::Depth::full);
    std::cout << f.checks << " " << f.exercised.size() << "\n" << std::flush;
    for (auto& m : f.mismatches) std::cout << m << "\n";
  }
}
}
