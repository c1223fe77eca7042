package org.crabro.server.cluster;

import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
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
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.grpc.CallerGuard;
import org.crabro.protocol.grpc.GuardedService;
import org.crabro.protocol.transport.AllowedCallers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Answers other servers for a config server. Calls run on threads that may wait. */
final class ConfigService {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigService.class);

    /** Without a name that would be looked up. */
    private static final Pattern LOOPBACK =
            Pattern.compile("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|::1|localhost");

    private final ConfigAccess config;
    private final Optional<PeerAccess> peer;
    private final ClusterSettings cluster;

    /**
     * @param config in the same process
     * @param peer takes the calls of other config servers; empty if there are none
     */
    ConfigService(ConfigAccess config, Optional<PeerAccess> peer, ClusterSettings cluster) {
        this.config = config;
        this.peer = peer;
        this.cluster = cluster;
    }

    /** What config servers ask of each other. */
    interface PeerAccess {
        PeerHello.Answer hello(PeerHello other);

        /**
         * Writes a part of an archive; returns whether the archive is complete, and durable.
         *
         * @param sender the names of its certificate; empty without certificates
         */
        boolean keep(String sender, ArchivePart part) throws IOException;

        /** Returns the file of an archive. */
        Path archive(String name) throws IOException;

        /** Returns what this server has in place of the entries that its log has forgotten. */
        Optional<LogSnapshot> record() throws IOException;
    }

    /** Returns the methods for other servers. */
    GuardedService methods() {
        GuardedService.Builder methods =
                GuardedService.of(ConfigMethods.SERVICE)
                        .add(ConfigMethods.REPORT, AllowedCallers.NAMED_HOSTS, unary(this::report))
                        .add(
                                ConfigMethods.CONFIRM,
                                AllowedCallers.NAMED_HOSTS,
                                unary(this::confirm))
                        .add(
                                ConfigMethods.PACKAGE,
                                AllowedCallers.MEMBERS,
                                ServerCalls.asyncServerStreamingCall(
                                        (_, to) -> send(to, config::copyPackage)));
        peer.ifPresent(each -> addPeerMethods(methods, each));
        return methods.build();
    }

    private void addPeerMethods(GuardedService.Builder methods, PeerAccess peer) {
        methods.add(
                        ConfigMethods.HELLO,
                        AllowedCallers.CONFIG_SERVERS,
                        unary(request -> ClusterJson.write(peer.hello(hello(request)))))
                .add(
                        ConfigMethods.KEEP,
                        AllowedCallers.CONFIG_SERVERS,
                        unary(request ->
                                new byte[] {
                                    (byte)
                                            (peer.keep(sender(), ArchivePart.decode(request))
                                                    ? 1
                                                    : 0)
                                }))
                .add(
                        ConfigMethods.ARCHIVE,
                        AllowedCallers.CONFIG_SERVERS,
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
                .add(
                        ConfigMethods.RECORD,
                        AllowedCallers.CONFIG_SERVERS,
                        unary(_ -> peer.record().map(LogSnapshot::encode).orElse(new byte[0])));
    }

    private byte[] report(byte[] request) throws IOException {
        HostReport report = ClusterJson.read(request, HostReport.class);
        ReportForm.check(report);
        requireSpeaksFor(report.host());
        for (NodeReport node : report.nodes().values()) {
            requireOwn(report.host(), node.addresses().requests());
            requireOwn(report.host(), node.addresses().replication());
        }
        return ClusterJson.write(config.report(report));
    }

    private byte[] confirm(byte[] request) throws IOException {
        String leader = new String(request, StandardCharsets.UTF_8);
        return new byte[] {(byte) (config.confirms(leader) ? 1 : 0)};
    }

    private PeerHello hello(byte[] request) {
        PeerHello other = ClusterJson.read(request, PeerHello.class);
        ReportForm.check(other);
        requireSpeaksFor(other.member().host());
        requireOwn(other.member().host(), other.member().log());
        requireOwn(other.member().host(), other.member().forwarded());
        return other;
    }

    private static String sender() {
        return CallerGuard.shown()
                .map(shown -> String.join(",", new TreeSet<>(shown.names())))
                .orElse("");
    }

    /** A config server may be reached at another address than its name. */
    private void requireSpeaksFor(String host) {
        boolean isAddressed =
                cluster.configServers().stream()
                        .filter(each -> each.name().equals(host))
                        .anyMatch(each ->
                                CallerGuard.shown()
                                        .filter(shown -> shown.has(each.address().host()))
                                        .isPresent());
        if (!isAddressed) {
            CallerGuard.requireSpeaksFor(host);
        }
    }

    /**
     * Others connect to this address. So it must be the host, another name of its certificate, or
     * without certificates this machine.
     */
    private void requireOwn(String host, String address) {
        if (address.isEmpty() || cluster.security().isInsecure()) {
            return;
        }
        String at = HostSettings.address(address).host();
        boolean isOwn =
                CallerGuard.shown()
                        .map(shown -> at.equalsIgnoreCase(host) || shown.has(at))
                        .orElseGet(() -> LOOPBACK.matcher(at).matches());
        if (!isOwn) {
            throw Status.PERMISSION_DENIED
                    .withDescription(
                            "'%s' is no address of host '%s' by its certificate; without certificates, only loopback addresses are"
                                    .formatted(at, host))
                    .asRuntimeException();
        }
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
            } catch (StatusRuntimeException e) {
                to.onError(e);
                return;
            } catch (JacksonException | IllegalArgumentException e) {
                to.onError(
                        Status.INVALID_ARGUMENT
                                .withDescription("the message cannot be read: " + reason(e))
                                .asRuntimeException());
                return;
            } catch (IOException e) {
                LOG.debug("a message was not answered", e);
                to.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
                return;
            } catch (RuntimeException e) {
                LOG.error("a message could not be answered", e);
                to.onError(Status.INTERNAL.withDescription(e.toString()).asRuntimeException());
                return;
            }
            to.onNext(reply);
            to.onCompleted();
        });
    }

    private static String reason(RuntimeException refusal) {
        String message =
                refusal instanceof JacksonException json
                        ? json.getOriginalMessage()
                        : String.valueOf(refusal.getMessage());
        return message.substring(0, Math.min(message.length(), ConfigMethods.REASON_MAX));
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
                        // Without the trace: a sender may ask for any name, again and again.
                        LOG.info("a package was not sent: {}", e.toString());
                        if (!call.isCancelled()) {
                            Status status =
                                    e instanceof IllegalArgumentException
                                            ? Status.INVALID_ARGUMENT
                                            : Status.UNAVAILABLE;
                            call.onError(
                                    status.withDescription(ReportForm.shown(e.toString()))
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
