# Instruction classifiers.
find_package(Zydis 4 REQUIRED)
target_sources(pmusim-trace PRIVATE src/instruction.cpp src/ppc.cpp src/ppc_table.cpp src/x86.cpp src/x86_table.cpp)
target_link_libraries(pmusim-trace PRIVATE Zydis::Zydis)

add_subdirectory(capture)
