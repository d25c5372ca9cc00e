# SPDX-License-Identifier: GPL-2.0-only

# dcn-astra: ASTRA-sim 2 with the networks of dcn. It is built only where DCN_ASTRA_SIM, a variable
# of the environment or of CMake, is the folder of an ASTRA-sim 2 whose own build has made
# libAstraSim.a. Nothing of ASTRA-sim is here. Paths are relative to examples/programs.
if(DEFINED ENV{DCN_ASTRA_SIM})
  set(DCN_ASTRA_SIM "$ENV{DCN_ASTRA_SIM}" CACHE PATH "Folder of an ASTRA-sim 2 that is built" FORCE)
else()
  set(DCN_ASTRA_SIM "" CACHE PATH "Folder of an ASTRA-sim 2 that is built")
endif()
if(NOT DCN_ASTRA_SIM)
  return()
endif()
if(NOT EXISTS "${DCN_ASTRA_SIM}/astra-sim/common/AstraNetworkAPI.hh")
  message(
    FATAL_ERROR
      "DCN_ASTRA_SIM is ${DCN_ASTRA_SIM}, which has no astra-sim/common/AstraNetworkAPI.hh."
  )
endif()

# The library itself, and those that it was built with: its own, or else the system's.
set(dcn_astra_libraries)
foreach(library AstraSim spdlog fmt yaml-cpp protobuf)
  file(GLOB_RECURSE found "${DCN_ASTRA_SIM}/build/*/lib${library}.a")
  if(NOT found AND NOT library STREQUAL "AstraSim")
    find_library(DCN_ASTRA_${library} ${library})
    mark_as_advanced(DCN_ASTRA_${library})
    set(found ${DCN_ASTRA_${library}})
  endif()
  if(NOT found)
    message(
      FATAL_ERROR
        "DCN_ASTRA_SIM is ${DCN_ASTRA_SIM}, but there is no lib${library}.a in its folder build: \
build ASTRA-sim first."
    )
  endif()
  list(GET found 0 found)
  list(APPEND dcn_astra_libraries "${found}")
endforeach()
find_package(Threads REQUIRED)
message(STATUS "dcn: dcn-astra is built with ${DCN_ASTRA_SIM}.")

set(dcn_needs dcn-train)
dcn_program(dcn-astra astra/dcn-astra.cc astra/dcn-astra-network.cc astra/dcn-astra-options.cc)
set(dcn_needs)
target_link_libraries(dcn-astra ${dcn_astra_libraries} Threads::Threads)
target_include_directories(
  dcn-astra SYSTEM
  PRIVATE ${DCN_ASTRA_SIM}
          ${DCN_ASTRA_SIM}/extern/helper
          ${DCN_ASTRA_SIM}/extern/helper/fmt/include
          ${DCN_ASTRA_SIM}/extern/helper/spdlog/include
          ${DCN_ASTRA_SIM}/extern/graph_frontend/chakra
          ${DCN_ASTRA_SIM}/extern/graph_frontend/chakra/schema/protobuf
          ${DCN_ASTRA_SIM}/extern/graph_frontend/chakra/src/third_party/utils
)
# as ASTRA-sim compiles its own files
target_compile_definitions(dcn-astra PRIVATE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
