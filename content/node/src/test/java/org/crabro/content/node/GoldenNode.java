package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.ScanLimits;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.integrity.ScrubSettings;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.LocationKey;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;

/** A node over a golden data directory, with the golden package active. */
final class GoldenNode implements AutoCloseable {
    static final Partitions PARTITIONS = new Partitions(2);

    private static final List<String> PACKAGE =
            List.of("services.xml", "schemas/mail.sd", "schemas/note.sd");
    private static final List<String> SEARCHED =
            List.of("mail.title.apple", "mail.body.größer", "mail.tags.red", "note.text.cherry");
    private static final List<String> WORDS =
            List.of("apple", "banana", "cherry", "größer", "Zürich", "naïve", "tree", "sky", "日本");
    private static final List<String> GROUPS =
            List.of("g=anna:", "g=bob:", "g=carl:", "n=7:", "n=1234567890:", ":");

    private final NodeFixture node;
    private final ApplicationModel model;

    private GoldenNode(NodeFixture node, ApplicationModel model) {
        this.node = node;
        this.model = model;
    }

    static GoldenNode open(Path data, Path unpacked) throws IOException {
        return open(data, unpacked, true);
    }

    /**
     * Opens a node that does not flush when it is closed.
     *
     * @param unpacked a directory for the package
     * @param isLater whether mails have the field that was added later
     */
    static GoldenNode open(Path data, Path unpacked, boolean isLater) throws IOException {
        ApplicationModel model = model(unpacked, isLater);
        return new GoldenNode(NodeFixture.open(settings(data)).serving(model), model);
    }

    ContentNode node() {
        return node.node();
    }

    static CompactionSettings merging(long fileBytes) {
        return new CompactionSettings(
                false, 2, 6, fileBytes, 32L << 20, Duration.ofDays(14), Duration.ofDays(30));
    }

    static RecentSettings recent(CompactionSettings merging) {
        return RecentSettings.DEFAULT
                .withFeed(FeedLimits.DEFAULT.withReservedBytes(0))
                .withCompaction(merging);
    }

    static ContentSettings settings(Path data) {
        return new ContentSettings(
                new NodePlace(data, PARTITIONS, Set.of(0, 1, 2, 3), 1),
                recent(merging(1 << 20)),
                new ThreadSettings(1, 10, 1, 1),
                new UpkeepSettings(false, ScrubSettings.NONE, IndexSettings.NONE),
                new MemorySettings(1 << 20, 1 << 20, 16L << 20, 64L << 20, 1_000),
                ScanLimits.DEFAULT);
    }

    private static ApplicationModel model(Path unpacked, boolean isLater) throws IOException {
        for (String path : PACKAGE) {
            Path file = unpacked.resolve(path);
            Files.createDirectories(file.resolve("..").normalize());
            try (InputStream text = GoldenData.resource("application/" + path)) {
                List<String> lines = new String(text.readAllBytes(), UTF_8).lines().toList();
                Files.write(
                        file,
                        lines.stream()
                                .filter(line -> isLater || !line.strip().startsWith("field since"))
                                .toList());
            }
        }
        return ApplicationCompiler.compile(DirectoryFiles.of(unpacked), 1).model();
    }

    /**
     * Puts documents of both types into every group; their numbers are also those of earlier
     * rounds.
     */
    void feed(int round, int count) {
        var random = new Random(round);
        for (int i = 0; i < count; i++) {
            String group = GROUPS.get(random.nextInt(GROUPS.size()));
            int number = random.nextInt(20);
            boolean isMail = random.nextInt(4) > 0;
            operate(
                    isMail
                            ? mail("id:golden:mail:" + group + number, round, random)
                            : note("id:golden:note:" + group + number, round, random));
        }
    }

