package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Every path of the config port, on a server. */
class DeployApiIT {
    private static final String TENANT = "/application/v2/tenant/default";
    private static final String SESSION = TENANT + "/session";
    private static final String DEPLOY = TENANT + "/prepareandactivate";
    private static final String APPLICATION =
            TENANT + "/application/default/environment/prod/region/default/instance/default";

    @TempDir Path data;

    private final Http http = new Http();
    private final Map<String, String> files =
            new TreeMap<>(
                    Map.of(
                            "services.xml",
                            NotesApplication.SERVICES,
                            "schemas/note.sd",
                            NotesApplication.SCHEMA));
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private URI at(String path) {
        return server.config().resolve(path);
    }

    private Http.Answer get(String path) throws Exception {
        return http.get(at(path));
    }

    private Http.Answer put(String path) throws Exception {
        return http.put(at(path), "");
    }

    private Http.Answer post(String path) throws Exception {
        return http.post(at(path), "application/zip", Http.zip(files));
    }

    private static JsonNode ok(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static void assertError(Http.Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.body().get("error-code").asString()).isEqualTo(code);
        assertThat(answer.body().get("message").asString()).isNotEmpty();
    }

    @Test
    void goesThroughASessionStepByStep() throws Exception {
        JsonNode created = ok(post(SESSION));
        assertError(put(SESSION + "/1/active"), 400, "BAD_REQUEST");
        JsonNode prepared = ok(put(SESSION + "/1/prepared"));
        ok(get(SESSION + "/1/prepared"));
        ok(http.put(at(SESSION + "/1/content/files/about.txt"), "changed"));
        assertError(put(SESSION + "/1/active"), 400, "BAD_REQUEST");
        ok(put(SESSION + "/1/prepared"));
        JsonNode activated = ok(put(SESSION + "/1/active"));
        assertError(put(SESSION + "/1/active"), 400, "BAD_REQUEST");

        assertThat(created.get("session-id").isString()).isTrue();
        assertThat(created.get("prepared").asString()).isEqualTo(at(SESSION) + "/1/prepared");
        assertThat(created.get("content").asString()).isEqualTo(at(SESSION) + "/1/content/");
        assertThat(prepared.get("activate").asString()).isEqualTo(at(SESSION) + "/1/active");
        assertThat(prepared.get("configChangeActions"))
                .isEqualTo(Http.JSON.readTree("{\"restart\":[],\"refeed\":[],\"reindex\":[]}"));
        assertThat(activated.get("url").asString()).isEqualTo(at(APPLICATION).toString());
        assertThat(ok(get(APPLICATION)).get("generation").asLong()).isEqualTo(1);
        assertThat(http.text(at(APPLICATION + "/content/files/about.txt"))).isEqualTo("changed");
    }

    @Test
    void readsWritesAndDeletesFilesOfASession() throws Exception {
        ok(post(SESSION));
        String content = SESSION + "/1/content/";
        ok(put(content + "files/"));
        ok(http.put(at(content + "files/a%20b.txt"), "new"));
        ok(http.put(at(content + "schemas/note.sd"), NotesApplication.SCHEMA + "\n"));
        assertThat(names(ok(get(content)))).containsExactly("files/", "schemas/", "services.xml");
        assertThat(names(ok(get(content + "?recursive=true"))))
                .contains("files/a%20b.txt", "schemas/note.sd");
        JsonNode status = ok(get(content + "files/a%20b.txt?return=status"));
        JsonNode changed = ok(get(content + "schemas/?return=status"));
        Http.Answer notEmpty = http.delete(at(content + "files/"));
        ok(http.delete(at(content + "files/a%20b.txt")));
        ok(http.delete(at(content + "files/")));
        Http.Answer gone = get(content + "files/a%20b.txt");

        assertThat(status.get("status").asString()).isEqualTo("new");
        assertThat(status.get("md5").asString()).isEqualTo("22af645d1859cb5ca6da0c484f1f37ea");
        assertThat(changed.get(0).get("status").asString()).isEqualTo("changed");
        assertError(notEmpty, 400, "BAD_REQUEST");
        assertError(gone, 404, "NOT_FOUND");
        for (String path : List.of("../../1", "..%2F..%2Flast", "%2Fetc%2Fpasswd")) {
            assertThat(get(content + path).status()).as(path).isIn(400, 404);
        }
        ok(put(SESSION + "/1/prepared"));
        ok(put(SESSION + "/1/active"));
        assertError(http.put(at(content + "x"), "late"), 400, "BAD_REQUEST");
    }

    private static List<String> names(JsonNode urls) {
        var names = new ArrayList<String>();
        urls.forEach(url -> names.add(url.asString().replaceFirst(".*/content/", "")));
        return names.stream().sorted().toList();
    }

    @Test
    void rejectsALateDeployment() throws Exception {
        ok(post(SESSION));
        ok(post(SESSION));
        ok(put(SESSION + "/1/prepared"));
        ok(put(SESSION + "/2/prepared"));
        ok(put(SESSION + "/2/active"));

        assertError(put(SESSION + "/1/active"), 409, "ACTIVATION_CONFLICT");
        assertThat(ok(get(APPLICATION)).get("generation").asLong()).isEqualTo(2);
        assertError(put(SESSION + "/9/prepared"), 404, "NOT_FOUND");
        JsonNode copied =
                ok(
                        http.post(
                                at(SESSION + "?from=" + at(APPLICATION)),
                                Http.JSON.createObjectNode()));
        assertThat(copied.get("session-id").asString()).isEqualTo("3");
    }

