package org.crabro.container.visit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentBackend;
import org.crabro.container.document.DocumentHandler;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.RowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;

/** Talks HTTP in memory to a handler that visits {@link VisitedApplication}. */
final class VisitConnection {
    static final DocumentWrites NO_WRITES =
            (_, _, _) -> {
                throw new IllegalStateException("a single document");
            };
    static final GroupRemovals NO_REMOVALS =
            (_, _, _, _) -> {
                throw new IllegalStateException("a whole group");
            };
    private static final DocumentReads NO_READS =
            (_, _, _, _) -> {
                throw new IllegalStateException("a single document");
            };
    private static final int SECONDS = 30;

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    VisitConnection(Handler handler) throws Exception {
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
    }

    /** Returns a handler that reads no single document. */
    static DocumentHandler handler(
            VisitReads pages,
            DocumentWrites writes,
            GroupRemovals removals,
            Duration timeout,
            VisitSettings settings,
            VisitAdmission admission) {
        return handler(
                pages,
                writes,
                removals,
                timeout,
                settings,
                admission,
                new Admission(DocumentSettings.DEFAULT, BodyTimes.DEFAULT));
    }

    /** Returns such a handler whose bodies are counted. */
    static DocumentHandler handler(
            VisitReads pages,
            DocumentWrites writes,
            GroupRemovals removals,
            Duration timeout,
            VisitSettings settings,
            VisitAdmission admission,
            Admission bodies) {
        var types = new ServedTypes(VisitedApplication.model(), Map.of(), false);
        var updates =
                new SelectionUpdates(types, NO_READS, writes, DocumentSettings.DEFAULT, bodies);
        return new DocumentHandler(
                types,
                new DocumentBackend(
                        NO_READS,
                        writes,
                        RowPuts.NONE,
                        new VisitHandler(
                                VisitedApplication.model(),
                                _ ->
                                        new VisitBackend(
                                                pages, writes, _ -> writes, updates, removals),
                                _ -> Principal.EVERYONE,
                                timeout,
                                settings,
                                admission)),
                _ -> Principal.EVERYONE,
                DocumentSettings.DEFAULT,
                bodies,
                new SimpleMeterRegistry());
    }

    /**
     * Returns the answer to a request without a body.
     *
     * @param headers whole lines, without their ends
     */
    HttpTester.Response send(String method, String target, String... headers) throws Exception {
        var request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: h\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return HttpTester.parseResponse(
                connector.getResponse(request + "\r\n", false, SECONDS, TimeUnit.SECONDS));
    }

    /** Returns the answer to a request with a body. */
    HttpTester.Response sendBody(String method, String target, String body) throws Exception {
        return HttpTester.parseResponse(
                connector.getResponse(
                        "%s %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s"
                                .formatted(method, target, body.length(), body),
                        false,
                        SECONDS,
                        TimeUnit.SECONDS));
    }

    void close() throws Exception {
        server.stop();
    }
}
