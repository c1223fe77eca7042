package org.crabro.perf.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.client.cli.ServerProcess;

/** Deploys the application package of a benchmark to a server in a process of its own. */
public final class DeployedPackage {
    private DeployedPackage() {}

    /**
     * Returns when the package is active.
     *
     * @param files texts by path
     * @throws IOException if the server does not take it
     */
    public static void deploy(Map<String, String> files, HttpClient http, ServerProcess server)
            throws IOException, InterruptedException {
        var bytes = new HashMap<String, byte[]>();
        files.forEach((path, text) -> bytes.put(path, text.getBytes(StandardCharsets.UTF_8)));
        deployFiles(bytes, http, server);
    }

    /**
     * Returns when the package is active.
     *
     * @param files bytes by path
     * @throws IOException if the server does not take it
     */
    public static void deployFiles(Map<String, byte[]> files, HttpClient http, ServerProcess server)
            throws IOException, InterruptedException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        URI address = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/zip")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the package was refused: " + answer.body());
        }
    }
}
