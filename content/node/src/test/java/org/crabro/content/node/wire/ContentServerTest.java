package org.crabro.content.node.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.transport.CallHeaders;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeRefusal;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that gets bytes which no client of this version sends. */
class ContentServerTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:note:g=anna:1");
    private static final String VERSION = Integer.toString(MessageEncoding.VERSION);

    @TempDir private Path directory;

    private ContentNode node;
    private ContentServer server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        node = ContentNode.open(ContentSettings.in(directory));
        server =
                ContentServer.start(
                        new NodeAddress(NodeAddress.LOOPBACK, 0),
                        Optional.empty(),
                        new NodeIdentity("test", "node-1"),
                        new CallLimits(10, 10_000_000),
                        node);
        channel =
                NettyChannelBuilder.forAddress(NodeAddress.LOOPBACK, server.address().port())
                        .usePlaintext()
                        .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        await().until(() -> server.requestsInProgress() == 0 && server.messageBytes() == 0);
        server.close();
        node.close();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream bytes) {
            try {
                return bytes.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Sends chunks, and returns the reply of one chunk. */
    private byte[] call(String encoding, List<byte[]> chunks) {
        return call(encoding, CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES), chunks);
    }

    private byte[] call(String encoding, CallOptions options, List<byte[]> chunks) {
        MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                        .setFullMethodName(
                                MethodDescriptor.generateFullMethodName(
                                        NodeMethod.SERVICE, NodeMethod.GET.shown()))
                        .build();
        var headers = new Metadata();
        headers.put(key(CallHeaders.ENCODING), encoding);
        headers.put(binary(CallHeaders.CLUSTER), "test".getBytes(StandardCharsets.UTF_8));
        headers.put(binary(CallHeaders.NODE), "node-1".getBytes(StandardCharsets.UTF_8));
        var reply = new CompletableFuture<byte[]>();
        ClientCall<byte[], byte[]> call = channel.newCall(method, options);
        call.start(
                new ClientCall.Listener<>() {
                    private byte[] received = new byte[0];

                    @Override
                    public void onMessage(byte[] message) {
                        received = message;
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        if (status.isOk()) {
                            reply.complete(received);
                        } else {
                            reply.completeExceptionally(
                                    new IllegalStateException(
                                            trailers.get(key(CallHeaders.REFUSAL))
                                                    + ": "
                                                    + status.getDescription()));
                        }
                    }
                },
                headers);
        call.request(2);
        chunks.forEach(call::sendMessage);
        call.halfClose();
        return reply.join();
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    private static byte[] get(long remainingNanos) {
        var header = new RequestHeader(Principal.EVERYONE, 1, new Deadline(remainingNanos));
        return MessageEncoding.encode(new GetRequest(header, 3, ID, Optional.empty()), 0);
    }

    private void refuses(String encoding, String reason, byte[]... chunks) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> call(encoding, List.of(chunks)))
                .havingCause()
                .withMessage(reason);
    }

    @Test
    void refusesOtherVersionsOfTheEncoding() {
        refuses(
                "2",
                "WRONG_ENCODING: it uses version 1 of the encoding of messages, the sender uses version 2",
                get(1_000_000_000));
    }

    @Test
    void refusesWhatIsNoRequest() {
        byte[] otherKind = MessageEncoding.encode(new GetReply.Missing());
        byte[] request = get(1_000_000_000);

        refuses(VERSION, "MALFORMED: at byte 1: expected a GET_REQUEST but found 4", otherKind);
        refuses(VERSION, "MALFORMED: at byte 0: expected a message of 0 bytes but found its end");
        refuses(
                VERSION,
                "MALFORMED: at byte 20: expected a message of %d bytes but found its end"
                        .formatted(request.length),
                Arrays.copyOf(request, 20));
        refuses(VERSION, "MALFORMED: at byte 0: expected version 1 but found 9", new byte[] {9});
    }

    @Test
    void refusesCallsWithoutATimeout() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> call(VERSION, CallOptions.DEFAULT, List.of(get(1_000_000_000))))
                .havingCause()
                .withMessage("MALFORMED: the call has no timeout");
    }

    /** It would be the first of several chunks, so that nothing of it waits in memory. */
    @Test
    void refusesMessagesThatDoNotFitIntoMemoryByTheirFirstBytes() {
        byte[] start = {(byte) MessageEncoding.VERSION, 3, 0, 0, 0, 1};

        refuses(
                VERSION,
                "OVERLOADED: the requests and replies of a content node leave no memory for another",
                start);
    }

    /** A release that does not know a refusal takes it for a lost connection. */
    @Test
    void namesEachRefusalAsAllReleasesDo() {
        for (NodeRefusal each : NodeRefusal.values()) {
            var closed = new ClosedCall();

            NodeCall.refuse(closed, each, "reason");

            assertThat(closed.trailers.get(key(CallHeaders.REFUSAL)))
                    .isIn(
                            "WRONG_ENCODING",
                            "WRONG_NODE",
                            "OVERLOADED",
                            "UNENCODABLE",
                            "MALFORMED",
                            "FAILED");
            assertThat(NodeRefusal.named(closed.trailers.get(key(CallHeaders.EXACT_REFUSAL))))
                    .hasValue(each);
        }
    }

    /** Keeps the trailers of its end. */
    private static final class ClosedCall extends ServerCall<byte[], byte[]> {
        private Metadata trailers = new Metadata();

        @Override
        public void close(Status status, Metadata sent) {
            trailers = sent;
        }

        @Override
        public void request(int count) {
            throw new IllegalStateException("the call is refused");
        }

        @Override
        public void sendHeaders(Metadata headers) {
            throw new IllegalStateException("the call is refused");
        }

        @Override
        public void sendMessage(byte[] message) {
            throw new IllegalStateException("the call is refused");
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<byte[], byte[]> getMethodDescriptor() {
            throw new IllegalStateException("the call is refused");
        }
    }

    @Test
    void countsTheTimeOfTheDeadlineFromTheArrivalOfARequest() {
        assertThat(MessageEncoding.getReply(call(VERSION, List.of(get(0)))))
                .isEqualTo(new GetReply.TimedOut());
        assertThat(MessageEncoding.getReply(call(VERSION, List.of(get(60_000_000_000L)))))
                .as("no type of this name is active")
                .isInstanceOf(GetReply.Missing.class);
    }
}
