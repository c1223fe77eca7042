package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldValuesTest {
    /** As many characters, which take about 4 MiB while they are read. */
    private static final String LARGE = "a".repeat(1 << 20);

    private static final long ROOM_FOR_ONE = 6 << 20;
    private static final long ROOM_FOR_NONE = 1;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void secondLargeDocumentIsReadWhenTheFirstIsLetGo(boolean inRun)
            throws IOException, ExecutionException, InterruptedException {
        try (ContentNode node = open(ROOM_FOR_ONE, inRun);
                var second = new ReadHold()) {
            CompletableFuture<GetReply> waits;
            try (var first = new ReadHold()) {
                assertThat(get(node, 1, LONG, first)).isInstanceOf(GetReply.Found.class);
                assertThat(get(node, 2, SHORT, second)).isInstanceOf(GetReply.Overloaded.class);
                waits = CompletableFuture.supplyAsync(() -> get(node, 2, LONG, second));
            }
            assertThat(waits.get()).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void documentLargerThanAllRoomIsReadAlone(boolean inRun) throws IOException {
        try (ContentNode node = open(ROOM_FOR_NONE, inRun)) {
            try (var hold = new ReadHold()) {
                assertThat(get(node, 1, LONG, hold)).isInstanceOf(GetReply.Found.class);
                // Who holds something does not wait.
                assertThat(get(node, 2, LONG, hold)).isInstanceOf(GetReply.Overloaded.class);
            }
            assertThat(get(node, 2, LONG, new ReadHold())).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void smallDocumentsAreReadWhateverIsHeld(boolean inRun) throws IOException {
        try (ContentNode node = open(ROOM_FOR_NONE, inRun);
                var hold = new ReadHold()) {
            StoredMails.put(node, "anna", 3, "small");
            get(node, 1, LONG, hold);
            assertThat(get(node, 3, LONG, hold)).isInstanceOf(GetReply.Found.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updatesOfLargeDocumentsCountToo(boolean inRun) throws IOException {
        try (ContentNode node = open(ROOM_FOR_ONE, inRun)) {
            try (var hold = new ReadHold()) {
                get(node, 1, LONG, hold);
                assertThat(update(node, 2, SHORT)).isInstanceOf(FeedReply.Overloaded.class);
            }
            assertThat(update(node, 2, LONG)).isInstanceOf(FeedReply.Stored.class);
            assertThat(update(node, 1, LONG)).as("let go").isInstanceOf(FeedReply.Stored.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holdThatIsClosedAlreadyKeepsNothing(boolean inRun) throws IOException {
        try (ContentNode node = open(ROOM_FOR_ONE, inRun)) {
            var closed = new ReadHold();
            closed.close();
            assertThat(get(node, 1, LONG, closed)).isInstanceOf(GetReply.Found.class);
            assertThat(get(node, 2, SHORT, new ReadHold())).isInstanceOf(GetReply.Found.class);
        }
    }

    private ContentNode open(long room, boolean inRun) throws IOException {
        ContentNode node = ContentNode.open(StoredMails.settings(directory).withValueBytes(room));
        node.activate(StoredMails.model());
        StoredMails.put(node, "anna", 1, LARGE);
        StoredMails.put(node, "anna", 2, LARGE);
        if (inRun) {
            node.flush();
        }
        return node;
    }

    private static GetReply get(ContentNode node, int number, Duration time, ReadHold hold) {
        DocumentId id = StoredMails.id("anna", number);
        return node.get(
                new GetRequest(
                        header(time),
                        StoredMails.PARTITIONS.of(id.location()),
                        id,
                        Optional.empty()),
                hold);
    }

    private static FeedReply update(ContentNode node, int number, Duration time) {
        DocumentId id = StoredMails.id("anna", number);
        var update =
                FieldUpdate.of(
                        "title", new FieldChange.Assign(new FieldValue.StringValue("other")));
        return node.feed(
                new FeedRequest(
                        header(time),
                        StoredMails.PARTITIONS.of(id.location()),
                        new DocumentOperation.Update(id, List.of(update))));
    }

    private static RequestHeader header(Duration time) {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(time));
    }
}
