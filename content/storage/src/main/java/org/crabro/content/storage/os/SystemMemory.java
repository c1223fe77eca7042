package org.crabro.content.storage.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Native memory mapped directly from the system, and returned to it when freed. It does not request
 * large pages: in memory that was not used before, the first touch of one large page took longer
 * than those of 512 small ones.
 */
public final class SystemMemory {
    /** The size of an allocation, in bytes. */
    public static final int SIZE = 2 << 20;

    // The constants are those of Linux.
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long MAP_FAILED = -1;

    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

    private SystemMemory() {}

    private static final MethodHandle MMAP =
            SystemFunction.named(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            SystemFunction.named("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    /**
     * Returns zeroed memory that is valid until it is {@link #free freed}; empty if the system does
     * not support this.
     */
    @SuppressWarnings("restricted")
    public static Optional<MemorySegment> allocate() {
        if (!IS_LINUX) {
            return Optional.empty();
        }
        long address = map(SIZE);
        return address == MAP_FAILED
                ? Optional.empty()
                : Optional.of(MemorySegment.ofAddress(address).reinterpret(SIZE));
    }

    /** Returns memory to the system; it must not be used any more. */
    public static void free(MemorySegment memory) {
        unmap(memory.address(), memory.byteSize());
    }

    private static long map(long length) {
        try {
            return (long)
                    MMAP.invokeExact(0L, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static void unmap(long address, long length) {
        int result;
        try {
            result = length == 0 ? 0 : (int) MUNMAP.invokeExact(address, length);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
        if (result != 0) {
            throw new IllegalStateException(
                    "%d bytes of memory at %x could not be freed".formatted(length, address));
        }
    }
}
