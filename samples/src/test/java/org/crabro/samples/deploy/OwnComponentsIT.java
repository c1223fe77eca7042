package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.core.ConditionFactory;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Components of an application's own, from jars that are compiled here, in a running server. */
class OwnComponentsIT {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search>
                  <chain id="default" inherits="vespa"><searcher id="own" class="own.Own"/></chain>
                </search>
                <document-api/>
                <document-processing>
                  <chain id="default"><documentprocessor id="marks" class="own.Marks"/></chain>
                </document-processing>
                <handler id="waits" class="own.Waits"><binding>http://*/waits/*</binding></handler>
                <component id="shared" class="own.Shared"/>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    /** What classes of the test and those in jars tell each other: nothing but the platform's. */
    private static final String SEEN = "org.crabro.samples.seen";

    private static final String HEAD =
            "package own; import java.util.*; import org.crabro.component.*; import"
                    + " org.crabro.document.*; import org.crabro.document.operation.*;\n";

    private static final Map<String, String> SOURCES =
            Map.of(
                    "own/Shared.java",
                    HEAD
                            + """
                            public final class Shared implements Component {
                                final List<Object> seen;
                                private boolean isClosed;
                                @SuppressWarnings("unchecked")
                                public Shared() {
                                    seen = (List<Object>) System.getProperties().get("org.crabro.samples.seen");
                                    seen.add(new java.lang.ref.WeakReference<>(getClass().getClassLoader()));
                                }
                                void use() { if (isClosed) { seen.add("used after close"); } }
                                public void close() {
                                    isClosed = true;
                                    seen.add("closed shared");
                                }
                            }
                            """,
                    "own/Own.java",
                    HEAD
                            + """
                            public final class Own implements Searcher {
                                private final Shared shared;
                                public Own(Shared shared) { this.shared = shared; }
                                public Result search(Query query, Execution execution) {
                                    shared.use();
                                    if (query.property("fail").isPresent()) {
                                        throw new IllegalStateException("asked to");
                                    }
                                    return execution.search(query);
                                }
                                public void close() { shared.use(); shared.seen.add("closed own"); }
                            }
                            """,
                    "own/Marks.java",
                    HEAD
                            + """
                            public final class Marks implements DocumentProcessor {
                                public Progress process(DocumentOperation operation) {
                                    return switch (operation) {
                                        case DocumentOperation.Put(Document document) -> {
                                            String text = document.value("text").map(v -> ((FieldValue.StringValue) v).value()).orElse("");
                                            if (text.equals("drop")) yield Progress.dropped("not kept");
                                            if (text.equals("busy")) yield Progress.failed(Progress.Kind.OVERLOADED, "busy");
                                            if (text.equals("throw")) throw new IllegalStateException("odd");
                                            var fields = new LinkedHashMap<>(document.fields());
                                            fields.put("text", text.equals("unfit") ? new FieldValue.IntValue(1) : new FieldValue.StringValue(text + "!"));
                                            yield Progress.done(new DocumentOperation.Put(new Document(document.id(), fields)));
                                        }
                                        case DocumentOperation.Update update -> {
                                            var updates = new ArrayList<>(update.updates());
                                            updates.add(FieldUpdate.of("version", new FieldChange.Assign(new FieldValue.IntValue(7))));
                                            yield Progress.done(new DocumentOperation.Update(update.id(), updates));
                                        }
                                        case DocumentOperation.Remove remove ->
                                            remove.id().toString().endsWith("keep")
                                                    ? Progress.failed(Progress.Kind.FORBIDDEN, "it stays")
                                                    : Progress.done(remove);
                                    };
                                }
                            }
                            """,
                    "own/Waits.java",
                    HEAD
                            + """
                            public final class Waits implements Handler {
                                private final Shared shared;
                                public Waits(ComponentContext context) { shared = context.component("shared", Shared.class); }
                                public void handle(HttpRequest request, HttpResponse response) throws java.io.IOException {
                                    switch (request.path()) {
                                        case "/waits/long" -> {
                                            for (Object each : shared.seen.toArray()) {
                                                if (each instanceof java.util.concurrent.CountDownLatch[] gates) {
                                                    gates[0].countDown();
                                                    try { gates[1].await(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
                                                }
                                            }
                                            shared.use();
                                        }
                                        case "/waits/throw" -> throw new IllegalStateException("asked to");
                                        case "/waits/half" -> {
                                            response.body().write(new byte[100_000]);
                                            throw new IllegalStateException("half");
                                        }
                                        case "/waits/outside" -> {
                                            try {
                                                Class.forName("org.crabro.server.CrabroServer");
                                                response.status(599);
                                            } catch (ClassNotFoundException e) {
                                                response.status(204);
                                            }
                                            return;
                                        }
                                        default -> {}
                                    }
                                    response.status(202);
                                    response.header("X-Method", request.method() + request.header("x-own").orElse(""));
                                    request.body().transferTo(response.body());
                                }
                            }
                            """,
                    "own/Broken.java",
                    HEAD
                            + """
                            public final class Broken implements Component {
                                public Broken(Shared shared) { throw new IllegalArgumentException("no word list"); }
                            }
                            """);

