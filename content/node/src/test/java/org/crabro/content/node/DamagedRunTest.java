package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.backup.BackupAttachments;
import org.crabro.content.storage.backup.BackupRefusedException;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.partition.ColdFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of two runs cannot be read: the other is still served, and each reply reports the damage. */
class DamagedRunTest {
    private static final String RUN = "partitions/00/1.run";
    private static final QueryNode TITLE =
            new QueryNode.Term("title", "hello", TermSettings.DEFAULT);

    @TempDir Path directory;

    @Test
    void leavesOutABlockWithAFlippedByte() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("alpha"));

            SearchReply.Found reply = search(node, TITLE);

            assertThat(reply.totalCount()).isEqualTo(5);
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(5, 10, false));
            assertThat(reply.report().warnings())
                    .anyMatch(text -> text.startsWith("Left out 5 documents: " + RUN + " at "))
                    .anyMatch(text -> text.contains("column 'title' as "));
            assertThat(failure(node, "first0")).startsWith(RUN + " at ");
            assertThat(node.get(id("second0"))).isInstanceOf(GetReply.Found.class);
        }
    }

    /** The rows of a damaged block may be those of other groups. */
    @Test
    void countsNoUnreadableRowsForAPrincipalThatIsLimited() throws IOException {
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("first"));
            put(node, "first0", "hello gamma");
            SearchRequest all = node.request("mail", TITLE, new Scope.Group("anna"), 20);

            SearchReply reply =
                    node.node()
                            .search(
                                    new SearchRequest(
                                            new RequestHeader(
                                                    anna,
                                                    all.header().stateVersion(),
                                                    all.header().deadline()),
                                            new SearchScope(
                                                    List.of(0),
                                                    "mail",
                                                    all.scope().documents(),
                                                    List.of()),
                                            all.query(),
                                            all.hits(),
                                            all.grouping(),
                                            all.reply()));

            assertThat(reply).isInstanceOf(SearchReply.Found.class);
            SearchReport report = ((SearchReply.Found) reply).report();
            assertThat(report.coverage()).isEqualTo(new Coverage(6, 7, false));
            assertThat(report.warnings())
                    .isNotEmpty()
                    .allMatch(text -> text.startsWith("Left out documents: " + RUN));
            assertThat(report.trace()).isEmpty();
        }
    }

    @Test
    void leavesOutHitsThatCannotBeShown() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("alpha"));

            SearchReply.Found reply = search(node, new QueryNode.All());

            assertThat(reply.totalCount()).isEqualTo(10);
            assertThat(reply.hits())
                    .hasSize(5)
                    .allMatch(hit -> hit.id().user().startsWith("second"));
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(5, 10, false));
            assertThat(reply.report().warnings()).anyMatch(text -> text.contains(RUN + " at "));
        }
    }

    @Test
    void leavesOutWhatTheDeviceDoesNotRead() throws IOException {
        var files = new ColdFiles(new MemoryLogFiles());
        try (NodeFixture node = NodeFixture.open(settings(), files)) {
            fill(node, () -> {});
            files.evict();
            files.breakFrom(RUN, 0);

            SearchReply.Found reply = search(node, TITLE);

            assertThat(reply.totalCount()).isEqualTo(5);
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(5, 10, false));
            assertThat(reply.report().warnings())
                    .containsExactly(
                            "Left out 5 documents: "
                                    + RUN
                                    + " at 0: expected 4096 bytes that can be read, found"
                                    + " Input/output error");
            assertThat(failure(node, "first0")).startsWith(RUN + " at ");
            assertThat(node.get(id("second0"))).isInstanceOf(GetReply.Found.class);
        }
    }

    @Test
    void leavesOutRowsWhoseKeysAreDamagedWhenOthersTieWithThem() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("first"));

            SearchReply.Found reply = search(node, new QueryNode.All(), new Scope.Everything(), 3);

            assertThat(reply.hits())
                    .extracting(hit -> hit.id().user())
                    .containsExactly("second0", "second1", "second2");
            assertThat(reply.totalCount()).isEqualTo(5);
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(5, 10, false));
            assertThat(reply.report().warnings())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("Left out 5 documents: " + RUN + " at ");
        }
    }

    @Test
    void beginsAgainWithoutRowsInWhoseKeysOthersFindDamage() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> {});
            // Alone in the newest run, it is among the best hits before its key is read.
            put(node, "third0", "hello gamma");
            node.flush();
            flip("partitions/00/3.run", "third");

            SearchReply.Found reply = search(node, new QueryNode.All(), new Scope.Everything(), 3);

            assertThat(reply.hits())
                    .extracting(hit -> hit.id().user())
                    .containsExactly("first0", "first1", "first2");
            assertThat(reply.totalCount()).isEqualTo(10);
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(10, 11, false));
            assertThat(reply.report().warnings())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("Left out 1 documents: partitions/00/3.run at ");
        }
    }

    @Test
    void leavesOutABlockOfWhichNobodyCanTellWhichRowsWereReplaced() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("first"));
            put(node, "first0", "hello gamma");

            SearchReply.Found reply = search(node, new QueryNode.All());

            assertThat(reply.hits())
                    .extracting(hit -> hit.id().user())
                    .containsExactlyInAnyOrder(
                            "first0", "second0", "second1", "second2", "second3", "second4");
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(6, 11, false));
            assertThat(reply.report().warnings())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("Left out 5 documents: " + RUN + " at ");
        }
    }

    /**
     * Writes must continue if keys are damaged: the new run records the blocks that it could not
     * search.
     */
    @Test
    void flushesRowsOfWhichNobodyCanTellWhatTheyReplace() throws IOException {
        List<String> left =
                List.of("first0", "second0", "second1", "second2", "second3", "second4");
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("first"));
            put(node, "first0", "hello gamma");
            node.flush();

            SearchReply.Found reply = search(node, new QueryNode.All());

            assertThat(reply.hits())
                    .extracting(hit -> hit.id().user())
                    .containsExactlyInAnyOrderElementsOf(left);
            assertThat(node.get(id("first0"))).isInstanceOf(GetReply.Found.class);
            assertThat(failure(node, "first1")).startsWith(RUN + " at ");
            // The file is restored: the next start searches again for the rows that the newer run
            // replaces.
            flip("girst");
        }
        try (NodeFixture node = NodeFixture.open(settings())) {
            node.activate(StoredMails.model());

            SearchReply.Found found = search(node, new QueryNode.All());

            assertThat(found.report().coverage()).isEqualTo(new Coverage(10, 10, false));
            assertThat(found.hits()).hasSize(10);
            assertThat(node.get(id("first1"))).isInstanceOf(GetReply.Found.class);
        }
    }

    @Test
    void startsWithoutARunWhoseFooterIsDamaged() throws IOException {
        String run = "partitions/00/2.run";
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> {});
            put(node, "second9", "hello gamma");
            node.flush();
        }
        Path file = directory.resolve(run);
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        damaged[whole.length - 192 + 150] ^= 1;
        Files.write(file, damaged);
        try (NodeFixture node = NodeFixture.open(settings())) {
            node.activate(StoredMails.model());

            SearchReply.Found reply = search(node, new QueryNode.All());

            // The rows of the older run that this run replaces are unknown.
            assertThat(reply.hits()).extracting(hit -> hit.id().user()).containsExactly("second9");
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(1, 11, false));
            assertThat(reply.report().warnings())
                    .anyMatch(text -> text.startsWith("Left out 5 documents: " + run + " at "));
            assertThat(failure(node, "first0")).startsWith(run + " at ");
            assertThat(failure(node, "second0")).startsWith(run + " at ");
            assertThat(node.get(id("second9"))).isInstanceOf(GetReply.Found.class);
            VisitReply visited =
                    node.node().visit(VisitedNode.all(List.of(Mails.TYPE), new VisitForm.Ids()));
            assertThat(visited).isInstanceOf(VisitReply.Failed.class);
            assertThat(((VisitReply.Failed) visited).reason()).startsWith(run + " at ");
            assertThat(node.node().health().failure()).isEmpty();
            assertThat(node.node().health().problems())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("runs set aside until the next start: " + run + " at ");
            assertThat(node.node().setAsideFiles()).isOne();
            assertThatExceptionOfType(BackupRefusedException.class)
                    .isThrownBy(() ->
                            node.node()
                                    .backup(
                                            directory.resolveSibling(
                                                    directory.getFileName() + "-backup"),
                                            BackupAttachments.NONE))
                    .withMessageContaining(run);

            // A document of the damaged run is written again and removed.
            put(node, "second0", "hello delta");
            assertThat(node.get(id("second0"))).isInstanceOf(GetReply.Found.class);
            node.flush();
        }
        assertThat(file).hasBinaryContent(damaged);

        Files.write(file, whole);
        try (NodeFixture node = NodeFixture.open(settings())) {
            node.activate(StoredMails.model());

            SearchReply.Found found = search(node, new QueryNode.All());

            assertThat(found.report().coverage()).isEqualTo(new Coverage(11, 11, false));
            assertThat(found.hits()).hasSize(11);
            assertThat(node.node().health().problems()).isEmpty();
        }
    }

    /**
     * The rows of the run are unreadable; the rows that it replaces are known, and its filter
     * works.
     */
    @Test
    void leavesOutTheRowsOfARunWhoseIndexIsDamaged() throws IOException {
        String run = "partitions/00/2.run";
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> {});
        }
        Path file = directory.resolve(run);
        byte[] damaged = Files.readAllBytes(file);
        long index =
                ByteBuffer.wrap(damaged)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong(damaged.length - 192);
        damaged[(int) index + 20] ^= 1;
        Files.write(file, damaged);
        try (NodeFixture node = NodeFixture.open(settings())) {
            node.activate(StoredMails.model());

            SearchReply.Found reply = search(node, new QueryNode.All());

            assertThat(reply.hits())
                    .hasSize(5)
                    .allMatch(hit -> hit.id().user().startsWith("first"));
            assertThat(reply.report().coverage()).isEqualTo(new Coverage(5, 10, false));
            assertThat(reply.report().warnings())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("Left out 5 documents: " + run + " at " + index);
            assertThat(node.get(id("first0"))).isInstanceOf(GetReply.Found.class);
            assertThat(failure(node, "second0")).startsWith(run + " at ");
            assertThat(node.get(id("third0"))).isInstanceOf(GetReply.Missing.class);
        }
    }

    @Test
    void doesNotReadAgainWhatIsKnownToBeDamaged() throws IOException {
        try (NodeFixture node = NodeFixture.open(settings())) {
            fill(node, () -> flip("alpha"));
            List<String> first = search(node, TITLE).report().warnings();
            // The file is restored.
            flip("`lpha");

            List<String> second = search(node, TITLE).report().warnings();

            assertThat(second).isNotEmpty().isEqualTo(first);
            assertThat(node.node().scrubStatistics().damagedFiles()).isEqualTo(1);
        }
    }

    /** The operation between the first run and the second. */
    private interface Damage {
        void apply() throws IOException;
    }

    /** Writes two runs of five documents. */
    private static void fill(NodeFixture node, Damage damage) throws IOException {
        node.activate(StoredMails.model());
        for (String name : List.of("first", "second")) {
            // A word that does not occur in ids, some pages away from them.
            String title = "hello " + otherWords() + (name.equals("first") ? " alpha" : " beta");
            for (int i = 0; i < 5; i++) {
                put(node, name + i, title);
            }
            node.flush();
        }
        damage.apply();
    }

    private static String otherWords() {
        var random = new Random(1);
        return IntStream.range(0, 4_000)
                .mapToObj(_ -> "w" + random.nextInt(1 << 24))
                .collect(Collectors.joining(" "));
    }

    private static void put(NodeFixture node, String user, String title) {
        assertThat(node.put(id(user), Map.of("title", new FieldValue.StringValue(title))))
                .isInstanceOf(WriteReply.Stored.class);
    }

    /** Flips a bit of a text wherever it is in the first run. */
    private void flip(String text) throws IOException {
        flip(RUN, text);
    }

    private void flip(String path, String text) throws IOException {
        Path run = directory.resolve(path);
        byte[] bytes = Files.readAllBytes(run);
        String all = new String(bytes, ISO_8859_1);
        try (var file = FileChannel.open(run, StandardOpenOption.WRITE)) {
            for (int at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
                file.write(ByteBuffer.wrap(new byte[] {(byte) (bytes[at] ^ 1)}), at);
            }
        }
    }

    private static SearchReply.Found search(NodeFixture node, QueryNode tree) {
        return search(node, tree, new Scope.Group("anna"), 20);
    }

    private static SearchReply.Found search(
            NodeFixture node, QueryNode tree, Scope scope, int hits) {
        return StoredMails.search(node, tree, scope, hits);
    }

    private static String failure(NodeFixture node, String user) {
        GetReply reply = node.get(id(user));
        assertThat(reply).isInstanceOf(GetReply.Failed.class);
        return ((GetReply.Failed) reply).reason();
    }

    private static DocumentId id(String user) {
        return DocumentId.parse("id:post:mail:g=anna:" + user);
    }

    /**
     * Returns settings of a node with one partition, which checks stored bytes and never merges.
     */
    private ContentSettings settings() {
        ContentSettings base = NodeFixture.settings(directory);
        // A merge would check the bytes before the test damages them. Checked bytes are not checked
        // again.
        return new ContentSettings(
                new NodePlace(directory, new Partitions(0), Set.of(0), 1),
                base.recent().withCompaction(CompactionSettings.DEFAULT.withAutomatic(false)),
                base.threads(),
                UpkeepSettings.DEFAULT.withFlushOnClose(false),
                base.memory(),
                base.scans());
    }
}
