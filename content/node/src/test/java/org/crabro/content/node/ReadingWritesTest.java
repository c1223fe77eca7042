package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.Operator;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.UpdateStep;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingWritesTest {
    private static final long STATE = 1;
    private static final DocumentId ID = DocumentId.parse("id:post:mail:g=anna:1");
    private static final DocumentId PLAIN = DocumentId.parse("id:post:mail::1");

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    /** The reply to each operation, and the stored size after it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # stored | condition       | create | put      | size | update   | size | remove | size
                    7        |                 | false  | stored   | 1    | stored   | 8    | stored | -
                    7        | mail.size == 7  | false  | stored   | 1    | stored   | 8    | stored | -
                    7        | mail.size == 7  | true   | stored   | 1    | stored   | 8    | stored | -
                    7        | mail.size == 6  | false  | differs  | 7    | differs  | 7    | differs | 7
                    7        | mail.size == 6  | true   | differs  | 7    | differs  | 7    | differs | 7
                    7        | mail.title < 3  | false  | differs  | 7    | differs  | 7    | differs | 7
                    7        | mail            | false  | stored   | 1    | stored   | 8    | stored | -
                    7        | id.group=='anna' | false | stored   | 1    | stored   | 8    | stored | -
                    7        | now() == 1000   | false  | stored   | 1    | stored   | 8    | stored | -
                    7        | now() == 1001   | false  | differs  | 7    | differs  | 7    | differs | 7
                    7        | mail.no == 1    | false  | rejected | 7    | rejected | 7    | rejected | 7
                    7        | mail.size ==    | true   | rejected | 7    | rejected | 7    | rejected | 7
                    7        | post.size == 1  | false  | rejected | 7    | rejected | 7    | rejected | 7
                    -        |                 | false  | stored   | 1    | missing  | -    | stored | -
                    -        |                 | true   | stored   | 1    | stored   | 1    | stored | -
                    -        | mail.size == 7  | false  | absent   | -    | absent   | -    | absent | -
                    -        | mail.size == 7  | true   | stored   | 1    | stored   | 1    | absent | -
                    -        | true            | false  | absent   | -    | absent   | -    | absent | -
                    """)
    void doesWhatTheTableOfConditionsSays(
            String stored,
            String condition,
            boolean create,
            String put,
            String sizePut,
            String update,
            String sizeUpdated,
            String remove,
            String sizeRemoved)
            throws IOException {
        var when = condition == null ? WriteCondition.NONE : WriteCondition.of(condition);
        try (NodeFixture node = open()) {
            for (DocumentOperation operation :
                    List.of(
                            new DocumentOperation.Put(sized(ID, 1)),
                            increment(ID),
                            new DocumentOperation.Remove(ID))) {
                store(node, stored);

                String reply = word(node.feed(operation, when, create));

                String size = size(node, ID).map(String::valueOf).orElse("-");
                switch (operation) {
                    case DocumentOperation.Put _ ->
                            assertThat(List.of(reply, size)).containsExactly(put, sizePut);
                    case DocumentOperation.Update _ ->
                            assertThat(List.of(reply, size)).containsExactly(update, sizeUpdated);
                    case DocumentOperation.Remove _ ->
                            assertThat(List.of(reply, size)).containsExactly(remove, sizeRemoved);
                }
            }
            store(node, stored);
            String reply = word(write(node, row(sized(ID, 1), when, create)));
            String size = size(node, ID).map(String::valueOf).orElse("-");
            assertThat(List.of(reply, size)).as("as a row").containsExactly(put, sizePut);
        }
    }

    private static void store(NodeFixture node, String size) throws IOException {
        node.feed(
                size.equals("-")
                        ? new DocumentOperation.Remove(ID)
                        : new DocumentOperation.Put(sized(ID, Integer.parseInt(size))));
        node.flush();
    }

    @Test
    void writesNoRowThatABatchWouldRefuse() throws IOException {
        try (NodeFixture node = open()) {
            byte[] whole = row(sized(ID, 1), WriteCondition.NONE, true).bytes();
            byte[] cut = Arrays.copyOf(whole, whole.length - 1);
            WriteCondition any = WriteCondition.of("true");
            RequestHeader header = node.header();
            var newer = new RequestHeader(header.principal(), STATE + 1, header.deadline());

            assertThat(write(node, encoded(ID, cut, any))).isInstanceOf(WriteReply.Rejected.class);
            int other = 1 - encoded(ID, whole, any).partition();
            assertThat(write(node, new Write.Row(other, ID, whole, any, true)))
                    .isInstanceOf(WriteReply.Rejected.class);
            assertThat(node.node().write(newer, encoded(ID, whole, any), Optional.empty()))
                    .isEqualTo(new WriteReply.WrongOwner(STATE));
            assertThat(size(node, ID)).isEmpty();
        }
    }

    private static WriteReply write(NodeFixture node, Write.Row row) {
        return node.node().write(node.header(), row, Optional.empty());
    }

    private static Write.Row row(Document document, WriteCondition when, boolean create) {
        var row = new Row(document.id(), 0, Mails.TYPE.fingerprint(), false, document.fields());
        DocumentId id = document.id();
        return new Write.Row(
                NodeFixture.PARTITIONS.of(id.location()),
                id,
                RowEncoding.encode(row, Mails.TYPE),
                when,
                create);
    }

    private static Write.Row encoded(DocumentId id, byte[] row, WriteCondition when) {
        return new Write.Row(NodeFixture.PARTITIONS.of(id.location()), id, row, when, true);
    }

    private static String word(WriteReply reply) {
        return switch (reply) {
            case WriteReply.Stored _ -> "stored";
            case WriteReply.Missing _ -> "missing";
            case WriteReply.ConditionNotMet(boolean exists) -> exists ? "differs" : "absent";
            case WriteReply.Rejected _ -> "rejected";
            default -> reply.toString();
        };
    }

    @Test
    void comparesTheVersionThatWasSeen() throws IOException {
        try (NodeFixture node = open()) {
            var put = new DocumentOperation.Put(sized(ID, 1));
            long seen = timestamp(ifSeen(node, put, 0));

            assertThat(ifSeen(node, put, 0)).isEqualTo(new WriteReply.ConditionNotMet(true));
            assertThat(ifSeen(node, increment(ID), seen + 1))
                    .isEqualTo(new WriteReply.ConditionNotMet(true));
            long updated = timestamp(ifSeen(node, increment(ID), seen));
            assertThat(ifSeen(node, new DocumentOperation.Remove(ID), seen))
                    .isEqualTo(new WriteReply.ConditionNotMet(true));
            assertThat(size(node, ID)).hasValue(2);
            timestamp(ifSeen(node, new DocumentOperation.Remove(ID), updated));
            assertThat(ifSeen(node, increment(ID), updated))
                    .isEqualTo(new WriteReply.ConditionNotMet(false));
        }
    }

    @Test
    void losesNoIncrementWhoeverElseWritesAndFlushes() throws Exception {
        int threads = 8;
        int rounds = 25;
        for (DocumentId id : List.of(ID, PLAIN)) {
            try (NodeFixture node = open();
                    ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                var work = new ArrayList<Callable<Boolean>>();
                for (int i = 0; i < threads; i++) {
                    DocumentId other = DocumentId.parse("id:post:mail:g=anna:other" + i);
                    work.add(() -> {
                        boolean isStored = true;
                        for (int round = 0; round < rounds; round++) {
                            isStored &=
                                    isStored(node.feed(increment(id), WriteCondition.NONE, true));
                            isStored &=
                                    isStored(
                                            node.feed(
                                                    new DocumentOperation.Put(
                                                            sized(other, round))));
                        }
                        return isStored;
                    });
                }
                work.add(() -> {
                    for (int round = 0; round < 5; round++) {
                        node.flush();
                    }
                    return true;
                });

                assertThat(all(writers.invokeAll(work))).containsOnly(true);

                assertThat(size(node, id)).hasValue(threads * rounds);
            }
        }
    }

    /** An update that reads before a put and writes after it would restore the old title. */
    @Test
    void bringsNoPutBackThatAnUpdateHasNotSeen() throws Exception {
        try (NodeFixture node = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            node.feed(new DocumentOperation.Put(titled("0")));
            var updating = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 6; i++) {
                updating.add(
                        writers.submit(() -> {
                            boolean isStored = true;
                            for (int round = 0; round < 30; round++) {
                                isStored &= isStored(node.feed(increment(ID)));
                            }
                            return isStored;
                        }));
            }
            for (int put = 1; put <= 60; put++) {
                String title = "version " + put;
                node.feed(new DocumentOperation.Put(titled(title)));

                assertThat(node.document(ID).orElseThrow().value("title"))
                        .hasValue(new FieldValue.StringValue(title));
            }
            assertThat(all(updating)).containsOnly(true);
        }
    }

    @Test
    void letsOneOfManySwapAVersion() throws Exception {
        int threads = 6;
        try (NodeFixture node = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            node.feed(new DocumentOperation.Put(sized(ID, 0)));
            var work = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < threads; i++) {
                work.add(() -> {
                    int swapped = 0;
                    for (int round = 0; round < 30; round++) {
                        int size = size(node, ID).orElseThrow();
                        var put = new DocumentOperation.Put(sized(ID, size + 1));
                        var seen = WriteCondition.of("mail.size == " + size);
                        swapped += isStored(node.feed(put, seen, false)) ? 1 : 0;
                    }
                    return swapped;
                });
            }

            int swapped = all(writers.invokeAll(work)).stream().mapToInt(each -> each).sum();

            assertThat(swapped).isPositive();
            assertThat(size(node, ID)).hasValue(swapped);
        }
    }

    @Test
    void keepsWhatUpdatesCameToThroughACrash() throws IOException {
        FaultyLogFiles crashed;
        try (NodeFixture node = open()) {
            node.feed(new DocumentOperation.Put(sized(ID, 1)));
            node.flush();
            node.feed(increment(ID));
            node.feed(increment(ID));
            node.feed(increment(PLAIN), WriteCondition.NONE, true);
            crashed = files.afterCrash(FaultyLogFiles.Loss.EVERYTHING);
        }

        try (NodeFixture node = NodeFixture.open(NodeFixture.small(), crashed).serving(model())) {
            assertThat(size(node, ID)).hasValue(3);
            assertThat(size(node, PLAIN)).hasValue(1);
        }
        crashed.checkNothingIsLeft();
    }

    @Test
    void refusesUpdatesThatDoNotFit() throws IOException {
        try (NodeFixture node = open()) {
            node.feed(new DocumentOperation.Put(sized(ID, 1)));

            assertThat(node.feed(update(new FieldChange.Add(text("x")))))
                    .isEqualTo(
                            new WriteReply.Rejected(
                                    "an update is for an array, a weighted set or a tensor, but"
                                            + " the field is of type int"));
            assertThat(node.feed(update(new FieldChange.Assign(text("x")))))
                    .isInstanceOf(WriteReply.Rejected.class);
            assertThat(
                            node.feed(
                                    new DocumentOperation.Update(
                                            ID,
                                            List.of(
                                                    FieldUpdate.of(
                                                            "title",
                                                            new FieldChange.Assign(
                                                                    text("x".repeat(30_000))))))))
                    .satisfies(reply ->
                            assertThat(((WriteReply.Rejected) reply).reason())
                                    .contains("more than the maximum of 20000"));
            assertThat(size(node, ID)).hasValue(1);
            assertThat(isStored(node.feed(increment(ID)))).isTrue();
        }
    }

    @Test
    void admitsUpdatesThatCannotGrowWhereTheDiskIsTooFull() throws IOException {
        files.limitCapacity(1 << 30);
        try (NodeFixture node = open()) {
            node.feed(new DocumentOperation.Put(sized(ID, 1)));
            node.activate(model(0.000_000_001));

            Map<FieldChange, Boolean> admitted = new HashMap<>();
            for (FieldChange change :
                    List.of(
                            new FieldChange.Arithmetic(Operator.ADD, 1),
                            new FieldChange.Assign(new FieldValue.IntValue(4)),
                            new FieldChange.Assign(text("4")),
                            new FieldChange.Clear(),
                            new FieldChange.Add(text("x")))) {
                admitted.put(change, !(node.feed(update(change)) instanceof WriteReply.OutOfSpace));
            }
            assertThat(admitted)
                    .containsEntry(new FieldChange.Arithmetic(Operator.ADD, 1), true)
                    .containsEntry(new FieldChange.Assign(new FieldValue.IntValue(4)), true)
                    .containsEntry(new FieldChange.Assign(text("4")), false)
                    .containsEntry(new FieldChange.Clear(), true)
                    .containsEntry(new FieldChange.Add(text("x")), false);
            var path =
                    new FieldUpdate(
                            "size", List.of(new UpdateStep.Index(0)), new FieldChange.Clear());
            assertThat(node.feed(new DocumentOperation.Update(ID, List.of(path))))
                    .isInstanceOf(WriteReply.OutOfSpace.class);
            // It would create a document.
            assertThat(node.feed(increment(PLAIN), WriteCondition.NONE, true))
                    .isInstanceOf(WriteReply.OutOfSpace.class);
            assertThat(
                            node.feed(
                                    new DocumentOperation.Remove(ID),
                                    WriteCondition.of("mail"),
                                    false))
                    .isInstanceOf(WriteReply.Stored.class);
        }
    }

    private NodeFixture open() throws IOException {
        return NodeFixture.open(NodeFixture.small(), files).serving(model());
    }

    private static ApplicationModel model(double... diskLimits) {
        var clusters = new ArrayList<ContentCluster>();
        for (double limit : diskLimits) {
            clusters.add(
                    new ContentCluster(
                            "c",
                            List.of(
                                    new ContentCluster.ClusterDocument(
                                            "mail", ContentCluster.Mode.STREAMING)),
                            new ContentCluster.ResourceLimits(
                                    OptionalDouble.of(limit),
                                    OptionalDouble.empty(),
                                    OptionalInt.empty())));
        }
        return new ApplicationModel(
                1, new Services(List.of(), clusters), Map.of("mail", Mails.SCHEMA));
    }

    private static DocumentOperation increment(DocumentId id) {
        return new DocumentOperation.Update(
                id, List.of(FieldUpdate.of("size", new FieldChange.Arithmetic(Operator.ADD, 1))));
    }

    private static DocumentOperation update(FieldChange size) {
        return new DocumentOperation.Update(ID, List.of(FieldUpdate.of("size", size)));
    }

    private static FieldValue text(String text) {
        return new FieldValue.StringValue(text);
    }

    private static Document sized(DocumentId id, int size) {
        return new Document(id, Map.of("size", new FieldValue.IntValue(size)));
    }

    private static Document titled(String title) {
        return new Document(ID, Map.of("title", text(title)));
    }

    /** Carries an operation out if the document has this timestamp; 0 for no document. */
    private static WriteReply ifSeen(
            NodeFixture node, DocumentOperation operation, long timestamp) {
        return node.feed(operation, WriteCondition.NONE.andTimestamp(timestamp), true);
    }

    private static boolean isStored(WriteReply reply) {
        return reply instanceof WriteReply.Stored;
    }

    private static long timestamp(WriteReply reply) {
        assertThat(reply).isInstanceOf(WriteReply.Stored.class);
        return ((WriteReply.Stored) reply).timestamp();
    }

    private static Optional<Integer> size(NodeFixture node, DocumentId id) {
        return node.document(id)
                .flatMap(document -> document.value("size"))
                .map(size -> ((FieldValue.IntValue) size).value());
    }

    private static <T> List<T> all(List<Future<T>> futures)
            throws InterruptedException, ExecutionException {
        var results = new ArrayList<T>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }
}
