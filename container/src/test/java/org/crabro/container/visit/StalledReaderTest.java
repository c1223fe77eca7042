package org.crabro.container.visit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_HUNDRED_MILLISECONDS;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** A client that stops reading, over a real socket. */
class StalledReaderTest {
    private static final int PAGES = 200;
    private static final int PAGE_BYTES = 1 << 20;
    private static final int READ_BYTES = 64 << 10;

    /** More than the buffers of both sockets can contain on any system. */
    private static final int SOCKETS_BYTES = 24 << 20;

    /** Of one partition: one that is written and one that is read ahead. */
    private static final int PAGES_HELD = 2;

    private final EndlessPages pages = new EndlessPages();
    private final AtomicReference<Thread> writer = new AtomicReference<>();

    @Test
    void stopsAskingForPagesAndLosesNothing() throws Exception {
        try (HttpListener listener =
                        HttpListener.start(HttpSettings.loopback(0), handler(), (_, _) -> {});
                var socket = new Socket()) {
            socket.setReceiveBufferSize(READ_BYTES);
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()));
            socket.getOutputStream().write(request());
            InputStream in = new BufferedInputStream(socket.getInputStream());

            byte[] first = in.readNBytes(READ_BYTES);
            awaitStall();
            int askedWhileStalled = pages.asked.get();
            long lines = count(first, first.length);
            byte[] bytes = new byte[READ_BYTES];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                pages.read.addAndGet(n);
                lines += count(bytes, n);
            }

            assertThat(askedWhileStalled).isLessThan(PAGES / 2);
            assertThat(lines).isEqualTo(PAGES);
            assertThat(pages.asked.get()).isEqualTo(PAGES);
            assertThat(pages.aheadMax.get())
                    .isLessThanOrEqualTo(SOCKETS_BYTES + (long) PAGES_HELD * PAGE_BYTES);
        }
    }

    /** Returns when the server has waited in a write for 100 ms and has read no page meanwhile. */
    private void awaitStall() {
        var before = new AtomicInteger();
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .during(ONE_HUNDRED_MILLISECONDS)
                .untilAsserted(() -> {
                    int asked = pages.asked.get();
                    assertThat(before.getAndSet(asked)).isEqualTo(asked);
                    assertThat(writer.get())
                            .isNotNull()
                            .extracting(Thread::getState)
                            .isEqualTo(Thread.State.WAITING);
                });
    }

    private static byte[] request() {
        return """
        GET /document/v1/?cluster=content&stream=true HTTP/1.1
        Host: localhost
        Accept: application/jsonl
        Connection: close

        """
                .replace("\n", "\r\n")
                .getBytes(US_ASCII);
    }

    private static long count(byte[] bytes, int length) {
        long count = 0;
        for (int i = 0; i < length; i++) {
            count += bytes[i] == EndlessPages.MARK ? 1 : 0;
        }
        return count;
    }

    private Handler handler() {
        var settings = new VisitSettings(4, 4, 1000, PAGE_BYTES);
        var handler =
                VisitConnection.handler(
                        pages,
                        VisitConnection.NO_WRITES,
                        VisitConnection.NO_REMOVALS,
                        Duration.ofMinutes(10),
                        settings,
                        new VisitAdmission(settings));
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback)
                    throws Exception {
                writer.set(Thread.currentThread());
                return super.handle(request, response, callback);
            }
        };
    }

    /** One partition of pages of one document each. */
    private static final class EndlessPages implements VisitReads {
        /** One in every document, and nowhere else. */
        static final byte MARK = 1;

        final AtomicInteger asked = new AtomicInteger();
        final AtomicLong read = new AtomicLong();
        final AtomicLong aheadMax = new AtomicLong();

        @Override
        public Partitions partitions() {
            return new Partitions(0);
        }

        @Override
        public PageReply read(
                Principal principal,
                Deadline deadline,
                SelectedPlaces places,
                RequestMaker request) {
            int page = asked.incrementAndGet();
            long ahead = (long) page * PAGE_BYTES - read.get();
            aheadMax.accumulateAndGet(ahead, Math::max);
            byte[] text = new byte[PAGE_BYTES];
            Arrays.fill(text, (byte) 'x');
            text[0] = MARK;
            text[PAGE_BYTES - 1] = '\n';
            return new PageReply.Answered(
                    new VisitReply.Page(
                            new VisitReply.Contents.Json(ByteBuffer.wrap(text)),
                            1,
                            page == PAGES
                                    ? Optional.empty()
                                    : Optional.of(DocumentId.parse("id:ns:music::" + page)),
                            (double) page / PAGES));
        }
    }
}
