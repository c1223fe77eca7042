package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryPartsTest {
    private static final byte[] SMALL = {1, 2, 3};

    private final EntryParts joined = new EntryParts();

    /** A part has five bytes before those of the entry. */
    @ParameterizedTest
    @CsvSource({
        "0, 7, 1",
        "1, 7, 1",
        "1, 0, 1",
        "1048576, 7, 1",
        "1048571, 0, 1",
        "1048572, 0, 2",
        "1048577, 7, 2",
        "2097142, 7, 2",
        "2097143, 7, 3",
        "9437184, 0, 10"
    })
    void joinsWhatItSplits(int size, byte first, int count) {
        byte[] entry = entry(size, first);

        List<ByteString> parts = EntryParts.split(entry);

        assertThat(parts)
                .hasSize(count)
                .allMatch(each -> each.size() <= EntryParts.STORED_BYTES_MAX);
        for (ByteString each : parts.subList(0, count - 1)) {
            assertThat(joined.join(3, each)).isEmpty();
        }
        assertThat(joined.join(3, parts.getLast())).hasValue(entry);
        assertThat(joined.join(3, ByteString.copyFrom(SMALL))).hasValue(SMALL);
    }

    @Test
    void leavesOutAnEntryWhoseLeaderLostItsTerm() {
        List<ByteString> lost = EntryParts.split(entry(3 << 20, (byte) 7));
        byte[] entry = entry(3 << 20, (byte) 8);
        List<ByteString> parts = EntryParts.split(entry);

        join(3, lost.subList(0, 2));
        join(4, parts.subList(0, 3));

        assertThat(joined.join(4, parts.getLast())).hasValue(entry);
    }

    @Test
    void leavesOutPartsWithoutThoseBefore() {
        List<ByteString> parts = EntryParts.split(entry(3 << 20, (byte) 7));

        // The parts are those of another term.
        join(3, parts.subList(0, 2));
        join(4, parts.subList(2, 4));
        // The second is missing.
        join(5, List.of(parts.get(0), parts.get(2), parts.get(3)));
        // An entry is between them.
        join(6, parts.subList(0, 2));
        assertThat(joined.join(6, ByteString.copyFrom(SMALL))).hasValue(SMALL);
        join(6, parts.subList(2, 4));

        assertThat(joined.join(6, ByteString.copyFrom(SMALL))).hasValue(SMALL);
    }

    private void join(long term, List<ByteString> parts) {
        for (ByteString each : parts) {
            Optional<byte[]> whole = joined.join(term, each);
            assertThat(whole).isEmpty();
        }
    }

    private static byte[] entry(int size, byte first) {
        byte[] entry = new byte[size];
        new Random(size).nextBytes(entry);
        if (size > 0) {
            entry[0] = first;
        }
        return entry;
    }
}
