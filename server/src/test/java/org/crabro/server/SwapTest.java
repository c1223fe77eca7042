package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.Container;
import org.crabro.container.ContainerSettings;
import org.crabro.container.access.AccessControl;
import org.crabro.container.admin.ModelActivation;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.service.ServiceRules;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.server.warmup.QueryWarmUp;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Serves one generation after another under continuous queries. A generation brings no classes, so
 * only its compiled and loaded models could leak.
 */
class SwapTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final int SWAPS = 20;
    private static final int CLIENTS = 3;

    /** Answers that are waited for between two swaps. */
    private static final int ANSWERS = 10;

    /** So many collections are tried before something counts as held. */
    private static final int COLLECTIONS = 50;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <component id="e" type="hugging-face-embedder">
                  <transformer-model path="models/m.onnx"/>
                  <tokenizer-model path="models/t.json"/>
                </component>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final Path RANK_MODEL =
            Path.of(
                    System.getProperty("crabro.root", ".."),
                    "ranking/src/test/resources/org/crabro/ranking/onnx/twice.onnx");

    @TempDir Path directory;

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final MetricIntervals metrics = new MetricIntervals(InstantSource.system());
    private final HttpClient http = HttpClient.newHttpClient();
    private ContentStores content;
    private Container container;
    private Activation activation;

    @BeforeEach
    void start() throws Exception {
        content =
                ContentStores.open(
                        ContentSettings.in(directory.resolve("data")),
                        ContentNode::open,
                        new StoreLinks(WireSettings.ofHeap(1 << 20)),
                        new UncaughtErrors());
        container =
                Container.start(
                        ContainerSettings.of(
                                HttpSettings.loopback(0),
                                new ContainerSettings.Start(
                                        true, "test", AccessControl.OPEN, true, ServiceRules.NONE)),
                        content,
                        _ -> new CountedEmbedder(opened, closed),
                        ReindexRegister.open(
                                directory.resolve("reindexing.properties"), InstantSource.system()),
                        metrics);
        activation = new Activation(content, container, QueryWarmUp.none());
    }

    @AfterEach
    void stop() {
        http.close();
        container.close();
        content.close();
        metrics.close();
    }

    @Test
    void failsNoQueryAndLetsEveryOldGenerationGo() throws Exception {
        activate(1);
        put();
        var problems = new ConcurrentLinkedQueue<String>();
        var answered = new Semaphore(0);
        var isOver = new AtomicBoolean();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofVirtual().start(() -> ask(isOver, answered, problems)));
        }

        var old = new ArrayList<WeakReference<ApplicationModel>>();
        for (int generation = 2; generation < 2 + SWAPS; generation++) {
            answered.acquire(ANSWERS);
            old.add(activate(generation));
        }
        answered.acquire(ANSWERS);
        isOver.set(true);
        for (Thread client : clients) {
            client.join();
        }
        // The last one is served.
        WeakReference<ApplicationModel> last = old.removeLast();

        assertThat(problems).isEmpty();
        assertThat(heldAfterCollecting(old)).isZero();
        assertThat(last.get()).isNotNull();
        assertThat(opened).hasValue(1 + SWAPS);
        // Other threads close models. The last package has one model for each of two phases.
        EVENTUALLY.untilAsserted(
                () -> assertThat(content.nodes().getFirst().rankModels()).isEqualTo(1));
        EVENTUALLY.untilAsserted(() -> assertThat(container.rankModels()).isEqualTo(1));
        EVENTUALLY.untilAsserted(() -> assertThat(closed).hasValue(SWAPS));
    }

    /** Returns a weak reference to the model. */
    private WeakReference<ApplicationModel> activate(long generation) throws Exception {
        Path files = Files.createDirectories(directory.resolve(Long.toString(generation)));
        Files.createDirectories(files.resolve("schemas"));
        Files.createDirectories(files.resolve("models"));
        Files.writeString(files.resolve("services.xml"), SERVICES);
        Files.writeString(files.resolve("models/m.onnx"), "");
        Files.copy(RANK_MODEL, files.resolve("models/twice.onnx"));
        Files.writeString(files.resolve("models/t.json"), "");
        Files.writeString(
                files.resolve("schemas/note.sd"),
                """
                schema note {
                  document note {
                    field text type string { indexing: index | summary }
                    field place type tensor<float>(x[2]) { indexing: attribute }
                  }
                  field made type tensor<float>(x[2]) {
                    indexing: input text | embed e | attribute
                  }
                  onnx-model twice { file: models/twice.onnx }
                  rank-profile near {
                    inputs { query(q) tensor<float>(x[2]) }
                    function x() { expression: attribute(made) * tensor<float>(d0[1])(1) }
                    first-phase { expression: closeness(field, made) + sum(onnx(twice)) + %d }
                    global-phase { expression: relevanceScore + sum(onnx(twice)) }
                  }
                }
                """
                        .formatted(generation));
        ApplicationModel model =
                ApplicationCompiler.compile(DirectoryFiles.of(files), generation).model();
        assertThat(activation.activate(model, ModelActivation.Occasion.DEPLOYMENT))
                .isEqualTo(new ModelActivation.Reply.Activated());
        return new WeakReference<>(model);
    }

    private void put() throws Exception {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(
                                        container.url().resolve("/document/v1/test/note/group/a/1"))
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"fields\":{\"text\":\"one two\"}}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private void ask(AtomicBoolean isOver, Semaphore answered, Queue<String> problems) {
        URI query =
                container
                        .url()
                        .resolve(
                                "/search/?yql=select+*+from+note+where+text+contains+%22two%22"
                                        + "&streaming.groupname=a&ranking=near&timeout=60s"
                                        + "&input.query(q)=embed(e,%22here%22)");
        while (!isOver.get()) {
            try {
                HttpResponse<String> answer =
                        http.send(
                                HttpRequest.newBuilder(query).build(),
                                HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200
                        || !answer.body().contains("\"totalCount\":1")
                        || answer.body().contains("\"errors\"")) {
                    problems.add(answer.statusCode() + " " + answer.body());
                }
            } catch (Exception e) {
                problems.add(e.toString());
            }
            answered.release();
        }
    }

    private static long heldAfterCollecting(List<WeakReference<ApplicationModel>> references) {
        long held = references.size();
        for (int i = 0; i < COLLECTIONS && held > 0; i++) {
            System.gc();
            held = references.stream().filter(each -> each.get() != null).count();
        }
        return held;
    }

    /** Embeds every text as the same vector, until it is closed. */
    private static final class CountedEmbedder implements Embedder {
        private final AtomicInteger closed;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        CountedEmbedder(AtomicInteger opened, AtomicInteger closed) {
            opened.incrementAndGet();
            this.closed = closed;
        }

        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            if (isClosed.get()) {
                throw new IllegalStateException("this model was let go");
            }
            return DenseTensor.of(type, new double[] {1, 2});
        }

        @Override
        public void check(TensorType type) {}

        @Override
        public void close() {
            if (!isClosed.compareAndSet(false, true)) {
                throw new IllegalStateException("this model was let go before");
            }
            closed.incrementAndGet();
        }
    }
}
