package org.crabro.ranking.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.crabro.ranking.kernel.MachineLoops.Sum;

/**
 * Holds the {@link MachineLoops} in executable memory and calls them. The memory is first written
 * and then executed, never both at a time. It is not released.
 */
@SuppressWarnings("restricted") // calls native code
final class MachineCode {
    /** The processor extensions that the instructions need, as named by Linux. */
    private static final List<String> EXTENSIONS =
            List.of("avx512f", "avx512vl", "avx512_bf16", "avx512_vnni");

    /**
     * The vendors of processors that profit from prefetch instructions. Other processors get none.
     */
    private static final String TOLD_TO_FETCH = "GenuineIntel";

    /**
     * The distance of prefetches in bytes; values from 1.5 to 4 KB make little difference
     * (docs/lab/2026-11-22-vector-kernels.md).
     */
    private static final int FETCHED_AHEAD = 2048;

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    // From the Linux headers for amd64.
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final long FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();

    /** For calls that take microseconds and can access arrays on the heap. */
    private static final Linker.Option CRITICAL = Linker.Option.critical(true);

    private static final FunctionDescriptor RUN =
            FunctionDescriptor.ofVoid(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_DOUBLE);
    private static final FunctionDescriptor ROW =
            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_DOUBLE);
    private static final FunctionDescriptor HEAP_ROW =
            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_DOUBLE);

    /** The code on this machine; empty if it is not supported. */
    static final Optional<MachineCode> HERE = load();

    /**
     * The callable loops of a sum.
     *
     * @param run {@code (query, run, rowSize, part, into, plus)}
     * @param row {@code (query, row, rowSize, plus)}
     * @param heapRow like {@code row}, for a row on the heap, passed as a segment
     */
    record Loops(MethodHandle run, MethodHandle row, MethodHandle heapRow) {}

    /** The offsets of the functions of a sum. */
    private record Offsets(int run, int row) {}

    private final MemorySegment memory;
    private final Map<Sum, Offsets> offsets;

    private MachineCode(MemorySegment memory, Map<Sum, Offsets> offsets) {
        this.memory = memory;
        this.offsets = offsets;
    }

    /**
     * Returns the code in memory; empty if the processor lacks instructions or the system does not
     * allow the process to execute memory that it has written.
     */
    private static Optional<MachineCode> load() {
        Map<String, String> processor = processor();
        List<String> extensions = List.of(processor.getOrDefault("flags", "").split(" "));
        if (!System.getProperty("os.arch").equals("amd64") || !extensions.containsAll(EXTENSIONS)) {
            return Optional.empty();
        }
        int ahead = TOLD_TO_FETCH.equals(processor.get("vendor_id")) ? FETCHED_AHEAD : 0;
        var assembler = new Amd64Assembler();
        var offsets = new EnumMap<Sum, Offsets>(Sum.class);
        for (Sum sum : Sum.values()) {
            int run = MachineLoops.run(assembler, sum, ahead);
            offsets.put(sum, new Offsets(run, MachineLoops.row(assembler, sum)));
        }
        return executable(assembler.code()).map(memory -> new MachineCode(memory, offsets));
    }

    /** Returns the callable loops of {@code sum}. */
    Loops loops(Sum sum) {
        Offsets at = Objects.requireNonNull(offsets.get(sum));
        MemorySegment run = memory.asSlice(at.run);
        MemorySegment row = memory.asSlice(at.row);
        return new Loops(
                LINKER.downcallHandle(run, RUN, CRITICAL),
                LINKER.downcallHandle(row, ROW, CRITICAL),
                LINKER.downcallHandle(row, HEAP_ROW, CRITICAL));
    }

    /**
     * Returns Linux's description of the first processor; all are alike. Empty on other systems.
     */
    private static Map<String, String> processor() {
        try (var lines = Files.lines(PROCESSORS, ISO_8859_1)) {
            return lines.takeWhile(line -> !line.isBlank())
                    .map(line -> line.split(":", 2))
                    .filter(pair -> pair.length == 2)
                    .collect(toMap(pair -> pair[0].strip(), pair -> pair[1].strip(), (a, _) -> a));
        } catch (IOException | UncheckedIOException e) {
            return Map.of();
        }
    }

    private static Optional<MemorySegment> executable(byte[] code) {
        SymbolLookup system = LINKER.defaultLookup();
        MethodHandle map =
                LINKER.downcallHandle(
                        system.findOrThrow("mmap"),
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_LONG));
        MethodHandle protect =
                LINKER.downcallHandle(
                        system.findOrThrow("mprotect"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        try {
            long address =
                    (long)
                            map.invokeExact(
                                    0L,
                                    (long) code.length,
                                    PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS,
                                    -1,
                                    0L);
            if (address == FAILED) {
                return Optional.empty();
            }
            MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(code.length);
            memory.copyFrom(MemorySegment.ofArray(code));
            int failure =
                    (int) protect.invokeExact(address, (long) code.length, PROT_READ | PROT_EXEC);
            return failure == 0 ? Optional.of(memory) : Optional.empty();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /**
     * Returns an exception for a failed call. The code itself throws nothing, so a failure is a bug
     * of this package or of the JVM.
     */
    static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException own ? own : new IllegalStateException(e);
    }
}
