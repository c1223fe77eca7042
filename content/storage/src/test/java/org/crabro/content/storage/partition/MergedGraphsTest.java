package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.graph.GraphField;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of the graphs of runs when these are merged. */
@Tag("all-compilers")
class MergedGraphsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/03";
    private static final int ROWS = 300;
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[4])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "item", List.of(new Field("vector", new FieldType.TensorOf(VECTOR), true)));
    private static final GraphField FIELD =
            new GraphField(VECTOR, DistanceMetric.EUCLIDEAN, 16, 100);
    private static final IndexSettings INDEX = new IndexSettings(false, 1, 1 << 20, 1 << 20, 1);
    private static final CompactionSettings MERGES =
            new CompactionSettings(
                    false, 2, 32, 1 << 20, 1 << 20, Duration.ofDays(14), Duration.ofDays(30));
    private static final StoredTypes TYPES =
            new StoredTypes() {
                @Override
                public Optional<DocumentType> type(long fingerprint) {
                    return Optional.of(TYPE);
                }

                @Override
                public GraphFields graphFields(DocumentType type) {
                    return new GraphFields(Map.of("vector", FIELD));
                }
            };

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final Random random = new Random(SEED);
    private int runs;

    private RunLog open() throws IOException {
        return RunLog.open(files, DIRECTORY, TYPES);
    }

    /** Adds a run with other rows than those before, and {@code replaced} of these. */
    private void add(RunLog log, int replaced) throws IOException {
        runs++;
        var rows = new ArrayList<Row>();
        for (int i = 0; i < ROWS; i++) {
            double[] cells = random.doubles(4).toArray();
            rows.add(
                    new Row(
                            DocumentId.parse("id:a:item::" + (ROWS * runs - replaced + i)),
                            runs,
                            TYPE.fingerprint(),
                            false,
                            Map.of(
                                    "vector",
                                    new FieldValue.TensorValue(DenseTensor.of(VECTOR, cells)))));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        log.add(
                run -> {
                    run.begin(TYPE);
                    for (Row row : rows) {
                        run.add(
                                RowKey.of(row.id()),
                                MemorySegment.ofArray(RowEncoding.encode(row, TYPE)));
                    }
                },
                runs,
                runs,
                runs);
    }

    private static void index(RunLog log) throws IOException {
        while (log.index(INDEX, BuildResources.ofMemory(1 << 20), () -> false)) {
            // Each call makes one.
        }
    }

    private static void merge(RunLog log) throws IOException {
        while (log.compact(MERGES, CompactionPace.UNLIMITED, 100).isPresent()) {
            // Each call does a step.
        }
        assertThat(log.tierCount()).isEqualTo(1);
    }

    private List<String> mappedGraphs() {
        return files.mappedFiles().stream().filter(StoredGraph::isName).toList();
    }

    private List<String> listedGraphs() throws IOException {
        return files.list(DIRECTORY).stream()
                .filter(StoredGraph::isName)
                .map(name -> DIRECTORY + "/" + name)
                .toList();
    }

    private byte[] onlyGraph() throws IOException {
        assertThat(listedGraphs()).hasSize(1);
        try (LogFile file = files.open(listedGraphs().getFirst())) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return bytes.array();
        }
    }

    @Test
    void stayMappedWithoutFilesUntilTheNewRunHasOne() throws IOException {
        try (RunLog log = open()) {
            add(log, 0);
            add(log, 10);
            index(log);
            List<String> before = listedGraphs();
            assertThat(before).hasSize(2);

            merge(log);
            assertThat(listedGraphs()).isEmpty();
            assertThat(mappedGraphs()).containsExactlyInAnyOrderElementsOf(before);

            index(log);
            assertThat(listedGraphs()).hasSize(1);
            assertThat(mappedGraphs()).isEqualTo(listedGraphs());
        }
    }

    /** A log that is opened again has no graphs of merged runs, so the graph is another one. */
    @Test
    void areJoinedUnlessTheLogWasOpenedAgain() throws IOException {
        var graphs = new ArrayList<byte[]>();
        for (boolean isOpenedAgain : List.of(false, false, true)) {
            random.setSeed(SEED);
            runs = 0;
            RunLog log = open();
            add(log, 0);
            add(log, 10);
            index(log);
            merge(log);
            if (isOpenedAgain) {
                log.close();
                log = open();
            }
            index(log);
            graphs.add(onlyGraph());
            log.close();
            for (String name : files.list(DIRECTORY)) {
                files.delete(DIRECTORY + "/" + name);
            }
        }

        assertThat(graphs.get(1)).isEqualTo(graphs.get(0));
        assertThat(graphs.get(2)).isNotEqualTo(graphs.get(0));
    }

    @Test
    void areUnmappedWithTheLog() throws IOException {
        RunLog log = open();
        add(log, 0);
        add(log, 0);
        index(log);
        merge(log);
        assertThat(mappedGraphs()).hasSize(2);

        log.close();

        assertThat(files.mappedFiles()).isEmpty();
    }

    @Test
    void areUnmappedIfTheNewRunIsMergedBeforeItHasOne() throws IOException {
        try (RunLog log = open()) {
            add(log, 0);
            add(log, 0);
            index(log);
            merge(log);
            add(log, 0);
            add(log, 0);
            merge(log);

            assertThat(mappedGraphs()).isEmpty();
        }
    }

    /** If most rows of a run were replaced, its graph leads nowhere. */
    @Test
    void areDroppedIfMostRowsAreRemoved() throws IOException {
        try (RunLog log = open()) {
            add(log, 0);
            add(log, 200);
            index(log);
            List<String> before = listedGraphs();
            merge(log);

            assertThat(mappedGraphs()).hasSize(1);
            assertThat(before).containsAll(mappedGraphs());
        }
    }
}
