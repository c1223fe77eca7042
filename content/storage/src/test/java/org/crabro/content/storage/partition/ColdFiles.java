package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.os.Residency;

/**
 * Files whose mappings hold noise in every page until the page was loaded: reading a page that was
 * not requested returns noise.
 */
public final class ColdFiles implements LogFiles {
    private static final byte NOISE = (byte) 0xa5;
    private static final int PAGE = 4_096;

    /** A mapping, and its requested and loaded pages. */
    private static final class Mapping {
        private final String path;
        private final MemorySegment noise;
        private final MemorySegment real;
        private final BitSet asked = new BitSet();
        private final BitSet loaded = new BitSet();

        Mapping(String path, MemorySegment noise, MemorySegment real) {
            this.path = path;
            this.noise = noise;
            this.real = real;
        }
    }

    private final LogFiles files;
    private final ConcurrentSkipListMap<Long, Mapping> mappings = new ConcurrentSkipListMap<>();
    private final Map<String, Long> broken = new ConcurrentHashMap<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final Queue<Long> largeReads = new ConcurrentLinkedQueue<>();
    private final int largeSize;

    public ColdFiles(LogFiles files) {
        this(files, 0);
    }

    /**
     * @param largeSize of large pages, 0 for none
     */
    ColdFiles(LogFiles files, int largeSize) {
        this.files = files;
        this.largeSize = largeSize;
    }

    /** Evicts all pages. */
    public void evict() {
        for (Mapping mapping : mappings.values()) {
            if (mapping.noise.scope().isAlive()) {
                mapping.noise.fill(NOISE);
                mapping.asked.clear();
                mapping.loaded.clear();
            }
        }
        reads.set(0);
        largeReads.clear();
    }

    /** Returns the file offsets of the large pages that were read, one per read. */
    List<Long> largeReads() {
        return List.copyOf(largeReads);
    }

    /** Returns the number of requested ranges of pages. */
    public int reads() {
        return reads.get();
    }

    /** Returns the bytes of the pages that were loaded. */
    public long loadedBytes() {
        return mappings.values().stream().mapToLong(each -> each.loaded.cardinality()).sum() * PAGE;
    }

    /** Makes the pages of a file from {@code offset} on fail to load. */
    public void breakFrom(String path, long offset) {
        broken.put(path, offset);
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        MemorySegment real = files.map(path, arena);
        MemorySegment noise = arena.allocate(Math.max(1, real.byteSize()), PAGE).fill(NOISE);
        mappings.put(noise.address(), new Mapping(path, noise, real));
        return noise.asSlice(0, real.byteSize()).asReadOnly();
    }

    @Override
    public Residency residency() {
        return new Residency() {
            @Override
            public long missing(MemorySegment part) {
                Mapping mapping = mapping(part);
                synchronized (mapping) {
                    BitSet pages = pages(mapping, part);
                    pages.andNot(mapping.loaded);
                    return (long) pages.cardinality() * PAGE;
                }
            }

            @Override
            public int largeSize(MemorySegment part) {
                return largeSize;
            }

            // Pages in memory are evicted and read again.
            @Override
            public void loadLarge(MemorySegment part) throws IOException {
                Mapping mapping = mapping(part);
                synchronized (mapping) {
                    BitSet pages = pages(mapping, part);
                    long offset = part.address() - mapping.noise.address();
                    assertThat(offset % largeSize).isZero();
                    mapping.noise.asSlice(offset, largeSize).fill(NOISE);
                    mapping.loaded.andNot(pages);
                    mapping.asked.or(pages);
                    largeReads.add(offset);
                }
                load(part);
            }

            @Override
            public void ask(MemorySegment part) {
                Mapping mapping = mapping(part);
                synchronized (mapping) {
                    BitSet pages = pages(mapping, part);
                    pages.andNot(mapping.asked);
                    int page = pages.nextSetBit(0);
                    while (page >= 0) {
                        reads.incrementAndGet();
                        page = pages.nextSetBit(pages.nextClearBit(page));
                    }
                    mapping.asked.or(pages);
                }
            }

            @Override
            public void load(MemorySegment part) throws IOException {
                Mapping mapping = mapping(part);
                synchronized (mapping) {
                    BitSet pages = pages(mapping, part);
                    if (pages.isEmpty()) {
                        return;
                    }
                    BitSet early = pages(mapping, part);
                    early.andNot(mapping.asked);
                    if (!early.isEmpty()) {
                        throw new AssertionError("loaded before it was asked for: " + early);
                    }
                    if (pages.length() * (long) PAGE
                            > broken.getOrDefault(mapping.path, Long.MAX_VALUE)) {
                        throw new IOException("Input/output error");
                    }
                    long end = Math.min(mapping.real.byteSize(), (long) pages.length() * PAGE);
                    long start = (long) pages.nextSetBit(0) * PAGE;
                    MemorySegment.copy(mapping.real, start, mapping.noise, start, end - start);
                    mapping.loaded.or(pages);
                }
            }
        };
    }

    private Mapping mapping(MemorySegment part) {
        return mappings.floorEntry(part.address()).getValue();
    }

    private static BitSet pages(Mapping mapping, MemorySegment part) {
        long offset = part.address() - mapping.noise.address();
        var pages = new BitSet();
        pages.set((int) (offset / PAGE), (int) ((offset + part.byteSize() + PAGE - 1) / PAGE));
        return pages;
    }

    @Override
    public LogFile create(String path) throws IOException {
        return files.create(path);
    }

    @Override
    public LogFile open(String path) throws IOException {
        return files.open(path);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public void move(String path, String newPath) throws IOException {
        files.move(path, newPath);
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        files.forceDirectory(directory);
    }

    @Override
    public long freeBytes() throws IOException {
        return files.freeBytes();
    }
}
