package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.check.StalledCommand;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.harness.ProcessorTime;

/**
 * A server in a process of its own that is visited over HTTP by a client that drops the answers.
 */
final class VisitedServer implements AutoCloseable {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><document-api/></container>
              <content id="visited" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents>
                  <document type="texts" mode="streaming"/>
                  <document type="numbers" mode="streaming"/>
                  <document type="vectors" mode="streaming"/>
                </documents>
              </content>
            </services>
            """;

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    SERVICES,
                    "schemas/texts.sd",
                    """
                    schema texts {
                      document texts {
                        field title type string { indexing: summary }
                        field body type string { indexing: summary }
                      }
                    }
                    """,
                    "schemas/numbers.sd",
                    """
                    schema numbers {
                      document numbers {
                        field count type int { indexing: summary }
                        field time type long { indexing: summary }
                        field price type double { indexing: summary }
                        field weight type float { indexing: summary }
                        field samples type array<double> { indexing: summary }
                        field sizes type array<int> { indexing: summary }
                      }
                    }
                    """,
                    "schemas/vectors.sd",
                    """
                    schema vectors {
                      document vectors {
                        field v type tensor<bfloat16>(x[384]) { indexing: summary }
                      }
                    }
                    """);

    private static final String END = "{\"continuation\":{\"percentFinished\":100.0}}\n";
    private static final int KEPT = 200;

    private final ServerProcess server;

    private VisitedServer(ServerProcess server) {
        this.server = server;
    }

    /**
     * Starts a server that has the documents of {@code lines}, all of them in runs.
     *
     * @param folder receives the files of the server
     */
    static VisitedServer start(Path folder, List<String> lines) throws Exception {
        ServerProcess server =
                ServerProcess.start(
                        List.of(
                                "--data",
                                folder.resolve("visited").toString(),
                                "--port",
                                "0",
                                "--config-port",
                                "0"));
        try (HttpClient http = HttpClient.newHttpClient()) {
            DeployedPackage.deploy(PACKAGE, http, server);
            for (String each : lines) {
                StalledCommand.post(
                        http,
                        server.container().resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        each,
                        "\"failed\":0");
            }
            StalledCommand.flush(http, server, folder.resolve("visited-backup"));
            return new VisitedServer(server);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Returns the server's processor time so far. */
    long cpuNanos() {
        return ProcessorTime.nanos(server.pid());
    }

    /** Reads lines of all documents of a type, and returns how many bytes came. */
    long visit(String type) throws IOException {
        return visit(
                server.container(),
                "/document/v1/perf/%s/docid/?stream=true&format.tensors=hex&timeout=300"
                        .formatted(type));
    }

    /** Reads lines of a path, and returns how many bytes came. */
    static long visit(URI address, String path) throws IOException {
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(
                            ("GET "
                                            + path
                                            + " HTTP/1.1\r\n"
                                            + "Host: localhost\r\n"
                                            + "Connection: close\r\n"
                                            + "Accept: application/jsonl\r\n\r\n")
                                    .getBytes(UTF_8));
            return read(socket.getInputStream());
        }
    }

    private static long read(InputStream in) throws IOException {
        byte[] chunk = new byte[1 << 16];
        long bytes = 0;
        String end = "";
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            bytes += count;
            int last = Math.min(KEPT, count);
            end += new String(chunk, count - last, last, UTF_8);
            end = end.substring(Math.max(0, end.length() - KEPT));
        }
        if (!end.contains(END)) {
            throw new IOException("the visit is incomplete: " + end);
        }
        return bytes;
    }

    @Override
    public void close() {
        server.close();
    }
}
