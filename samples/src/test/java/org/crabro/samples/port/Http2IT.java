package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Feeds over HTTP/2 by prior knowledge, hundreds of streams on one connection, as feed clients do.
 */
class Http2IT {
    private static final int DOCUMENTS = 2_000;
    private static final int STREAMS = 256;
    private static final int ANSWERED_BEFORE_KILL = 500;
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir Path data;

    /** Streams are answered as documents become durable, whatever their order. */
    @Test
    void keepsEveryDocumentThatAnyStreamWasAnsweredFor() throws Exception {
        Set<Integer> answered = ConcurrentHashMap.newKeySet();
        Set<String> problems = ConcurrentHashMap.newKeySet();
        var enough = new CountDownLatch(ANSWERED_BEFORE_KILL);
        ServerProcess server = start();
        try (var http = new Http()) {
            assertThat(
                            http.post(
                                            server.config()
                                                    .resolve(
                                                            "/application/v2/tenant/default/prepareandactivate"),
                                            "application/zip",
                                            NotesApplication.zip())
                                    .status())
                    .isEqualTo(200);
        }
        var client = client();
        try {
            for (int i = 0; i < DOCUMENTS; i++) {
                int id = i;
                client.POST(server.container().resolve(path(id)))
                        .body(
                                new StringRequestContent(
                                        "application/json",
                                        "{\"fields\":{\"version\":" + id + "}}"))
                        .send(result -> {
                            if (result.isFailed()) {
                                // From the kill on nobody answers.
                                return;
                            }
                            if (result.getResponse().getStatus() != 200
                                    || result.getResponse().getVersion() != HttpVersion.HTTP_2) {
                                problems.add(result.getResponse().toString());
                            }
                            answered.add(id);
                            enough.countDown();
                        });
            }
            assertThat(enough.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            server.kill();
        } finally {
            client.stop();
        }

        assertThat(problems).isEmpty();
        try (var http = new Http();
                ServerProcess again = start()) {
            for (int id : answered) {
                Http.Answer answer = http.get(again.container().resolve(path(id)));
                assertThat(answer.status()).as("document %d", id).isEqualTo(200);
            }
        }
    }

    private ServerProcess start() throws Exception {
        return QuickServer.start(data, List.of());
    }

    private static HttpClient client() throws Exception {
        var client = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()));
        client.setMaxConnectionsPerDestination(1);
        client.setMaxRequestsQueuedPerDestination(DOCUMENTS);
        client.start();
        return client;
    }

    private static String path(int id) {
        return "/document/v1/test/note/group/person" + id % STREAMS + "/" + id;
    }
}
