# The AMD Athlon core.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/core.cpp
  ${CMAKE_CURRENT_LIST_DIR}/branch_prediction.cpp
  ${CMAKE_CURRENT_LIST_DIR}/front_end.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_flight.cpp
  ${CMAKE_CURRENT_LIST_DIR}/load_store.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_l2.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_side.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parameters.cpp
  ${CMAKE_CURRENT_LIST_DIR}/retirement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/static_code.cpp
  ${CMAKE_CURRENT_LIST_DIR}/stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/timing_table.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window.cpp)
