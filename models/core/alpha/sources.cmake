# The Alpha timing cores. Shared parts, the in-order pipelines, the out-of-order pipeline.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/chips/ev4.cpp
  ${CMAKE_CURRENT_LIST_DIR}/chips/ev5.cpp
  ${CMAKE_CURRENT_LIST_DIR}/chips/pca56.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/core.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/fetch.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/issue.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/memory_access.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/prediction.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/rules.cpp
  ${CMAKE_CURRENT_LIST_DIR}/in_order/settings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_levels.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_side.cpp
  ${CMAKE_CURRENT_LIST_DIR}/stimulus.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pal.cpp
  ${CMAKE_CURRENT_LIST_DIR}/settings.cpp
  ${CMAKE_CURRENT_LIST_DIR}/static_code.cpp
  ${CMAKE_CURRENT_LIST_DIR}/translation.cpp)
include(${CMAKE_CURRENT_LIST_DIR}/out_of_order/sources.cmake OPTIONAL)
