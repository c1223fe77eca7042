package org.crabro.perf.harness;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Evicts and inspects the pages of files in the Linux page cache, and their mappings. */
public final class PageCache {
    /** Pages that are contiguous in a file and in memory. */
    public record Range(Path file, long offset, long size) {}

    private static final int PAGE = 4_096;

    /** The first line of a mapping in {@code smaps}: addresses, rights, offset, device, file. */
    private static final Pattern MAPPING =
            Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ \\d+ *(.*)");

    private static final int MADV_DONTNEED = 4;
    private static final int FADV_DONTNEED = 4;
    private static final int READ_ONLY = 0;

    private final MethodHandle madvise =
            function("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private final MethodHandle mincore =
            function("mincore", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));
    private final MethodHandle fadvise =
            function(
                    "posix_fadvise",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private final MethodHandle open =
            function(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private final MethodHandle close = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /** Returns the bytes that this process had the devices read so far. */
    public static long deviceBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("read_bytes: "))
                .mapToLong(line -> Long.parseLong(line.substring("read_bytes: ".length())))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the runs below {@code folder}. */
    public static List<Path> runs(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".run")).sorted().toList();
        }
    }

    /** Takes all pages of the runs below {@code folder} out of memory, mapped here or not. */
    public void evict(Path folder) throws IOException {
        // Mapped pages are not evicted, so mappings release them first.
        release(folder, ".run");
        for (Path run : runs(folder)) {
            evictFile(run);
        }
    }

    /**
     * Takes all pages of mapped files out of the mappings of this process. They stay in the page
     * cache, and the next access maps a page again, with some of its neighbors.
     *
     * @param suffix of the names of the files below {@code folder}
     */
    public void release(Path folder, String suffix) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains(folder + "/") && line.endsWith(suffix)) {
                String[] bounds = line.substring(0, line.indexOf(' ')).split("-", 2);
                long start = Long.parseUnsignedLong(bounds[0], 16);
                long end = Long.parseUnsignedLong(bounds[1], 16);
                check(call(madvise, start, end - start, MADV_DONTNEED));
            }
        }
    }

    /**
     * Returns the resident bytes of mapped files: of the pages that this process has used since
     * {@link #release}, with their neighbors.
     *
     * @param suffix of the names of the files below {@code folder}
     */
    public static long residentBytes(Path folder, String suffix) throws IOException {
        long kib = 0;
        boolean isCounted = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.matches()) {
                String file = mapping.group(1);
                isCounted = file.startsWith(folder + "/") && file.endsWith(suffix);
            } else if (isCounted && line.startsWith("Rss:")) {
                kib += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kib << 10;
    }

    private void evictFile(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = call(open, arena.allocateFrom(file.toString()), READ_ONLY);
            if (descriptor < 0) {
                throw new IllegalStateException("cannot open " + file);
            }
            check(call(fadvise, descriptor, 0L, 0L, FADV_DONTNEED));
            check(call(close, descriptor));
        }
    }

    /** Returns which pages of the runs below {@code folder} are in memory. */
    public List<Range> resident(Path folder) throws IOException {
        var ranges = new ArrayList<Range>();
        for (Path run : runs(folder)) {
            try (Arena arena = Arena.ofConfined();
                    FileChannel channel = FileChannel.open(run)) {
                MemorySegment mapping =
                        channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                int pages = (int) ((mapping.byteSize() + PAGE - 1) / PAGE);
                MemorySegment states = arena.allocate(pages);
                check(call(mincore, mapping, mapping.byteSize(), states));
                addRanges(run, states, pages, ranges);
            }
        }
        return ranges;
    }

    private static void addRanges(Path run, MemorySegment states, int pages, List<Range> ranges) {
        int from = 0;
        for (int page = 0; page <= pages; page++) {
            boolean isThere = page < pages && (states.get(JAVA_BYTE, page) & 1) != 0;
            if (!isThere) {
                if (page > from) {
                    ranges.add(new Range(run, (long) from * PAGE, (long) (page - from) * PAGE));
                }
                from = page + 1;
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(
            String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
    }

    private static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("a call into the system failed: " + result);
        }
    }
}
