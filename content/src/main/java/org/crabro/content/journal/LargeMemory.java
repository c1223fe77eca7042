package org.crabro.content.journal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Native memory of which the system is asked to make one large page: what lies anywhere in it is
 * found in a step, where 512 small pages take the processor to its tables for most. Where the
 * system makes small ones nothing else is different.
 */
public final class LargeMemory {
    /** How long it is. */
    public static final int SIZE = 2 << 20;

    // The numbers are those of Linux.
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long MAP_FAILED = -1;
    private static final int MADV_HUGEPAGE = 14;

    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

    private LargeMemory() {}

    private static final MethodHandle MMAP =
            function(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            function("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    /**
     * Returns memory whose bytes are zeros, until it is {@link #free freed}; nothing where the
     * system gives none of this kind.
     */
    @SuppressWarnings("restricted")
    public static Optional<MemorySegment> allocate() {
        if (!IS_LINUX) {
            return Optional.empty();
        }
        // Twice as much as needed has a part that begins where a large page may; the rest goes
        // back.
        long from = map(2L * SIZE);
        if (from == MAP_FAILED) {
            return Optional.empty();
        }
        long start = from + SIZE - 1 & -SIZE;
        if (start > from) {
            unmap(from, start - from);
        }
        unmap(start + SIZE, from + SIZE - start);
        advise(start);
        return Optional.of(MemorySegment.ofAddress(start).reinterpret(SIZE));
    }

    /** Gives memory back to the system; nobody uses it any more. */
    public static void free(MemorySegment memory) {
        unmap(memory.address(), memory.byteSize());
    }

    private static long map(long length) {
        try {
            return (long)
                    MMAP.invokeExact(0L, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static void unmap(long address, long length) {
        int result;
        try {
            result = length == 0 ? 0 : (int) MUNMAP.invokeExact(address, length);
        } catch (Throwable e) {
            throw failed(e);
        }
        if (result != 0) {
            throw new IllegalStateException(
                    "%d bytes of memory at %x could not be freed".formatted(length, address));
        }
    }

    private static void advise(long address) {
        try {
            // Where it is refused, pages are small.
            int _ = (int) MADVISE.invokeExact(address, (long) SIZE, MADV_HUGEPAGE);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor signature) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    /** A call into the system throws nothing: what comes is a fault of ours or of the JVM. */
    private static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
