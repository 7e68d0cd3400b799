# SPDX-License-Identifier: MIT
# find_package(skyjo_core): the target skyjo_core::headers, for bots that are compiled.
if(NOT TARGET skyjo_core::headers)
  add_library(skyjo_core::headers INTERFACE IMPORTED)
  target_include_directories(skyjo_core::headers INTERFACE "${CMAKE_CURRENT_LIST_DIR}/../include")
  target_compile_features(skyjo_core::headers INTERFACE cxx_std_20)
endif()
