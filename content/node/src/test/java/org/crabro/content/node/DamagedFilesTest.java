package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reaction of a start to one damaged file of the data. In every case, no file that has
 * documents is deleted, and no reply has a version that is not the newest.
 */
class DamagedFilesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /**
     * The result of the start, by file and damage.
     *
     * <ul>
     *   <li>{@code full}: it starts, and all documents exist.
     *   <li>{@code part}: it starts; missing documents are missing in coverage, gets of them fail,
     *       and health names the file.
     *   <li>{@code refused}: it does not start, names the file, and changes no documents. The next
     *       start does the same.
     * </ul>
     *
     * <p>The damage {@code swapped} replaces the file by that of another partition, {@code older}
     * by an earlier copy.
     */
    private static final String TABLE =
            """
            file                  missing  cut      zeroed   flipped  swapped  older
            version               refused  refused  refused  refused  -        -
            partitions.1          full     full     full     full     -        full
            partitions.*          full     refused  refused  refused  -        full
            schemas/*             refused  refused  refused  refused  -        -
            partitions/*          refused  refused  refused  refused  refused  refused
            partitions/01/*       refused  refused  refused  refused  refused  refused
            .../01/identity       full     full     full     full     refused  -
            .../01/manifest.1     full     full     full     full     refused  full
            .../01/manifest.*     refused  refused  refused  refused  refused  refused
            .../01/1.run          refused  part     part     part     part     -
            .../01/2.run          refused  part     part     part     part     -
            journal/*             refused  refused  refused  refused  -        refused
            journal/first         refused  refused  refused  refused  -        refused
            journal/last          refused  refused  refused  refused  -        refused
            """;

    private static final int FLIPS = 40;
    private static final JournalSettings JOURNAL =
            new JournalSettings(1 << 20, 16 << 10, 4, Duration.ofHours(1), 1_000, 1 << 20);

    private static final Map<DocumentId, String> MODEL = new HashMap<>();
    private static Map<String, byte[]> older = Map.of();
    private static Map<String, byte[]> crashed = Map.of();
    private static Map<String, byte[]> whole = Map.of();

    @TempDir Path directory;

    @BeforeAll
    static void write() throws IOException {
        var files = new MemoryLogFiles();
        try (NodeFixture node = open(files)) {
            putAll(node, 0, 20, 1);
            node.flush();
            putAll(node, 0, 5, 2);
        }
        older = contents(files);
        try (NodeFixture node = open(files)) {
            putAll(node, 15, 25, 3);
            node.flush();
            putAll(node, 10, 30, 4);
            crashed = contents(files);
        }
        whole = contents(files);
    }

    private static void putAll(NodeFixture node, int from, int to, int version) {
        for (int i = from; i < to; i++) {
            for (int partition = 0; partition < 2; partition++) {
                String title = "v%d ".formatted(version) + "x".repeat(900);
                StoredMails.put(node, StoredMails.group(partition), i, title);
                MODEL.put(StoredMails.id(StoredMails.group(partition), i), title);
            }
        }
    }

    static Stream<Arguments> cases() {
        List<String> lines = TABLE.lines().toList();
        List<String> damages = cells(lines.getFirst());
        List<Arguments> cases = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            for (int i = 1; i < cells.size(); i++) {
                if (!cells.get(i).equals("-")) {
                    cases.add(Arguments.of(cells.getFirst(), damages.get(i), cells.get(i)));
                }
            }
        }
        return cases.stream();
    }

    private static List<String> cells(String line) {
        return Pattern.compile(" +").splitAsStream(line).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void doesWhatTheTableSays(String file, String damage, String expected) throws IOException {
        List<String> paths = paths(file.replace("...", "partitions"));
        Map<String, byte[]> damaged = new TreeMap<>(whole);
        for (String path : paths) {
            damaged.remove(path);
            damaged(whole, path, damage).ifPresent(bytes -> damaged.put(path, bytes));
        }
        assertThat(paths).isNotEmpty();
        assertThat(isSame(damaged, whole)).isFalse();
        MemoryLogFiles files = filesOf(damaged);

        // The second start reads the files that the first has left.
        for (int start = 1; start <= 2; start++) {
            assertThat(outcome(files, paths)).as("start %d", start).isEqualTo(expected);
            checkPreserved(damaged, contents(files), expected);
        }
    }

    /**
     * The files of a process that was killed. Damage of the last writes looks like the crash, so
     * the start continues without them ({@code tail}). A missing file of the journal does not.
     */
    @ParameterizedTest
    @CsvSource({"missing, refused", "cut, tail", "zeroed, refused", "flipped, tail"})
    void startsWithoutTheLastWritesAfterACrash(String damage, String expected) throws IOException {
        List<String> paths = paths("journal/last");
        String path = paths.getFirst();
        Map<String, byte[]> damaged = new TreeMap<>(crashed);
        damaged.remove(path);
        damaged(crashed, path, damage).ifPresent(bytes -> damaged.put(path, bytes));
        MemoryLogFiles files = filesOf(damaged);

        assertThat(outcome(filesOf(crashed), paths)).isEqualTo("full");
        assertThat(outcome(files, paths)).isEqualTo(expected);
        assertThat(files.list("lost+found/leftovers")).hasSize(expected.equals("tail") ? 1 : 0);
    }

    /** Returns the files of a line of the table. */
    private static List<String> paths(String file) {
        List<String> segments =
                whole.keySet().stream().filter(path -> path.startsWith("journal/")).toList();
        return switch (file) {
            case "journal/first" -> List.of(segments.getFirst());
            case "journal/last" -> List.of(segments.getLast());
            default -> {
                String start = file.endsWith("*") ? file.substring(0, file.length() - 1) : file;
                yield whole.keySet().stream().filter(path -> path.startsWith(start)).toList();
            }
        };
    }

    /** Returns the content of a file after the damage; empty if it is missing. */
    private static Optional<byte[]> damaged(Map<String, byte[]> from, String path, String damage) {
        byte[] bytes = Objects.requireNonNull(from.get(path));
        int third = bytes.length / 3;
        return switch (damage) {
            case "missing" -> Optional.empty();
            case "cut" -> Optional.of(Arrays.copyOf(bytes, third));
            case "zeroed" -> Optional.of(new byte[bytes.length]);
            case "flipped" -> {
                byte[] flipped = bytes.clone();
                flipped[third] ^= 1;
                yield Optional.of(flipped);
            }
            case "swapped" ->
                    Optional.ofNullable(whole.get(path.replace("partitions/01", "partitions/00")));
            case "older" -> Optional.ofNullable(older.get(path));
            default -> throw new IllegalArgumentException(damage);
        };
    }

    private static String outcome(MemoryLogFiles files, List<String> paths) throws IOException {
        try (NodeFixture node = open(files)) {
            int lacking = 0;
            int failed = 0;
            for (var document : MODEL.entrySet()) {
                switch (node.get(document.getKey())) {
                    case GetReply.Found(var stored, _) ->
                            assertThat(stored.fields().get("title"))
                                    .isEqualTo(new FieldValue.StringValue(document.getValue()));
                    case GetReply.Missing() -> lacking++;
                    default -> failed++;
                }
            }
            SearchReply.Found searchResult =
                    StoredMails.search(
                            node, new QueryNode.All(), new Scope.Everything(), 2 * MODEL.size());
            for (SearchHit hit : searchResult.hits()) {
                assertThat(hit.summary().get("title"))
                        .isEqualTo(
                                new FieldValue.StringValue(
                                        Objects.requireNonNull(MODEL.get(hit.id()))));
            }
            long hits = searchResult.hits().stream().map(SearchHit::id).distinct().count();
            assertThat(searchResult.hits()).hasSize((int) hits);
            assertThat(searchResult.totalCount()).isEqualTo(hits);
            boolean isCovered =
                    searchResult.report().coverage().documents()
                            == searchResult.report().coverage().total();
            if (lacking > 0) {
                // Only the writes at the journal's end, which a crash may have cut off.
                assertThat(hits).isEqualTo(MODEL.size() - lacking);
                return failed == 0 && isCovered ? "tail" : "some and the tail";
            }
            if (failed == 0 && hits == MODEL.size()) {
                assertThat(isCovered).isTrue();
                return "full";
            }
            assertThat(isCovered).isFalse();
            assertThat(hits).isPositive();
            assertThat(node.node().health().problems()).anyMatch(each -> names(each, paths));
            return "part";
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            assertThat(names(message, paths)).as("%s of %s", message, paths).isTrue();
            return "refused";
        }
    }

    /** Returns whether a text names one of the files, or its directory. */
    private static boolean names(String text, List<String> paths) {
        return paths.stream()
                .anyMatch(path ->
                        text.contains(path)
                                || (path.contains("/")
                                        && text.contains(
                                                path.substring(0, path.lastIndexOf('/')))));
    }

    /** Checks that no file with documents was deleted without a report of its new place. */
    private static void checkPreserved(
            Map<String, byte[]> before, Map<String, byte[]> after, String outcome) {
        before.forEach((path, bytes) -> {
            boolean isSame = Arrays.equals(bytes, after.get(path));
            boolean isInUse = path.startsWith("journal/") && !outcome.equals("refused");
            if (path.startsWith("partitions.") || path.endsWith("/identity") || isInUse) {
                assertThat(after).containsKey(path);
            } else if (path.contains("/manifest.")) {
                assertThat(isSame || isKept(bytes, after)).as(path).isTrue();
            } else {
                assertThat(isSame || isZero(bytes)).as(path).isTrue();
            }
        });
    }

    /** Returns whether a file, also in {@code lost+found}, begins with the bytes. */
    private static boolean isKept(byte[] bytes, Map<String, byte[]> files) {
        return files.values().stream()
                .anyMatch(each ->
                        each.length >= bytes.length
                                && Arrays.equals(bytes, 0, bytes.length, each, 0, bytes.length));
    }

    private static boolean isZero(byte[] bytes) {
        return Arrays.equals(bytes, new byte[bytes.length]);
    }

    private static boolean isSame(Map<String, byte[]> some, Map<String, byte[]> others) {
        return some.keySet().equals(others.keySet())
                && some.entrySet().stream()
                        .allMatch(
                                file -> Arrays.equals(file.getValue(), others.get(file.getKey())));
    }

    /** Runs and the journal's batches have a checksum for every byte. */
    @Test
    void givesNoWrongAnswerWhicheverBitIsFlipped() throws IOException {
        var random = new Random(SEED);
        List<String> paths = List.copyOf(whole.keySet());
        for (int i = 0; i < FLIPS; i++) {
            String path = paths.get(random.nextInt(paths.size()));
            byte[] bytes = Objects.requireNonNull(whole.get(path)).clone();
            int offset = random.nextInt(bytes.length);
            bytes[offset] ^= (byte) (1 << random.nextInt(8));
            Map<String, byte[]> damaged = new TreeMap<>(whole);
            damaged.put(path, bytes);

            String outcome = outcome(filesOf(damaged), List.of(path));

            assertThat(outcome)
                    .as("%s at %d, seed %d", path, offset, SEED)
                    .isIn("full", "part", "refused");
        }
    }

    @Test
    void startsWithoutItsLockFile() throws IOException {
        StoredMails.open(directory).close();
        Path lock = directory.resolve("lock");
        assertThat(lock).exists();
        Files.delete(lock);
        StoredMails.open(directory).close();

        Files.writeString(lock, "other bytes");

        StoredMails.open(directory).close();
    }

    /** Opens a node whose writes take several segments of the journal. */
    private static NodeFixture open(MemoryLogFiles files) throws IOException {
        ContentSettings settings = NodeFixture.settings();
        return NodeFixture.open(settings.withRecent(settings.recent().withJournal(JOURNAL)), files)
                .serving(StoredMails.model());
    }

    private static MemoryLogFiles filesOf(Map<String, byte[]> contents) throws IOException {
        var files = new MemoryLogFiles();
        for (var each : contents.entrySet()) {
            try (LogFiles.LogFile file = files.create(each.getKey())) {
                file.write(ByteBuffer.wrap(each.getValue()), 0);
            }
        }
        return files;
    }

    private static Map<String, byte[]> contents(LogFiles files) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        addContents(files, "", contents);
        return contents;
    }

    private static void addContents(LogFiles files, String directory, Map<String, byte[]> into)
            throws IOException {
        for (String name : files.list(directory)) {
            String path = directory.isEmpty() ? name : directory + "/" + name;
            if (!files.list(path).isEmpty()) {
                addContents(files, path, into);
                continue;
            }
            try (LogFiles.LogFile file = files.open(path)) {
                ByteBuffer all = ByteBuffer.allocate((int) file.size());
                file.read(all, 0);
                into.put(path, all.array());
            }
        }
    }
}
