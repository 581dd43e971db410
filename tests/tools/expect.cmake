# Runs PROGRAM in the fresh folder WORK: it must end with `code` and say `text` (a regular expression).
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
function(expect code text)
  execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result STREQUAL "${code}" OR NOT output MATCHES "${text}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}, not ${code}, or did not say '${text}':\n${output}")
  endif()
endfunction()
