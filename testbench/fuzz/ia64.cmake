# The IA-64 simulator: decoder and execution, and the loader by itself.
pmusim_fuzzer(ia64_program SOURCES ia64_program.cpp LIBRARIES pmusim-ia64 pmusim-trace)
pmusim_fuzzer(elf_program SOURCES elf_program.cpp LIBRARIES pmusim-ia64)
