# The Montecito core: parameters of the IA-64 core.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/parameters.cpp)
