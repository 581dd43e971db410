# Two tests once more, with options that let the compiler change results: fuse products with additions, assume that no
# NaN exists. Programs of their own, so that no inline function of the other tests takes the place of what these options
# make. Left out where the options are not accepted or the machine cannot run what they make.
include(CheckCXXSourceRuns)

function(fidelity_add_test_with_options name source)
  list(JOIN ARGN " " CMAKE_REQUIRED_FLAGS)
  check_cxx_source_runs("int main() { return 0; }" FIDELITY_RUNS_${name})
  if(FIDELITY_RUNS_${name})
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE ${ARGN})
    target_link_libraries(${name} PRIVATE fidelity_test_main)
    catch_discover_tests(${name} TEST_PREFIX "${name}: ")
  endif()
endfunction()

set(contract fast)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # its `fast` means: even where the source forbids it
  set(contract on)
endif()
fidelity_add_test_with_options(distance_fused_test distance/contraction.test.cpp
                               -O3 -march=native -ffp-contract=${contract})
fidelity_add_test_with_options(distance_relaxed_test distance/relaxed.test.cpp -O2 -ffast-math)
