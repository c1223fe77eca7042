package org.crabro.content.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code madvise}, {@code mincore} and {@code posix_fadvise} of Linux, for read-only mappings of
 * files. The numbers are those of its headers, the same on every processor that the JDK runs on.
 */
final class MemoryAdvice implements Residency {
    /** Pages are touched in no order: reading one is to read no others. */
    private static final int MADV_RANDOM = 1;

    /** Pages are to be read soon, together. */
    private static final int MADV_WILLNEED = 3;

    /** Take pages out of the page table; those of files stay in memory as they are. */
    private static final int MADV_DONTNEED = 4;

    /** Pages of the mapping may be large, and one that is touched is read as one such. */
    private static final int MADV_HUGEPAGE = 14;

    /** Read pages and enter them into the page table, or say that it failed; since Linux 5.14. */
    private static final int MADV_POPULATE_READ = 22;

    /**
     * What is asked for in one call: the kernel reads no more at a call than the larger of the
     * device's read-ahead and its largest transfer, and forgets the rest without a word. 128 KiB is
     * the default of the first, and no device that matters has less.
     */
    private static final int STEP = 128 << 10;

    /** The pages whose state is asked for in one call: 1 MiB of small ones. */
    private static final int PAGES = 256;

    private static final int EINVAL = 22;

    /** Let pages of a file leave memory that no mapping holds. */
    private static final int FADV_DONTNEED = 4;

    private static final int READ_ONLY_CLOSED_ON_EXEC = 0x80000;

    /** What is read into a large page: larger ones, of other processors, are not worth it. */
    private static final int LARGE = 2 << 20;

    /** Smaller files have next to no large pages. */
    private static final int LEAST_LARGE_FILE = 4 * LARGE;

    private static final Path LARGE_PAGE_SIZE =
            Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");

    /** The first version of Linux, times 100, that reads large pages of files when touched. */
    private static final int LARGE_SINCE = 518;

    /**
     * How long a part that was found in memory, or loaded, counts as being there, as a shift of
     * nanoseconds: two ticks of a quarter of a second at most, and one more where it is a {@link
     * #moment}'s answer that is kept. What was wanted so lately is what the system keeps longest;
     * asking it about each part of a hot group would cost as much as some scans.
     */
    private static final int TICK_SHIFT = 28;

