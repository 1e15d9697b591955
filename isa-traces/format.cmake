target_sources(pmusim-trace PRIVATE src/instruction.cpp)
