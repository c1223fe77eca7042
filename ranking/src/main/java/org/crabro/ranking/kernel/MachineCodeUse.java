package org.crabro.ranking.kernel;

/**
 * Whether kernels may use machine code that this process writes. Must be applied before the first
 * kernel is chosen: kernels are constants, so that the JVM can compile calls to them.
 */
public enum MachineCodeUse {
    /** Where the processor has the instructions and the system permits it. */
    AUTO,

    /** Never. No memory is made executable for it. */
    OFF;

    // Guarded by the class.
    private static boolean isForbidden;
    private static boolean isChosen;

    /**
     * Sets this value for the process.
     *
     * @throws IllegalStateException if the kernels were chosen before by another rule
     */
    public void apply() {
        synchronized (MachineCodeUse.class) {
            boolean forbids = this == OFF;
            if (isChosen && forbids != isForbidden) {
                throw new IllegalStateException(
                        "kernels were chosen before machine code was set to " + this);
            }
            isForbidden = forbids;
        }
    }

    /** Returns whether machine code is permitted, from now on for good. */
    static boolean choose() {
        synchronized (MachineCodeUse.class) {
            isChosen = true;
            return !isForbidden;
        }
    }
}
