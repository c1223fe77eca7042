package org.crabro.content.storage.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.os.SystemMemory;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in several chunks: no row at the border of two chunks is lost. */
class RecentRowsTest {
    private static final int CACHE_LINE = 64;
    private static final int PEEKED_MAX = 4 << 10;

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /**
     * For every possible rest after the last row of a chunk, down to 0 bytes and less than a
     * header.
     */
    @Test
    void findsRowsOfOneLengthWhateverIsLeftOfTheirChunks() {
        for (int length = 1; length <= 600; length++) {
            int same = length;
            findsWhatWasAdded(3 * RecentRows.CHUNK_BYTES_MIN / length + 3, () -> same);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                20,
                200,
                RecentRows.CHUNK_BYTES_MIN - RecentRows.HEADER - 8,
                RecentRows.CHUNK_BYTES_MIN - RecentRows.HEADER,
                2 * RecentRows.CHUNK_BYTES_MIN,
                40_000
            })
    void findsRowsOfRandomLengths(int lengthMax) {
        findsWhatWasAdded(500, () -> 1 + random.nextInt(lengthMax));
    }

    @Test
    void findsRowsAsLongAsAChunkAndLonger() {
        findsWhatWasAdded(
                60,
                () ->
                        random.nextInt(4) == 0
                                ? RecentRows.CHUNK_BYTES_MAX + random.nextInt(64) - 40
                                : 1 + random.nextInt(200_000));
    }

    /** Adds rows into reused memory, and iterates over them. */
    private void findsWhatWasAdded(int count, IntSupplier lengths) {
        var memory = new RowMemory(8L * SystemMemory.SIZE);
        fillWithWhatLayThereBefore(memory);
        try (Arena arena = Arena.ofShared()) {
            var rows = new RecentRows(arena, memory);
            List<byte[]> added = new ArrayList<>();
            List<Integer> addresses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                byte[] row = new byte[lengths.getAsInt()];
                random.nextBytes(row);
                addresses.add(rows.add(row, i == 0 ? 0 : addresses.getLast()));
                added.add(row);
            }

            assertThat(walked(rows)).as("addresses, seed %d", seed).isEqualTo(addresses);
            for (int i = 0; i < count; i++) {
                int address = addresses.get(i);
                byte[] row = added.get(i);
                MemorySegment found = rows.row(address);
                assertThat(found.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(row);
                assertThat(rows.previous(address)).isEqualTo(i == 0 ? 0 : addresses.get(i - 1));
                assertThat(rows.peek(address)).isEqualTo(row.length);
                assertThat(rows.peek(address, row.length)).isEqualTo(sum(row));
                int id = rows.peekId(address);
                if (row.length > CACHE_LINE - RecentRows.HEADER) {
                    assertThat(id).isEqualTo(row.length + row[CACHE_LINE - RecentRows.HEADER]);
                }
            }
        } finally {
            memory.close();
        }
    }

    private static List<Integer> walked(RecentRows rows) {
        List<Integer> addresses = new ArrayList<>();
        int end = rows.end();
        for (int at = rows.firstFrom(0, end); at < end; at = rows.firstFrom(rows.behind(at), end)) {
            addresses.add(at);
        }
        return addresses;
    }

    private static int sum(byte[] row) {
        int sum = 0;
        for (int at = CACHE_LINE - RecentRows.HEADER;
                at < Math.min(row.length, PEEKED_MAX);
                at += CACHE_LINE) {
            sum += row[at];
        }
        return sum;
    }

    /** Old bytes that are no row must not be read as one. */
    private static void fillWithWhatLayThereBefore(RowMemory memory) {
        try (Arena arena = Arena.ofShared()) {
            for (int i = 0; i < 8; i++) {
                memory.take(arena).ifPresent(piece -> piece.fill((byte) 0x11));
            }
        }
    }

    /** Rows of one group in one table, into a run and back. */
    @ParameterizedTest
    @ValueSource(ints = {100, 700, 5_000, 300_000})
    void flushesRowsThroughTheEndsOfChunks(int lengthMax) throws IOException {
        RecentSettings settings =
                RecentSettings.DEFAULT
                        .withRecentBytes(1L << 30)
                        .withFeed(
                                FeedLimits.DEFAULT
                                        .withRowBytes(4 << 20)
                                        .withReservedBytes(0)
                                        .withDisk(1, 0));
        try (DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(
                                Notes.PARTITIONS.count(), settings, InstantSource.system()))) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            Map<String, String> expected = new TreeMap<>();
            for (int i = 0; i < 300; i++) {
                DocumentId id = Notes.id("a", random.nextInt(280));
                int length =
                        i % 100 == 50 ? RecentRows.CHUNK_BYTES_MAX + i : random.nextInt(lengthMax);
                String text = (i + "x").repeat(length / 3 + 1);
                WriteReply reply = Notes.put(store, id, text);
                assertThat(reply).isInstanceOf(WriteReply.Stored.class);
                expected.put(id.toString(), text);
            }
            var everything = new KeyRange.Everything();
            assertThat(Notes.seen(store, everything)).as("seed %d", seed).isEqualTo(expected);

            store.flush();

            assertThat(store.statistics().merges().flushes()).isPositive();
            assertThat(Notes.seen(store, everything)).as("seed %d", seed).isEqualTo(expected);
        }
    }
}
