package org.crabro.content.search.match.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.ranking.kernel.QuantizedVectors;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VectorCacheTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[70])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "item", List.of(new Field("vector", new FieldType.TensorOf(VECTOR), true)));

    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(SEED);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void areTheVectorsOfAllRows() {
        EncodedBlock block = block(9);
        try (var cache = new VectorCache(1 << 20, 0, 0);
                var lent = requireNonNull(ask(cache, block, true))) {
            QuantizedVectors vectors = lent.vectors();
            QuantizedVectors expected = quantized(block);
            assertThat(bytes(vectors.cells())).isEqualTo(bytes(expected.cells()));
            assertThat(bytes(vectors.scales())).isEqualTo(bytes(expected.scales()));
            assertThat(bytes(vectors.errors())).isEqualTo(bytes(expected.errors()));
            assertThat(bytes(vectors.spreads())).isEqualTo(bytes(expected.spreads()));
            assertThat(bytes(vectors.sums())).isEqualTo(bytes(expected.sums()));
            assertThat(vectors.cells().byteSize()).isEqualTo(9 * 128);
            assertThat(cache.byteSize()).isBetween(9 * 144L, 9 * 144L + 1_000);
        }
    }

    @Test
    void areMadeOnceABlockWasSearchedOftenAndThereIsTime() {
        EncodedBlock block = block(3);
        try (var cache = new VectorCache(1 << 20, 3, 0)) {
            assertThat(
                            Arrays.asList(
                                    ask(cache, block, true),
                                    ask(cache, block, true),
                                    ask(cache, block, true),
                                    ask(cache, block, false)))
                    .containsOnlyNulls();
            try (var made = requireNonNull(ask(cache, block, true));
                    var again = requireNonNull(ask(cache, block, false))) {
                assertThat(again).isSameAs(made);
            }
        }
    }

    /**
     * Each block has 840 bytes. If three other blocks are searched in between, a search is not
     * frequent.
     */
    @Test
    void areOfNoUseWhereABlockIsComparedSoonAgainAndAgain() {
        EncodedBlock block = block(3);
        List<EncodedBlock> others = List.of(block(3), block(3), block(3));
        try (var cache = new VectorCache(1 << 20, 4, 3_000)) {
            assertThat(isLent(cache, block)).containsExactly(false, false, false, false, false);
            assertThat(isLent(cache, block)).containsOnly(false);

            others.forEach(each -> ask(cache, each, true));
            assertThat(isLent(cache, block)).containsExactly(true, true, true, true, false);
            others.forEach(each -> ask(cache, each, true));
            assertThat(isLent(cache, block)).containsExactly(true, true, true, true, false);
        }
    }

    @Test
    void areDroppedWhereTheyTellLittle() {
        EncodedBlock useful = block(3);
        EncodedBlock useless = block(3);
        try (var cache = new VectorCache(1 << 20, 0, 0)) {
            try (CachedVectors lent = requireNonNull(ask(cache, useful, true))) {
                lent.addTold(1_000, 1_000);
                lent.addTold(16_000, 62);
            }
            CachedVectors lent = requireNonNull(ask(cache, useless, true));
            lent.addTold(16_000, 1_100);
            requireNonNull(ask(cache, useless, true)).close();
            long before = cache.byteSize();
            lent.addTold(1_000, 0);

            assertThat(isLent(cache, useful)).containsOnly(true);
            assertThat(isLent(cache, useless)).containsOnly(false);
            assertThat(cache.byteSize()).isEqualTo(before - lent.byteSize());
            assertThat(isThere(lent)).isTrue();
            lent.close();
            assertThat(isThere(lent)).isFalse();
        }
    }

    private static List<Boolean> isLent(VectorCache cache, EncodedBlock block) {
        var isLent = new ArrayList<Boolean>();
        for (int i = 0; i < 5; i++) {
            try (CachedVectors lent = ask(cache, block, true)) {
                isLent.add(lent != null);
            }
        }
        return isLent;
    }

    @Test
    void areThereUntilNobodyLooksAtThem() {
        var cache = new VectorCache(1 << 20, 0, 0);
        EncodedBlock block = block(3);
        CachedVectors first = requireNonNull(ask(cache, block, true));
        CachedVectors second = requireNonNull(ask(cache, block, true));

        first.close();
        cache.close();

        assertThat(isThere(second)).isTrue();
        assertThat(cache.byteSize()).isZero();
        assertThat(ask(cache, block, true)).isNull();
        second.close();
        assertThat(isThere(second)).isFalse();
    }

    @Test
    void lendsAVectorAboveTheLimitOnce() {
        try (var cache = new VectorCache(1_000, 0, 0)) {
            CachedVectors lent = requireNonNull(ask(cache, block(50), true));

            assertThat(cache.byteSize()).isLessThanOrEqualTo(1_000);
            assertThat(isThere(lent)).isTrue();
            lent.close();
            assertThat(isThere(lent)).isFalse();
        }
    }

    /** The second search is between the decision to compute the data and its completion. */
    @Test
    void storesEqualVectorsOnce() {
        EncodedBlock block = block(3);
        List<CachedVectors> inner = new ArrayList<>();
        var cache = new VectorCache(1_500, 0, 0);
        CachedVectors outer =
                requireNonNull(
                        cache.of(
                                block,
                                "vector",
                                0,
                                true,
                                () -> {
                                    requireNonNull(ask(cache, block(50), true)).close();
                                    inner.add(ask(cache, block, true));
                                    return CachedVectors.of(column(block), 3);
                                }));

        assertThat(inner.getFirst()).isNotNull().isNotSameAs(outer);
        assertThat(cache.byteSize()).isBetween(3 * 144L, 3 * 144L + 1_000);
        outer.close();
        inner.getFirst().close();
        cache.close();
        assertThat(isThere(outer)).isFalse();
        assertThat(isThere(inner.getFirst())).isFalse();
    }

    /** Many threads, and room for a few blocks of many. */
    @Test
    void nobodyLooksAtWhatWasFreed() throws Exception {
        List<EncodedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            blocks.add(block(20));
        }
        var scales = new IdentityHashMap<EncodedBlock, Float>();
        blocks.forEach(block -> scales.put(block, number(quantized(block).scales(), 19)));
        try (var cache = new VectorCache(8 * 20 * 144, 1, 0);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                var mine = new Random(SEED + thread);
                tasks.add(() -> {
                    int hits = 0;
                    for (int i = 0; i < 3_000; i++) {
                        // Some blocks more often than others.
                        EncodedBlock block = blocks.get(mine.nextInt(1 + mine.nextInt(30)));
                        try (CachedVectors lent = ask(cache, block, true)) {
                            if (lent != null) {
                                float scale = number(lent.vectors().scales(), 19);
                                assertThat(scale).isEqualTo(scales.get(block));
                                hits++;
                            }
                        }
                    }
                    return hits;
                });
            }
            int hits = 0;
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                hits += each.get();
            }
            assertThat(hits).as("seed %d", SEED).isGreaterThan(1_000);
            assertThat(cache.byteSize()).isBetween(1L, 8L * 20 * 144);
        }
    }

    private QuantizedVectors quantized(EncodedBlock block) {
        int count = block.rowCount();
        MemorySegment memory = arena.allocate(QuantizedVectors.byteSize(VECTOR, count, false));
        return QuantizedVectors.of(VECTOR, column(block).cells(), count, false, memory);
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private static boolean isThere(CachedVectors lent) {
        return lent.vectors().cells().scope().isAlive();
    }

    private static float number(MemorySegment floats, int row) {
        return floats.getAtIndex(ValueLayout.JAVA_FLOAT, row);
    }

    private static @Nullable CachedVectors ask(
            VectorCache cache, EncodedBlock block, boolean mayMake) {
        return cache.of(
                block,
                "vector",
                column(block).cells().byteSize(),
                mayMake,
                () -> CachedVectors.of(column(block), block.rowCount()));
    }

    private static Column.DenseTensors column(EncodedBlock block) {
        return (Column.DenseTensors) block.column("vector").orElseThrow();
    }

    private EncodedBlock block(int count) {
        List<Row> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            var vector = DenseTensor.of(VECTOR, random.doubles(70, -1, 1).toArray());
            Map<String, FieldValue> fields = Map.of("vector", new FieldValue.TensorValue(vector));
            var id = DocumentId.parse("id:a:item:g=u:%03d".formatted(row));
            rows.add(new Row(id, 1, TYPE.fingerprint(), false, fields));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return BlockWriter.write(rows, TYPE, arena);
    }
}
