# cmake -DPROGRAM=... -DWORK=... -P sample_process_data.cmake
# The program on files: its exit codes are a promise (0 sampled, 2 no window, a value missing, or an error).
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 "" --write-demo plant.csv)
set(plant plant.csv --max-gap 10min --run-time 2026-03-02T20:30:00Z)
set(windows --validation-window 12h --sampling-window 2h)
set(conditions --logic "flow > 45" --steady "pressure noise=0.1 slope=0.1/h min=30min")
expect(0 "17:59:00Z to 2026-03-02T19:59:00Z" ${plant} ${windows} ${conditions} --align 1min --json found.json --csv
       found.csv --svg found.svg)
expect(2 "would have fitted without 'flow > 60'" ${plant} ${windows} --logic "flow > 60" --logic "pressure > 1" --json
       none.json)
expect(0 "sampling only" ${plant} --sampling-window 1h)
expect(0 "latest value" ${plant} --disabled)
expect(2 "value_missing" plant.csv --run-time 2026-03-02T14:15:00Z --disabled --max-age 5min)
expect(2 "bad samples follow" plant.csv --run-time 2026-03-02T14:15:00Z --disabled --max-age 5min --input temperature)
expect(0 "4 run times: 4 complete" plant.csv --sampling-window 1h --since 2026-03-02T06:00:00Z --every 2h --run-time
       2026-03-02T12:00:00Z)
expect(0 "" ${plant} ${windows} --logic "flow between 45 and 60" --cognite "pressure 15 3.5 -3" --hold flow)
expect(0 "SAMPLED")

expect(2 "there is no column 'foo'" ${plant} ${windows} --logic "foo > 1")
expect(2 "needs? --logic, --steady or --cognite" ${plant} ${windows})
expect(2 "--run-time and --since want" plant.csv --run-time yesterday --sampling-window 1h)
expect(2 "--zone wants" ${plant} --sampling-window 1h --zone Berlin)
expect(2 "--logic wants" ${plant} ${windows} --logic "flow about 45")
expect(2 "length of time" ${plant} --sampling-window 2parsec)
expect(2 "change per time" ${plant} ${windows} --steady "pressure slope=3")
expect(2 "--steady knows" ${plant} ${windows} --steady "pressure slop=3/h")
expect(2 "whole number" ${plant} ${windows} --cognite "pressure 1.5 3.5 -3")
expect(2 "validation_window is missing" ${plant} --sampling-window 1h --logic "flow > 45")
expect(2 "sampling_window is missing" ${plant})
expect(2 "needs --since" ${plant} --sampling-window 1h --every 1h)
expect(2 "no file" --logic "flow > 45")
expect(2 "not expected" --no-such-option)
expect(0 "Exit code" --help)

file(READ ${WORK}/found.json json)
string(JSON mode GET "${json}" mode)
string(JSON begin GET "${json}" sampling_window begin)
string(JSON name GET "${json}" inputs 2 name)
if(NOT mode STREQUAL "sampling and validation" OR NOT begin STREQUAL "2026-03-02T17:59:00.000000000Z" OR NOT name STREQUAL
   "temperature")
  message(FATAL_ERROR "found.json says ${mode}, ${begin}, ${name}")
endif()
file(READ ${WORK}/none.json json)
string(JSON code GET "${json}" search code)
if(NOT code STREQUAL "never_holds")
  message(FATAL_ERROR "none.json says ${code}")
endif()
file(STRINGS ${WORK}/found.csv rows)
list(LENGTH rows count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "found.csv has ${count} rows")
endif()
file(READ ${WORK}/found.svg svg)
if(NOT svg MATCHES "all conditions.*simulation time.*</svg>")
  message(FATAL_ERROR "found.svg lacks its panels")
endif()

# A column whose name holds blanks.
file(READ ${WORK}/plant.csv text)
string(REPLACE "time,flow," "time,Feed flow (m3/h)," text "${text}")
file(WRITE ${WORK}/blanks.csv "${text}")
expect(0 "Feed flow" blanks.csv --sampling-window 1h --validation-window 2h --logic "\"Feed flow (m3/h)\" > 45")
expect(2 "double quotes" blanks.csv --sampling-window 1h --validation-window 2h --logic "Feed flow (m3/h) > 45")

# Stamps with and without a zone in one run: the zone must be said.
string(REPLACE "Z," "," text "${text}")
file(WRITE ${WORK}/local.csv "${text}")
expect(2 "--zone" plant.csv local.csv --sampling-window 1h --input temperature)
expect(0 "limit derived" local.csv --sampling-window 1h --validation-window 4h --zone +01:00 --steady pressure)

# Two files with a column of one name.
file(COPY_FILE ${WORK}/plant.csv ${WORK}/other.csv)
expect(2 "several files" plant.csv other.csv --sampling-window 1h --input flow)
expect(0 "other:flow" plant.csv other.csv --sampling-window 1h --input other:flow)
