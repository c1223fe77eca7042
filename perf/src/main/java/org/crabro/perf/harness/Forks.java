package org.crabro.perf.harness;

import java.util.Collection;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks under JMH, each method in a JVM of its own, and returns their times. */
public final class Forks {
    private Forks() {}

    /** Runs all methods of {@code benchmark} with all of its parameters. */
    public static Collection<RunResult> run(Class<?> benchmark) throws RunnerException {
        return new Runner(
                        new OptionsBuilder()
                                .include(benchmark.getName() + "\\.")
                                .forks(1)
                                .jvmArgsAppend("--add-modules=jdk.incubator.vector")
                                .verbosity(VerboseMode.SILENT)
                                .shouldFailOnError(true)
                                .build())
                .run();
    }

    /** Like {@link #nanos(Collection, String, String, String)}, for any parameters. */
    public static double nanos(Collection<RunResult> results, String method) {
        return nanos(results.stream(), method);
    }

    /**
     * Returns the nanoseconds of one operation: the lower quartile, since those that others on the
     * machine cut in two do not count.
     */
    public static double nanos(
            Collection<RunResult> results, String method, String parameter, String value) {
        return nanos(
                results.stream()
                        .filter(result -> value.equals(result.getParams().getParam(parameter))),
                method);
    }

    private static double nanos(Stream<RunResult> results, String method) {
        return results.filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .findFirst()
                .orElseThrow()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(25);
    }
}
