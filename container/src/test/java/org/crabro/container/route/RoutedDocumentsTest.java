package org.crabro.container.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class RoutedDocumentsTest {
    private static final DocumentType NOTE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("year", Primitive.LONG, true),
                            new Field("votes", Primitive.LONG, true)));
    private static final DocumentId ID = DocumentId.parse("id:ns:note::1");
    private static final DocumentId OF_ANNA = DocumentId.parse("id:ns:note:g=anna:1");

    private final Map<String, ClusterMap> clusters = new LinkedHashMap<>();
    private RoutedDocuments routed = routed(Map.of("hot", "", "cold", ""));

    /** Returns documents of clusters by their selections; names are sorted. */
    private RoutedDocuments routed(Map<String, String> selections) {
        clusters.clear();
        var contents = new ArrayList<ContentCluster>();
        selections.keySet().stream()
                .sorted((a, b) -> b.compareTo(a))
                .forEach(name -> {
                    clusters.put(name, new ClusterMap(NOTE, 1_000_000L * (clusters.size() + 1)));
                    contents.add(
                            new ContentCluster(
                                    name,
                                    List.of(
                                            new ClusterDocument(
                                                    "note",
                                                    Mode.STREAMING,
                                                    false,
                                                    selections.getOrDefault(name, "")))));
                });
        var model =
                new ApplicationModel(
                        1,
                        new Services(List.of(), contents),
                        Map.of("note", new Schema("note", NOTE, new LinkedHashMap<>())));
        routed =
                new RoutedDocuments(
                        model,
                        (cluster, _) -> cluster(cluster),
                        new CopyLocks(),
                        () -> Instant.ofEpochSecond(100));
        return routed;
    }

    private ClusterMap cluster(String name) {
        return Objects.requireNonNull(clusters.get(name), name);
    }

    private static Document note(DocumentId id, long year) {
        return new Document(id, Map.of("year", new FieldValue.LongValue(year)));
    }

    private static DocumentOperation put(DocumentId id, long year) {
        return new DocumentOperation.Put(note(id, year));
    }

    private static DocumentOperation update(DocumentId id, String field, long value) {
        return new DocumentOperation.Update(
                id,
                List.of(
                        FieldUpdate.of(
                                field, new FieldChange.Assign(new FieldValue.LongValue(value)))));
    }

    private WriteResult write(DocumentOperation operation) {
        return write(ConditionalOperation.always(operation));
    }

    private WriteResult write(ConditionalOperation operation) {
        return routed.write(Principal.EVERYONE, ClusterMap.later(), operation);
    }

    private Optional<Document> read(DocumentId id) {
        try (var hold = new ReadHold()) {
            return routed.read(Principal.EVERYONE, ClusterMap.later(), id, hold)
                            instanceof ReadReply.Answered(GetReply.Found(Document stored, _))
                    ? Optional.of(stored)
                    : Optional.empty();
        }
    }

    private static Write.Row row(DocumentOperation operation) {
        return new Write.Row(
                0,
                operation.id(),
                RowEncoding.encode(
                        new Row(
                                operation.id(),
                                0,
                                NOTE.fingerprint(),
                                operation instanceof DocumentOperation.Remove,
                                operation instanceof DocumentOperation.Put(Document document)
                                        ? document.fields()
                                        : Map.of()),
                        NOTE));
    }

    private List<String> holding(DocumentId id) {
        return clusters.entrySet().stream()
                .filter(entry -> entry.getValue().documents().containsKey(id))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void aPutGoesToEveryClusterWhoseSelectionIsTrueOfIt() {
        routed(
                Map.of(
                        "new",
                        "note.year > 2000",
                        "old",
                        "note.year < 2010",
                        "other",
                        "note.votes > 1"));

        write(put(ID, 2005));
        write(put(OF_ANNA, 1990));

        assertThat(holding(ID)).containsExactly("old", "new");
        assertThat(holding(OF_ANNA)).containsExactly("old");
    }

    @Test
    void aPutThatNoClusterSelectsIsIgnored() {
        routed(Map.of("new", "note.year > 2000", "old", "note.year < 1900"));

        assertThat(write(put(ID, 1950))).isInstanceOf(WriteResult.Ignored.class);
        assertThat(holding(ID)).isEmpty();
    }

    @Test
    void updatesAndRemovesGoWhereTheSelectionIsNotDecidablyFalse() {
        routed(
                Map.of(
                        "anna", "id.group == \"anna\" and note.year > 2000",
                        "ben", "id.group == \"ben\"",
                        "old", "note.year < 1900"));
        for (ClusterMap cluster : clusters.values()) {
            cluster.documents().put(OF_ANNA, note(OF_ANNA, 2));
        }

        write(update(OF_ANNA, "year", 3));
        assertThat(cluster("anna").documents().get(OF_ANNA)).isEqualTo(note(OF_ANNA, 3));
        assertThat(cluster("old").documents().get(OF_ANNA)).isEqualTo(note(OF_ANNA, 3));
        assertThat(cluster("ben").documents().get(OF_ANNA)).isEqualTo(note(OF_ANNA, 2));

        write(new DocumentOperation.Remove(OF_ANNA));
        assertThat(holding(OF_ANNA)).containsExactly("ben");
    }

    @Test
    void aGetAsksTheClustersInOrderAndTheFirstThatHasTheDocumentAnswers() {
        routed(Map.of("x", "id.group == \"ben\"", "b", "", "a", ""));
        cluster("x").documents().put(OF_ANNA, note(OF_ANNA, 1));
        cluster("a").documents().put(OF_ANNA, note(OF_ANNA, 2));

        assertThat(read(OF_ANNA)).contains(note(OF_ANNA, 2));
        cluster("b").documents().put(OF_ANNA, note(OF_ANNA, 3));
        assertThat(read(OF_ANNA)).contains(note(OF_ANNA, 3));
        assertThat(read(ID)).isEmpty();
        assertThat(cluster("x").reads()).as("its selection is false of the ids").isZero();
        assertThat(cluster("a").reads()).as("the second was not needed").isEqualTo(2);
    }

    @Test
    void aGetFailsIfAClusterFailsAndNoOtherHasTheDocument() {
        cluster("hot").failReads(new GetReply.TimedOut());
        try (var hold = new ReadHold()) {
            assertThat(routed.read(Principal.EVERYONE, ClusterMap.later(), ID, hold))
                    .isEqualTo(new ReadReply.Answered(new GetReply.TimedOut()));
        }

        cluster("cold").documents().put(ID, note(ID, 1));
        assertThat(read(ID)).isPresent();
    }

    @Test
    void anUpdateThatOneClusterAppliesSucceeds() {
        cluster("cold").documents().put(ID, note(ID, 1));

        assertThat(write(update(ID, "year", 2)))
                .isInstanceOfSatisfying(
                        WriteResult.Answered.class,
                        answered ->
                                assertThat(answered.reply()).isInstanceOf(WriteReply.Stored.class));
        assertThat(write(update(OF_ANNA, "year", 2)))
                .isEqualTo(new WriteResult.Answered(new WriteReply.Missing()));
        assertThat(holding(ID)).containsExactly("cold");
    }

    @Test
    void anUpdateCreatesOnlyWhereTheCreatedDocumentIsSelected() {
        routed(Map.of("new", "note.year > 2000", "old", "note.year < 1900"));

        write(new ConditionalOperation(update(ID, "year", 2005), WriteCondition.NONE, true));
        WriteResult unselected =
                write(
                        new ConditionalOperation(
                                update(OF_ANNA, "votes", 1), WriteCondition.NONE, true));

        assertThat(holding(ID)).containsExactly("new");
        assertThat(unselected).isEqualTo(new WriteResult.Answered(new WriteReply.Missing()));
    }

    @Test
    void aConditionIsCheckedInEachCluster() {
        cluster("hot").documents().put(ID, note(ID, 1));
        cluster("cold").documents().put(ID, note(ID, 2));
        var onYear1 =
                new ConditionalOperation(
                        update(ID, "votes", 5), WriteCondition.of("note.year == 1"), false);

        assertThat(write(onYear1))
                .isEqualTo(new WriteResult.Answered(new WriteReply.ConditionNotMet(true)));
        assertThat(cluster("hot").documents().get(ID).fields()).containsKey("votes");
        assertThat(cluster("cold").documents().get(ID).fields()).doesNotContainKey("votes");

        cluster("cold").documents().remove(ID);
        assertThat(write(onYear1))
                .as("only one cluster has it")
                .isInstanceOf(WriteResult.Answered.class);
    }

    @Test
    void aFailureNamesTheClusterAndThoseThatHaveWritten() {
        cluster("cold").fail(new WriteReply.OutOfSpace("the disk is full"));
        assertThat(write(put(ID, 1)))
                .isEqualTo(
                        new WriteResult.Answered(
                                new WriteReply.OutOfSpace(
                                        "content cluster 'cold': the disk is full; the operation was carried out in 'hot'")));

        cluster("hot").fail(new WriteReply.Failed("the journal failed"));
        assertThat(write(put(OF_ANNA, 1)))
                .isEqualTo(
                        new WriteResult.Answered(
                                new WriteReply.Failed(
                                        "content cluster 'hot': the journal failed")));
        assertThat(holding(OF_ANNA)).as("not tried any more").isEmpty();
    }

    @Test
    void waitsForABusyClusterOnceAnotherHasWritten() {
        var busy = new WriteReply.Overloaded(Duration.ofMillis(1));
        cluster("cold").fail(busy, busy);
        write(put(ID, 1));
        assertThat(holding(ID)).containsExactly("hot", "cold");

        cluster("hot").fail(busy);
        assertThat(write(put(OF_ANNA, 1))).isEqualTo(new WriteResult.Answered(busy));
        assertThat(holding(OF_ANNA)).isEmpty();
    }

    @Test
    void rowsOfABatchGoToEachClusterAsCopies() {
        routed(Map.of("new", "note.year > 2000", "all", ""));
        List<WriteResult> replies =
                routed.write(
                        Principal.EVERYONE,
                        ClusterMap.later(),
                        List.of(
                                row(put(ID, 2001)),
                                row(put(OF_ANNA, 1)),
                                row(new DocumentOperation.Remove(OF_ANNA))));

        assertThat(replies).hasSize(3).allMatch(WriteResult.Answered.class::isInstance);
        assertThat(holding(ID)).containsExactly("new", "all");
        assertThat(holding(OF_ANNA)).isEmpty();
        assertThat(cluster("new").stampedTimestamp(ID)).isEqualTo(cluster("new").timestamp(ID));
        assertThat(cluster("all").stampedTimestamp(ID)).isEqualTo(cluster("all").timestamp(ID));
    }

    @Test
    void aBatchIsTooBusyIfOneClusterIs() {
        var busy = new WriteReply.Overloaded(Duration.ofMillis(1));
        cluster("cold").fail(busy);

        assertThat(routed.write(Principal.EVERYONE, ClusterMap.later(), List.of(row(put(ID, 1)))))
                .containsExactly(new WriteResult.Answered(busy));
    }

    @Test
    void copiesWhatHasNotChangedInTheSource() {
        routed(Map.of("source", "", "destination", "note.year > 2000"));
        DocumentWrites copies = routed.copies("source", "destination");
        cluster("source")
                .write(
                        Principal.EVERYONE,
                        ClusterMap.later(),
                        ConditionalOperation.always(put(ID, 2001)));
        long seen = cluster("source").timestamp(ID);

        assertThat(copy(copies, put(ID, 2001), seen - 1))
                .isEqualTo(new WriteResult.Answered(new WriteReply.ConditionNotMet(true)));
        assertThat(copy(copies, put(OF_ANNA, 2001), seen))
                .isEqualTo(new WriteResult.Answered(new WriteReply.ConditionNotMet(false)));
        assertThat(copy(copies, put(ID, 1), seen)).isInstanceOf(WriteResult.Ignored.class);
        assertThat(cluster("destination").documents()).isEmpty();
        copy(copies, put(ID, 2001), seen);
        assertThat(cluster("destination").documents()).containsKey(ID);
        cluster("source").failReads(new GetReply.Failed("a run is damaged"));
        assertThat(copy(copies, put(ID, 2001), seen))
                .isEqualTo(new WriteResult.Answered(new WriteReply.Failed("a run is damaged")));
    }

    private static WriteResult copy(DocumentWrites copies, DocumentOperation put, long timestamp) {
        return copies.write(
                Principal.EVERYONE,
                ClusterMap.later(),
                new ConditionalOperation(put, WriteCondition.NONE.andTimestamp(timestamp), false));
    }

    /** Compares random operations on clusters with random selections with plain maps. */
    @Test
    void routesLikeANaiveModel() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            compare(random, "seed " + seed + ", round " + round);
        }
    }

    /** A selection, and what it says of a document and of an id. */
    private record Rule(String text, boolean ofGroup, long from, long to) {
        static Rule random(Random random) {
            return switch (random.nextInt(4)) {
                case 0 -> new Rule("", false, Long.MIN_VALUE, Long.MAX_VALUE);
                case 1 -> new Rule("id.group == \"anna\"", true, Long.MIN_VALUE, Long.MAX_VALUE);
                case 2 -> {
                    int from = random.nextInt(10);
                    yield new Rule("note.year >= " + from, false, from, Long.MAX_VALUE);
                }
                default -> {
                    int to = random.nextInt(10);
                    yield new Rule(
                            "note.year <= %d and id.group == \"anna\"".formatted(to),
                            true,
                            Long.MIN_VALUE,
                            to);
                }
            };
        }

        boolean may(DocumentId id) {
            return !ofGroup || id.equals(OF_ANNA);
        }

        boolean selects(DocumentId id, Optional<Long> year) {
            return may(id)
                    && (text.isEmpty()
                            || text.startsWith("id.")
                            || (year.isPresent() && year.get() >= from && year.get() <= to));
        }
    }

    private void compare(Random random, String what) {
        var rules = new HashMap<String, Rule>();
        for (String name : List.of("a", "b", "c").subList(0, 2 + random.nextInt(2))) {
            rules.put(name, Rule.random(random));
        }
        var texts = new HashMap<String, String>();
        rules.forEach((name, rule) -> texts.put(name, rule.text));
        routed(texts);
        var expected = new HashMap<String, Map<DocumentId, Document>>();
        clusters.keySet().forEach(name -> expected.put(name, new HashMap<>()));

        for (int step = 0; step < 30; step++) {
            DocumentId id = random.nextBoolean() ? ID : OF_ANNA;
            long year = random.nextInt(10);
            boolean create = random.nextBoolean();
            DocumentOperation operation =
                    switch (random.nextInt(4)) {
                        case 0, 1 -> put(id, year);
                        case 2 -> update(id, random.nextBoolean() ? "year" : "votes", year);
                        default -> new DocumentOperation.Remove(id);
                    };
            expected.forEach((name, documents) ->
                    expect(documents, Objects.requireNonNull(rules.get(name)), operation, create));
            switch (operation) {
                case DocumentOperation.Update _ ->
                        write(new ConditionalOperation(operation, WriteCondition.NONE, create));
                case DocumentOperation.Put _, DocumentOperation.Remove _ -> feed(operation, random);
            }
            String now = "%s, step %d: %s of %s".formatted(what, step, operation, texts);
            clusters.forEach((name, map) ->
                    assertThat(map.documents())
                            .as("%s in %s", now, name)
                            .isEqualTo(expected.get(name)));
            Optional<Document> first =
                    clusters.keySet().stream()
                            .filter(name -> Objects.requireNonNull(rules.get(name)).may(id))
                            .flatMap(name ->
                                    Optional.ofNullable(
                                            expected.getOrDefault(name, Map.of()).get(id))
                                            .stream())
                            .findFirst();
            assertThat(read(id)).as(what).isEqualTo(first);
        }
    }

    private void feed(DocumentOperation operation, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> write(operation);
            case 1 -> routed.write(Principal.EVERYONE, ClusterMap.later(), List.of(row(operation)));
            default -> routed.write(Principal.EVERYONE, ClusterMap.later(), row(operation));
        }
    }

    private static void expect(
            Map<DocumentId, Document> documents,
            Rule rule,
            DocumentOperation operation,
            boolean create) {
        DocumentId id = operation.id();
        switch (operation) {
            case DocumentOperation.Put(Document document) -> {
                if (rule.selects(id, year(document))) {
                    documents.put(id, document);
                }
            }
            case DocumentOperation.Remove _ -> {
                if (rule.may(id)) {
                    documents.remove(id);
                }
            }
            case DocumentOperation.Update(DocumentId _, List<FieldUpdate> updates) -> {
                FieldUpdate only = updates.getFirst();
                FieldValue value = ((FieldChange.Assign) only.change()).value();
                Document before = documents.get(id);
                var fields = new HashMap<String, FieldValue>();
                if (before != null) {
                    fields.putAll(before.fields());
                }
                fields.put(only.field(), value);
                var after = new Document(id, fields);
                boolean creates = create && rule.selects(id, year(after));
                if (rule.may(id) && (before != null || creates)) {
                    documents.put(id, after);
                }
            }
        }
    }

    private static Optional<Long> year(Document document) {
        return document.value("year").map(value -> ((FieldValue.LongValue) value).value());
    }
}
