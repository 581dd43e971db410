# Compiles case CASE of SOURCE, syntax only. Case 0 must compile; every other must fail with a text that matches REASON.
set(flags)
foreach(kind IN ITEMS INCLUDES SYSTEM_INCLUDES)
  string(REPLACE "|" ";" directories "${${kind}}")
  foreach(directory IN LISTS directories)
    if(NOT IS_DIRECTORY "${directory}")
      message(FATAL_ERROR "no such include directory: ${directory}")
    endif()
    list(APPEND flags "-I${directory}")
  endforeach()
endforeach()

set(ENV{LC_ALL} C)  # the reasons are English
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -DCASE=${CASE} ${flags} ${SOURCE}
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(CASE EQUAL 0)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "case 0 must compile:\n${output}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "case ${CASE} compiles and must not")
elseif(NOT output MATCHES "error: " OR NOT output MATCHES "${REASON}")
  message(FATAL_ERROR "case ${CASE} fails for another reason than '${REASON}':\n${output}")
endif()
