# Parts that both cores are made of.
target_sources(pmusim-core PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/directives.cpp
  ${CMAKE_CURRENT_LIST_DIR}/program.cpp
  ${CMAKE_CURRENT_LIST_DIR}/recorder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tlb.cpp)