    private static String mail(String id, int round, Random random) {
        var fields = new ArrayList<String>();
        String words = words(random, 4);
        fields.add("\"title\":\"round %d %s\"".formatted(round, words));
        fields.add("\"body\":\"%s\"".formatted(words(random, random.nextInt(60))));
        fields.add("\"tags\":[\"red %s\",\"blue\"]".formatted(words(random, 1)));
        fields.add("\"lang\":\"%s\"".formatted(random.nextBoolean() ? "de" : "en"));
        fields.add("\"size\":%d".formatted(random.nextInt()));
        fields.add("\"sent\":%d".formatted(random.nextLong()));
        if (random.nextBoolean()) {
            fields.add("\"read\":%b".formatted(random.nextBoolean()));
            fields.add("\"flag\":%d".formatted(random.nextInt(100) - 50));
            fields.add("\"half\":%d.5".formatted(random.nextInt(100)));
            fields.add("\"price\":%d.25".formatted(random.nextInt(1_000)));
            fields.add("\"weight\":-%d.125".formatted(random.nextInt(1_000)));
        }
        if (random.nextBoolean()) {
            fields.add("\"labels\":{\"x\":1,\"%s\":-7}".formatted(words(random, 1)));
            fields.add("\"counts\":{\"one\":1,\"n\":%d}".formatted(random.nextInt(50)));
            fields.add("\"sender\":{\"name\":\"Ann\",\"age\":%d}".formatted(random.nextInt(99)));
            fields.add("\"people\":[{\"name\":\"Bob\"},{\"age\":%d}]".formatted(random.nextInt(9)));
            fields.add("\"link\":\"https://example.org/%d\"".formatted(random.nextInt(9)));
            fields.add("\"blob\":\"Y3JhYnJv\"");
            fields.add("\"place\":{\"lat\":47.5,\"lng\":%d.25}".formatted(random.nextInt(90)));
            fields.add("\"note\":\"id:golden:note::%d\"".formatted(random.nextInt(20)));
        }
        if (random.nextBoolean()) {
            fields.add("\"vector\":[1,-0.5,%d,0]".formatted(random.nextInt(9)));
            fields.add("\"codes\":[1,2,3,4,5,6,7,%d]".formatted(random.nextInt(127)));
            fields.add(
                    "\"sparse\":{\"blocks\":{\"a\":[1,2],\"b\":[%d,4]}}"
                            .formatted(random.nextInt(9)));
        }
        if (round > 2) {
            fields.add("\"since\":%d".formatted(random.nextInt()));
        }
        return "{\"put\":\"%s\",\"fields\":{%s}}".formatted(id, String.join(",", fields));
    }

    private static String note(String id, int round, Random random) {
        return "{\"put\":\"%s\",\"fields\":{\"text\":\"round %d %s\",\"time\":%d}}"
                .formatted(id, round, words(random, 5), random.nextLong());
    }

    private static String words(Random random, int count) {
        var words = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            words.add(WORDS.get(random.nextInt(WORDS.size())));
        }
        return String.join(" ", words);
    }

    void update(int round, int count) {
        var random = new Random(round);
        for (int i = 0; i < count; i++) {
            String id = "id:golden:mail:" + GROUPS.get(random.nextInt(2)) + random.nextInt(20);
            operate(
                    "{\"update\":\"%s\",\"fields\":{\"size\":{\"assign\":%d}}}"
                            .formatted(id, random.nextInt(100)));
        }
    }

    void removeSome(int count) {
        var random = new Random(count);
        for (int i = 0; i < count / 4; i++) {
            String group = GROUPS.get(random.nextInt(GROUPS.size()));
            operate("{\"remove\":\"id:golden:mail:%s%d\"}".formatted(group, i % 20));
        }
    }

    private void operate(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        var operation =
                new OperationReader(types(), false)
                        .read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED)
                        .operation();
        WriteReply reply = node.feed(operation.operation());
        if (!(reply instanceof WriteReply.Stored || reply instanceof WriteReply.Missing)) {
            throw new AssertionError(json + ": " + reply);
        }
    }

    void removeGroup(String type, LocationKey group) {
        WriteReply reply = node.removeGroup(type, group);
        if (!(reply instanceof WriteReply.Stored)) {
            throw new AssertionError(reply);
        }
    }

    private List<DocumentType> types() {
        return model.schemas().values().stream().map(Schema::documentType).toList();
    }

    /** Returns every document as JSON, and the ids that some searches find, as sorted lines. */
    String contents() {
        Set<String> lines = new TreeSet<>();
        for (int partition = 0; partition < PARTITIONS.count(); partition++) {
            Optional<DocumentId> after = Optional.empty();
            do {
                VisitReply reply = node.node().visit(visit(partition, after));
                if (!(reply
                        instanceof
                        VisitReply.Page(VisitReply.Contents.Json(var text), _, var last, _))) {
                    throw new AssertionError(reply);
                }
                UTF_8.decode(text).toString().lines().forEach(lines::add);
                after = last;
            } while (after.isPresent());
        }
        var all = new ArrayList<>(lines);
        for (String searched : SEARCHED) {
            String[] parts = searched.split("\\.", 3);
            all.add(searched + ": " + search(parts[0], parts[1], parts[2]));
        }
        return String.join("\n", all) + "\n";
    }

    private VisitRequest visit(int partition, Optional<DocumentId> after) {
        var fields = new LinkedHashMap<String, List<String>>();
        types().forEach(type ->
                fields.put(type.name(), type.fields().stream().map(Field::name).toList()));
        return new VisitRequest(
                node.header(),
                new VisitScope(partition, "", VisitSlice.ALL, after, 0, Long.MAX_VALUE),
                fields,
                true,
                new VisitForm.Json(VisitForm.Style.LINES, TensorFormat.SHORT, true),
                new PageLimits(1_000, 1 << 20));
    }

    private List<String> search(String type, String field, String word) {
        SearchReply.Found reply =
                node.search(
                        type,
                        new QueryNode.Term(field, word, TermSettings.DEFAULT),
                        new Scope.Everything(),
                        1_000);
        if (!reply.report().warnings().isEmpty()) {
            throw new AssertionError(reply);
        }
        return reply.hits().stream().map(hit -> hit.id().toString()).sorted().toList();
    }

    @Override
    public void close() {
        node.close();
    }
}
