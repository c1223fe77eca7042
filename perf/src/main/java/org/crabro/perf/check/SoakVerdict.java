package org.crabro.perf.check;

import java.io.PrintStream;
import java.util.List;
import org.crabro.perf.harness.Figures;

/** Whether a server's disk, memory and latencies stayed flat: the first third against the last. */
final class SoakVerdict {
    private SoakVerdict() {}

    /** Prints each bound with the measured value; returns whether all hold. */
    static boolean print(List<SoakSample> samples, PrintStream out) {
        int third = samples.size() / 3;
        if (third == 0) {
            out.println("There are too few samples to tell.");
            return false;
        }
        boolean isFlat = true;
        for (SoakSample.Bound bound : SoakSample.BOUNDS) {
            double first = median(samples.subList(0, third), bound);
            double last = median(samples.subList(samples.size() - third, samples.size()), bound);
            boolean holds = bound.holds(first, last);
            isFlat &= holds;
            out.printf(
                    "%-22s first third %10.2f, last third %10.2f, at most %.1f times + %.0f: %s%n",
                    bound.what(),
                    first / bound.unit(),
                    last / bound.unit(),
                    bound.times(),
                    bound.plus() / bound.unit(),
                    holds ? "flat" : "NOT FLAT");
        }
        return isFlat;
    }

    private static double median(List<SoakSample> samples, SoakSample.Bound bound) {
        return Figures.median(samples.stream().map(bound.value()::applyAsDouble).toList());
    }
}
