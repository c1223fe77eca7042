package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.visit.VisitReply;
import org.junit.jupiter.api.Test;

/** Connections to content nodes that fail. */
class WireFailuresTest {
    private static final WriteReply STORED = new WriteReply.Stored(7, new PartitionPosition(3, 8));

    private final NodeConnections connections =
            new NodeConnections(Optional.empty(), WiredNode.LIMITS);

    @Test
    void saysThatANodeIsUnavailableIfItsPortIsClosed() throws Exception {
        NodeAddress closed;
        try (var socket = new ServerSocket(0)) {
            closed = new NodeAddress(NodeAddress.LOOPBACK, socket.getLocalPort());
        }
        try (NodeClient client = connections.connect(closed, WiredNode.IDENTITY)) {
            String reason = "content node 'node-1' at %s: Connection refused".formatted(closed);

            assertThat(WiredNode.remove(client, WiredNode.soon()))
                    .as("certainly not written")
                    .isEqualTo(new WriteReply.Unavailable(reason));
            assertThat(client.get(WiredNode.get(WiredNode.soon()), new ReadHold()))
                    .isEqualTo(new GetReply.Unavailable(reason));
            assertThat(client.search(WiredNode.search(WiredNode.soon())))
                    .isEqualTo(new SearchReply.Unavailable(reason));
            assertThat(client.visit(WiredNode.visit(WiredNode.soon())))
                    .isEqualTo(new VisitReply.Unavailable(reason));
        }
    }

    @Test
    void sendsNothingToANodeOfAnotherName() throws Exception {
        try (var wired = new WiredNode();
                NodeClient client =
                        connections.connect(
                                wired.server.address(), new NodeIdentity("test", "node-2"))) {
            wired.node.writes = _ -> STORED;

            assertThat(WiredNode.remove(client, WiredNode.soon()))
                    .isEqualTo(
                            new WriteReply.Unavailable(
                                    "content node 'node-2' at %s: the sender expects node 'node-2' of cluster 'test', this is 'node-1' of cluster 'test'"
                                            .formatted(wired.server.address())));
        }
    }

    /** Lets a node reply to writes and searches only when {@code mayEnd} is open. */
    private static void holdReplies(
            ScriptedNode node, CountDownLatch begun, CountDownLatch mayEnd) {
        node.writes =
                _ -> {
                    begun.countDown();
                    awaitQuietly(mayEnd);
                    return STORED;
                };
        node.searches =
                _ -> {
                    begun.countDown();
                    awaitQuietly(mayEnd);
                    return new SearchReply.Rejected("late");
                };
    }

    /** The node may have written the document; nothing says so. */
    @Test
    void doesNotKnowTheOutcomeOfAWriteWhoseReplyWasLost() throws Exception {
        try (var wired = new WiredNode();
                var proxy = new CutProxy(wired.server.address());
                NodeClient client = connections.connect(proxy.address(), WiredNode.IDENTITY);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new CountDownLatch(2);
            var mayEnd = new CountDownLatch(1);
            holdReplies(wired.node, begun, mayEnd);
            Future<WriteReply> fed =
                    threads.submit(() -> WiredNode.remove(client, WiredNode.soon()));
            Future<SearchReply> searched =
                    threads.submit(() -> client.search(WiredNode.search(WiredNode.soon())));
            begun.await();

            proxy.cut();

            assertThat(fed.get()).isInstanceOf(WriteReply.OutcomeUnknown.class);
            assertThat(searched.get()).isInstanceOf(SearchReply.Unavailable.class);
            mayEnd.countDown();
            wired.node.writes = _ -> STORED;
            await().untilAsserted(() ->
                    assertThat(WiredNode.remove(client, WiredNode.soon()))
                            .as("connects again")
                            .isEqualTo(STORED));
        }
    }

    /** A stopped process keeps its connections. */
    @Test
    void endsCallsOfANodeThatIsNotExpectedToReply() throws Exception {
        try (var wired = new WiredNode();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new CountDownLatch(2);
            var mayEnd = new CountDownLatch(1);
            holdReplies(wired.node, begun, mayEnd);
            Future<WriteReply> fed =
                    threads.submit(() -> WiredNode.remove(wired.client, WiredNode.soon()));
            Future<SearchReply> searched =
                    threads.submit(() -> wired.client.search(WiredNode.search(WiredNode.soon())));
            begun.await();

            wired.client.abandonCalls("it does not report");

            assertThat(fed.get())
                    .isEqualTo(
                            new WriteReply.OutcomeUnknown(
                                    "content node 'node-1' at %s: it does not report"
                                            .formatted(wired.server.address())));
            assertThat(searched.get()).isInstanceOf(SearchReply.Unavailable.class);
            mayEnd.countDown();
            wired.node.writes = _ -> STORED;
            assertThat(WiredNode.remove(wired.client, WiredNode.soon())).isEqualTo(STORED);
        }
    }

    @Test
    void losesRepliesThatAreCutInTheMiddle() throws Exception {
        try (var wired = new WiredNode();
                var proxy = new CutProxy(wired.server.address());
                NodeClient client = connections.connect(proxy.address(), WiredNode.IDENTITY)) {
            var page =
                    new VisitReply.Page(
                            new VisitReply.Contents.Json(ByteBuffer.allocate(64 << 20)),
                            1,
                            Optional.empty(),
                            1);
            wired.node.visits =
                    _ -> {
                        Thread.ofVirtual()
                                .start(() -> {
                                    await().until(() -> wired.server.messageBytes() > 64 << 20);
                                    proxy.cut();
                                });
                        return page;
                    };

            assertThat(client.visit(WiredNode.visit(WiredNode.soon())))
                    .isInstanceOf(VisitReply.Unavailable.class);
            await().until(() -> wired.server.messageBytes() == 0);
        }
    }

    @Test
    void connectsAgainWhenTheNodeHasRestarted() throws Exception {
        var node = new ScriptedNode();
        node.writes = _ -> STORED;
        ContentServer first =
                ContentServer.start(
                        WiredNode.ANY_PORT,
                        Optional.empty(),
                        WiredNode.IDENTITY,
                        WiredNode.LIMITS,
                        node);
        NodeAddress address = first.address();
        try (NodeClient client = connections.connect(address, WiredNode.IDENTITY)) {
            assertThat(WiredNode.remove(client, WiredNode.soon())).isEqualTo(STORED);
            first.close();
            assertThat(WiredNode.remove(client, WiredNode.soon()))
                    .isInstanceOf(WriteReply.Unavailable.class);

            try (var _ =
                    ContentServer.start(
                            address,
                            Optional.empty(),
                            WiredNode.IDENTITY,
                            WiredNode.LIMITS,
                            node)) {
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() ->
                                assertThat(WiredNode.remove(client, WiredNode.soon()))
                                        .isEqualTo(STORED));
            }
        }
    }

    @Test
    void listensOnLoopbackAloneWithoutCertificates() {
        String reason =
                "without certificates, the servers of a cluster use loopback addresses only, not '%s': messages would cross the network without TLS; give --node-key, --node-certificates and --node-authorities, or --insecure";

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ContentServer.start(
                                new NodeAddress("0.0.0.0", 0),
                                Optional.empty(),
                                WiredNode.IDENTITY,
                                WiredNode.LIMITS,
                                new ScriptedNode()))
                .withMessage(reason.formatted("0.0.0.0"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        connections.connect(
                                new NodeAddress("192.0.2.1", 19_100), WiredNode.IDENTITY))
                .withMessage(reason.formatted("192.0.2.1"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
