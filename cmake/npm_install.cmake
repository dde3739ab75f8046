# Installs what FROM/package-lock.json pins into TO/node_modules, unless it is there already.
if(NOT NPM)
  message("skipped: there is no npm on this machine")
  return()
endif()
set(lock package-lock.json)
set(installed ${TO}/node_modules/.leaselab-${lock})
file(SHA256 ${FROM}/${lock} wanted)
if(EXISTS ${installed})
  file(READ ${installed} found)
  if(found STREQUAL wanted)
    return()
  endif()
endif()
file(COPY ${FROM}/package.json ${FROM}/${lock} DESTINATION ${TO})
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${TO}
  COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${installed} ${wanted})
