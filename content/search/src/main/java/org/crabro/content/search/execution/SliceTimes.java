package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.content.storage.read.BlockSlice;

/** The time of each slice in one pass, written by the thread that scans the slice. */
final class SliceTimes {
    /** How many of the slowest slices the trace lists. */
    private static final int TOLD = 5;

    private final long[] nanos;

    SliceTimes(int slices) {
        this.nanos = new long[slices];
    }

    void set(int slice, long taken) {
        nanos[slice] = taken;
    }

    /** Returns lines for the trace. */
    List<String> lines(List<BlockSlice> slices) {
        var lines = new ArrayList<String>();
        if (nanos.length == 0) {
            return lines;
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        lines.add(
                "%d slices: %s to %s, half of them below %s"
                        .formatted(
                                sorted.length,
                                Trace.millis(sorted[0]),
                                Trace.millis(sorted[sorted.length - 1]),
                                Trace.millis(sorted[sorted.length / 2])));
        IntStream.range(0, nanos.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer slice) -> nanos[slice]).reversed())
                .limit(TOLD)
                .forEach(slice ->
                        lines.add(
                                "slice %d, %d rows: %s"
                                        .formatted(
                                                slice,
                                                slices.get(slice).liveCount(),
                                                Trace.millis(nanos[slice]))));
        return lines;
    }
}