    private static final int FOUND_COUNT = 1 << 16;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET =
            CALL_STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle MADVISE =
            SystemFunction.named(
                    "madvise",
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
                    Linker.Option.captureCallState("errno"));
    // Critical, so that the states of pages are written into an array: it takes a microsecond.
    private static final MethodHandle MINCORE =
            SystemFunction.named(
                    "mincore",
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS),
                    Linker.Option.critical(true));
    private static final MethodHandle STRERROR =
            SystemFunction.named("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle OPEN =
            SystemFunction.named(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            SystemFunction.named("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FADVISE =
            SystemFunction.named(
                    "posix_fadvise",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final long PAGE = pageSize();
    private static final boolean HAS_LARGE = hasLarge();

    // Hashes of the parts that were found in memory lately, with the tick in the low 16 bits.
    // Threads
    // race for places: what is lost is a question asked twice.
    private final long[] found = new long[FOUND_COUNT];

    /** A mapping that large pages are read of, and the file's descriptor. */
    private record LargeMapping(long address, long size, int descriptor) {}

    // By address.
    private final ConcurrentSkipListMap<Long, LargeMapping> large = new ConcurrentSkipListMap<>();

    /**
     * Says of a new mapping that reading one page is to read no others; in a large file, no others
     * than those of one large page, and that only where none of them was {@linkplain #ask asked}
     * for before.
     *
     * @param file what is mapped, whole
     * @param arena of the mapping
     */
    void random(Path file, MemorySegment mapping, Arena arena) {
        if (mapping.byteSize() == 0) {
            return;
        }
        // What the system does not take does not make reading wrong.
        advise(mapping.address(), mapping.byteSize(), MADV_RANDOM);
        if (HAS_LARGE
                && mapping.byteSize() >= LEAST_LARGE_FILE
                && advise(mapping.address(), mapping.byteSize(), MADV_HUGEPAGE) == 0) {
            addLarge(file, mapping, arena);
        }
    }

    @SuppressWarnings("restricted")
    private void addLarge(Path file, MemorySegment mapping, Arena arena) {
        int descriptor = open(file);
        if (descriptor < 0) {
            return;
        }
        long address = mapping.address();
        var entry = new LargeMapping(address, mapping.byteSize(), descriptor);
        large.put(address, entry);
        // Called when the arena is closed; the segment itself has no use.
        mapping.reinterpret(
                arena,
                _ -> {
                    large.remove(address, entry);
                    close(descriptor);
                });
    }

    private @Nullable LargeMapping largeMapping(MemorySegment part) {
        Map.Entry<Long, LargeMapping> entry = large.floorEntry(part.address());
        if (entry == null
                || part.address() - entry.getValue().address() >= entry.getValue().size()) {
            return null;
        }
        return entry.getValue();
    }

    @Override
    public int largeSize(MemorySegment part) {
        return largeMapping(part) == null ? 0 : LARGE;
    }

    /**
     * Pages that are there already stand in the way of a large one, so they leave: headers, for the
     * most part. Then the first page that is missed has all of them read.
     */
    @Override
    public void loadLarge(MemorySegment part) throws IOException {
        LargeMapping mapping = largeMapping(part);
        if (mapping == null) {
            ask(part);
            load(part);
            return;
        }
        if (count(part) < part.byteSize()) {
            advise(part.address(), part.byteSize(), MADV_DONTNEED);
            fadvise(
                    mapping.descriptor(),
                    part.address() - mapping.address(),
                    part.byteSize(),
                    FADV_DONTNEED);
        }
        int error = advise(part.address(), part.byteSize(), MADV_POPULATE_READ);
        if (error != 0) {
            throw new IOException(text(error));
        }
    }

    /** Returns whether the system knows large pages of the usual size, and reads them so. */
    private static boolean hasLarge() {
        try {
            String size = Files.readString(LARGE_PAGE_SIZE).strip();
            String[] version = System.getProperty("os.version").split("\\D+", 3);
            return size.equals(Integer.toString(LARGE))
                    && 100 * Integer.parseInt(version[0]) + Integer.parseInt(version[1])
                            >= LARGE_SINCE;
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException _) {
            return false;
        }
    }

    @Override
    public long missing(MemorySegment part) {
        long hash = hash(part);
        long tick = tick();
        long known = found[place(hash)];
        if ((known ^ hash) >>> 16 == 0 && ((tick - known) & 0xffff) <= 1) {
            return 0;
        }
        long missing = count(part);
        if (missing == 0) {
            setFound(part);
        }
        return missing;
    }

    @Override
    public int moment() {
        return (int) tick();
    }

    private void setFound(MemorySegment part) {
        long hash = hash(part);
        found[place(hash)] = (hash & ~0xffffL) | tick();
    }

    private static long hash(MemorySegment part) {
        return (part.address() * 0x9e37_79b9_7f4a_7c15L + part.byteSize()) * 0xff51_afd7_ed55_8ccdL;
    }

    private static int place(long hash) {
        return (int) (hash >>> 48);
    }

    private static long tick() {
        return (System.nanoTime() >>> TICK_SHIFT) & 0xffff;
    }

    private static long count(MemorySegment part) {
        long end = part.address() + part.byteSize();
        var pages = new byte[(int) Math.min(PAGES, pages(part))];
        MemorySegment states = MemorySegment.ofArray(pages);
        long missing = 0;
        for (long at = part.address() & -PAGE; at < end; at += pages.length * PAGE) {
            long count = Math.min(pages.length, (end - at + PAGE - 1) / PAGE);
            if (mincore(at, count * PAGE, states) != 0) {
                missing += count * PAGE;
                continue;
            }
            for (int i = 0; i < count; i++) {
                missing += (pages[i] & 1) == 0 ? PAGE : 0;
            }
        }
        return missing;
    }

    private static long pages(MemorySegment part) {
        long start = part.address() & -PAGE;
        return (part.address() + part.byteSize() - start + PAGE - 1) / PAGE;
    }

    @Override
    public void ask(MemorySegment part) {
        long end = part.address() + part.byteSize();
        for (long at = part.address() & -PAGE; at < end; at += STEP) {
            // Where it is refused, loading reads all the same.
            advise(at, Math.min(STEP, end - at), MADV_WILLNEED);
        }
    }

    @Override
    public void load(MemorySegment part) throws IOException {
        if (part.byteSize() == 0) {
            return;
        }
        long start = part.address() & -PAGE;
        int error = advise(start, part.address() + part.byteSize() - start, MADV_POPULATE_READ);
        if (error == EINVAL) {
            // An older kernel: touching is all that is left.
            part.load();
        } else if (error != 0) {
            throw new IOException(text(error));
        }
        setFound(part);
    }

    /**
     * Pages in the page table are looked up and taken out of it one by one when the system needs
     * memory, and other processors are interrupted for every few of them.
     */
    @Override
    public void leave(MemorySegment part) {
        long start = part.address() & -PAGE;
        // Where it is refused, only time is lost.
        advise(start, part.address() + part.byteSize() - start, MADV_DONTNEED);
    }

    /** Returns 0 or an error number. */
    private static int advise(long address, long size, int advice) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) MADVISE.invokeExact(state, address, size, advice);
            return result == 0 ? 0 : state.get(JAVA_INT, ERRNO_OFFSET);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static int mincore(long address, long size, MemorySegment states) {
        try {
            return (int) MINCORE.invokeExact(address, size, states);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static int open(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    OPEN.invokeExact(arena.allocateFrom(file.toString()), READ_ONLY_CLOSED_ON_EXEC);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static void close(int descriptor) {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static void fadvise(int descriptor, long offset, long size, int advice) {
        try {
            // Where it is refused, pages stay small.
            int _ = (int) FADVISE.invokeExact(descriptor, offset, size, advice);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    @SuppressWarnings("restricted")
    private static String text(int error) {
        try {
            var text = (MemorySegment) STRERROR.invokeExact(error);
            return text.reinterpret(Integer.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }

    private static long pageSize() {
        try {
            MethodHandle function =
                    SystemFunction.named("getpagesize", FunctionDescriptor.of(JAVA_INT));
            return (int) function.invokeExact();
        } catch (Throwable e) {
            throw SystemFunction.failed(e);
        }
    }
}
