package org.crabro.document.memory;

/** A request does not get the memory for its values. The message has the figures. */
public final class MemoryRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean isTooLarge;

    private MemoryRefusedException(String message, boolean isTooLarge) {
        super(message);
        this.isTooLarge = isTooLarge;
    }

    static MemoryRefusedException tooLarge(long bytes, long most) {
        return new MemoryRefusedException(
                "the values of this request take %d bytes of memory or more, at most %d are allowed (requests.memory)"
                        .formatted(bytes, most),
                true);
    }

    static MemoryRefusedException busy(long bytes, long most) {
        return new MemoryRefusedException(
                "overload: there is no memory for the values of this request, %d bytes or more, because others use it; at most %d for all (requests.memory)"
                        .formatted(bytes, most),
                false);
    }

    /**
     * A request, or the values that it reads, never fit in the memory of another process.
     *
     * @param message of that process
     */
    public static MemoryRefusedException ofNode(String message) {
        return new MemoryRefusedException(message, true);
    }

    /** Returns whether the request never fits; otherwise it may fit later. */
    public boolean isTooLarge() {
        return isTooLarge;
    }
}
