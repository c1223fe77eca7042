package org.crabro.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.crabro.document.Document;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.RequestMemory;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and replies between a container and a content node, over sockets. */
class WireCallsTest {
    private static final WriteReply STORED = new WriteReply.Stored(7, new PartitionPosition(3, 8));

    private WiredNode wired;

    @BeforeEach
    void start() throws Exception {
        wired = new WiredNode();
    }

    private void restart(CallLimits ofServer, CallLimits ofClient) throws Exception {
        close();
        wired = new WiredNode(ofServer, ofClient);
    }

    @AfterEach
    void close() {
        wired.close();
        await().until(() -> wired.server.requestsInProgress() == 0);
        assertThat(wired.server.messageBytes()).as("memory of messages").isZero();
    }

    @Test
    void carriesEachKindOfRequestAndItsReply() throws Exception {
        ScriptedNode node = wired.node;
        Write.Row write = write();
        RequestHeader header = WiredNode.header(WiredNode.soon());
        Write.Row conditional =
                new Write.Row(3, write.id(), write.bytes(), WriteCondition.of("true"), true);
        node.writes =
                written ->
                        switch (written) {
                            case Write.Row row when row.equals(write) -> STORED;
                            case Write.Row row -> new WriteReply.ConditionNotMet(row.create());
                            case Write.Operation operation ->
                                    operation.partition() == 3 ? STORED : new WriteReply.Missing();
                            case Write.RemoveGroup removal ->
                                    new WriteReply.Rejected(removal.documentType());
                        };
        node.gets = _ -> new GetReply.Found(document("blue"), 5);
        node.searches = request -> new SearchReply.Rejected(request.scope().documentType());
        node.visits = request -> new VisitReply.Rejected(request.scope().selection());

        assertThat(WiredNode.remove(wired.client, WiredNode.soon())).isEqualTo(STORED);
        assertThat(wired.client.write(header, write, Optional.empty())).isEqualTo(STORED);
        assertThat(wired.client.write(new WriteRequest(header, List.of(write, conditional))))
                .containsExactly(STORED, new WriteReply.ConditionNotMet(true));
        assertThat(
                        wired.client.write(
                                header,
                                new Write.RemoveGroup(3, "note", new LocationKey.Group("anna")),
                                Optional.empty()))
                .isEqualTo(new WriteReply.Rejected("note"));
        try (var hold = new ReadHold()) {
            assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), hold))
                    .isEqualTo(new GetReply.Found(document("blue"), 5));
        }
        assertThat(wired.client.search(WiredNode.search(WiredNode.soon())))
                .isEqualTo(new SearchReply.Rejected("note"));
        assertThat(wired.client.visit(WiredNode.visit(WiredNode.soon())))
                .isEqualTo(new VisitReply.Rejected("note"));
    }

    /** A node that lies about the count must not shift replies to other writes. */
    @Test
    void rejectsRepliesThatAreNotOneForEachWrite() throws Exception {
        RequestHeader header = WiredNode.header(WiredNode.soon());
        for (int count : List.of(0, 1, 3)) {
            wired.node.requests = _ -> Collections.nCopies(count, STORED);

            List<WriteReply> replies =
                    wired.client.write(new WriteRequest(header, List.of(write(), write())));

            assertThat(replies)
                    .hasSize(2)
                    .allSatisfy(reply ->
                            assertThat(reply).isInstanceOf(WriteReply.OutcomeUnknown.class));
        }
    }

    /** A container of an older release has one kind of request for each kind of write. */
    @Test
    void carriesEachWriteAsOlderReleasesDo() throws Exception {
        RequestHeader header = WiredNode.header(WiredNode.soon());
        Write.Row row = write();
        Write.Row conditional =
                new Write.Row(3, row.id(), row.bytes(), WriteCondition.of("true"), true);
        List<Write> writes = List.of(conditional, row, put("blue"), row);
        var removal = new Write.RemoveGroup(3, "note", new LocationKey.Group("anna"));
        var received = new ArrayList<List<Write>>();
        wired.node.requests =
                request -> {
                    received.add(request.writes());
                    return Collections.nCopies(request.writes().size(), STORED);
                };
        wired.connections.writeOlder(true);

        assertThat(wired.client.write(new WriteRequest(header, writes)))
                .isEqualTo(Collections.nCopies(4, STORED));
        assertThat(wired.client.write(header, removal, Optional.empty())).isEqualTo(STORED);

        assertThat(received)
                .containsExactly(
                        List.of(row, row),
                        List.of(conditional),
                        List.of(put("blue")),
                        List.of(removal));
    }

    @Test
    void carriesTheHeader() throws Exception {
        var received = new AtomicReference<RequestHeader>();
        wired.node.gets =
                request -> {
                    received.set(request.header());
                    return new GetReply.Missing();
                };
        RequestHeader header =
                new RequestHeader(
                                WiredNode.header(WiredNode.soon()).principal(),
                                42,
                                WiredNode.soon())
                        .withClient("10.0.0.7 ∆");

        wired.client.get(new GetRequest(header, 3, WiredNode.ID, Optional.empty()), new ReadHold());

        assertThat(received.get().principal()).isEqualTo(header.principal());
        assertThat(received.get().stateVersion()).isEqualTo(42);
        assertThat(received.get().client()).isEqualTo("10.0.0.7 ∆");
        assertThat(received.get().deadline().remaining())
                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_000, 66_000, 1_048_540, 1_048_576, 1_048_600, 9_000_001})
    void carriesMessagesOfAnyLengthInBothDirections(int bytes) throws Exception {
        var content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        String title = "t".repeat(bytes);
        var page =
                new VisitReply.Page(
                        new VisitReply.Contents.Json(ByteBuffer.wrap(content)),
                        1,
                        Optional.empty(),
                        1);
        wired.node.visits = _ -> page;
        wired.node.writes = write -> write.equals(put(title)) ? STORED : new WriteReply.Missing();

        assertThat(wired.client.visit(WiredNode.visit(WiredNode.soon()))).isEqualTo(page);
        assertThat(
                        wired.client.write(
                                WiredNode.header(WiredNode.soon()), put(title), Optional.empty()))
                .isEqualTo(STORED);
    }

    @Test
    void rejectsRequestsAboveTheMaximumLength() throws Exception {
        var write = new Write.Row(3, WiredNode.ID, new byte[CallLimits.MESSAGE_MAX]);

        assertThat(
                        wired.client.write(
                                new WriteRequest(
                                        WiredNode.header(WiredNode.soon()), List.of(write))))
                .containsExactly(
                        new WriteReply.Rejected(
                                "the request cannot be sent to a content node: a message has more than 268435456 bytes"));
    }

    @Test
    void reportsRepliesThatCannotBeEncoded() throws Exception {
        wired.node.searches = _ -> new SearchReply.Rejected("\ud800");

        assertThat(wired.client.search(WiredNode.search(WiredNode.soon())))
                .isEqualTo(
                        new SearchReply.Failed(
                                named(
                                        "the reply cannot be sent: a text holds half a surrogate pair")));
    }

    @Test
    void sendsNoRequestAfterItsDeadline() throws Exception {
        var asked = new AtomicBoolean();
        wired.node.gets =
                _ -> {
                    asked.set(true);
                    return new GetReply.Missing();
                };

        assertThat(wired.client.get(WiredNode.get(new Deadline(System.nanoTime())), new ReadHold()))
                .isEqualTo(new GetReply.TimedOut());
        assertThat(WiredNode.remove(wired.client, new Deadline(System.nanoTime())))
                .isEqualTo(new WriteReply.TimedOut());
        assertThat(asked).isFalse();
    }

    @Test
    void stopsWaitingAfterTheDeadlineAndCancelsTheRequestOnTheNode() throws Exception {
        var cancelled = new CountDownLatch(1);
        wired.node.searches =
                request -> {
                    await().until(() -> request.header().deadline().cancellation().isCancelled());
                    cancelled.countDown();
                    return new SearchReply.TimedOut();
                };

        assertThat(wired.client.search(WiredNode.search(Deadline.after(Duration.ofMillis(50)))))
                .isEqualTo(new SearchReply.TimedOut());
        cancelled.await();
    }

    /** A search returns at its deadline what it has found. */
    @Test
    void receivesRepliesThatAreMadeAtTheDeadline() throws Exception {
        wired.node.searches =
                request -> {
                    await().pollInterval(Duration.ofMillis(1))
                            .until(() -> request.header().deadline().hasPassed());
                    return new SearchReply.Overloaded("made late");
                };

        // On a busy machine a reply may come too late.
        await().until(() ->
                wired.client
                        .search(WiredNode.search(Deadline.after(Duration.ofMillis(100))))
                        .equals(new SearchReply.Overloaded("made late")));
    }

    @Test
    void cancelsTheRequestOnTheNodeWhenItsClientHasGone() throws Exception {
        var isGone = new AtomicBoolean();
        var begun = new CountDownLatch(1);
        var cancelled = new CountDownLatch(1);
        wired.node.searches =
                request -> {
                    begun.countDown();
                    await().until(() -> request.header().deadline().hasPassed());
                    cancelled.countDown();
                    return new SearchReply.TimedOut();
                };
        var deadline = new Deadline(WiredNode.soon().nanos(), isGone::get);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<SearchReply> reply =
                    threads.submit(() -> wired.client.search(WiredNode.search(deadline)));
            begun.await();
            isGone.set(true);

            assertThat(reply.get()).isEqualTo(new SearchReply.TimedOut());
            cancelled.await();
        }
    }

    @Test
    void reportsErrorsOfTheNode() throws Exception {
        wired.node.gets =
                _ -> {
                    throw new IllegalStateException("a defect");
                };

        assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), new ReadHold()))
                .isEqualTo(
                        new GetReply.Failed(
                                named(
                                        "the content node failed: java.lang.IllegalStateException: a defect")));
    }

    @Test
    void refusesRequestsAboveTheLimitOfTheNode() throws Exception {
        restart(new CallLimits(1, 1 << 20), WiredNode.LIMITS);
        refusesAFurtherSearch(
                named("overload: the content node has too many requests in progress"));
    }

    @Test
    void refusesRequestsAboveTheLimitOfTheContainer() throws Exception {
        restart(WiredNode.LIMITS, new CallLimits(1, 1 << 20));
        refusesAFurtherSearch("overload: too many requests to content nodes are in progress");
    }

    private void refusesAFurtherSearch(String reason) throws Exception {
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        wired.node.searches =
                _ -> {
                    begun.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return new SearchReply.Rejected("the first");
                };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<SearchReply> first =
                    threads.submit(() -> wired.client.search(WiredNode.search(WiredNode.soon())));
            begun.await();

            assertThat(wired.client.search(WiredNode.search(WiredNode.soon())))
                    .isEqualTo(new SearchReply.Overloaded(reason));
            assertThat(WiredNode.remove(wired.client, WiredNode.soon()))
                    .isEqualTo(new WriteReply.Overloaded(Duration.ofSeconds(1)));

            mayEnd.countDown();
            assertThat(first.get()).isEqualTo(new SearchReply.Rejected("the first"));
        }
    }

    /** Each end counts the bytes of requests and of replies. */
    @Test
    void refusesMessagesThatDoNotFitIntoMemory() throws Exception {
        var small = new CallLimits(10, 500_000);
        restart(small, WiredNode.LIMITS);
        wired.node.gets = _ -> new GetReply.Found(document("x".repeat(600_000)), 5);
        Write put = put("x".repeat(600_000));
        var overloaded = new GetReply.Overloaded(Duration.ofSeconds(1));

        assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), new ReadHold()))
                .isEqualTo(overloaded);
        assertThat(wired.client.write(WiredNode.header(WiredNode.soon()), put, Optional.empty()))
                .isEqualTo(new WriteReply.Overloaded(Duration.ofSeconds(1)));
        restart(WiredNode.LIMITS, small);
        wired.node.gets = _ -> new GetReply.Found(document("x".repeat(600_000)), 5);
        assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), new ReadHold()))
                .isEqualTo(overloaded);
        assertThat(wired.client.write(WiredNode.header(WiredNode.soon()), put, Optional.empty()))
                .isEqualTo(new WriteReply.Overloaded(Duration.ofSeconds(1)));
    }

    /** A reader that keeps a large document keeps its memory. */
    @Test
    void countsTheMemoryOfADocumentUntilItsReaderLetsItGo() throws Exception {
        restart(WiredNode.LIMITS, new CallLimits(10, 1_000_000));
        wired.node.gets = _ -> new GetReply.Found(document("x".repeat(600_000)), 5);

        try (var hold = new ReadHold()) {
            assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), hold))
                    .isInstanceOf(GetReply.Found.class);
            assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), new ReadHold()))
                    .isInstanceOf(GetReply.Overloaded.class);
        }
        try (var hold = new ReadHold()) {
            assertThat(wired.client.get(WiredNode.get(WiredNode.soon()), hold))
                    .isInstanceOf(GetReply.Found.class);
        }
    }

    /** It was refused as an overload, so that clients sent it again for ever. */
    @Test
    void refusesValuesThatNeverFitIntoMemoryAsInOneProcess() {
        String reason =
                "the values of this request take 1048576 bytes of memory or more, at most 75000 are allowed (requests.memory)";
        refuseMemory(() -> new RequestMemory(100_000).open().charge(1 << 20));
        var tooLarge = new WriteReply.TooLarge(named(reason));

        assertThat(WiredNode.remove(wired.client, WiredNode.soon())).isEqualTo(tooLarge);
        assertThat(
                        wired.client.write(
                                new WriteRequest(
                                        WiredNode.header(WiredNode.soon()),
                                        List.of(write(), write()))))
                .containsExactly(tooLarge, tooLarge);
        assertThat(
                        wired.client.write(
                                WiredNode.header(WiredNode.soon()),
                                new Write.RemoveGroup(3, "note", new LocationKey.Group("anna")),
                                Optional.empty()))
                .isEqualTo(tooLarge);
        for (Supplier<?> read : reads()) {
            assertThatExceptionOfType(MemoryRefusedException.class)
                    .isThrownBy(read::get)
                    .withMessage(named(reason))
                    .matches(MemoryRefusedException::isTooLarge);
        }
    }

    @Test
    void refusesValuesThatDoNotFitNowAsAnOverload() {
        var memory = new RequestMemory(1 << 20);
        memory.open().charge(700_000);
        refuseMemory(() -> memory.open().chargeNow(500_000));

        assertThat(WiredNode.remove(wired.client, WiredNode.soon()))
                .isEqualTo(new WriteReply.Overloaded(Duration.ofSeconds(1)));
        assertThat(reads().stream().map(Supplier::get).toList())
                .hasExactlyElementsOfTypes(
                        GetReply.Overloaded.class,
                        SearchReply.Overloaded.class,
                        VisitReply.Overloaded.class);
    }

    private void refuseMemory(Runnable charging) {
        ScriptedNode node = wired.node;
        node.writes =
                _ -> {
                    throw granted(charging);
                };
        node.gets =
                _ -> {
                    throw granted(charging);
                };
        node.searches =
                _ -> {
                    throw granted(charging);
                };
        node.visits =
                _ -> {
                    throw granted(charging);
                };
    }

    /** Charges memory that is to be refused. */
    private static AssertionError granted(Runnable charging) {
        charging.run();
        return new AssertionError("there was memory");
    }

    private List<Supplier<?>> reads() {
        return List.of(
                () -> wired.client.get(WiredNode.get(WiredNode.soon()), new ReadHold()),
                () -> wired.client.search(WiredNode.search(WiredNode.soon())),
                () -> wired.client.visit(WiredNode.visit(WiredNode.soon())));
    }

    private String named(String reason) {
        return "content node 'node-1' at %s: %s".formatted(wired.server.address(), reason);
    }

    private static Document document(String title) {
        return new Document(WiredNode.ID, Map.of("title", new FieldValue.StringValue(title)));
    }

    /** The removal of the document, as a row. */
    private static Write.Row write() {
        String header = "efbeadde00000000000000000000000001010000" + "13000000";
        String id = HexFormat.of().formatHex(WiredNode.ID.toString().getBytes(US_ASCII));
        return new Write.Row(3, WiredNode.ID, HexFormat.of().parseHex(header + id));
    }

    private static Write put(String title) {
        return WiredNode.operation(new DocumentOperation.Put(document(title)));
    }
}
