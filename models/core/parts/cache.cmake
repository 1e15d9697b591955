# Parts that hold the state of memory, shared by the cores.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/cache.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_map.cpp
  ${CMAKE_CURRENT_LIST_DIR}/write_buffer.cpp)
