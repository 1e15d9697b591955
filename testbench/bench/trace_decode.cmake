# Speed of the trace formats.
add_executable(bench_trace_decode trace_decode.cpp)
target_link_libraries(bench_trace_decode PRIVATE pmusim-trace benchmark::benchmark)
