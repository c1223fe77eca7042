package org.crabro.content.storage.os;

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
 * files. The constants are those of the Linux headers; they are the same on every processor that
 * the JDK supports.
 */
public final class MemoryAdvice implements Residency {
    /** Pages are accessed in random order: no read-ahead. */
    private static final int MADV_RANDOM = 1;

    /** Pages will be read soon, together. */
    private static final int MADV_WILLNEED = 3;

    /** Removes pages from the page table; pages of files stay in memory. */
    private static final int MADV_DONTNEED = 4;

    /** Pages of the mapping may be large; a touched large page is read whole. */
    private static final int MADV_HUGEPAGE = 14;

    /** Reads pages and enters them into the page table, or fails; since Linux 5.14. */
    private static final int MADV_POPULATE_READ = 22;

    /**
     * The most bytes requested in one call. In one call, the kernel reads at most the larger of the
     * device's read-ahead and its largest transfer, and silently drops the rest. 128 KiB is the
     * default read-ahead, and relevant devices have no less.
     */
    private static final int STEP = 128 << 10;

    /** The number of pages whose state one call returns: 1 MiB of small pages. */
    private static final int PAGES = 256;

    private static final int EINVAL = 22;

    /** Evicts pages of a file that no mapping holds. */
    private static final int FADV_DONTNEED = 4;

    private static final int READ_ONLY_CLOSED_ON_EXEC = 0x80000;

    /** The size of a large page. The larger sizes of other processors do not pay off. */
    private static final int LARGE = 2 << 20;

    /** Smaller files have almost no large pages. */
    private static final int LEAST_LARGE_FILE = 4 * LARGE;

    private static final Path LARGE_PAGE_SIZE =
            Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");

    /** The first version of Linux, times 100, that reads large pages of files on a page fault. */
    private static final int LARGE_SINCE = 518;

    /**
     * How long a part that was found in memory, or loaded, counts as resident, as a shift of
     * nanoseconds. The time is at most two ticks of a quarter of a second, and one more if a caller
     * reuses the answer of a {@link #moment}. The system evicts recently used pages last, and a
     * system call for each part of a hot group would cost as much as some scans.
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
    // A critical call, so that the system writes the page states into a Java array: it takes 1 µs.
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

    // Hashes of the parts that were recently found in memory, with the tick in the low 16 bits.
    // Threads race for entries; a lost entry costs one more system call.
    private final long[] residentParts = new long[FOUND_COUNT];

    /** A mapping that is read with large pages, and the file's descriptor. */
    private record LargeMapping(long address, long size, int descriptor) {}

    // By address.
    private final ConcurrentSkipListMap<Long, LargeMapping> large = new ConcurrentSkipListMap<>();

    /**
     * Turns off read-ahead for a new mapping. In a large file, a page fault reads one whole large
     * page, but only if no part of that page was {@linkplain #ask requested} before.
     *
     * @param file the mapped file; the mapping covers all of it
     * @param arena the arena of the mapping
     */
    public void random(Path file, MemorySegment mapping, Arena arena) {
        if (mapping.byteSize() == 0) {
            return;
        }
        // If the system rejects advice, reads are still correct.
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
        // The arena runs this when it is closed; the returned segment is not used.
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
     * Loads a large page. Small pages that are already in memory prevent a large one, so this
     * method evicts them first; most of them hold headers. The next page fault then reads the whole
     * large page.
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

    /** Returns whether the system has large pages of the usual size and reads files with them. */
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
        long entry = residentParts[place(hash)];
        if ((entry ^ hash) >>> 16 == 0 && ((tick - entry) & 0xffff) <= 1) {
            return 0;
        }
        long missing = count(part);
        if (missing == 0) {
            markResident(part);
        }
        return missing;
    }

    @Override
    public int moment() {
        return (int) tick();
    }

    private void markResident(MemorySegment part) {
        long hash = hash(part);
        residentParts[place(hash)] = (hash & ~0xffffL) | tick();
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
            // If the system rejects the advice, load still reads the pages.
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
            // The kernel is older than 5.14: touch each page.
            part.load();
        } else if (error != 0) {
            throw new IOException(text(error));
        }
        markResident(part);
    }

    /**
     * Removes pages from the page table. Otherwise the system removes them one by one when it needs
     * memory, and interrupts other processors for every few of them.
     */
    @Override
    public void markCold(MemorySegment part) {
        long start = part.address() & -PAGE;
        // If the system rejects the advice, only time is lost.
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
            // If the system rejects the advice, pages stay small.
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
