package org.crabro.content.storage.graph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.hnsw.HnswGraphSearcher;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReferenceCount;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.content.storage.journal.LogFiles;
import org.jspecify.annotations.Nullable;

/**
 * The graphs of the vectors of a field in a section, in a mapped file. See {@link GraphFileLayout}.
 * A search reads mapped memory, without locks and copies. Thread-safe; valid until the run is
 * unmapped.
 */
public final class StoredGraph implements AutoCloseable {
    /** The end of the name of every file with graphs. */
    public static final String SUFFIX = ".graph";

    /** Fields with longer names have no graphs, because file names are limited. */
    static final int NAME_MAX = 150;

    /** The bytes that are checked at a time. */
    private static final int STEP = 1 << 20;

    /** The units of work of a vector, in addition to its cells. */
    private static final int VECTOR_UNITS = 16;

    /** The rows whose distances may have another order once they are not rounded. */
    private static final int ROUNDED = 16;

    private final Arena arena;
    private final MemorySegment bytes;
    private final GraphField field;
    private final SectionVectors vectors;
    private final List<GraphPart> parts = new ArrayList<>();
    private final ReferenceCount holders = new ReferenceCount();

    private StoredGraph(
            Arena arena, MemorySegment bytes, SectionRows rows, String name, GraphField field)
            throws IOException {
        this.arena = arena;
        this.bytes = bytes;
        this.field = field;
        int blocks = number(GraphFileLayout.COUNTS_OFFSET);
        int count = number(GraphFileLayout.COUNTS_OFFSET + 4);
        boolean hasTable = number(GraphFileLayout.COUNTS_OFFSET + 8) != 0;
        int graphs = number(GraphFileLayout.COUNTS_OFFSET + 12);
        if (blocks != rows.blockCount()) {
            throw new IOException(
                    "expected %d blocks, found %d".formatted(rows.blockCount(), blocks));
        }
        var firsts = new int[blocks + 1];
        for (int i = 0; i <= blocks; i++) {
            firsts[i] = number(GraphFileLayout.BLOCKS_OFFSET + 4L * i);
        }
        long at = GraphFileLayout.BLOCKS_OFFSET + 4L * firsts.length;
        MemorySegment table = hasTable ? bytes.asSlice(at, 4L * count) : null;
        this.vectors = new SectionVectors(rows, name, field, firsts, table);
        at += hasTable ? 4L * count : 0;
        for (int i = 0; i < graphs; i++) {
            GraphPart part = GraphPart.read(bytes, at);
            parts.add(part);
            at = part.end();
        }
    }

    private int number(long offset) {
        return bytes.get(GraphFileLayout.INT, offset);
    }

    /** Returns the name of the file with the graphs of a field; empty if it can have none. */
    public static Optional<String> fileName(IndexedRun run, String field) {
        return field.length() > NAME_MAX
                ? Optional.empty()
                : Optional.of("%d.%d.%s%s".formatted(run.number(), run.section(), field, SUFFIX));
    }

    /** Returns whether a file belongs to graphs: finished, or not. */
    public static boolean isName(String name) {
        return name.contains(SUFFIX);
    }

    /**
     * Maps the graphs of a field and reads all of them once.
     *
     * @return empty if they are not of these rows, or built with other settings
     * @throws IOException if they are damaged, or were written by another version
     */
    public static Optional<StoredGraph> open(
            LogFiles files, String path, IndexedRun run, SectionRows rows, Target target)
            throws IOException {
        Arena arena = Arena.ofShared();
        boolean isOpen = false;
        try {
            MemorySegment bytes = files.map(path, arena);
            check(path, bytes);
            if (!isOf(bytes, run) || !isOf(bytes, target.field())) {
                return Optional.empty();
            }
            var opened = new StoredGraph(arena, bytes, rows, target.name(), target.field());
            isOpen = true;
            return Optional.of(opened);
        } catch (InternalError | IndexOutOfBoundsException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        } finally {
            if (!isOpen) {
                arena.close();
            }
        }
    }

    /** A field by its name. */
    public record Target(String name, GraphField field) {}

    private static void check(String path, MemorySegment bytes) throws IOException {
        if (bytes.byteSize() < GraphFileLayout.BLOCKS_OFFSET
                || bytes.get(GraphFileLayout.LONG, 0) != GraphFileLayout.MAGIC) {
            throw new IOException(path + " at byte 0: expected graphs");
        }
        int version = bytes.get(GraphFileLayout.INT, GraphFileLayout.VERSION_OFFSET);
        if (version != GraphFileLayout.VERSION) {
            throw new IOException(
                    "%s has graphs of version %d, expected %d"
                            .formatted(path, version, GraphFileLayout.VERSION));
        }
        var crc = new CRC32C();
        for (long at = GraphFileLayout.RUN_OFFSET; at < bytes.byteSize(); at += STEP) {
            crc.update(bytes.asSlice(at, Math.min(STEP, bytes.byteSize() - at)).asByteBuffer());
        }
        int expected = bytes.get(GraphFileLayout.INT, GraphFileLayout.CRC_OFFSET);
        if ((int) crc.getValue() != expected) {
            throw new IOException(
                    "%s at byte %d: expected crc %08x, found %08x"
                            .formatted(
                                    path,
                                    GraphFileLayout.RUN_OFFSET,
                                    expected,
                                    (int) crc.getValue()));
        }
    }

