package org.crabro.container.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.container.document.FieldSet;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.ServedTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.feed.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineBatchTest {
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    1,
                    new BulkSettings.Input(64, 4, 64, 64),
                    new BulkSettings.Batches(100, 1_000, 2),
                    1,
                    Duration.ofSeconds(1));

    @TempDir static Path directory;

    private ServedTypes types;
    private Schema schema;

    @BeforeEach
    void start() throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        types = new ServedTypes(model, Map.of(), false);
        schema = types.get("plain").schema();
    }

    @Test
    void batchesLinesOfDifferentDocuments() {
        LineBatch batch = batch(write("1", 10), dependent("2"), get("3"));

        assertThat(batch.accepts(write("1", 10))).isTrue();
        assertThat(batch.accepts(dependent("1"))).isFalse();
        assertThat(batch.accepts(get("1"))).isFalse();
        assertThat(batch.accepts(write("2", 10))).isFalse();
        assertThat(batch.accepts(dependent("2"))).isTrue();
        assertThat(batch.accepts(get("2"))).isFalse();
        assertThat(batch.accepts(write("3", 10))).isFalse();
        assertThat(batch.accepts(dependent("3"))).isFalse();
        assertThat(batch.accepts(get("3"))).isTrue();
        assertThat(batch.accepts(write("4", 10))).isTrue();
    }

    @Test
    void isLimitedInBytesExceptForASingleRow() {
        LineBatch batch = new LineBatch(SETTINGS);
        assertThat(batch.accepts(write("1", 2_000))).isTrue();
        batch.add(write("1", 2_000), 1);
        assertThat(batch.accepts(write("2", 1))).isFalse();
        assertThat(batch.accepts(dependent("2"))).isTrue();

        LineBatch full = new LineBatch(SETTINGS);
        for (int i = 0; i < SETTINGS.batches().batchWrites(); i++) {
            assertThat(full.accepts(dependent("d" + i))).isTrue();
            full.add(dependent("d" + i), i + 1);
        }
        assertThat(full.accepts(dependent("one more"))).isFalse();
    }

    @Test
    void followsThoseThatTouchADocumentOfIts() {
        LineBatch before = batch(write("1", 1), dependent("2"), get("3"));

        assertThat(batch(write("4", 1), dependent("5"), get("6")).follows(before)).isFalse();
        assertThat(batch(get("3")).follows(before)).isFalse();
        for (String touched : List.of("1", "2", "3")) {
            assertThat(batch(write(touched, 1)).follows(before)).isTrue();
            assertThat(batch(dependent(touched)).follows(before)).isTrue();
        }
        assertThat(batch(get("1")).follows(before)).isTrue();
        assertThat(batch(get("2")).follows(before)).isTrue();
    }

    @Test
    void acceptsWritesOfAPieceAsSingleOnesIfAllFit() {
        var batch = new LineBatch(SETTINGS);

        assertThat(batch.addsAll(piece(write("1", 300), write("2", 300)), 7)).isTrue();
        assertThat(batch.addsAll(piece(write("3", 300), write("4", 300)), 9)).isFalse();
        assertThat(batch.addsAll(piece(write("3", 400)), 9)).isTrue();
        assertThat(batch.lines()).hasSize(3);
        assertThat(List.of(batch.number(0), batch.number(1), batch.number(2)))
                .containsExactly(7L, 8L, 9L);
        assertThat(batch.accepts(write("4", 1))).isFalse();
        assertThat(batch.accepts(get("2"))).isFalse();
        assertThat(batch.accepts(get("4"))).isTrue();
        assertThat(batch(get("3")).follows(batch)).isTrue();
    }

    @Test
    void looksAtEachLineOfAPieceWhereItHasOthersThanWrites() {
        assertThat(batch(dependent("1")).addsAll(piece(write("2", 1)), 1)).isFalse();
        assertThat(batch(get("1")).addsAll(piece(write("2", 1)), 1)).isFalse();
        assertThat(
                        new LineBatch(SETTINGS)
                                .addsAll(
                                        new OperationLines.Read(
                                                List.of(write("1", 1)),
                                                2,
                                                Optional.empty(),
                                                0,
                                                MemoryShare.UNLIMITED),
                                        1))
                .isFalse();
    }

    private static OperationLines.Read piece(BulkLine.Unconditional... lines) {
        var writes = new OperationLines.Writes();
        for (BulkLine.Unconditional line : lines) {
            writes.add(line.row());
        }
        return new OperationLines.Read(
                List.of(lines), lines.length, Optional.of(writes), 0, MemoryShare.UNLIMITED);
    }

    @Test
    void hashesAreASet() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int range = 1 + random.nextInt(2_000);
            Set<Integer> expected = new HashSet<>();
            Set<Integer> others = new HashSet<>();
            var hashes = new IdHashSet();
            var other = new IdHashSet();
            for (int i = random.nextInt(500); i > 0; i--) {
                int one = 1 + random.nextInt(range);
                int two = 1 + random.nextInt(range);
                expected.add(one);
                hashes.add(one);
                others.add(two);
                other.add(two);
            }
            for (int hash = 0; hash <= range; hash++) {
                if (hash > 0) {
                    assertThat(hashes.contains(hash))
                            .as("seed %d", seed)
                            .isEqualTo(expected.contains(hash));
                }
            }
            boolean meet = expected.stream().anyMatch(others::contains);
            assertThat(hashes.meets(other)).as("seed %d", seed).isEqualTo(meet);
            assertThat(other.meets(hashes)).as("seed %d", seed).isEqualTo(meet);
        }
        var zero = new IdHashSet();
        zero.add(0);
        assertThat(zero.contains(0)).isTrue();
    }

    private static LineBatch batch(BulkLine... lines) {
        var batch = new LineBatch(SETTINGS);
        for (BulkLine line : new ArrayList<>(List.of(lines))) {
            batch.add(line, 1);
        }
        return batch;
    }

    private static DocumentId id(String user) {
        return DocumentId.parse("id:ns:plain::" + user);
    }

    private static BulkLine.Unconditional write(String user, int bytes) {
        return new BulkLine.Unconditional(
                1, new Write.Row(0, id(user), new byte[bytes]), false, "");
    }

    private BulkLine dependent(String user) {
        return new BulkLine.Dependent(
                1,
                ConditionalOperation.always(new DocumentOperation.Remove(id(user))),
                types.get("plain").processor(),
                "");
    }

    private BulkLine get(String user) {
        return new BulkLine.Get(
                1, id(user), Optional.of(schema).map(FieldSet::document).orElseThrow());
    }
}
