package org.crabro.perf.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.onnxruntime.OrtException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Clients;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Scale;

/**
 * Feeds a server whose documents are embedded, in one request and in single requests. Compares with
 * ONNX Runtime alone, which computes the same texts on the same processors in batches of the best
 * size.
 *
 * <p>The model is the quantized MiniLM of the class path. The environment variable {@code
 * CRABRO_PERF_MODEL} names a directory with another {@code model.onnx} and {@code tokenizer.json}.
 */
public final class EmbeddingsBenchmark implements Benchmark {
    private static final int TEXTS = Scale.of(2_000);
    private static final int WORDS_MAX = 70;
    private static final int IN_FLIGHT = 64;
    private static final List<Integer> BATCHES = List.of(1, 4, 8, 16, 32);
    private static final String LIBRARY_MODEL = "all-minilm-l6-v2-q.onnx";
    private static final String LIBRARY_TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json";

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <component id="e" type="hugging-face-embedder">
                  <transformer-model path="models/model.onnx"/>
                  <tokenizer-model path="models/tokenizer.json"/>
                  <max-tokens>128</max-tokens>
                </component>
              </container>
              <content id="c" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="item" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema item {
              document item {
                field body type string { indexing: summary }
              }
              field embedding type tensor<bfloat16>(x[384]) {
                indexing: input body | embed e | attribute
              }
            }
            """;

    @Override
    public String name() {
        return "embeddings";
    }

    @Override
    public String summary() {
        return "documents whose texts are embedded, against ONNX Runtime alone";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path model = file(folder, "model.onnx", LIBRARY_MODEL);
        Path tokenizer = file(folder, "tokenizer.json", LIBRARY_TOKENIZER);
        List<String> texts = texts();
        ServerProcess server =
                ServerProcess.start(
                        List.of(
                                "--data",
                                Files.createDirectory(folder.resolve("data")).toString(),
                                "--port",
                                "0",
                                "--config-port",
                                "0"));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        DeployedPackage.deployFiles(
                Map.of(
                        "services.xml",
                        SERVICES.getBytes(UTF_8),
                        "schemas/item.sd",
                        SCHEMA.getBytes(UTF_8),
                        "models/model.onnx",
                        Files.readAllBytes(model),
                        "models/tokenizer.json",
                        Files.readAllBytes(tokenizer)),
                http,
                server);
        var alone = EmbeddedTexts.of(model, tokenizer, texts);
        var measured = new Measured(server, http, texts, alone);
        measured.bulk();
        return measured;
    }

    private static Path file(Path folder, String name, String ofLibrary) throws IOException {
        String given = System.getenv("CRABRO_PERF_MODEL");
        if (given != null) {
            return Path.of(given, name);
        }
        Path file = folder.resolve(name);
        try (InputStream bytes =
                EmbeddingsBenchmark.class.getClassLoader().getResourceAsStream(ofLibrary)) {
            if (bytes == null) {
                throw new IOException("the class path has no " + ofLibrary);
            }
            Files.copy(bytes, file);
        }
        return file;
    }

    /** Texts of different lengths. */
    private static List<String> texts() {
        var mails = new MailTexts(7);
        var random = new Random(11);
        var texts = new ArrayList<String>();
        for (int i = 0; i < TEXTS; i++) {
            String[] words = new String(mails.body(i), UTF_8).split("\\s+", WORDS_MAX + 1);
            int count = Math.min(words.length, 5 + random.nextInt(WORDS_MAX - 5));
            texts.add(String.join(" ", List.of(words).subList(0, count)));
        }
        return texts;
    }

    private static final class Measured implements Prepared {
        private final ServerProcess server;
        private final HttpClient http;
        private final List<String> texts;
        private final EmbeddedTexts alone;

        Measured(ServerProcess server, HttpClient http, List<String> texts, EmbeddedTexts alone) {
            this.server = server;
            this.http = http;
            this.texts = texts;
            this.alone = alone;
        }

        @Override
        public void measure(Figures figures) throws Exception {
            double best = 0;
            double bestOfProcessor = 0;
            long own = ProcessHandle.current().pid();
            for (int size : BATCHES) {
                long before = ProcessorTime.nanos(own);
                double speed = alone.textsPerSecond(size);
                double seconds = (ProcessorTime.nanos(own) - before) / 1e9;
                figures.add("ONNX Runtime alone, batches of " + size, "texts/s", speed);
                best = Math.max(best, speed);
                bestOfProcessor = Math.max(bestOfProcessor, texts.size() / seconds);
            }
            long before = ProcessorTime.nanos(server.pid());
            double bulk = bulk();
            double seconds = (ProcessorTime.nanos(server.pid()) - before) / 1e9;
            double single = single();
            figures.add("fed in bulk", "docs/s", bulk);
            figures.add("fed one a request", "docs/s", single);
            figures.add("bulk over the best of ONNX Runtime", "", bulk / best);
            figures.add("one a request over the best of ONNX Runtime", "", single / best);
            figures.add(
                    "bulk over the best of ONNX Runtime, by processor time",
                    "",
                    texts.size() / seconds / bestOfProcessor);
            figures.add("tokens of a text", "", alone.meanTokens());
        }

        private static String fields(String text) {
            return "{\"body\":" + BulkBenchmark.quoted(text.getBytes(UTF_8)) + "}";
        }

        private double bulk() throws IOException, InterruptedException {
            var lines = new ByteArrayOutputStream();
            for (int i = 0; i < texts.size(); i++) {
                lines.writeBytes(
                        "{\"put\":\"id:perf:item:g=a:%d\",\"fields\":%s}\n"
                                .formatted(i, fields(texts.get(i)))
                                .getBytes(UTF_8));
            }
            long begin = System.nanoTime();
            HttpResponse<String> answer =
                    send(
                            server.container().resolve("/document/v1/"),
                            "application/jsonl",
                            lines.toByteArray());
            if (!answer.body().contains("\"complete\":true") || answer.body().contains("error")) {
                throw new IOException("lines were refused: " + answer.body());
            }
            return texts.size() / ((System.nanoTime() - begin) / 1e9);
        }

        private double single() throws Exception {
            long begin = System.nanoTime();
            Clients.run(
                    IN_FLIGHT,
                    texts.size(),
                    i -> {
                        HttpResponse<String> answer =
                                send(
                                        server.container()
                                                .resolve("/document/v1/perf/item/group/a/" + i),
                                        "application/json",
                                        ("{\"fields\":" + fields(texts.get(i)) + "}")
                                                .getBytes(UTF_8));
                        if (answer.statusCode() != 200) {
                            throw new IOException("a put was refused: " + answer.body());
                        }
                    });
            return texts.size() / ((System.nanoTime() - begin) / 1e9);
        }

        private HttpResponse<String> send(URI at, String type, byte[] body)
                throws IOException, InterruptedException {
            return http.send(
                    HttpRequest.newBuilder(at)
                            .header("Content-Type", type)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() throws IOException {
            server.close();
            try {
                alone.close();
            } catch (OrtException e) {
                throw new IOException(e);
            }
        }
    }
}
