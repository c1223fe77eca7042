package org.crabro.server.warmup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.EmbedderSource;
import org.crabro.container.Container;
import org.crabro.container.ContainerSettings;
import org.crabro.container.access.AccessControl;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.container.dispatch.ContentClusters;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.service.ServiceRules;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentService;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.Document;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbedderSettings;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A content node with generated documents, and a container with a loopback port that searches them.
 * They are those of a server, so that code is compiled for the same classes, but nothing is shared
 * with it except embedders.
 *
 * <p>Used by one thread.
 */
final class WarmUpServer implements AutoCloseable {
    /** Documents of each schema in the first partition. */
    private static final int DOCUMENTS = 400;

    /** Documents of a run; the last ones are not in a run yet. */
    private static final int RUN_DOCUMENTS = 100;

    /** For this many documents, one of another partition is stored, which is then in a run. */
    private static final int OTHERS = 4;

    /** Clients open connections too, so a new one is opened after this many requests. */
    private static final int REQUESTS_PER_CONNECTION = 100;

    private static final int SEGMENT_BYTES = 4 << 20;
    private static final int RECENT_BYTES = 64 << 20;

    /** The documents are few, so no part of the heap is reserved for merging. */
    private static final FeedLimits NO_RESERVE =
            new FeedLimits(FeedLimits.DEFAULT.rowBytes(), 0, 1, 0, 1, 0);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final JsonFactory JSON = new JsonFactory();

    /** Without a cache of embeddings, so that each query runs the model. */
    private static final ContainerSettings CONTAINER =
            ContainerSettings.of(
                            HttpSettings.loopback(0),
                            new ContainerSettings.Start(
                                            true, "", AccessControl.OPEN, false, ServiceRules.NONE)
                                    .withoutAccessLog())
                    .with(SearchSettings.DEFAULT.withEmbeddingBytes(0));

    /** One content node, which has all documents. */
    private record OneNode(ClusterNodes node) implements ContentClusters {
        @Override
        public ClusterNodes nodes(String cluster, String documentType) {
            return node;
        }

        @Override
        public NodeHealth health() {
            return NodeHealth.UP;
        }
    }

    /** Closes one part. */
    private interface Closing {
        void close() throws IOException;
    }

    /** The parts to close, the last opened first. */
    private final Deque<Closing> closing = new ArrayDeque<>();

    private final ContentNode node;
    private final LoopbackClient client;

    /** The requests: each query by GET, by POST as JSON for the other group, and as a form. */
    private final List<LoopbackClient.Request> requests = new ArrayList<>();

    /** The generated documents of each schema. */
    private final List<WarmUpDocuments> documents = new ArrayList<>();

    /** The number of documents that were stored. */
    private int stored;

    /** The number of queries that were sent. */
    private int asked;

    private WarmUpServer(
            ApplicationModel model,
            Map<String, Embedder> embedders,
            Path directory,
            Function<ContentService, ClusterNodes> link)
            throws IOException {
        boolean isStarted = false;
        try {
            var files = new UnforcedFiles(directory);
            closing.push(files::close);
            node = ContentNode.open(settings(directory), files, InstantSource.system());
            closing.push(node::close);
            node.activate(model);
            var metrics = new MetricIntervals(InstantSource.system());
            closing.push(metrics::close);
            Container container =
                    Container.start(
                            CONTAINER,
                            new OneNode(link.apply(node)),
                            running(model, embedders),
                            ReindexRegister.open(
                                    directory.resolve("reindexing"), InstantSource.system()),
                            metrics);
            closing.push(container::close);
            container.prepare(model, false).activate();
            client = new LoopbackClient(container.url(), PATIENCE);
            closing.push(client::close);
            for (Schema schema : model.schemas().values()) {
                feed(schema);
            }
            isStarted = true;
        } finally {
            if (!isStarted) {
                close();
            }
        }
    }

    /**
     * Starts a server for the schemas of {@code model}.
     *
     * @param embedders for texts of queries, by id
     * @param directory for the documents; deleted when the server is closed
     * @param link links the container with the content node
     * @throws IOException if there is no free port, or the documents cannot be stored
     */
    static WarmUpServer start(
            ApplicationModel model,
            Map<String, Embedder> embedders,
            Path directory,
            Function<ContentService, ClusterNodes> link)
            throws IOException {
        var server = new WarmUpServer(model, embedders, directory, link);
        Optional<String> embedder =
                model.services().containers().stream()
                        .flatMap(cluster -> cluster.embedders().stream())
                        .map(EmbedderComponent::id)
                        .filter(embedders::containsKey)
                        .findFirst();
        server.prepare(
                model.schemas().values().stream()
                        .flatMap(schema -> WarmUpQueries.of(schema, embedder).stream())
                        .toList());
        return server;
    }

