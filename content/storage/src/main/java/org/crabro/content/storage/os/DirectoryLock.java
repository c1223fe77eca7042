package org.crabro.content.storage.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps other processes out of a directory with a {@code flock} of the directory itself. The lock
 * does not depend on the files in the directory. Linux only.
 *
 * <p>The lock ends with the process, or when this is closed.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final int O_RDONLY = 0;
    private static final int O_CLOEXEC = 0x8_0000;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int EWOULDBLOCK = 11;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN =
            SystemFunction.named(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FLOCK =
            SystemFunction.named(
                    "flock",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.captureCallState("errno"));
    private static final MethodHandle CLOSE =
            SystemFunction.named("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final int descriptor;

    private DirectoryLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Locks a directory.
     *
     * @return empty if the file system does not support this lock
     * @throws IOException if another process has locked the directory
     */
    public static Optional<DirectoryLock> of(Path directory) throws IOException {
        int descriptor;
        int result;
        int error;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(directory.toString());
            descriptor = (int) OPEN.invokeExact(path, O_RDONLY | O_CLOEXEC);
            if (descriptor < 0) {
                return Optional.empty();
            }
            MemorySegment state = arena.allocate(STATE);
            result = (int) FLOCK.invokeExact(state, descriptor, LOCK_EX_NB);
            error = (int) ERRNO.get(state, 0L);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
        var lock = new DirectoryLock(descriptor);
        if (result == 0) {
            return Optional.of(lock);
        }
        lock.close();
        if (error == EWOULDBLOCK) {
            throw inUse(directory);
        }
        return Optional.empty();
    }

    public static IOException inUse(Path directory) {
        return new IOException("the directory is in use by another process: " + directory);
    }

    @Override
    public void close() {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }
}