    /** Deployments take turns: each becomes active, and the last one stays. */
    @Test
    void acceptsManyDeploymentsAtOnce() throws Exception {
        var ids = new TreeSet<Long>();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Http.Answer>>();
            Callable<Http.Answer> deploy = () -> post(DEPLOY);
            for (int i = 0; i < 8; i++) {
                answers.add(clients.submit(deploy));
            }
            for (Future<Http.Answer> answer : answers) {
                ids.add(Long.parseLong(ok(answer.get()).get("session-id").asString()));
            }
        }

        assertThat(ids).hasSize(8);
        assertThat(ok(get(APPLICATION)).get("generation").asLong()).isEqualTo(ids.last());
        JsonNode converged = ok(get(APPLICATION + "/serviceconverge"));
        assertThat(converged.get("currentGeneration").asLong()).isEqualTo(ids.last());
    }

    @Test
    void listsTheServicesOfTheApplication() throws Exception {
        assertError(get(APPLICATION + "/serviceconverge"), 404, "NOT_FOUND");
        ok(post(DEPLOY));
        JsonNode all = ok(get(APPLICATION + "/serviceconverge?timeout=5"));
        JsonNode service = all.get("services").get(0);
        String address = service.get("host").asString() + ":" + service.get("port").asInt();
        JsonNode one = ok(get(APPLICATION + "/serviceconverge/" + address));
        Http.Answer none = get(APPLICATION + "/serviceconverge/nowhere:1");
        JsonNode host = ok(get("/application/v2/host/" + service.get("host").asString()));

        assertThat(all.get("converged").asBoolean()).isTrue();
        assertThat(service.get("type").asString()).isEqualTo("container");
        assertThat(service.get("clusterName").asString()).isEqualTo("default");
        assertThat(service.get("port").asInt()).isEqualTo(server.container().getPort());
        assertThat(one.get("wantedGeneration")).isEqualTo(one.get("currentGeneration"));
        assertThat(none.status()).isEqualTo(410);
        assertThat(none.body().get("problem").asString()).contains("nowhere:1");
        assertThat(host.get("environment").asString()).isEqualTo("prod");
        assertThat(http.text(at("/status.html"))).isNotEmpty();
        assertThat(ok(get("/state/v1/health")).get("status").get("code").asString())
                .isEqualTo("up");
        assertThat(ok(get("/state/v1/version")).get("version").asString()).isNotEmpty();
        assertThat(get("/ApplicationStatus").status()).isEqualTo(200);
        assertThat(http.text(at(APPLICATION + "/logs?from=0&to=9999999999999")).lines())
                .allMatch(line -> line.split("\t", -1).length == 7);
        assertThat(ok(get(TENANT + "/application/")).get(0).asString())
                .isEqualTo(at(APPLICATION).toString());
        ok(http.delete(at(APPLICATION)));
        assertError(get(APPLICATION), 404, "NOT_FOUND");
        assertThat(ok(get(TENANT + "/application/"))).isEmpty();
    }

    @Test
    void acceptsTarArchives(@TempDir Path folder) throws Exception {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        byte[] good = tar(folder, ".");
        Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/passwd"));
        byte[] linked = tar(folder, ".");

        ok(http.post(at(DEPLOY), "application/x-gzip", good));
        ok(http.post(at(DEPLOY), "application/gzip", good));
        assertError(
                http.post(at(DEPLOY), "application/gzip", linked),
                400,
                "INVALID_APPLICATION_PACKAGE");
    }

    private static byte[] tar(Path folder, String what) throws IOException, InterruptedException {
        Process tar =
                new ProcessBuilder("tar", "-czf", "-", "-C", folder.toString(), what)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        var bytes = new ByteArrayOutputStream();
        tar.getInputStream().transferTo(bytes);
        assertThat(tar.waitFor()).isZero();
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    ../evil.txt   | x                                   => ../evil.txt
                    /etc/evil.txt | x                                   => /etc/evil.txt
                    hosts.xml     | <!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a> => hosts.xml
                    services.xml  | <services version="1.0"><what/></services> => what
                    """)
    void refusesPackagesThatAreWrong(String file, String named) throws Exception {
        String[] parts = file.split(" *\\| *", 2);
        ok(post(DEPLOY));
        files.put(parts[0], parts[1]);

        Http.Answer answer = post(DEPLOY);

        assertError(answer, 400, "INVALID_APPLICATION_PACKAGE");
        assertThat(answer.body().get("message").asString()).contains(named);
        assertThat(ok(get(APPLICATION)).get("generation").asLong()).isEqualTo(1);
        assertThat(Files.exists(data.resolve("packages/evil.txt"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "application/zip,no archive,400,INVALID_APPLICATION_PACKAGE",
        "application/gzip,no archive,400,INVALID_APPLICATION_PACKAGE",
        "text/plain,no archive,400,BAD_REQUEST"
    })
    void refusesWhatIsNoPackage(String type, String body, int status, String code)
            throws Exception {
        assertError(
                http.post(at(DEPLOY), type, body.getBytes(StandardCharsets.UTF_8)), status, code);
        assertError(get(APPLICATION), 404, "NOT_FOUND");
    }
}
