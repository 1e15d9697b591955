# Instruction classifiers.
find_package(Zydis 4 REQUIRED)
target_sources(pmusim-trace PRIVATE src/alpha.cpp src/alpha_table.cpp src/instruction.cpp src/ppc.cpp src/ppc_table.cpp
  src/x86.cpp src/x86_table.cpp
  ia64/decode.cpp ia64/frame.cpp ia64/immediate.cpp ia64/opcodes.cpp ia64/opcodes_branch.cpp ia64/opcodes_float.cpp
  ia64/opcodes_integer.cpp ia64/opcodes_memory.cpp ia64/opcodes_shift.cpp ia64/opcodes_system.cpp)
target_link_libraries(pmusim-trace PRIVATE Zydis::Zydis)

add_subdirectory(ia64)
add_subdirectory(import)
add_subdirectory(edit)
add_subdirectory(capture)