    static void writeRun(GraphFileWriter out, IndexedRun run) throws IOException {
        out.putLong(run.number());
        out.putLong(run.byteCount());
        out.putLong(run.created());
        out.putLong(run.fingerprint());
        out.putInt(run.section());
        out.putInt(run.rows());
    }

    private static boolean isOf(MemorySegment bytes, IndexedRun run) {
        long at = GraphFileLayout.RUN_OFFSET;
        return bytes.get(GraphFileLayout.LONG, at) == run.number()
                && bytes.get(GraphFileLayout.LONG, at + 8) == run.byteCount()
                && bytes.get(GraphFileLayout.LONG, at + 16) == run.created()
                && bytes.get(GraphFileLayout.LONG, at + 24) == run.fingerprint()
                && bytes.get(GraphFileLayout.INT, at + 32) == run.section()
                && bytes.get(GraphFileLayout.INT, at + 36) == run.rows();
    }

    static void writeField(GraphFileWriter out, GraphField field) throws IOException {
        out.putInt(metric(field));
        out.putInt(field.links());
        out.putInt(field.explored());
        out.putInt(field.hasSeveral() ? 1 : 0);
    }

    private static boolean isOf(MemorySegment bytes, GraphField field) {
        long at = GraphFileLayout.FIELD_OFFSET;
        return bytes.get(GraphFileLayout.INT, at) == metric(field)
                && bytes.get(GraphFileLayout.INT, at + 4) == field.links()
                && bytes.get(GraphFileLayout.INT, at + 8) == field.explored()
                && bytes.get(GraphFileLayout.INT, at + 12) == (field.hasSeveral() ? 1 : 0);
    }

    /** Returns the number of a metric in files. */
    private static int metric(GraphField field) {
        return switch (field.metric()) {
            case EUCLIDEAN -> 1;
            case ANGULAR -> 2;
            case DOTPRODUCT -> 3;
            case PRENORMALIZED_ANGULAR -> 4;
            case GEODEGREES -> 5;
            case HAMMING -> 6;
        };
    }

    /** Returns whether these are the graphs of {@code wanted}. */
    public boolean isOf(GraphField wanted) {
        return field.equals(wanted);
    }

    /** Returns the length of the file in bytes. */
    public long byteCount() {
        return bytes.byteSize();
    }

    /** Returns the number of vectors. */
    public int vectorCount() {
        return vectors.count();
    }

    /** Returns the number of graphs. */
    public int graphCount() {
        return parts.size();
    }

    /**
     * Returns rows with the vectors nearest to that of a query. If few rows fulfil the conditions,
     * the vectors of all of them are compared, otherwise the graphs lead to at least as many rows
     * as the query explores. The result is empty if it would have most of the rows, or if the
     * graphs do not lead to enough of them.
     *
     * @param accepted the rows that fulfil the conditions of the search; null for all rows
     */
    public Optional<RowSet> search(GraphQuery query, @Nullable RowSet accepted, IncludedRows live) {
        return byGraphs(query, accepted == null ? null : accepted.toBits(), live);
    }

