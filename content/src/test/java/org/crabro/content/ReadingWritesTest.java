package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.content.integrity.ScrubSettings;
import org.crabro.content.journal.FaultyLogFiles;
import org.crabro.content.merge.CompactionSettings;
import org.crabro.content.recent.FeedLimits;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.OverloadSettings;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.result.Mails;
import org.crabro.content.result.ScanLimits;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.Operator;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.UpdateStep;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingWritesTest {
    private static final Partitions PARTITIONS = new Partitions(1);
    private static final long STATE = 5;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
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
        try (ContentNode node = open()) {
            for (DocumentOperation operation :
                    List.of(
                            new DocumentOperation.Put(sized(ID, 1)),
                            increment(ID),
                            new DocumentOperation.Remove(ID))) {
                store(node, stored);

                String reply = word(node.feed(request(operation, when, create)));

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
            String reply = word(node.feed(row(sized(ID, 1), when, create)));
            String size = size(node, ID).map(String::valueOf).orElse("-");
            assertThat(List.of(reply, size)).as("as a row").containsExactly(put, sizePut);
        }
    }

    private static void store(ContentNode node, String size) throws IOException {
        node.feed(
                request(
                        size.equals("-")
                                ? new DocumentOperation.Remove(ID)
                                : new DocumentOperation.Put(sized(ID, Integer.parseInt(size)))));
        node.flush();
    }

    @Test
    void writesNoRowThatABatchWouldRefuse() throws IOException {
        try (ContentNode node = open()) {
            byte[] whole = row(sized(ID, 1), WriteCondition.NONE, true).write().write().row();
            byte[] cut = Arrays.copyOf(whole, whole.length - 1);
            WriteCondition any = WriteCondition.of("true");
            var newer = new RequestHeader(Principal.EVERYONE, STATE + 1, header().deadline());

            assertThat(node.feed(row(encoded(ID, cut), any)))
                    .isInstanceOf(FeedReply.Rejected.class);
            int other = 1 - encoded(ID, whole).partition();
            assertThat(node.feed(row(new EncodedWrite(other, ID, whole), any)))
                    .isInstanceOf(FeedReply.Rejected.class);
            assertThat(
                            node.feed(
                                    new FeedRowRequest(
                                            newer,
                                            new ConditionalWrite(encoded(ID, whole), any, true))))
                    .isEqualTo(new FeedReply.WrongOwner(STATE));
            assertThat(size(node, ID)).isEmpty();
        }
    }

    private static FeedRowRequest row(Document document, WriteCondition when, boolean create) {
        var row = new Row(document.id(), 0, Mails.TYPE.fingerprint(), false, document.fields());
        var write = encoded(document.id(), RowEncoding.encode(row, Mails.TYPE));
        return new FeedRowRequest(header(), new ConditionalWrite(write, when, create));
    }

    private static EncodedWrite encoded(DocumentId id, byte[] row) {
        return new EncodedWrite(PARTITIONS.of(id.location()), id, row);
    }

    private static FeedRowRequest row(EncodedWrite write, WriteCondition when) {
        return new FeedRowRequest(header(), new ConditionalWrite(write, when, true));
    }

    private static String word(FeedReply reply) {
        return switch (reply) {
            case FeedReply.Stored _ -> "stored";
            case FeedReply.Missing _ -> "missing";
            case FeedReply.ConditionNotMet(boolean exists) -> exists ? "differs" : "absent";
            case FeedReply.Rejected _ -> "rejected";
            case FeedReply.WrongOwner _,
                    FeedReply.Overloaded _,
                    FeedReply.OutOfSpace _,
                    FeedReply.TimedOut _,
                    FeedReply.Failed _ ->
                    reply.toString();
        };
    }

    @Test
    void comparesTheVersionThatWasSeen() throws IOException {
        try (ContentNode node = open()) {
            FeedRequest first = ifSeen(new DocumentOperation.Put(sized(ID, 1)), 0);
            long seen = timestamp(node.feed(first));

            assertThat(node.feed(first)).isEqualTo(new FeedReply.ConditionNotMet(true));
            assertThat(node.feed(ifSeen(increment(ID), seen + 1)))
                    .isEqualTo(new FeedReply.ConditionNotMet(true));
            long updated = timestamp(node.feed(ifSeen(increment(ID), seen)));
            assertThat(node.feed(ifSeen(new DocumentOperation.Remove(ID), seen)))
                    .isEqualTo(new FeedReply.ConditionNotMet(true));
            assertThat(size(node, ID)).hasValue(2);
            timestamp(node.feed(ifSeen(new DocumentOperation.Remove(ID), updated)));
            assertThat(node.feed(ifSeen(increment(ID), updated)))
                    .isEqualTo(new FeedReply.ConditionNotMet(false));
        }
    }

    @Test
    void losesNoIncrementWhoeverElseWritesAndFlushes() throws Exception {
        int threads = 8;
        int rounds = 25;
        for (DocumentId id : List.of(ID, PLAIN)) {
            try (ContentNode node = open();
                    ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                var work = new ArrayList<Callable<Boolean>>();
                for (int i = 0; i < threads; i++) {
                    DocumentId other = DocumentId.parse("id:post:mail:g=anna:other" + i);
                    work.add(() -> {
                        boolean isStored = true;
                        for (int round = 0; round < rounds; round++) {
                            isStored &= isStored(node, request(increment(id), true));
                            isStored &=
                                    isStored(
                                            node,
                                            request(
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
        try (ContentNode node = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            node.feed(request(new DocumentOperation.Put(titled("0"))));
            var updating = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 6; i++) {
                updating.add(
                        writers.submit(() -> {
                            boolean isStored = true;
                            for (int round = 0; round < 30; round++) {
                                isStored &= isStored(node, request(increment(ID)));
                            }
                            return isStored;
                        }));
            }
            for (int put = 1; put <= 60; put++) {
                String title = "version " + put;
                node.feed(request(new DocumentOperation.Put(titled(title))));

                assertThat(found(node, ID).orElseThrow().value("title"))
                        .hasValue(new FieldValue.StringValue(title));
            }
            assertThat(all(updating)).containsOnly(true);
        }
    }

    @Test
    void letsOneOfManySwapAVersion() throws Exception {
        int threads = 6;
        try (ContentNode node = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            node.feed(request(new DocumentOperation.Put(sized(ID, 0))));
            var work = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < threads; i++) {
                work.add(() -> {
                    int swapped = 0;
                    for (int round = 0; round < 30; round++) {
                        int size = size(node, ID).orElseThrow();
                        var put = new DocumentOperation.Put(sized(ID, size + 1));
                        var seen = WriteCondition.of("mail.size == " + size);
                        swapped += isStored(node, request(put, seen, false)) ? 1 : 0;
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
        try (ContentNode node = open()) {
            node.feed(request(new DocumentOperation.Put(sized(ID, 1))));
            node.flush();
            node.feed(request(increment(ID)));
            node.feed(request(increment(ID)));
            node.feed(request(increment(PLAIN), true));
            crashed = files.afterCrash(FaultyLogFiles.Loss.EVERYTHING);
        }

        try (ContentNode node = ContentNode.open(settings(), crashed, CLOCK)) {
            node.activate(model());
            assertThat(size(node, ID)).hasValue(3);
            assertThat(size(node, PLAIN)).hasValue(1);
        }
        crashed.checkNothingIsLeft();
    }

    @Test
    void refusesUpdatesThatDoNotFit() throws IOException {
        try (ContentNode node = open()) {
            node.feed(request(new DocumentOperation.Put(sized(ID, 1))));

            assertThat(node.feed(request(update(new FieldChange.Add(text("x"))))))
                    .isEqualTo(
                            new FeedReply.Rejected(
                                    "an update is for an array, a weighted set or a tensor, but"
                                            + " the field is of type int"));
            assertThat(node.feed(request(update(new FieldChange.Assign(text("x"))))))
                    .isInstanceOf(FeedReply.Rejected.class);
            assertThat(
                            node.feed(
                                    request(
                                            new DocumentOperation.Update(
                                                    ID,
                                                    List.of(
                                                            FieldUpdate.of(
                                                                    "title",
                                                                    new FieldChange.Assign(
                                                                            text(
                                                                                    "x"
                                                                                            .repeat(
                                                                                                    30_000)))))))))
                    .satisfies(reply ->
                            assertThat(((FeedReply.Rejected) reply).reason())
                                    .contains("more than the maximum of 20000"));
            assertThat(size(node, ID)).hasValue(1);
            assertThat(isStored(node, request(increment(ID)))).isTrue();
        }
    }

    @Test
    void admitsUpdatesThatCannotGrowWhereTheDiskIsTooFull() throws IOException {
        files.limitCapacity(1 << 30);
        try (ContentNode node = open()) {
            node.feed(request(new DocumentOperation.Put(sized(ID, 1))));
            node.activate(model(0.000_000_001));

            Map<FieldChange, Boolean> admitted = new HashMap<>();
            for (FieldChange change :
                    List.of(
                            new FieldChange.Arithmetic(Operator.ADD, 1),
                            new FieldChange.Assign(new FieldValue.IntValue(4)),
                            new FieldChange.Assign(text("4")),
                            new FieldChange.Clear(),
                            new FieldChange.Add(text("x")))) {
                admitted.put(
                        change,
                        !(node.feed(request(update(change))) instanceof FeedReply.OutOfSpace));
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
            assertThat(node.feed(request(new DocumentOperation.Update(ID, List.of(path)))))
                    .isInstanceOf(FeedReply.OutOfSpace.class);
            // It would create a document.
            assertThat(node.feed(request(increment(PLAIN), true)))
                    .isInstanceOf(FeedReply.OutOfSpace.class);
            assertThat(
                            node.feed(
                                    request(
                                            new DocumentOperation.Remove(ID),
                                            WriteCondition.of("mail"),
                                            false)))
                    .isInstanceOf(FeedReply.Stored.class);
        }
    }

    private ContentNode open() throws IOException {
        ContentNode node = ContentNode.open(settings(), files, CLOCK);
        node.activate(model());
        return node;
    }

    private static ContentSettings settings() {
        var recent =
                new RecentSettings(
                        1 << 20,
                        Duration.ofHours(1),
                        new JournalSettings(
                                1 << 20, 64 << 10, 2, Duration.ofHours(1), 100, 1 << 20),
                        FeedLimits.DEFAULT.withRowBytes(20_000).withReservedBytes(0),
                        CompactionSettings.DEFAULT,
                        new OverloadSettings(Duration.ofSeconds(10), Duration.ofMillis(10)));
        return new ContentSettings(
                new NodePlace(Path.of("unused"), PARTITIONS, Set.of(0, 1), STATE),
                recent,
                new ThreadSettings(2, 10, 2, 2),
                new UpkeepSettings(true, ScrubSettings.NONE),
                new MemorySettings(
                        MemorySettings.postingsBytesByDefault(),
                        MemorySettings.vectorBytesByDefault(),
                        64L << 20,
                        64L << 20),
                ScanLimits.DEFAULT);
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

    private static FeedRequest request(DocumentOperation operation) {
        return request(operation, WriteCondition.NONE, false);
    }

    private static FeedRequest request(DocumentOperation operation, boolean create) {
        return request(operation, WriteCondition.NONE, create);
    }

    private static FeedRequest ifSeen(DocumentOperation operation, long timestamp) {
        return request(operation, WriteCondition.NONE.andTimestamp(timestamp), true);
    }

    private static FeedRequest request(
            DocumentOperation operation, WriteCondition condition, boolean create) {
        return new FeedRequest(
                header(), PARTITIONS.of(operation.id().location()), operation, condition, create);
    }

    private static boolean isStored(ContentNode node, FeedRequest request) {
        return node.feed(request) instanceof FeedReply.Stored;
    }

    private static long timestamp(FeedReply reply) {
        assertThat(reply).isInstanceOf(FeedReply.Stored.class);
        return ((FeedReply.Stored) reply).timestamp();
    }

    private static Optional<Document> found(ContentNode node, DocumentId id) {
        GetReply reply =
                node.get(
                        new GetRequest(
                                header(), PARTITIONS.of(id.location()), id, Optional.empty()));
        return switch (reply) {
            case GetReply.Found(Document document, _) -> Optional.of(document);
            case GetReply.Missing _ -> Optional.empty();
            case GetReply.WrongOwner _,
                    GetReply.Overloaded _,
                    GetReply.TimedOut _,
                    GetReply.Failed _ ->
                    throw new AssertionError(reply);
        };
    }

    private static Optional<Integer> size(ContentNode node, DocumentId id) {
        return found(node, id)
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

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, STATE, Deadline.after(Duration.ofMinutes(1)));
    }
}
