package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Faults of files and of the clock in a server's process, by a library that is compiled here and
 * comes before the C library. Tests that need it are skipped where there is no C compiler for
 * Linux.
 */
final class InjectedFaults implements AutoCloseable {
    private static final Path SOURCE =
            Path.of(System.getProperty("crabro.root"), "samples/src/test/c/faults.c");

    /** The numbers of the file, in its order. */
    enum Fault {
        FORCE_FAILS(0),
        WRITE_FAILS(1),
        FORCE_MILLIS(2),
        CLOCK_SECONDS(3);

        private final long index;

        Fault(long index) {
            this.index = index;
        }
    }

    private final Path library;
    private final Path control;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment numbers;

    private InjectedFaults(Path library, Path control) throws IOException {
        this.library = library;
        this.control = control;
        try (var channel =
                FileChannel.open(
                        control,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            numbers =
                    channel.map(
                            FileChannel.MapMode.READ_WRITE,
                            0,
                            Fault.values().length * ValueLayout.JAVA_LONG.byteSize(),
                            arena);
        }
    }

    /** Compiles the library, or skips the test. */
    static InjectedFaults compiled(Path directory) throws IOException, InterruptedException {
        Path library = directory.resolve("faults.so");
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux"), "LD_PRELOAD is of Linux");
        String problem;
        try {
            Process compiler =
                    new ProcessBuilder(
                                    "cc",
                                    "-O1",
                                    "-shared",
                                    "-fPIC",
                                    "-o",
                                    library.toString(),
                                    SOURCE.toString(),
                                    "-ldl")
                            .redirectErrorStream(true)
                            .start();
            String said = new String(compiler.getInputStream().readAllBytes(), UTF_8);
            problem = compiler.waitFor() == 0 ? "" : said;
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        Assumptions.assumeTrue(problem.isEmpty(), "this machine compiles no C: " + problem);
        return new InjectedFaults(library, directory.resolve("faults"));
    }

    /** Returns the environment of a process that is to have the faults. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "CRABRO_FAULTS", control.toString());
    }

    /** Sets a number, from the next call of the process on. */
    void set(Fault fault, long value) {
        numbers.setAtIndex(ValueLayout.JAVA_LONG, fault.index, value);
    }

    @Override
    public void close() {
        arena.close();
    }
}
