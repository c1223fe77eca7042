package org.crabro.perf.harness;

/** What processes have taken of the processors so far, collections and compilation too. */
public final class ProcessorTime {
    private ProcessorTime() {}

    /** Returns the nanoseconds of a process, which is up. */
    public static long nanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow()
                .toNanos();
    }

    /** Returns those of this process. */
    public static long nanos() {
        return nanos(ProcessHandle.current().pid());
    }
}