    /** Returns a function that finds the running embedder with given settings. */
    private static Function<EmbedderSettings, Embedder> running(
            ApplicationModel model, Map<String, Embedder> active) {
        var bySettings = new HashMap<EmbedderSettings, Embedder>();
        for (ContainerCluster cluster : model.services().containers()) {
            for (EmbedderComponent each : cluster.embedders()) {
                Embedder embedder = active.get(each.id());
                if (each.source() instanceof EmbedderSource.OfModel(var settings)
                        && embedder != null) {
                    bySettings.put(settings, embedder);
                }
            }
        }
        return settings ->
                Optional.ofNullable(bySettings.get(settings))
                        .orElseThrow(() -> new IllegalStateException("the embedder does not run"));
    }

    private void prepare(List<Map<String, String>> queries) {
        for (Map<String, String> query : queries) {
            requests.add(client.get("/search/?" + encoded(inGroup(WarmUpDocuments.GROUP, query))));
        }
        for (Map<String, String> query : queries) {
            requests.add(
                    client.post(
                            "/search/",
                            "application/json",
                            json(inGroup(WarmUpDocuments.OTHER_GROUP, query))));
        }
        for (Map<String, String> query : queries) {
            requests.add(
                    client.post(
                            "/search/",
                            "application/x-www-form-urlencoded",
                            encoded(inGroup(WarmUpDocuments.GROUP, query))
                                    .getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static Map<String, String> inGroup(String group, Map<String, String> query) {
        var all = new HashMap<>(query);
        all.put("streaming.groupname", group);
        return all;
    }

    private static ContentSettings settings(Path directory) {
        JournalSettings journal = JournalSettings.DEFAULT;
        return ContentSettings.in(directory)
                .withFlushOnClose(false)
                .withRecent(
                        RecentSettings.DEFAULT
                                .withFeed(NO_RESERVE)
                                .withRecentBytes(RECENT_BYTES)
                                .withJournal(
                                        new JournalSettings(
                                                2L * RECENT_BYTES,
                                                SEGMENT_BYTES,
                                                0,
                                                journal.spareAge(),
                                                journal.waitingWrites(),
                                                SEGMENT_BYTES)));
    }

    private void feed(Schema schema) throws IOException {
        var generated = new WarmUpDocuments(schema);
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i > 0 && i % RUN_DOCUMENTS == 0) {
                node.flush();
            }
            put(generated.next(stored));
            if (i < DOCUMENTS - RUN_DOCUMENTS && i % OTHERS == 0) {
                put(generated.next(WarmUpDocuments.OTHER_GROUP, stored));
            }
        }
        documents.add(generated);
    }

    private void put(Document document) throws IOException {
        WriteReply reply =
                node.write(
                        new RequestHeader(Principal.EVERYONE, 1, Deadline.after(PATIENCE)),
                        new Write.Operation(
                                Partitions.DEFAULT.of(document.id().location()),
                                ConditionalOperation.always(new DocumentOperation.Put(document))),
                        Optional.empty());
        if (!(reply instanceof WriteReply.Stored)) {
            throw new IOException("a generated document was not stored: " + reply);
        }
        stored++;
    }

    /**
     * Stores one more document, which the next query reads.
     *
     * @throws IOException if it cannot be stored
     */
    void put() throws IOException {
        put(documents.get(stored % documents.size()).next(stored));
    }

    /** Returns the number of different requests. */
    int requestCount() {
        return requests.size();
    }

    /**
     * Sends a query and reads the response.
     *
     * @param number any number from 0; the requests repeat
     * @throws IOException if there is no response
     */
    LoopbackClient.Reply ask(int number) throws IOException {
        asked++;
        if (asked % REQUESTS_PER_CONNECTION == 0) {
            client.connect();
        }
        LoopbackClient.Request request = requests.get(number % requests.size());
        return asked / REQUESTS_PER_CONNECTION % 2 == 0
                ? client.send(request)
                : client.sendBodyApart(request);
    }

    private static String encoded(Map<String, String> query) {
        return query.entrySet().stream()
                .map(each ->
                        URLEncoder.encode(each.getKey(), StandardCharsets.UTF_8)
                                + "="
                                + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static byte[] json(Map<String, String> query) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json =
                JSON.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8)) {
            json.writeStartObject();
            query.forEach(json::writeStringProperty);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** Closes all parts, also if one of them fails. */
    @Override
    public void close() throws IOException {
        while (!closing.isEmpty()) {
            Closing part = closing.pop();
            try {
                part.close();
            } catch (IOException e) {
                close();
                throw e;
            }
        }
    }
}
