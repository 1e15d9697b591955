# The out-of-order pipeline: 21264, 21264A.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/../chips/ev6.cpp
  ${CMAKE_CURRENT_LIST_DIR}/core.cpp
  ${CMAKE_CURRENT_LIST_DIR}/execution.cpp
  ${CMAKE_CURRENT_LIST_DIR}/front_end.cpp
  ${CMAKE_CURRENT_LIST_DIR}/issue_queues.cpp
  ${CMAKE_CURRENT_LIST_DIR}/load_store.cpp
  ${CMAKE_CURRENT_LIST_DIR}/map_stage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pipes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/retirement.cpp
  ${CMAKE_CURRENT_LIST_DIR}/settings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/slotting.cpp)
