package org.crabro.perf.harness;

/** The processor time that processes have used, including garbage collection and compilation. */
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
