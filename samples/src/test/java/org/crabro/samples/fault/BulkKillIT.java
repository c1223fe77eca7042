package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends a server with {@code kill -9} amid one request of many operations. */
class BulkKillIT {
    private static final int ANSWERED = 3_000;

    @TempDir private Path data;

    @Test
    void keepsEveryOperationWhoseLineWasAnswered() throws Exception {
        Set<String> answered = new TreeSet<>();
        try (var http = new Http()) {
            ServerProcess server = start();
            assertThat(
                            http.post(
                                            server.config()
                                                    .resolve(
                                                            "/application/v2/tenant/default/prepareandactivate"),
                                            "application/zip",
                                            NotesApplication.zip())
                                    .status())
                    .isEqualTo(200);
            URI address = server.container();
            try (var socket = new Socket(address.getHost(), address.getPort());
                    var lines =
                            new BufferedReader(
                                    new InputStreamReader(socket.getInputStream(), UTF_8))) {
                Thread sender = Thread.ofVirtual().start(() -> sendForEver(socket));
                while (answered.size() < ANSWERED) {
                    String line = lines.readLine();
                    if (line.startsWith("{\"line\"")) {
                        var answer = Http.JSON.readTree(line);
                        assertThat(answer.get("status").asInt()).as(line).isEqualTo(200);
                        answered.add(answer.get("id").asString());
                    }
                }
                server.kill();
                sender.join();
            }
        }

        try (var http = new Http();
                ServerProcess again = start()) {
            for (String id : answered) {
                String user = id.substring(id.lastIndexOf(':') + 1);
                Http.Answer answer =
                        http.get(again.container().resolve("/document/v1/test/note/docid/" + user));
                assertThat(answer.status()).as(id).isEqualTo(200);
                assertThat(answer.body().get("fields").get("version").asString()).isEqualTo(user);
            }
        }
    }

    /** Sends puts until nobody takes them any more. */
    private static void sendForEver(Socket socket) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(
                    String.join(
                                    "\r\n",
                                    "POST /document/v1/ HTTP/1.1",
                                    "Host: localhost",
                                    "Content-Type: application/jsonl",
                                    "Transfer-Encoding: chunked",
                                    "",
                                    "")
                            .getBytes(UTF_8));
            for (int i = 0; ; i++) {
                byte[] line =
                        "{\"put\":\"id:test:note::%d\",\"fields\":{\"version\":%d}}\n"
                                .formatted(i, i)
                                .getBytes(UTF_8);
                out.write((Integer.toHexString(line.length) + "\r\n").getBytes(UTF_8));
                out.write(line);
                out.write("\r\n".getBytes(UTF_8));
                if (i % 100 == 99) {
                    out.flush();
                }
            }
        } catch (IOException _) {
            // The server is gone, which is what the test is about.
        }
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(data, List.of());
    }
}
