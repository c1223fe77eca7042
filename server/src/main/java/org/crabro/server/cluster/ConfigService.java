package org.crabro.server.cluster;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Answers other servers for a config server. Calls run on threads that may wait. */
final class ConfigService implements BindableService {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigService.class);

    private final ConfigAccess config;

    /**
     * @param config in the same process
     */
    ConfigService(ConfigAccess config) {
        this.config = config;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(ConfigMethods.REPORT.getServiceName())
                .addMethod(ConfigMethods.REPORT, ServerCalls.asyncUnaryCall(this::report))
                .addMethod(
                        ConfigMethods.PACKAGE,
                        ServerCalls.asyncServerStreamingCall((_, to) -> copyPackage(to)))
                .build();
    }

    private void report(byte[] request, StreamObserver<byte[]> to) {
        byte[] reply;
        try {
            reply = ClusterJson.write(config.report(ClusterJson.read(request, HostReport.class)));
        } catch (JacksonException e) {
            to.onError(
                    Status.INVALID_ARGUMENT
                            .withDescription("the report cannot be read: " + e.getMessage())
                            .asRuntimeException());
            return;
        } catch (IOException e) {
            LOG.warn("a report was not answered", e);
            to.onError(Status.UNAVAILABLE.withDescription(e.toString()).asRuntimeException());
            return;
        }
        to.onNext(reply);
        to.onCompleted();
    }

    private void copyPackage(StreamObserver<byte[]> to) {
        var call = (ServerCallStreamObserver<byte[]>) to;
        var parts = new Parts(call);
        call.setOnReadyHandler(parts::wake);
        call.setOnCancelHandler(parts::wake);
        Thread.ofVirtual()
                .name("package-copy")
                .start(() -> {
                    try {
                        config.copyPackage(parts);
                        parts.close();
                        call.onCompleted();
                    } catch (IOException e) {
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
