package org.crabro.client.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of a spool, over its end, a cut in the middle of it, and changed bytes. */
class SpoolTest {
    private static final String FIRST = "%016d.spool".formatted(1);

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsWhatIsNotDoneInItsOrder(boolean isSynced) throws Exception {
        SpoolSettings settings = SpoolSettings.DEFAULT.synced(isSynced);
        try (Spool spool = Spool.open(directory, settings)) {
            List<Spool.Place> places = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                places.add(spool.append("document " + i % 3, ("content " + i).getBytes(UTF_8)));
            }
            for (int done : new int[] {0, 1, 3}) {
                spool.done(places.get(done));
            }
            assertThat(spool.waiting()).isEqualTo(7);
        }
        try (Spool spool = Spool.open(directory, settings)) {
            assertThat(contents(spool))
                    .containsExactly(
                            "document 2: content 2",
                            "document 1: content 4",
                            "document 2: content 5",
                            "document 0: content 6",
                            "document 1: content 7",
                            "document 2: content 8",
                            "document 0: content 9");
            assertThat(spool.waiting()).isEqualTo(7);
            assertThat(spool.notices()).isEmpty();
        }
    }

    @Test
    void leavesNoFilesWhereAllIsDone() throws Exception {
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            for (int i = 0; i < 100; i++) {
                spool.done(spool.append("a", new byte[300_000]));
            }
            assertThat(segments()).hasSize(1);
        }
        assertThat(segments()).isEmpty();
    }

    @Test
    void keepsRecordsThatNeedMoreThanAFile() throws Exception {
        byte[] large = new byte[SpoolLayout.SEGMENT_BYTES + 1];
        new Random(1).nextBytes(large);
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            spool.append("small", new byte[] {1});
            spool.append("large", large);
            spool.append("small", new byte[] {2});
            assertThatThrownBy(() -> spool.append("huge", new byte[SpoolLayout.SEGMENT_BYTES_MAX]))
                    .isInstanceOf(SpoolFullException.class)
                    .hasMessageContaining("too long for a spool");
        }
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(spool.nextLeft().orElseThrow().content()).containsExactly(1);
            assertThat(spool.nextLeft().orElseThrow().content()).isEqualTo(large);
            assertThat(spool.nextLeft().orElseThrow().content()).containsExactly(2);
            assertThat(spool.nextLeft()).isEmpty();
        }
    }

    @Test
    void refusesMoreThanItsBound() throws Exception {
        var settings = new SpoolSettings(false, 2L * SpoolLayout.SEGMENT_BYTES);
        try (Spool spool = Spool.open(directory, settings)) {
            Spool.Place first = spool.append("a", new byte[3 << 20]);
            spool.append("a", new byte[3 << 20]);

            assertThatThrownBy(() -> spool.append("a", new byte[3 << 20]))
                    .isInstanceOf(SpoolFullException.class)
                    .hasMessageContaining("its files have at most 8,388,608 bytes");
            spool.done(first);
            spool.append("a", new byte[3 << 20]);
            assertThat(spool.waiting()).isEqualTo(2);
        }
    }

    @Test
    void isOfOneClientAtATime() throws Exception {
        try (Spool _ = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThatThrownBy(() -> Spool.open(directory, SpoolSettings.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessage("another client uses the spool " + directory);
        }
        Spool.open(directory, SpoolSettings.DEFAULT).close();
    }

    @Test
    void acceptsNothingAfterItsEnd() throws Exception {
        Spool spool = Spool.open(directory, SpoolSettings.DEFAULT);
        spool.close();

        assertThatThrownBy(() -> spool.append("a", new byte[1]))
                .hasMessage("the spool " + directory + " is closed");
    }

    /** A record of a document that is done shows that all earlier ones were. */
    @Test
    void sendsNoRecordBehindALaterOneThatIsDone() throws Exception {
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            spool.append("a", new byte[] {1});
            spool.append("b", new byte[] {2});
            Spool.Place later = spool.append("a", new byte[] {3});
            spool.append("a", new byte[] {4});
            spool.done(later);
        }
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(spool.nextLeft().orElseThrow().content()).containsExactly(2);
            assertThat(spool.nextLeft().orElseThrow().content()).containsExactly(4);
            assertThat(spool.nextLeft()).isEmpty();
        }
    }

    @Test
    void readsAndWritesTheFormatOfVersion1() throws Exception {
        byte[] golden = golden();
        byte[] file = Arrays.copyOf(golden, SpoolLayout.SEGMENT_BYTES);
        Files.write(directory.resolve("%016d.spool".formatted(7)), file);
        List<Spool.Left> left = new ArrayList<>();
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            for (Optional<Spool.Left> next = spool.nextLeft();
                    next.isPresent();
                    next = spool.nextLeft()) {
                left.add(next.get());
            }
            assertThat(left)
                    .extracting(Spool.Left::document)
                    .containsExactly("id:a:b:g=x:2", "id:a:b::1");
        }
        assertThat(Files.readAllBytes(directory.resolve("%016d.spool".formatted(7))))
                .isEqualTo(file);

        Path again = directory.resolve("again");
        Files.createDirectory(again);
        SpoolSegment written =
                SpoolSegment.create(
                        again.resolve("%016d.spool".formatted(7)), 7, SpoolLayout.SEGMENT_BYTES);
        try (written) {
            byte[] first =
                    Arrays.copyOfRange(
                            golden,
                            SpoolLayout.RECORDS_OFFSET + SpoolLayout.RECORD_REST,
                            SpoolLayout.RECORDS_OFFSET
                                    + SpoolLayout.RECORD_REST
                                    + ByteBuffer.wrap(golden)
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .getInt(SpoolLayout.RECORDS_OFFSET));
            written.done(written.append(first));
            for (Spool.Left each : left) {
                written.append(SpoolLayout.payload(each.document(), each.content()));
            }
            written.end();
        }
        assertThat(Files.readAllBytes(again.resolve("%016d.spool".formatted(7)))).isEqualTo(file);
    }

    /** A process that is killed leaves a record without its length. */
    @Test
    void ignoresARecordThatWasNotAccepted() throws Exception {
        byte[] file = twoRecords();
        int second = second(file);
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(second, 0);
        cut(file, second + 40);
        Files.write(directory.resolve(FIRST), file);

        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(contents(spool)).containsExactly("a: one");
            spool.append("a", "three".getBytes(UTF_8));
        }
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(contents(spool)).containsExactly("a: one", "a: three");
            assertThat(spool.notices()).isEmpty();
        }
    }

    /** After a power cut, any of the bytes behind the last forced ones may be missing. */
    @Test
    void keepsACopyOfATornTail() throws Exception {
        byte[] whole = twoRecords();
        int second = second(whole);
        byte[] file = whole.clone();
        file[second + SpoolLayout.RECORD_REST + 4] = 0x7f;
        cut(file, second + 40);
        Files.write(directory.resolve(FIRST), file);

        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(contents(spool)).containsExactly("a: one");
            assertThat(spool.notices())
                    .singleElement()
                    .asString()
                    .contains("bytes from " + second + " on that are no whole operation");
        }
        assertThat(Files.readAllBytes(directory.resolve(FIRST + ".torn"))).isEqualTo(file);
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(contents(spool)).containsExactly("a: one");
            assertThat(spool.notices()).isEmpty();
        }
    }

    @Test
    void removesAFileThatGotNoName() throws Exception {
        Files.write(directory.resolve(FIRST + ".new"), new byte[100]);
        Files.write(directory.resolve("notes.txt"), new byte[100]);
        try (Spool spool = Spool.open(directory, SpoolSettings.DEFAULT)) {
            assertThat(spool.waiting()).isZero();
        }
        assertThat(directory.resolve(FIRST + ".new")).doesNotExist();
        assertThat(directory.resolve("notes.txt")).exists();
    }

    @Test
    void rejectsFilesOfLiars() throws Exception {
        byte[] valid = twoRecords();
        int first = SpoolLayout.RECORDS_OFFSET;
        List<byte[]> wrong = new ArrayList<>();
        wrong.add(new byte[0]);
        wrong.add(new byte[SpoolLayout.SEGMENT_STEP]);
        wrong.add(Arrays.copyOf(valid, valid.length - 1));
        wrong.add(Arrays.copyOf(valid, valid.length / 2));
        wrong.add(Arrays.copyOf(valid, valid.length + SpoolLayout.SEGMENT_STEP));
        wrong.add(changed(valid, SpoolLayout.VERSION_OFFSET, 2));
        wrong.add(changed(valid, SpoolLayout.NUMBER_OFFSET, 2));
        wrong.add(changed(valid, SpoolLayout.SIZE_OFFSET, Integer.MAX_VALUE));
        wrong.add(changed(valid, first + SpoolLayout.RECORD_STATE, 1));
        for (byte[] file : wrong) {
            Files.write(directory.resolve(FIRST), file);

            assertThatThrownBy(() -> Spool.open(directory, SpoolSettings.DEFAULT))
                    .isInstanceOf(DamagedSpoolException.class)
                    .hasMessageContaining(FIRST)
                    .hasMessageContaining("move it away");
            assertThat(Files.readAllBytes(directory.resolve(FIRST))).isEqualTo(file);
        }
    }

    @Test
    void rejectsWrongRecordsInAFileThatWasEnded() throws Exception {
        byte[] valid = twoRecords();
        int first = SpoolLayout.RECORDS_OFFSET;
        Files.write(
                directory.resolve("%016d.spool".formatted(2)),
                Arrays.copyOf(
                        SpoolLayout.header(2, SpoolLayout.SEGMENT_BYTES),
                        SpoolLayout.SEGMENT_BYTES));
        for (int length :
                new int[] {0, 1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE, valid.length - 40}) {
            Files.write(directory.resolve(FIRST), changed(valid, first, length));

            assertThatThrownBy(() -> Spool.open(directory, SpoolSettings.DEFAULT))
                    .as("a length of %d", length)
                    .isInstanceOf(DamagedSpoolException.class)
                    .hasMessageContaining("is damaged at byte 32");
        }
    }

    @Test
    void rejectsLinksAndDirectories() throws Exception {
        Path elsewhere = Files.write(directory.resolve("elsewhere"), twoRecords());
        Files.createSymbolicLink(directory.resolve(FIRST), elsewhere);
        assertThatThrownBy(() -> Spool.open(directory, SpoolSettings.DEFAULT))
                .hasMessageContaining("it is no regular file");
        Files.delete(directory.resolve(FIRST));
        Files.createDirectory(directory.resolve(FIRST));
        assertThatThrownBy(() -> Spool.open(directory, SpoolSettings.DEFAULT))
                .hasMessageContaining("it is no regular file");
    }

    @Test
    void survivesRandomChanges() throws Exception {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        byte[] valid = twoRecords();
        int length = second(valid) + 80;
        for (int round = 0; round < 200; round++) {
            byte[] file = valid.clone();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                file[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
            }
            Path place = Files.createDirectory(directory.resolve("round" + round));
            try (var sparse = new RandomAccessFile(place.resolve(FIRST).toFile(), "rw")) {
                sparse.write(file, 0, length);
                sparse.setLength(file.length);
            }
            try (Spool spool = Spool.open(place, SpoolSettings.DEFAULT)) {
                assertThat(contents(spool))
                        .as("seed %d, round %d", seed, round)
                        .isSubsetOf("a: one", "b: two");
            } catch (DamagedSpoolException e) {
                assertThat(e).hasMessageContaining("is damaged at byte");
            }
        }
    }

    @Test
    void namesWhatTheJvmLacks() {
        assertThat(SpoolRequirements.missingOptions(SpoolTest.class.getModule())).isEmpty();
        assertThat(SpoolRequirements.missingOptions(HttpClient.class.getModule()))
                .contains(
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED");
    }

    @Test
    void namesALibraryThatIsMissing() {
        assertThatThrownBy(() -> SpoolRequirements.check(ClassLoader.getPlatformClassLoader()))
                .isInstanceOf(SpoolUnavailableException.class)
                .hasMessage(
                        "a spool needs the library net.openhft:chronicle-bytes on the class path");
    }

    /** Returns a file with two records that wait, whose end is not marked. */
    private byte[] twoRecords() throws IOException {
        Path own = Files.createTempDirectory(directory, "made");
        try (Spool spool = Spool.open(own, SpoolSettings.DEFAULT)) {
            spool.append("a", "one".getBytes(UTF_8));
            spool.append("b", "two".getBytes(UTF_8));
        }
        byte[] file = Files.readAllBytes(own.resolve(FIRST));
        cut(file, second(file) + 24);
        return file;
    }

    /** Returns where the second record of such a file begins. */
    private static int second(byte[] file) {
        int length =
                ByteBuffer.wrap(file)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getInt(SpoolLayout.RECORDS_OFFSET);
        return SpoolLayout.RECORDS_OFFSET + (int) SpoolLayout.recordBytes(length);
    }

    private static void cut(byte[] file, int from) {
        Arrays.fill(file, from, file.length, (byte) 0);
    }

    private static byte[] changed(byte[] file, int offset, int value) {
        byte[] copy = file.clone();
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, value);
        return copy;
    }

    private static List<String> contents(Spool spool) throws IOException {
        List<String> all = new ArrayList<>();
        for (Optional<Spool.Left> next = spool.nextLeft();
                next.isPresent();
                next = spool.nextLeft()) {
            all.add(next.get().document() + ": " + new String(next.get().content(), UTF_8));
        }
        return all;
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.toString().endsWith(".spool")).toList();
        }
    }

    private static byte[] golden() throws IOException {
        try (InputStream in = SpoolTest.class.getResourceAsStream("segment-1.hex")) {
            return HexFormat.of()
                    .parseHex(new String(in.readAllBytes(), UTF_8).replaceAll("\\s", ""));
        }
    }
}
