# Run by GTKWave (-S): says what it shows, makes a picture of its window, and ends.
# SPDX-License-Identifier: Apache-2.0
puts "LOOK dump [gtkwave::getDumpFileName]"
puts "LOOK marker [gtkwave::getMarker]"
puts "LOOK window [gtkwave::getWindowStartTime] [gtkwave::getWindowEndTime]"
foreach signal [gtkwave::getDisplayedSignals] { puts "LOOK signal $signal" }
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
  puts "LOOK row [gtkwave::getTraceNameFromIndex $i] = [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
gtkwave::/File/Grab_To_File $::env(HD_PICTURE)
gtkwave::/File/Quit
