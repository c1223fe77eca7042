package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.container.processing.Surroundings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.operation.UpdateStep;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.api.Test;

/** A type with a title, words, a year, and a line made of all three. */
class IndexedWritesTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:music::1");
    private static final Deadline LATER = Deadline.after(Duration.ofMinutes(1));

    private final OneDocument stored = new OneDocument();
    private final IndexedWrites writes = new IndexedWrites(stored, stored);
    private final Schema schema = schema();
    private final IndexingProcessor processor =
            new IndexingProcessor(schema, Map.of(), Surroundings.ofThisMachine());

    @Test
    void sendsUpdatesOfFieldsThatNoScriptReadsAsTheyAre() {
        put(Map.of("title", text("a")));

        write(update(FieldUpdate.of("other", add(1))));

        assertThat(stored.reads).isZero();
        assertThat(stored.fields())
                .isEqualTo(Map.of("title", text("a"), "line", text("a"), "other", new IntValue(1)));
    }

    @Test
    void carriesAlongWhatFollowsFromTheUpdateAlone() {
        put(Map.of("title", text("a"), "year", new IntValue(1)));

        write(
                update(
                        FieldUpdate.of("title", new FieldChange.Assign(text("b"))),
                        FieldUpdate.of("year", new FieldChange.Assign(new IntValue(7))),
                        FieldUpdate.of("year", add(1)),
                        FieldUpdate.of("words", new FieldChange.Clear())));

        assertThat(stored.reads).isZero();
        assertThat(stored.fields().get("line")).isEqualTo(text("b8"));

        write(
                update(
                        FieldUpdate.of("title", new FieldChange.Clear()),
                        FieldUpdate.of("year", new FieldChange.Clear()),
                        FieldUpdate.of("words", new FieldChange.Clear())));

        assertThat(stored.fields()).isEqualTo(Map.of("line", text("")));
    }

    @Test
    void readsTheDocumentWhereScriptsReadMoreThanIsAssigned() {
        put(Map.of("title", text("a"), "year", new IntValue(1)));

        write(update(FieldUpdate.of("year", add(1))));
        write(update(FieldUpdate.of("words", new FieldChange.Add(words("x", "y")))));
        write(update(FieldUpdate.of("title", new FieldChange.Assign(text("b")))));

        assertThat(stored.reads).isEqualTo(3);
        assertThat(stored.fields().get("line")).isEqualTo(text("bx y2"));
        assertThat(stored.fields().get("words")).isEqualTo(words("x", "y"));
    }

    @Test
    void doesItAllOverAgainWhereAnotherWroteMeanwhile() {
        put(Map.of("title", text("a"), "year", new IntValue(1)));
        stored.beforeWrites.add(
                () -> stored.put(Map.of("title", text("c"), "year", new IntValue(5))));
        stored.beforeWrites.add(() -> stored.put(Map.of("title", text("d"))));

        WriteReply reply = write(update(FieldUpdate.of("year", add(1))));

        assertThat(reply).isInstanceOf(WriteReply.Stored.class);
        assertThat(stored.reads).isEqualTo(3);
        assertThat(stored.fields())
                .isEqualTo(Map.of("title", text("d"), "year", new IntValue(1), "line", text("d1")));
    }

    @Test
    void distinguishesAFalseSelectionFromAnotherVersion() {
        put(Map.of("title", text("a")));
        stored.selectionHolds = false;

        WriteReply reply =
                write(
                        new ConditionalOperation(
                                update(FieldUpdate.of("year", add(1))).operation(),
                                WriteCondition.of("music.year == 3"),
                                false));

        assertThat(reply).isEqualTo(new WriteReply.ConditionNotMet(true));
        assertThat(stored.reads).isEqualTo(2);
        assertThat(stored.fields()).doesNotContainKey("year");
    }

    @Test
    void createsDocumentsWhereItIsTold() {
        var update = update(FieldUpdate.of("year", add(1)));

        assertThat(write(update)).isEqualTo(new WriteReply.Missing());
        WriteReply created =
                write(new ConditionalOperation(update.operation(), WriteCondition.NONE, true));

        assertThat(created).isInstanceOf(WriteReply.Stored.class);
        assertThat(stored.fields()).isEqualTo(Map.of("year", new IntValue(1), "line", text("1")));
    }

    @Test
    void doesNothingToOtherVersionsThanTheOneThatWasSeen() {
        put(Map.of("title", text("a")));

        WriteReply reply =
                write(
                        new ConditionalOperation(
                                update(FieldUpdate.of("year", add(1))).operation(),
                                WriteCondition.NONE.andTimestamp(stored.timestamp - 1),
                                false));

        assertThat(reply).isEqualTo(new WriteReply.ConditionNotMet(true));
        assertThat(stored.fields()).doesNotContainKey("year");
    }

    @Test
    void namesTheMissingElement() {
        put(Map.of("words", words("x"), "year", new IntValue(1)));
        ConditionalOperation behind =
                update(
                        FieldUpdate.of("words", new FieldChange.Add(words("y"))),
                        element(1, "z"),
                        element(2, "no"),
                        FieldUpdate.of("year", add(1)));

        WriteResult reply =
                writes.write(Principal.EVERYONE, LATER, behind, processor, false, _ -> {});
        WriteResult strict =
                writes.write(
                        Principal.EVERYONE,
                        LATER,
                        update(element(4, "no")),
                        processor,
                        true,
                        _ -> {});

        assertThat(reply)
                .isInstanceOfSatisfying(
                        WriteResult.Partly.class,
                        partly -> assertThat(partly.missing()).isEqualTo("words[2]"));
        assertThat(strict)
                .isEqualTo(
                        new WriteResult.Answered(
                                new WriteReply.Rejected(
                                        "there is no 'words[4]': nothing is updated")));
        assertThat(stored.fields())
                .containsEntry("words", words("x", "z"))
                .containsEntry("year", new IntValue(2));
    }

    private static FieldUpdate element(int index, String text) {
        return new FieldUpdate(
                "words", List.of(new UpdateStep.Index(index)), new FieldChange.Assign(text(text)));
    }

    private void put(Map<String, FieldValue> fields) {
        write(ConditionalOperation.always(new DocumentOperation.Put(new Document(ID, fields))));
    }

    private WriteReply write(ConditionalOperation operation) {
        WriteResult reply =
                writes.write(Principal.EVERYONE, LATER, operation, processor, false, _ -> {});
        return switch (reply) {
            case WriteResult.Answered(WriteReply answer) -> answer;
            case WriteResult.Partly(WriteReply.Stored _, String missing) ->
                    throw new AssertionError(missing);
            case WriteResult.Forbidden(String reason) -> throw new AssertionError(reason);
            case WriteResult.Ignored(String reason) -> throw new AssertionError(reason);
        };
    }

    private static ConditionalOperation update(FieldUpdate... updates) {
        return ConditionalOperation.always(new DocumentOperation.Update(ID, List.of(updates)));
    }

    private static FieldChange add(int number) {
        return new FieldChange.Arithmetic(FieldChange.Operator.ADD, number);
    }

    private static FieldValue text(String text) {
        return new StringValue(text);
    }

    private static FieldValue words(String... words) {
        return new ArrayValue(List.of(words).stream().map(IndexedWritesTest::text).toList());
    }

    /** Keeps versions of one document, and gives way to another writer before writes. */
    private final class OneDocument implements DocumentReads, DocumentWrites {
        private final List<Runnable> beforeWrites = new ArrayList<>();
        private Optional<Document> document = Optional.empty();
        private long timestamp = 10;
        private boolean selectionHolds = true;
        private int reads;

        Map<String, FieldValue> fields() {
            return document.orElseThrow().fields();
        }

        void put(Map<String, FieldValue> fields) {
            document = Optional.of(new Document(ID, fields));
            timestamp++;
        }

        @Override
        public ReadReply read(
                Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
            reads++;
            return new ReadReply.Answered(
                    document.<GetReply>map(current -> new GetReply.Found(current, timestamp))
                            .orElseGet(GetReply.Missing::new));
        }

        @Override
        public WriteResult write(
                Principal principal, Deadline deadline, ConditionalOperation operation) {
            if (!beforeWrites.isEmpty()) {
                beforeWrites.removeFirst().run();
            }
            return new WriteResult.Answered(reply(operation));
        }

        private WriteReply reply(ConditionalOperation asked) {
            OptionalLong seen = asked.condition().timestamp();
            long newest = document.isPresent() ? timestamp : WriteCondition.ABSENT;
            boolean isRefused =
                    asked.condition().selection().isPresent()
                            && !(document.isPresent() ? selectionHolds : asked.create());
            if (isRefused || seen.orElse(newest) != newest) {
                return new WriteReply.ConditionNotMet(document.isPresent());
            }
            switch (asked.operation()) {
                case DocumentOperation.Put(Document put) -> put(put.fields());
                case DocumentOperation.Remove _ -> document = Optional.empty();
                case DocumentOperation.Update(_, var updates) -> {
                    if (document.isEmpty()) {
                        return new WriteReply.Missing();
                    }
                    put(FieldUpdates.apply(updates, schema.documentType(), fields()));
                }
            }
            return new WriteReply.Stored(timestamp, new PartitionPosition(0, timestamp));
        }
    }

    private static Schema schema() {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (SchemaField field :
                List.of(
                        field(new Field("title", Primitive.STRING, true)),
                        field(new Field("words", new ArrayOf(Primitive.STRING), true)),
                        field(
                                new Field("year", Primitive.INT, true),
                                statement(
                                        new Step.Input("year"),
                                        new Step.Output(Aspect.ATTRIBUTE, "year"))),
                        field(new Field("other", Primitive.INT, true)),
                        field(
                                new Field("line", Primitive.STRING, false),
                                statement(
                                        new Step.Concatenation(
                                                List.of(
                                                        orNothing(new Step.Input("title")),
                                                        orNothing(
                                                                new Step.Input("words"),
                                                                new Step.Join(" ")),
                                                        orNothing(
                                                                new Step.Input("year"),
                                                                new Step.Convert(
                                                                        Primitive.STRING)))),
                                        new Step.Output(Aspect.INDEX, "line"))))) {
            fields.put(field.field().name(), field);
        }
        return new Schema(
                "music",
                new DocumentType(
                        "music", fields.values().stream().map(SchemaField::field).toList()),
                fields);
    }

    private static Statement orNothing(Step... steps) {
        return statement(
                new Step.FirstOf(List.of(statement(steps), statement(new Step.Literal(text(""))))));
    }

    private static Statement statement(Step... steps) {
        return new Statement(List.of(steps));
    }

    private static SchemaField field(Field field, Statement... statements) {
        return new SchemaField(
                field,
                Set.of(),
                MatchMode.TEXT,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of(statements)));
    }
}
