# The IA-64 simulator: loader, decoder, execution.
pmusim_fuzzer(ia64_program SOURCES ia64_program.cpp LIBRARIES pmusim-ia64 pmusim-trace)
