package org.crabro.server.cluster;

import io.grpc.BindableService;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Answers other servers for a config server. Calls run on threads that may wait. */
final class ConfigService implements BindableService {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigService.class);

    private final ConfigAccess config;
    private final Optional<PeerAccess> peer;

    /**
     * @param config in the same process
     * @param peer takes the calls of other config servers; empty if there are none
     */
    ConfigService(ConfigAccess config, Optional<PeerAccess> peer) {
        this.config = config;
        this.peer = peer;
    }

    /** What config servers ask of each other. */
    interface PeerAccess {
        PeerHello.Answer hello(PeerHello other);

        /** Writes a part of an archive; returns whether the archive is complete, and durable. */
        boolean keep(ArchivePart part) throws IOException;

        /** Returns the file of an archive. */
        Path archive(String name) throws IOException;

        /** Returns what this server has in place of the entries that its log has forgotten. */
        Optional<LogSnapshot> record() throws IOException;
    }

    @Override
    public ServerServiceDefinition bindService() {
        var methods =
                ServerServiceDefinition.builder(ConfigMethods.REPORT.getServiceName())
                        .addMethod(ConfigMethods.REPORT, unary(this::report))
                        .addMethod(
                                ConfigMethods.PACKAGE,
                                ServerCalls.asyncServerStreamingCall(
                                        (_, to) -> send(to, config::copyPackage)));
        peer.ifPresent(each -> addPeerMethods(methods, each));
        return methods.build();
    }

    private static void addPeerMethods(ServerServiceDefinition.Builder methods, PeerAccess peer) {
        methods.addMethod(
                        ConfigMethods.HELLO,
                        unary(request ->
                                ClusterJson.write(
                                        peer.hello(ClusterJson.read(request, PeerHello.class)))))
                .addMethod(
                        ConfigMethods.KEEP,
                        unary(request ->
                                new byte[] {
                                    (byte) (peer.keep(ArchivePart.decode(request)) ? 1 : 0)
                                }))
                .addMethod(
                        ConfigMethods.ARCHIVE,
                        ServerCalls.asyncServerStreamingCall((name, to) ->
                                send(
                                        to,
                                        out ->
                                                Files.copy(
                                                        peer.archive(
                                                                new String(
                                                                        name,
                                                                        StandardCharsets.US_ASCII)),
                                                        out))))
                .addMethod(
                        ConfigMethods.RECORD,
                        unary(_ -> peer.record().map(LogSnapshot::encode).orElse(new byte[0])));
    }

    private byte[] report(byte[] request) throws IOException {
        return ClusterJson.write(config.report(ClusterJson.read(request, HostReport.class)));
    }

    /** Answers a message with a message. */
    private interface Answering {
        byte[] answer(byte[] request) throws IOException;
    }

    private static ServerCallHandler<byte[], byte[]> unary(Answering answering) {
        return ServerCalls.asyncUnaryCall((request, to) -> {
            byte[] reply;
            try {
                reply = answering.answer(request);
            } catch (JacksonException | IllegalArgumentException e) {
                to.onError(
                        Status.INVALID_ARGUMENT
                                .withDescription("the message cannot be read: " + e.getMessage())
                                .asRuntimeException());
                return;
            } catch (IOException e) {
                LOG.debug("a message was not answered", e);
                to.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
                return;
            }
            to.onNext(reply);
            to.onCompleted();
        });
    }

    private static void send(StreamObserver<byte[]> to, ArchiveFiles.Source source) {
        var call = (ServerCallStreamObserver<byte[]>) to;
        var parts = new Parts(call);
        call.setOnReadyHandler(parts::wake);
        call.setOnCancelHandler(parts::wake);
        Thread.ofVirtual()
                .name("package-copy")
                .start(() -> {
                    try {
                        source.writeTo(parts);
                        parts.close();
                        call.onCompleted();
                    } catch (IOException | RuntimeException e) {
                        LOG.warn("a package was not sent", e);
                        if (!call.isCancelled()) {
                            call.onError(
                                    Status.UNAVAILABLE
                                            .withDescription(e.toString())
                                            .asRuntimeException());
                        }
                    }
                });
    }

    /** Sends bytes in parts, as fast as the receiver takes them. */
    private static final class Parts extends OutputStream {
        private final ServerCallStreamObserver<byte[]> call;
        private final byte[] part = new byte[ConfigMethods.PART_BYTES];
        private int length;

        Parts(ServerCallStreamObserver<byte[]> call) {
            this.call = call;
        }

        synchronized void wake() {
            notifyAll();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int done = 0;
            while (done < count) {
                int now = Math.min(count - done, part.length - length);
                System.arraycopy(bytes, offset + done, part, length, now);
                length += now;
                done += now;
                if (length == part.length) {
                    send();
                }
            }
        }

        private synchronized void send() throws IOException {
            while (!call.isReady()) {
                if (call.isCancelled()) {
                    throw new IOException("the receiver has gone away");
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
            call.onNext(Arrays.copyOf(part, length));
            length = 0;
        }

        @Override
        public void close() throws IOException {
            if (length > 0) {
                send();
            }
        }
    }
}
