package org.crabro.server.warmup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.container.SearchPort;
import org.crabro.content.ContentNode;
import org.crabro.content.ContentSettings;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.content.recent.FeedLimits;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.RecentSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A content node with generated documents in memory, and a loopback port that searches them. All
 * parts are those of a real server, but none is shared with it.
 *
 * <p>Used by one thread.
 */
final class WarmUpServer implements AutoCloseable {
    /** Documents of each schema: a few blocks of a run, and some that are not in a run yet. */
    private static final int DOCUMENTS = 400;

    private static final int RECENT_DOCUMENTS = 20;
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final int RECENT_BYTES = 64 << 20;

    /** The documents are few and in memory, so no part of the heap is reserved for merging. */
    private static final FeedLimits NO_RESERVE =
            new FeedLimits(FeedLimits.DEFAULT.rowBytes(), 0, 1, 0, 1, 0);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final JsonFactory JSON = new JsonFactory();

    /** A response. */
    record Reply(int status, String body) {}

    private final ContentNode node;
    private final SearchPort port;
    private final List<Map<String, String>> queries = new ArrayList<>();

    private WarmUpServer(ContentNode node, SearchPort port) {
        this.node = node;
        this.port = port;
    }

    /**
     * Starts a server for the schemas of {@code model}.
     *
     * @throws IOException if there is no free port, or the documents cannot be stored
     */
    static WarmUpServer start(ApplicationModel model) throws IOException {
        ContentNode node =
                ContentNode.open(settings(), new MemoryLogFiles(), InstantSource.system());
        WarmUpServer server;
        try {
            node.activate(model);
            server = new WarmUpServer(node, SearchPort.open(model, node::search));
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
        try {
            for (Schema schema : model.schemas().values()) {
                server.feed(schema);
                server.queries.addAll(WarmUpQueries.of(schema));
            }
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static ContentSettings settings() {
        JournalSettings journal = JournalSettings.DEFAULT;
        return ContentSettings.in(Path.of("warm-up"))
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
        var documents = new WarmUpDocuments(schema);
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i == DOCUMENTS - RECENT_DOCUMENTS) {
                node.flush();
            }
            FeedReply reply =
                    node.feed(
                            new FeedRequest(
                                    new RequestHeader(
                                            Principal.EVERYONE, 1, Deadline.after(PATIENCE)),
                                    Partitions.DEFAULT.of(
                                            DocumentId.locationOfGroup(WarmUpDocuments.GROUP)),
                                    new DocumentOperation.Put(documents.next(i))));
            if (!(reply instanceof FeedReply.Stored)) {
                throw new IOException("a generated document was not stored: " + reply);
            }
        }
    }

    /** Returns the number of different queries. */
    int queryCount() {
        return queries.size();
    }

    /**
     * Sends a query, by GET and POST in turn.
     *
     * @param number any number from 0; the queries repeat
     * @throws IOException if there is no response
     */
    Reply ask(int number) throws IOException {
        Map<String, String> query = queries.get(number % queries.size());
        boolean isPost = number / queries.size() % 2 == 1;
        URI uri = port.url().resolve(isPost ? "/search/" : "/search/?" + encoded(query));
        var connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout((int) PATIENCE.toMillis());
        connection.setReadTimeout((int) PATIENCE.toMillis());
        if (isPost) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (OutputStream body = connection.getOutputStream()) {
                body.write(json(query));
            }
        }
        int status = connection.getResponseCode();
        try (InputStream body =
                status < HttpURLConnection.HTTP_BAD_REQUEST
                        ? connection.getInputStream()
                        : connection.getErrorStream()) {
            // Reading all of it lets the next query use the connection.
            return new Reply(status, new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
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

    @Override
    public void close() {
        port.close();
        node.close();
    }
}