    private static byte[] jar = {};

    @TempDir static Path work;
    @TempDir Path data;

    private final Http http = new Http();
    private final List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    private CrabroServer server;

    @BeforeAll
    static void compile() throws Exception {
        jar = OwnJar.of(SOURCES, work);
    }

    @BeforeEach
    void start() throws Exception {
        System.getProperties().put(SEEN, seen);
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
        System.getProperties().remove(SEEN);
    }

    private String typed(String command) throws IOException, InterruptedException {
        String at = "http://127.0.0.1:" + server.container().getPort();
        Process shell =
                new ProcessBuilder("bash", "-c", command.replace("http://127.0.0.1:8080", at))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String out = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor()).as(command).isZero();
        return out;
    }

    @Test
    void componentsAreClosedOnceAfterTheLastRequestAndTheirClassesCollected() throws Exception {
        deployed(SERVICES);
        var gates = new CountDownLatch[] {new CountDownLatch(1), new CountDownLatch(1)};
        seen.add(gates);
        CompletableFuture<Http.Answer> waiting =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return http.put(at("/waits/long"), "\"late\"");
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        assertThat(gates[0].await(1, TimeUnit.MINUTES)).isTrue();
        seen.remove(gates);

        deployed(SERVICES);
        assertThat(seen).doesNotContain("closed shared", "closed own");
        gates[1].countDown();
        assertThat(waiting.get(1, TimeUnit.MINUTES).status()).isEqualTo(202);
        for (int i = 0; i < 20; i++) {
            feed("a" + i);
            assertThat(http.get(at("/search/?yql=select+*+from+note+where+true")).status())
                    .isEqualTo(400);
            assertThat(http.put(at("/waits/x"), "1").status()).isEqualTo(202);
            deployed(SERVICES);
        }
        deployed(NotesApplication.SERVICES);

        int generations = 22;
        EVENTUALLY.untilAsserted(() ->
                assertThat(Collections.frequency(copy(), "closed shared")).isEqualTo(generations));
        assertThat(Collections.frequency(copy(), "closed own")).isEqualTo(generations);
        assertThat(copy()).doesNotContain("used after close");
        // Takers are closed before what they take.
        assertThat(copy().stream().filter(String.class::isInstance).limit(2))
                .containsExactly("closed own", "closed shared");
        EVENTUALLY.untilAsserted(() -> {
            System.gc();
            assertThat(copy())
                    .noneMatch(each -> each instanceof WeakReference<?> it && it.get() != null);
        });
        assertThat(copy().stream().filter(WeakReference.class::isInstance)).hasSize(generations);
    }

    private List<Object> copy() {
        synchronized (seen) {
            return List.copyOf(seen);
        }
    }

    @Test
    void aConstructorThatFailsChangesNothing() throws Exception {
        deployed(SERVICES);
        seen.clear();

        Http.Answer refused =
                deploy(
                        files(
                                SERVICES.replace(
                                        "<component id=\"shared\"",
                                        "<component id=\"broken\" class=\"own.Broken\"/>"
                                                + "<component id=\"shared\"")));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().get("message").asString())
                .isEqualTo(
                        "Invalid application: services.xml:11:5: component 'broken': class"
                                + " own.Broken cannot be made: its constructor threw"
                                + " java.lang.IllegalArgumentException: no word list");
        assertThat(copy()).contains("closed shared");
        assertThat(http.put(at("/waits/x"), "1").status()).isEqualTo(202);
    }

    @Test
    void processorsSeeEveryWrite() throws Exception {
        deployed(SERVICES);

        assertThat(feed("a").status()).isEqualTo(200);
        assertThat(text("a")).isEqualTo("a!");
        assertThat(message(feed("drop"))).isEqualTo("200 not kept");
        assertThat(message(feed("busy"))).isEqualTo("429 busy");
        assertThat(message(feed("throw")))
                .isEqualTo(
                        "500 document processor 'marks' of chain 'default' failed: class own.Marks"
                                + " threw java.lang.IllegalStateException: odd");
        assertThat(message(feed("unfit")))
                .startsWith(
                        "500 document processor 'marks' of chain 'default' failed: class own.Marks"
                                + " returned what cannot be stored: ");
        assertThat(
                        http.put(
                                        document("a"),
                                        Http.JSON.readTree(
                                                "{\"fields\":{\"done\":{\"assign\":true}}}"))
                                .status())
                .isEqualTo(200);
        assertThat(http.get(document("a")).body().at("/fields/version").asInt()).isEqualTo(7);
        assertThat(message(http.delete(document("keep")))).isEqualTo("403 it stays");
    }

    @Test
    void processorsSeeEveryLineAndEverySelection() throws Exception {
        deployed(SERVICES);
        String lines =
                """
                {"put":"id:n:note:g=g:1","fields":{"text":"one"}}
                {"put":"id:n:note:g=g:2","fields":{"text":"drop"}}
                {"put":"id:n:note:g=g:3","fields":{"text":"throw"}}
                {"remove":"id:n:note:g=g:keep"}
                {"update":"id:n:note:g=g:4","create":true,"fields":{"text":{"assign":"four"}}}
                """;

        String answers =
                typed(
                        "curl -s 'http://127.0.0.1:8080/document/v1/' -H 'Content-Type:"
                                + " application/jsonl' --data-binary '"
                                + lines
                                + "'");

        assertThat(answers.lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"line\":1", "\"status\":200"),
                        line ->
                                assertThat(line)
                                        .contains("\"line\":2", "\"status\":200", "not kept"),
                        line -> assertThat(line).contains("\"line\":3", "\"status\":500", "odd"),
                        line ->
                                assertThat(line)
                                        .contains("\"line\":4", "\"status\":403", "it stays"),
                        line -> assertThat(line).contains("\"line\":5", "\"status\":200"),
                        line -> assertThat(line).contains("\"ok\":3,\"failed\":2"));
        assertThat(text("1")).isEqualTo("one!");
        assertThat(http.get(document("2")).status()).isEqualTo(404);
        assertThat(http.get(document("4")).body().at("/fields/version").asInt()).isEqualTo(7);

        Http.Answer updated =
                http.put(
                        at("/document/v1/n/note/group/g?selection=true&cluster=notes"),
                        Http.JSON.readTree("{\"fields\":{\"done\":{\"assign\":true}}}"));
        assertThat(updated.status()).as(updated.toString()).isEqualTo(200);
        assertThat(http.get(document("1")).body().at("/fields/version").asInt()).isEqualTo(7);
        put("keep", "kept");
        Http.Answer removed =
                http.delete(at("/document/v1/n/note/group/g?selection=true&cluster=notes"));
        assertThat(removed.toString()).contains("it stays");
        assertThat(text("keep")).isEqualTo("kept!");
    }

    @Test
    void handlersAnswerWhereTheyAreBound() throws Exception {
        deployed(SERVICES);

        String answer =
                typed(
                        "curl -si 'http://127.0.0.1:8080/waits/a%20b' -X PATCH -H 'X-Own: !'"
                                + " --data-binary body");
        assertThat(answer)
                .startsWith("HTTP/1.1 202")
                .containsIgnoringCase("x-method: PATCH!")
                .endsWith("body");
        assertThat(typed("curl -si 'http://127.0.0.1:8080/waits/outside'"))
                .startsWith("HTTP/1.1 204");
        Http.Answer thrown = http.get(at("/waits/throw"));
        assertThat(message(thrown))
                .isEqualTo(
                        "500 handler 'waits' failed: class own.Waits threw"
                                + " java.lang.IllegalStateException: asked to");
        assertThat(typed("curl -s 'http://127.0.0.1:8080/waits/half' -o /dev/null; echo -n $?"))
                .isIn("18", "56", "92");
        assertThat(http.get(at("/search/?query=x&fail=1&streaming.groupname=g")).toString())
                .startsWith("500 ")
                .contains("searcher 'own' of chain 'default' failed: class own.Own threw");
        assertThat(http.put(at("/waits/x"), "1").status()).isEqualTo(202);
    }

    @Test
    void whatIsRestoredHasItsComponents() throws Exception {
        deployed(SERVICES);
        server.close();
        seen.clear();

        server = CrabroServer.start(TestSettings.onAnyPorts(data));

        assertThat(http.put(at("/waits/x"), "1").status()).isEqualTo(202);
        assertThat(copy()).hasSize(1);
    }

    @Test
    void packagesAreCheckedWithoutMakingAnything() throws Exception {
        Path directory = Files.createDirectories(data.resolve("package"));
        for (Map.Entry<String, byte[]> file :
                files(SERVICES.replace("own.Marks", "own.Mark")).entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }

        assertThatThrownBy(() -> ApplicationCompiler.compile(DirectoryFiles.of(directory), 1))
                .hasMessageContaining(
                        "services.xml:8:57: class own.Mark is in none of components/own.jar; did"
                                + " you mean 'own.Marks'?");
        Files.writeString(directory.resolve("services.xml"), SERVICES);
        ApplicationCompiler.compile(DirectoryFiles.of(directory), 1);
        assertThat(copy()).isEmpty();
    }

    private URI at(String target) {
        return server.container().resolve(target);
    }

    private URI document(String key) {
        return at("/document/v1/n/note/group/g/" + key);
    }

    private Http.Answer feed(String text) throws Exception {
        return put(text, text);
    }

    private Http.Answer put(String key, String text) throws Exception {
        return http.post(
                document(key), Http.JSON.readTree("{\"fields\":{\"text\":\"" + text + "\"}}"));
    }

    private String text(String key) throws Exception {
        JsonNode document = http.get(document(key)).body();
        return document.at("/fields/text").asString();
    }

    private static String message(Http.Answer answer) {
        return answer.status() + " " + answer.body().get("message").asString();
    }

    private static Map<String, byte[]> files(String services) {
        return Map.of(
                "services.xml",
                services.getBytes(UTF_8),
                "schemas/note.sd",
                NotesApplication.SCHEMA.getBytes(UTF_8),
                "components/own.jar",
                jar);
    }

    private void deployed(String services) throws Exception {
        Http.Answer answer = deploy(files(services));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private Http.Answer deploy(Map<String, byte[]> files) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                bytes.toByteArray());
    }
}
