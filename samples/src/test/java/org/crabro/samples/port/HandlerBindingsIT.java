package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests handlers of components answer, and which the server. */
class HandlerBindingsIT {
    private static final String SOURCE =
            """
            package own;

            import java.io.IOException;
            import org.crabro.component.*;

            public final class Own implements Handler {
                @Override
                public void handle(HttpRequest request, HttpResponse response) throws IOException {
                    response.body().write(("own " + request.path()).getBytes());
                }
            }
            """;

    private static final String QUERY =
            "/search/?yql=select+*+from+note+where+true&streaming.groupname=a";
    private static final String DOCUMENT = "/document/v1/home/note/group/a/1";

    @TempDir Path directory;

    @Test
    void aPatternThatCoversAnEndpointDoesNotReplaceIt() throws Exception {
        try (var served = start("/*")) {
            ServedPackage.Answer deployed = served.deployment();

            assertThat(deployed.body())
                    .contains(
                            "handler 'own': '/*' covers /search/, /document/v1/, /crabro/v1/schemas, /crabro/v1/groups, which the server answers itself");
            assertThat(served.get(QUERY).body()).startsWith("{\"root\"");
            assertThat(served.get(DOCUMENT).body()).startsWith("{\"pathId\"");
            assertThat(served.get("/crabro/v1/schemas").body()).startsWith("{");
            assertThat(served.get("/state/v1/health").body()).startsWith("{");
            assertThat(served.get("/elsewhere/a%20b").body()).isEqualTo("own /elsewhere/a b");
            assertThat(served.get("/search/below").body()).isEqualTo("own /search/below");
        }
    }

    @Test
    void aHandlerThatIsBoundToAnEndpointReplacesIt() throws Exception {
        try (var served = start("/search/*")) {
            assertThat(served.deployment().body())
                    .doesNotContain("which the server answers itself");
            assertThat(served.get(QUERY).body()).isEqualTo("own /search/");
            assertThat(served.get(DOCUMENT).body()).startsWith("{\"pathId\"");
        }
    }

    /** The component sees the path that its binding was compared with. */
    @Test
    void aHandlerSeesThePathThatItsBindingMatched() throws Exception {
        try (var served = start("/own/*")) {
            served.deployment();

            assertThat(served.get("/own/a+b%25c").body()).isEqualTo("own /own/a+b%c");
            assertThat(served.get("/%6Fwn/x").body()).isEqualTo("own /own/x");
            assertThat(served.get("/own;x=y/x").status()).isEqualTo(400);
            assertThat(served.get("/own/%2e%2e/x").status()).isEqualTo(400);
            assertThat(served.get("/x/%2e%2e/own/x").status()).isEqualTo(400);
            assertThat(served.get("/own%2Fx").status()).isEqualTo(400);
        }
    }

    private ServedPackage start(String pattern) throws Exception {
        var served =
                new ServedPackage(
                        TestSettings.onAnyPorts(directory.resolve("data")),
                        Map.of("schemas/note.sd", NotesApplication.SCHEMA));
        served.add(
                "components/own.jar",
                OwnJar.of(Map.of("own/Own.java", SOURCE), directory.resolve("own")));
        served.add(
                "services.xml",
                NotesApplication.SERVICES
                        .replace(
                                "<search/>",
                                "<search/><handler id=\"own\" class=\"own.Own\"><binding>http://*%s</binding></handler>"
                                        .formatted(pattern))
                        .getBytes(UTF_8));
        return served;
    }
}
