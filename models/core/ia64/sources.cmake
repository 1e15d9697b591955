# What IA-64 cores are made of.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/back_end.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus_interface.cpp
  ${CMAKE_CURRENT_LIST_DIR}/core.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_side.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fetch_memory.cpp
  ${CMAKE_CURRENT_LIST_DIR}/front_end.cpp
  ${CMAKE_CURRENT_LIST_DIR}/hierarchy.cpp
  ${CMAKE_CURRENT_LIST_DIR}/hierarchy_stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/issue.cpp
  ${CMAKE_CURRENT_LIST_DIR}/l2i.cpp
  ${CMAKE_CURRENT_LIST_DIR}/operation.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ordered_queue.cpp
  ${CMAKE_CURRENT_LIST_DIR}/parameters.cpp
  ${CMAKE_CURRENT_LIST_DIR}/ports.cpp
  ${CMAKE_CURRENT_LIST_DIR}/prediction.cpp
  ${CMAKE_CURRENT_LIST_DIR}/register_stack.cpp
  ${CMAKE_CURRENT_LIST_DIR}/registers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/retirement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/schedule.cpp
  ${CMAKE_CURRENT_LIST_DIR}/stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/threads.cpp
  ${CMAKE_CURRENT_LIST_DIR}/translation.cpp)
