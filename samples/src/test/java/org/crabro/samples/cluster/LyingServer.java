package org.crabro.samples.cluster;

import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.protocol.grpc.ByteMethods;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.TlsFiles;

/**
 * A process at the address of a config server, with its certificate, that answers what it likes.
 */
final class LyingServer implements AutoCloseable {
    static final String SERVICE = "crabro.Config";

    private static final Map<String, MethodType> METHODS =
            Map.of(
                    "report", MethodType.UNARY,
                    "confirm", MethodType.UNARY,
                    "hello", MethodType.UNARY,
                    "keep", MethodType.UNARY,
                    "record", MethodType.UNARY,
                    "package", MethodType.SERVER_STREAMING,
                    "archive", MethodType.SERVER_STREAMING);

    private final Server server;

    /** The last message of other servers, by method. */
    private final Map<String, byte[]> received = new ConcurrentHashMap<>();

    private final AtomicLong answered = new AtomicLong();

    /** Makes answers. Called by many threads. */
    interface Answers {
        byte[] to(String method, byte[] message);
    }

    private LyingServer(NodeAddress address, TlsFiles tls, Answers answers) throws IOException {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(SERVICE);
        METHODS.forEach((name, type) ->
                service.addMethod(
                        ByteMethods.of(SERVICE, name, type),
                        ServerCalls.asyncServerStreamingCall((message, to) -> {
                            received.put(name, message);
                            answered.incrementAndGet();
                            to.onNext(answers.to(name, message));
                            to.onCompleted();
                        })));
        this.server =
                NettyServerBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                        .sslContext(NodeTls.server(tls))
                        .addService(service.build())
                        .build()
                        .start();
    }

    static LyingServer start(NodeAddress address, TlsFiles tls, Answers answers)
            throws IOException {
        return new LyingServer(address, tls, answers);
    }

    /** Returns the last messages that other servers sent. */
    List<Map.Entry<String, byte[]>> received() {
        return List.copyOf(received.entrySet());
    }

    /** Returns how many messages were answered. */
    long answered() {
        return answered.get();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