    private Optional<RowSet> byGraphs(
            GraphQuery query, @Nullable FixedBitSet accepted, IncludedRows live) {
        int rows = vectors.rowCount();
        int candidates = accepted == null ? rows : accepted.cardinality();
        double share = (double) candidates / Math.max(1, rows);
        long hits = query.explored();
        if (accepted != null && share < query.tuning().approximateThreshold()) {
            return nearest(query, accepted, live);
        }
        boolean isFiltered = accepted != null && share <= query.tuning().postFilterThreshold();
        if (accepted != null && !isFiltered) {
            double factor = Math.min(1 / share, Math.max(1, query.tuning().adjustmentMax()));
            hits = (long) Math.ceil(query.targetHits() * factor) + query.additional();
        }
        if (hits >= candidates || hits > GraphQuery.EXPLORED_MAX) {
            return Optional.empty();
        }
        // To visit more vectors than fulfil the conditions takes longer than to compare those.
        long visited = isFiltered ? Math.max(candidates, 2L * hits) : Long.MAX_VALUE;
        var nearest = IntStream.builder();
        long reached = 0;
        try {
            for (GraphPart part : parts) {
                RowCollector collector = collector(query, part, (int) hits, visited);
                Bits accepts =
                        isFiltered || !live.areAll()
                                ? new Accepted(part, isFiltered ? accepted : null, live)
                                : null;
                if (isFiltered && share < query.tuning().filterFirstThreshold()) {
                    filterFirst(query, part, Objects.requireNonNull(accepts)).run(collector);
                } else {
                    HnswGraphSearcher.search(
                            scorer(query, part), collector, graph(part), accepts, 0);
                }
                if (collector.earlyTerminated()) {
                    return nearest(query, Objects.requireNonNull(accepted), live);
                }
                reached += collector.numCollected();
                int most = isFiltered || accepted == null ? query.targetHits() : (int) hits;
                Arrays.stream(collector.nearest(most)).forEach(nearest);
            }
        } catch (CorruptRunException _) {
            // The comparison of all rows reports the damage.
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reached < hits ? Optional.empty() : Optional.of(rows(nearest));
    }

    /**
     * Returns the nearest of the accepted rows, without the graphs. They may be more than the query
     * wants, since the search then decides by distances that are not rounded. Empty if the accepted
     * rows are few.
     */
    private Optional<RowSet> nearest(GraphQuery query, FixedBitSet accepted, IncludedRows live) {
        long most = 2L * query.targetHits() + ROUNDED;
        if (most >= accepted.cardinality()) {
            return Optional.empty();
        }
        var rows = IntStream.builder();
        try {
            for (GraphPart part : parts) {
                RowCollector collector = collector(query, part, (int) most, Long.MAX_VALUE);
                compare(part, scorer(query, part), accepted, live, collector);
                Arrays.stream(collector.nearestRounded(query.targetHits())).forEach(rows);
            }
        } catch (CorruptRunException _) {
            // The comparison of all rows reports the damage.
            return Optional.empty();
        }
        return Optional.of(rows(rows));
    }

    /** A row with several vectors may be in several graphs. */
    private RowSet rows(IntStream.Builder rows) {
        return RowSet.ofFew(rows.build().sorted().distinct().toArray(), vectors.rowCount());
    }

    /** Compares the vectors of a graph that belong to the accepted rows. */
    private void compare(
            GraphPart part,
            PartScorers.OfQuery scorer,
            FixedBitSet accepted,
            IncludedRows live,
            RowCollector into) {
        int first = part.first();
        int end = first + part.nodes();
        int vector = first;
        while (vector < end) {
            int row = accepted.nextSetBit(vectors.row(vector));
            if (row == DocIdSetIterator.NO_MORE_DOCS) {
                return;
            }
            vector = Math.max(vector, vectors.first(row));
            boolean isLive = live.has(row);
            while (vector < end && vectors.row(vector) == row) {
                if (isLive) {
                    boolean _ = into.collect(vector - first, scorer.score(vector - first));
                }
                vector++;
            }
        }
    }

    /** Returns the graphs. */
    List<GraphPart> parts() {
        return parts;
    }

    /** Returns the vectors. Their cells are valid as long as the rows are. */
    SectionVectors vectors() {
        return vectors;
    }

    /** Keeps the graphs mapped until one more {@link #close}; only while they are mapped. */
    void hold() {
        holders.hold();
    }

    /**
     * Returns a search that compares only accepted vectors.
     *
     * @param accepted by node
     */
    FilterFirstSearch filterFirst(GraphQuery query, GraphPart part, Bits accepted) {
        return new FilterFirstSearch(
                scorer(query, part),
                graph(part),
                accepted,
                query.tuning().filterFirstExploration());
    }

    private PartScorers.OfQuery scorer(GraphQuery query, GraphPart part) {
        return new PartScorers.OfQuery(
                vectors, query, VECTOR_UNITS + field.cells(), part.first(), part.nodes());
    }

    /** Returns one of the graphs, for one thread. */
    MappedGraph graph(GraphPart part) {
        return new MappedGraph(bytes, part, field.links());
    }

    /**
     * @param most the rows to keep
     * @param visited the most vectors to visit
     */
    RowCollector collector(GraphQuery query, GraphPart part, int most, long visited) {
        return new RowCollector(vectors, field.hasSeveral(), query, part.first(), most, visited);
    }

    /** The vectors of a graph whose rows a search accepts. */
    private final class Accepted implements Bits {
        private final GraphPart part;
        private final @Nullable FixedBitSet rows;
        private final IncludedRows live;

        Accepted(GraphPart part, @Nullable FixedBitSet rows, IncludedRows live) {
            this.part = part;
            this.rows = rows;
            this.live = live;
        }

        @Override
        public boolean get(int node) {
            int row = vectors.row(part.first() + node);
            return (rows == null || rows.get(row)) && live.has(row);
        }

        @Override
        public int length() {
            return part.nodes();
        }
    }

    /** Unmaps the graphs, unless they are {@link #hold held}. */
    @Override
    public void close() {
        if (holders.release()) {
            arena.close();
        }
    }
}
