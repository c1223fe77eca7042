package org.crabro.content.journal;

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
 * A file opened once more, for what Linux is asked through a descriptor and the JDK keeps to
 * itself: {@code sync_file_range}.
 */
final class OpenDescriptor implements AutoCloseable {
    private static final int O_WRONLY = 1;
    private static final int O_CLOEXEC = 0x8_0000;

    /** Begin to write pages that are not being written already; nobody waits for them. */
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

    /** Opens a file that is there, or returns nothing where that is refused. */
    static Optional<OpenDescriptor> open(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            int number = (int) OPEN.invokeExact(path, O_WRONLY | O_CLOEXEC);
            return number < 0 ? Optional.empty() : Optional.of(new OpenDescriptor(number));
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    /** Has the system begin to write what was changed in a range. */
    void writeOut(long offset, long length) {
        try {
            // Where it is refused, a force writes all the same, and an error is told by that.
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
            // Nothing was written through it, so there is nothing that could be lost.
            int _ = (int) CLOSE.invokeExact(number);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }
}
