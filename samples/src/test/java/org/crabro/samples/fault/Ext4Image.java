package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of its own, in a file that is mounted. Tests that need one are skipped where the
 * process must not mount.
 */
@SuppressWarnings("restricted") // the shutdown of a file system has no call in Java
final class Ext4Image {
    private static final int READ_ONLY = 0;

    /** {@code EXT4_IOC_SHUTDOWN}, which is {@code _IOR('X', 125, __u32)}. */
    private static final long SHUTDOWN = (2L << 30) | (4L << 16) | ('X' << 8) | 125;

    /** The journal of the file system is not flushed: what was not forced is lost. */
    private static final int NO_LOG_FLUSH = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("open"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.ADDRESS),
                    Linker.Option.firstVariadicArg(2));

    private final Path image;
    private final Path mount;

    private Ext4Image(Path image, Path mount) {
        this.image = image;
        this.mount = mount;
    }

    /** Makes a file system and mounts it, or skips the test. */
    static Ext4Image mounted(Path directory, long bytes) throws IOException, InterruptedException {
        Path image = directory.resolve("disk.ext4");
        Path mount = Files.createDirectories(directory.resolve("disk"));
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        String problem = problem("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        if (problem.isEmpty()) {
            problem = problem("mount", "-o", "loop", image.toString(), mount.toString());
        }
        Assumptions.assumeTrue(
                problem.isEmpty(), "this machine does not mount an ext4 image: " + problem);
        return new Ext4Image(image, mount);
    }

    Path path() {
        return mount;
    }

    /** Ends the file system as a power cut does: nothing reaches the device any more. */
    void cutPower() {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor =
                    (int) OPEN.invokeExact(arena.allocateFrom(mount.toString()), READ_ONLY);
            MemorySegment flag = arena.allocateFrom(ValueLayout.JAVA_INT, NO_LOG_FLUSH);
            int status = (int) IOCTL.invokeExact(descriptor, SHUTDOWN, flag);
            // The descriptor goes with the process; it does not keep the file system mounted long.
            Assumptions.assumeTrue(status == 0, "this kernel does not shut down ext4");
            close(descriptor);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(int descriptor) throws Throwable {
        MethodHandle close =
                LINKER.downcallHandle(
                        LINKER.defaultLookup().findOrThrow("close"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        int status = (int) close.invokeExact(descriptor);
        if (status != 0) {
            throw new IllegalStateException("close returned " + status);
        }
    }

    /** Makes the file system read-only, as the kernel does after an error of the device. */
    void makeReadOnly() throws IOException, InterruptedException {
        String problem = problem("mount", "-o", "remount,abort", mount.toString());
        Assumptions.assumeTrue(problem.isEmpty(), "this kernel does not abort ext4: " + problem);
    }

    /** Takes the file system away and mounts it again, which replays its journal. */
    void mountAgain() throws IOException, InterruptedException {
        run("umount", mount.toString());
        run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    void unmount() throws IOException, InterruptedException {
        run("umount", mount.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        String problem = problem(command);
        if (!problem.isEmpty()) {
            throw new IOException(String.join(" ", command) + ": " + problem);
        }
    }

    /** Returns what went wrong, or an empty text. */
    private static String problem(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            int status = process.waitFor();
            return status == 0 ? "" : "status " + status + ": " + said.strip();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
