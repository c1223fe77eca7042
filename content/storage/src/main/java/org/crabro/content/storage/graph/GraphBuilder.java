package org.crabro.content.storage.graph;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.TaskExecutor;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.hnsw.HnswBuilder;
import org.apache.lucene.util.hnsw.HnswConcurrentMergeBuilder;
import org.apache.lucene.util.hnsw.HnswGraphBuilder;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.BuildMemory;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;

/**
 * Builds the graphs of a field of a section. If one graph would need too much memory, the vectors
 * are divided among several, each built after the other. On one thread, the same vectors with the
 * same graphs of merged rows give the same graphs. On several threads, the order of inserts
 * differs, so some links differ.
 */
public final class GraphBuilder {
    /** Of the random levels of vectors. */
    private static final long SEED = 42;

    /** The vectors that Lucene gives to a thread at once. */
    private static final int THREAD_VECTORS = 2_048;

    private final LogFiles files;
    private final SectionRows rows;
    private final String name;
    private final GraphField field;
    private final BuildResources resources;
    private final GraphSources sources;
    private long compared;
    private int joined;
    private int threads;

    /**
     * @param rows all rows of the section
     * @param name of the field
     * @param resources what this build and others may take
     * @param sources the graphs of rows that were merged into these; open until the build ends
     */
    public GraphBuilder(
            LogFiles files,
            SectionRows rows,
            String name,
            GraphField field,
            BuildResources resources,
            GraphSources sources) {
        this.files = files;
        this.rows = rows;
        this.name = name;
        this.field = field;
        this.resources = resources;
        this.sources = sources;
    }

    /** Returns how many pairs of vectors were compared, in all graphs that were written. */
    long compared() {
        return compared;
    }

    /** Returns the most threads that a graph was built on. */
    int threads() {
        return threads;
    }

    /** Returns how many of the graphs that were written were joined from others. */
    int joined() {
        return joined;
    }

    /** Returns the estimated heap of a vector in a graph while it is built, in bytes. */
    static long vectorBytes(GraphField field) {
        // Numbers and scores of the links of the lowest level; upper levels have few nodes.
        return 160 + 16L * (field.links() + 1);
    }

    /**
     * Writes the graphs to {@code path}, and forces them.
     *
     * @param isClosing ends the build when it returns true
     * @throws InterruptedIOException if {@code isClosing}
     * @throws CorruptRunException if a block is damaged
     */
    public void write(String path, IndexedRun run, BooleanSupplier isClosing) throws IOException {
        int[] firsts = new int[rows.blockCount() + 1];
        boolean isPlain = true;
        for (int i = 0; i < rows.blockCount(); i++) {
            EncodedBlock block = rows.block(i);
            firsts[i + 1] = Math.addExact(firsts[i], SectionVectors.count(block, name));
            isPlain &= SectionVectors.isPlain(block, name);
        }
        int count = firsts[rows.blockCount()];
        int[] table = isPlain ? new int[0] : rowTable(count);
        var vectors =
                new SectionVectors(
                        rows, name, field, firsts, isPlain ? null : MemorySegment.ofArray(table));
        long each = vectorBytes(field) + (sources.isEmpty() ? 0 : GraphJoin.VECTOR_BYTES);
        BuildMemory memory = resources.memory();
        int most = Math.clamp(memory.total() / each, 1_000, Integer.MAX_VALUE);
        int graphs = Math.ceilDiv(count, most);
        // Graphs are built one after the other.
        long largest = Math.ceilDiv(count, Math.max(1, graphs));
        long taken = memory.take(largest * each, isClosing);
        try (LogFile file = files.create(path)) {
            var out = new GraphFileWriter(file);
            StoredGraph.writeRun(out, run);
            StoredGraph.writeField(out, field);
            out.putInt(rows.blockCount());
            out.putInt(count);
            out.putInt(isPlain ? 0 : 1);
            out.putInt(graphs);
            for (int first : firsts) {
                out.putInt(first);
            }
            for (int row : table) {
                out.putInt(row);
            }
            for (int i = 0; i < graphs; i++) {
                int first = (int) ((long) count * i / graphs);
                int end = (int) ((long) count * (i + 1) / graphs);
                addGraph(out, vectors, first, end - first, isClosing);
            }
            out.finish();
        } finally {
            memory.giveBack(taken);
        }
    }

    private void addGraph(
            GraphFileWriter out,
            SectionVectors vectors,
            int first,
            int count,
            BooleanSupplier isClosing)
            throws IOException {
        var scorers = new PartScorers(vectors, field, first, count);
        IORunnable check =
                () -> {
                    if (isClosing.getAsBoolean()) {
                        throw new InterruptedIOException("the node is closing");
                    }
                };
        Optional<HnswGraphBuilder> join =
                new GraphJoin(vectors, field, first, count)
                        .builder(scorers, name, sources, SEED, check);
        int more = join.isPresent() ? 0 : resources.threads().take(count / THREAD_VECTORS - 1);
        try {
            HnswBuilder builder =
                    join.isPresent() ? join.get() : fromNothing(scorers, count, more + 1);
            builder.setAbortCheck(check);
            GraphPart.write(out, first, builder.build(count));
        } finally {
            resources.threads().giveBack(more);
        }
        compared += scorers.compared();
        joined += join.isPresent() ? 1 : 0;
        threads = Math.max(threads, more + 1);
    }

    private HnswBuilder fromNothing(PartScorers scorers, int count, int threadCount)
            throws IOException {
        HnswGraphBuilder builder =
                HnswGraphBuilder.create(scorers, field.links(), field.explored(), SEED, count);
        if (threadCount == 1) {
            return builder;
        }
        // The caller's thread is one of them. All have ended when the build ends, also by an
        // exception.
        var others =
                new TaskExecutor(task -> {
                    Thread.ofPlatform().name("graph").start(task);
                });
        return new HnswConcurrentMergeBuilder(
                others,
                threadCount,
                scorers,
                field.links(),
                field.explored(),
                builder.getGraph(),
                null);
    }

    private int[] rowTable(int count) {
        int[] table = new int[count];
        int vector = 0;
        int firstRow = 0;
        for (int i = 0; i < rows.blockCount(); i++) {
            EncodedBlock block = rows.block(i);
            Column column = block.column(name).orElse(null);
            for (int row = 0; row < block.rowCount(); row++) {
                int own = SectionVectors.count(column, row);
                for (int j = 0; j < own; j++) {
                    table[vector++] = firstRow + row;
                }
            }
            firstRow += block.rowCount();
        }
        return table;
    }
}
