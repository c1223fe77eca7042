package org.crabro.content.storage.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A second descriptor of a file, for {@code sync_file_range}. The JDK does not expose the
 * descriptor of its own channel.
 */
public final class OpenDescriptor implements AutoCloseable {
    private static final int O_WRONLY = 1;
    private static final int O_CLOEXEC = 0x8_0000;

    /** Starts writing pages that are not already being written, and does not wait. */
    private static final int SYNC_FILE_RANGE_WRITE = 2;

    private static final MethodHandle OPEN =
            SystemFunction.named(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SYNC_FILE_RANGE =
            SystemFunction.named(
                    "sync_file_range",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE =
            SystemFunction.named("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final int number;

    private OpenDescriptor(int number) {
        this.number = number;
    }

    /** Opens an existing file; returns empty if the system rejects that. */
    public static Optional<OpenDescriptor> open(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            int number = (int) OPEN.invokeExact(path, O_WRONLY | O_CLOEXEC);
            return number < 0 ? Optional.empty() : Optional.of(new OpenDescriptor(number));
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    /** Starts writing the changed bytes of a range. */
    public void writeOut(long offset, long length) {
        try {
            // If the system rejects the call, a force still writes the bytes and reports errors.
            int _ =
                    (int)
                            SYNC_FILE_RANGE.invokeExact(
                                    number, offset, length, SYNC_FILE_RANGE_WRITE);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    @Override
    public void close() {
        try {
            // No bytes were written through this descriptor, so none can be lost.
            int _ = (int) CLOSE.invokeExact(number);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }
}
