package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.Services;
import org.crabro.content.search.execution.Mails;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.CellOperator;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.TensorCells;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldValuesTest {
    /** A text of this length takes about 4 MiB while it is read. */
    private static final String LARGE = "a".repeat(1 << 20);

    private static final long ROOM_FOR_ONE = 6 << 20;
    private static final long ROOM_FOR_NONE = 1;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Mostly enough for another thread to read a document that a flush has moved to a run. */
    private static final Duration SOON = Duration.ofMillis(200);

    private static final DocumentType WIDE_TYPE =
            new DocumentType(
                    "wide",
                    List.of(
                            new Field(
                                    "cells",
                                    new FieldType.TensorOf(
                                            TensorType.parse("tensor<int8>(k{},x[1000000])")),
                                    true)));
    private static final Schema WIDE = new Schema("wide", WIDE_TYPE, Map.of());

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void secondLargeDocumentIsReadWhenTheFirstIsReleased(boolean inRun)
            throws IOException, ExecutionException, InterruptedException {
        try (NodeFixture node = open(ROOM_FOR_ONE, inRun);
                var second = new ReadHold()) {
            CompletableFuture<GetReply> waits;
            try (var first = new ReadHold()) {
                assertThat(get(node, 1, LONG, first)).isInstanceOf(GetReply.Found.class);
                // A request that holds values does not wait for room.
                assertThat(get(node, 2, LONG, first)).isInstanceOf(GetReply.Overloaded.class);
                waits = CompletableFuture.supplyAsync(() -> get(node, 2, LONG, second));
            }
            assertThat(waits.get()).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void documentLargerThanAllRoomIsReadAlone(boolean inRun) throws IOException {
        try (NodeFixture node = open(ROOM_FOR_NONE, inRun)) {
            try (var hold = new ReadHold()) {
                assertThat(get(node, 1, LONG, hold)).isInstanceOf(GetReply.Found.class);
                // A request that holds values does not wait for room.
                assertThat(get(node, 2, LONG, hold)).isInstanceOf(GetReply.Overloaded.class);
            }
            assertThat(get(node, 2, LONG, new ReadHold())).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void smallDocumentsAreReadWhateverIsHeld(boolean inRun) throws IOException {
        try (NodeFixture node = open(ROOM_FOR_NONE, inRun);
                var hold = new ReadHold()) {
            StoredMails.put(node, "anna", 3, "small");
            get(node, 1, LONG, hold);
            assertThat(get(node, 3, LONG, hold)).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updatesOfLargeDocumentsCountToo(boolean inRun)
            throws IOException, ExecutionException, InterruptedException {
        try (NodeFixture node = open(ROOM_FOR_ONE, inRun)) {
            Future<WriteReply> waits;
            try (var hold = new ReadHold()) {
                get(node, 1, LONG, hold);
                if (!inRun) {
                    becomesOverloaded(() -> update(node, 2, SOON));
                }
                waits = waiting(() -> update(node, 2, LONG));
            }
            assertThat(waits.get()).isInstanceOf(WriteReply.Stored.class);
            assertThat(update(node, 1, LONG)).as("released").isInstanceOf(WriteReply.Stored.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holdThatIsClosedAlreadyKeepsNothing(boolean inRun) throws IOException {
        try (NodeFixture node = open(ROOM_FOR_ONE, inRun)) {
            var closed = new ReadHold();
            closed.close();
            assertThat(get(node, 1, LONG, closed)).isInstanceOf(GetReply.Found.class);
            assertThat(get(node, 2, LONG, new ReadHold())).isInstanceOf(GetReply.Found.class);
        }
    }

    /** An update of a few bytes creates a subspace of a million cells. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updatesThatCreateCellsCountWhatTheyCreate(boolean exists)
            throws IOException, ExecutionException, InterruptedException {
        try (NodeFixture node = open(ROOM_FOR_ONE, false)) {
            node.activate(
                    new ApplicationModel(
                            2,
                            new Services(List.of(), List.of()),
                            Map.of("mail", Mails.SCHEMA, "wide", WIDE)));
            DocumentId id = DocumentId.parse("id:post:wide:g=anna:1");
            if (exists) {
                WriteReply put =
                        feed(
                                node,
                                new DocumentOperation.Put(new Document(id, Map.of())),
                                false,
                                LONG);
                assertThat(put).isInstanceOf(WriteReply.Stored.class);
            }
            Future<WriteReply> waits;
            try (var hold = new ReadHold()) {
                get(node, 1, LONG, hold);
                if (exists) {
                    becomesOverloaded(() -> create(node, id, SOON));
                }
                waits = waiting(() -> create(node, id, LONG));
            }
            assertThat(waits.get()).isInstanceOf(WriteReply.Stored.class);
            assertThat(update(node, 1, LONG)).as("released").isInstanceOf(WriteReply.Stored.class);
        }
    }

    /** Starts an update on another thread, and returns when it waits for room. */
    private static Future<WriteReply> waiting(Callable<WriteReply> update) {
        var reply = new FutureTask<>(update);
        Thread thread = Thread.ofPlatform().start(reply);
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() ->
                        assertThat(thread.getStackTrace())
                                .anyMatch(frame ->
                                        frame.getClassName().equals(HeldValues.class.getName())
                                                && frame.getMethodName().equals("await")));
        return reply;
    }

    private static WriteReply create(NodeFixture node, DocumentId id, Duration time) {
        var cells = new TensorCells.Builder();
        cells.add(List.of("a"), 7, 1);
        var modify = new FieldChange.ModifyCells(CellOperator.REPLACE, true, cells.build());
        var update = new DocumentOperation.Update(id, List.of(FieldUpdate.of("cells", modify)));
        return feed(node, update, true, time);
    }

    private static WriteReply feed(
            NodeFixture node, DocumentOperation operation, boolean create, Duration time) {
        return node.node()
                .write(
                        node.header(Deadline.after(time)),
                        new Write.Operation(
                                node.partition(operation.id()),
                                new ConditionalOperation(operation, WriteCondition.NONE, create)),
                        Optional.empty());
    }

    private NodeFixture open(long room, boolean inRun) throws IOException {
        NodeFixture node =
                NodeFixture.open(NodeFixture.settings(directory).withValueBytes(room))
                        .serving(StoredMails.model());
        StoredMails.put(node, "anna", 1, LARGE);
        StoredMails.put(node, "anna", 2, LARGE);
        if (inRun) {
            node.flush();
        }
        return node;
    }

    private static GetReply get(NodeFixture node, int number, Duration time, ReadHold hold) {
        DocumentId id = StoredMails.id("anna", number);
        return node.node()
                .get(
                        new GetRequest(
                                node.header(Deadline.after(time)),
                                node.partition(id),
                                id,
                                Optional.empty()),
                        hold);
    }

    /** If the machine is busy, a call times out while it still reads. */
    private static void becomesOverloaded(Callable<WriteReply> call) {
        await().atMost(ONE_MINUTE)
                .untilAsserted(
                        () -> assertThat(call.call()).isInstanceOf(WriteReply.Overloaded.class));
    }

    private static WriteReply update(NodeFixture node, int number, Duration time) {
        DocumentId id = StoredMails.id("anna", number);
        var update =
                FieldUpdate.of(
                        "title", new FieldChange.Assign(new FieldValue.StringValue("other")));
        return feed(node, new DocumentOperation.Update(id, List.of(update)), false, time);
    }
}
