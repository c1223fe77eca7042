package org.crabro.perf;

/** What processes have taken of the processors so far, collections and compilation too. */
final class ProcessorTime {
    private ProcessorTime() {}

    /** Returns the nanoseconds of a process, which is up. */
    static long nanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow()
                .toNanos();
    }

    /** Returns those of this process. */
    static long nanos() {
        return nanos(ProcessHandle.current().pid());
    }
}
