# The PowerPC 750GX timing core.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/branch.cpp
  ${CMAKE_CURRENT_LIST_DIR}/cache_operations.cpp
  ${CMAKE_CURRENT_LIST_DIR}/retirement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/core.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dispatch.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fetch.cpp
  ${CMAKE_CURRENT_LIST_DIR}/load_store.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operation.cpp
  ${CMAKE_CURRENT_LIST_DIR}/stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parameters.cpp
  ${CMAKE_CURRENT_LIST_DIR}/translation.cpp)
