package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.IndexedWrites;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.route.SelectionFilter;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A body and an answer without HTTP, each with a configured delay. */
class BulkRunTest {
    private static final byte[] LINE =
            "{\"put\":\"id:ns:note::1\",\"fields\":{\"text\":\"x\"}}\n".getBytes(UTF_8);
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    1,
                    new BulkSettings.Input(1 << 10, 8, 1 << 12, 1 << 14),
                    new BulkSettings.Batches(50, 1 << 20, 2),
                    2,
                    Duration.ofMinutes(1));

    @TempDir static Path directory;

    private final BulkAdmission admission = new BulkAdmission(SETTINGS, Duration.ofSeconds(10));
    private MapOfRows rows;
    private ApplicationModel model;

    @BeforeEach
    void start() throws IOException {
        model = NotesPackage.model(directory);
        rows = new MapOfRows(model);
    }

    @AfterEach
    void stop() {
        admission.close();
    }

    /** A body without an end that counts the requested bytes. */
    private static final class EndlessBody implements BodySource {
        final AtomicLong read = new AtomicLong();
        private int at;

        @Override
        public int read(byte[] into, int offset, int length, boolean waits) {
            for (int i = 0; i < length; i++) {
                into[offset + i] = LINE[at];
                at = (at + 1) % LINE.length;
            }
            read.addAndGet(length);
            return length;
        }
    }

    @Test
    void readsNoMoreThanAWindowWhileNothingIsWritten() throws Exception {
        var body = new EndlessBody();
        var isAsked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        rows.answer(write -> {
            isAsked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new WriteReply.Stored(1, new PartitionPosition(write.partition(), 1));
        });
        Content.Sink gone =
                (_, _, callback) -> callback.failed(new IOException("the client went away"));
        BulkRun run = run(gone);
        var failed = new CompletableFuture<Throwable>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        run.run(body);
                        failed.complete(new AssertionError("the body ended"));
                    } catch (IOException | InterruptedException e) {
                        failed.complete(e);
                    }
                });

        assertThat(isAsked.await(30, TimeUnit.SECONDS)).isTrue();
        // The reader continues until the window is full; then it holds the maximum.
        long most = SETTINGS.windowBytes() + 2L * SETTINGS.input().pieceBytes();
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> assertThat(run.isFull()).as("full").isTrue());
        long read = body.read.get();
        goOn.countDown();

        assertThat(read).isPositive().isLessThanOrEqualTo(most);
        assertThat(failed.get(30, TimeUnit.SECONDS)).hasMessage("the client went away");
        assertThat(admission.longLineBytes()).isZero();
    }

    /** Lines that come one by one, each when the one before is answered. */
    @Test
    void answersWhatHasComeBeforeMoreComes() throws Exception {
        var answered = new Semaphore(1);
        var lines = new AtomicLong();
        BodySource body =
                (into, offset, _, waits) -> {
                    if (!waits && !answered.tryAcquire()) {
                        return 0;
                    }
                    if (waits) {
                        try {
                            assertThat(answered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    }
                    if (lines.getAndIncrement() == 20) {
                        return -1;
                    }
                    System.arraycopy(LINE, 0, into, offset, LINE.length);
                    return LINE.length;
                };
        Content.Sink sink =
                (_, bytes, callback) -> {
                    assertThat(UTF_8.decode(bytes).toString()).contains("\"status\":200");
                    answered.release();
                    callback.succeeded();
                };

        assertThat(run(sink).run(body)).isEmpty();
        assertThat(rows.batches()).hasSize(20).containsOnly(1);
    }

    @Test
    void endsWhenTheBodyBreaks() {
        BodySource body =
                (_, _, _, _) -> {
                    throw new IOException("reset");
                };

        assertThatIOException()
                .isThrownBy(() -> run((_, _, callback) -> callback.succeeded()).run(body))
                .withMessage("reset");
    }

    private BulkRun run(Content.Sink sink) {
        BulkOptions options = BulkOptions.withTimeout(Duration.ofMinutes(1));
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        return new BulkRun(
                new OperationLines(
                        new BulkBackend(
                                new ServedTypes(model, Map.of(), false), rows, filter, rows),
                        new DocumentPath.Root(),
                        BulkOptions.withTimeout(Duration.ofSeconds(30)),
                        Principal.EVERYONE),
                new LineWork(
                        rows,
                        rows,
                        new IndexedWrites(rows, filter),
                        new LineReads(rows, Principal.EVERYONE, options),
                        Principal.EVERYONE,
                        options),
                admission,
                new LineAnswers(
                        new AnswerLines(true),
                        sink,
                        new DocumentMetrics(new SimpleMeterRegistry())));
    }
}
