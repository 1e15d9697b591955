# The ratios of docs/benchmarks.md; scripts/benchmark runs the program and adds the figures that need other programs.
find_package(nlohmann_json REQUIRED)
add_executable(bench_ratios ratios.cpp workload.cpp stopwatch.cpp)
target_link_libraries(bench_ratios PRIVATE pmusim-driver pmusim-encoder-static pmusim-trace nlohmann_json::nlohmann_json fmt::fmt)
