package org.crabro.content.storage.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The copies that a start keeps of bytes at the end of a journal, before it overwrites them. */
class JournalTailTest {
    private static final String FILE = "journal/0.journal";
    private static final String LEFTOVERS = LostFiles.DIRECTORY + "/leftovers";
    private static final int SEGMENT = SegmentedLog.SEGMENT_BYTES_MIN;

    private final MemoryLogFiles files = new MemoryLogFiles();

    @Test
    void keepsNothingOfAJournalThatEndsInZeros() throws IOException {
        write("a", "b");

        assertThat(replay()).isEqualTo("{1=a, 2=b}");
        assertThat(files.list(LEFTOVERS)).isEmpty();
    }

    @Test
    void keepsALastBatchThatIsDamagedAnywhere() throws IOException {
        write("a", "the second");
        byte[] whole = bytes(FILE);
        int from = 2 * LogPosition.ALIGNMENT;
        int length = BatchLayout.RECORDS_OFFSET + BatchLayout.RECORD_HEADER + "the second".length();

        for (int offset = from; offset < from + length; offset++) {
            byte[] damaged = whole.clone();
            damaged[offset] ^= 1;
            put(FILE, damaged);
            deleteLeftovers();

            assertThat(replay()).as("offset %d", offset).isEqualTo("{1=a}");
            assertThat(retained())
                    .as("offset %d", offset)
                    .isEqualTo(Arrays.copyOfRange(damaged, from, from + length));
        }
    }

    @Test
    void keepsABatchThatIsCutOffHoweverShort() throws IOException {
        write("a", "b");
        byte[] whole = bytes(FILE);
        int from = 2 * LogPosition.ALIGNMENT;

        // The first bytes are the checksum, which may be zero.
        for (int length = 4; length < BatchLayout.RECORDS_OFFSET; length++) {
            put(FILE, Arrays.copyOf(whole, from + length));
            deleteLeftovers();

            assertThat(replay()).isEqualTo("{1=a}");
            byte[] retained = retained();
            assertThat(Arrays.copyOf(retained, length))
                    .isEqualTo(Arrays.copyOfRange(whole, from, from + length));
        }
    }

    @Test
    void copiesTheSameBytesOnce() throws IOException {
        write("a", "b");
        byte[] whole = bytes(FILE);
        byte[] damaged = whole.clone();
        damaged[2 * LogPosition.ALIGNMENT] ^= 1;
        for (int i = 0; i < 3; i++) {
            put(FILE, damaged);
            replay();
        }
        assertThat(files.list(LEFTOVERS)).hasSize(1);

        damaged[2 * LogPosition.ALIGNMENT] ^= 2;
        put(FILE, damaged);
        replay();
        assertThat(files.list(LEFTOVERS)).hasSize(2);
    }

    @Test
    void keepsAFirstBatchAndAHeaderThatAreDamaged() throws IOException {
        write("a");
        byte[] whole = bytes(FILE);

        byte[] damaged = whole.clone();
        damaged[LogPosition.ALIGNMENT] ^= 1;
        put(FILE, damaged);
        assertThat(replay()).isEqualTo("{}");
        assertThat(retained()).startsWith(Arrays.copyOfRange(damaged, 512, 512 + 32));

        deleteLeftovers();
        damaged[0] ^= 1;
        put(FILE, damaged);
        assertThat(replay()).isEqualTo("{}");
        assertThat(files.list(LEFTOVERS)).hasSize(2);
    }

    @Test
    void ignoresBatchesOfAnEarlierUse() throws IOException {
        try (SegmentedLog log = open(new TreeMap<>())) {
            for (int i = 0; i < 100; i++) {
                log.release(log.commit(records("x".repeat(SEGMENT / 20))) - 1);
            }
        }

        replay();

        assertThat(files.list("journal").size()).isGreaterThan(1);
        assertThat(files.list(LEFTOVERS)).isEmpty();
    }

    private void write(String... texts) throws IOException {
        try (SegmentedLog log = open(new TreeMap<>())) {
            for (String text : texts) {
                log.commit(records(text));
            }
        }
    }

    private String replay() throws IOException {
        var replayed = new TreeMap<Long, String>();
        open(replayed).close();
        return replayed.toString();
    }

    private SegmentedLog open(Map<Long, String> replayed) throws IOException {
        return SegmentedLog.open(
                files,
                "journal",
                SEGMENT,
                1,
                (number, record) -> replayed.put(number, UTF_8.decode(record).toString()));
    }

    private static List<LogRecord> records(String text) {
        return List.of(LogRecord.of(text.getBytes(UTF_8)));
    }

    private byte[] retained() throws IOException {
        List<String> names = files.list(LEFTOVERS);
        assertThat(names).hasSize(1);
        return bytes(LEFTOVERS + "/" + names.getFirst());
    }

    private void deleteLeftovers() {
        for (String name : files.list(LEFTOVERS)) {
            files.delete(LEFTOVERS + "/" + name);
        }
    }

    private byte[] bytes(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            return all.array();
        }
    }

    private void put(String path, byte[] bytes) throws IOException {
        files.delete(path);
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
    }
}
