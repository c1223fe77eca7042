package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.container.http.HttpSettings;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Deploys one package after the other to a running server. */
class ActivationIT {
    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        deploy(NotesApplication.SERVICES, NotesApplication.SCHEMA);
        put(1, "{\"fields\":{\"text\":\"one\",\"version\":1}}");
        put(2, "{\"fields\":{\"text\":\"two\",\"version\":2}}");
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void ranksByTheNewProfileWithoutFeedingAgain() throws Exception {
        deploy(NotesApplication.SERVICES, withProfile("attribute(version)"));
        List<String> rising = ids(search("anna", "byVersion"));
        deploy(NotesApplication.SERVICES, withProfile("-attribute(version)"));
        List<String> falling = ids(search("anna", "byVersion"));

        assertThat(rising).containsExactly("id:test:note:g=anna:2", "id:test:note:g=anna:1");
        assertThat(falling).containsExactly("id:test:note:g=anna:1", "id:test:note:g=anna:2");
    }

    @Test
    void readsOldDocumentsWhenFieldsCameAndWent() throws Exception {
        String changed =
                NotesApplication.SCHEMA
                        .replace("field done type bool", "field finished type bool")
                        .replace(
                                "document note {",
                                "document note { field title type string { indexing: summary |"
                                        + " index }\n");
        deploy(Map.of("services.xml", NotesApplication.SERVICES, "schemas/note.sd", changed));
        put(3, "{\"fields\":{\"title\":\"new\",\"version\":3,\"finished\":true}}");

        JsonNode old = get(1);
        JsonNode young = get(3);
        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));

        assertThat(old.get("version").asInt()).isEqualTo(1);
        assertThat(old.has("title")).isFalse();
        assertThat(young.get("title").asString()).isEqualTo("new");
        assertThat(get(3)).isEqualTo(young);
        assertThat(ids(search("anna", "unranked"))).hasSize(3);
    }

    @Test
    void refusesAnotherTypeOfAFieldAndServesOn() throws Exception {
        Http.Answer answer =
                tryDeploy(
                        NotesApplication.SERVICES,
                        NotesApplication.SCHEMA.replace(
                                "field version type int", "field version type string"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("message").asString()).contains("version", "int", "string");
        assertThat(ids(search("anna", "unranked"))).hasSize(2);
    }

    @Test
    void servesNothingAfterADeletionAndFindsDocumentsAgain() throws Exception {
        String tenant = "/application/v2/tenant/default";
        Http.Answer deleted = http.delete(server.config().resolve(tenant + "/application/default"));
        Http.Answer none = http.get(server.container().resolve(path(1)));
        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        Http.Answer still = http.get(server.container().resolve(path(1)));
        deploy(NotesApplication.SERVICES, NotesApplication.SCHEMA);

        assertThat(deleted.status()).isEqualTo(200);
        assertThat(none.status()).isEqualTo(503);
        assertThat(still.status()).isEqualTo(503);
        assertThat(ids(search("anna", "unranked"))).hasSize(2);
    }

    @Test
    void searchesTheWholeTypeInModeIndex() throws Exception {
        String services = NotesApplication.SERVICES.replace("mode=\"streaming\"", "mode=\"index\"");
        Http.Answer refused = tryDeploy(services, NotesApplication.SCHEMA);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().get("message").asString()).contains("indexing-mode-change");
        deploy(
                Map.of(
                        "services.xml",
                        services,
                        "schemas/note.sd",
                        NotesApplication.SCHEMA,
                        "validation-overrides.xml",
                        allowing("indexing-mode-change")));

        JsonNode root =
                answer("/search/?yql=select+*+from+note+where+text+contains+%22two%22&timeout=30s");

        assertThat(ids(root)).containsExactly("id:test:note:g=anna:2");
        assertThat(root.get("coverage").get("documents").asInt()).isEqualTo(2);
    }

    private static String allowing(String id) {
        return "<validation-overrides><allow until=\"%s\">%s</allow></validation-overrides>"
                .formatted(LocalDate.now(ZoneOffset.UTC).plusDays(1), id);
    }

    /** Where nobody gave a port on the command line, the package's counts. */
    @Test
    void listensWhereThePackageSays(@TempDir Path other) throws Exception {
        server.close();
        server =
                CrabroServer.start(
                        TestSettings.of(
                                other, HttpSettings.loopback(0), false, HttpSettings.loopback(0)));
        URI before = server.container();
        // Found while the server runs, so that it is another port.
        int free = FreePorts.one();
        String services =
                NotesApplication.SERVICES.replace(
                        "<search/>",
                        "<search/><http><server id=\"main\" port=\"" + free + "\"/></http>");

        deploy(services, NotesApplication.SCHEMA);

        assertThat(server.container().getPort()).isEqualTo(free);
        put(1, "{\"fields\":{\"text\":\"here\"}}");
        assertThatThrownBy(() -> http.get(before.resolve("/status.html")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void failsNoQueryWhilePackagesAreSwapped() throws Exception {
        var stop = new AtomicBoolean();
        var asked = new AtomicInteger();
        var problems = new ArrayList<String>();
        Thread client =
                Thread.ofVirtual()
                        .start(() -> {
                            while (!stop.get()) {
                                try {
                                    if (ids(search("anna", "unranked")).size() != 2) {
                                        problems.add("a document is missing");
                                    }
                                    asked.incrementAndGet();
                                } catch (Exception | AssertionError e) {
                                    problems.add(e.toString());
                                    return;
                                }
                            }
                        });

        for (int version = 0; version < 10; version++) {
            deploy(NotesApplication.SERVICES, withProfile("attribute(version) + " + version));
        }
        stop.set(true);
        client.join();

        assertThat(problems).isEmpty();
        assertThat(asked).hasPositiveValue();
    }

    private static String withProfile(String expression) {
        return NotesApplication.SCHEMA.replace(
                "fieldset default",
                """
                rank-profile byVersion {
                  first-phase { expression: %s }
                }
                fieldset default\
                """
                        .formatted(expression));
    }

    private void deploy(String services, String schema) throws Exception {
        deploy(Map.of("services.xml", services, "schemas/note.sd", schema));
    }

    private void deploy(Map<String, String> files) throws Exception {
        Http.Answer answer = tryDeploy(files);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private Http.Answer tryDeploy(String services, String schema) throws Exception {
        return tryDeploy(Map.of("services.xml", services, "schemas/note.sd", schema));
    }

    private Http.Answer tryDeploy(Map<String, String> files) throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(files));
    }

    private void put(int id, String document) throws Exception {
        Http.Answer answer =
                http.post(server.container().resolve(path(id)), Http.JSON.readTree(document));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private JsonNode get(int id) throws Exception {
        Http.Answer answer = http.get(server.container().resolve(path(id)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("fields");
    }

    private JsonNode search(String group, String profile) throws Exception {
        return answer(
                "/search/?yql=select+*+from+note+where+true&timeout=30s&streaming.groupname="
                        + group
                        + "&ranking="
                        + profile);
    }

    private JsonNode answer(String path) throws Exception {
        Http.Answer answer = http.get(server.container().resolve(path));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root");
    }

    private static List<String> ids(JsonNode root) {
        var ids = new ArrayList<String>();
        root.path("children").forEach(hit -> ids.add(hit.get("id").asString()));
        return ids;
    }

    private static String path(int id) {
        return "/document/v1/test/note/group/anna/" + id;
    }
}
