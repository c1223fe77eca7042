package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package whose port speaks TLS, asked as people ask: with curl. */
class TlsIT {
    @TempDir Path data;
    @TempDir Path keys;

    @Test
    void thePortSpeaksWhatThePackageSays() throws Exception {
        TestIdentity identity = TestIdentity.make(keys, "CN=localhost", "ip:127.0.0.1");
        Path certificate = identity.certificate();
        String ssl =
                """
                <http><server id="default"><ssl>
                  <private-key-file>%s</private-key-file>
                  <certificate-file>%s</certificate-file>
                </ssl></server></http>
                <search/>
                """
                        .formatted(identity.key(), certificate);

        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer missing = deploy(server, http, ssl.replace("key.pem", "none.pem"));
            String clear = server.container().getScheme();
            Http.Answer secure = deploy(server, http, ssl);
            String url = server.container().toString();
            String trusted = curl(url, "--cacert", certificate.toString());
            String unknown = curl(url);
            Http.Answer back = deploy(server, http, "<search/>");

            assertThat(missing.status()).isEqualTo(400);
            assertThat(missing.body().get("message").asString()).contains("none.pem");
            assertThat(clear).isEqualTo("http");
            assertThat(secure.status()).as(secure.toString()).isEqualTo(200);
            assertThat(url).startsWith("https:");
            assertThat(trusted).isEqualTo("200");
            assertThat(unknown).isEqualTo("000");
            assertThat(back.status()).as(back.toString()).isEqualTo(200);
            assertThat(curl(server.container().toString())).isEqualTo("200");
        }
    }

    private static Http.Answer deploy(CrabroServer server, Http http, String search)
            throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES.replace("<search/>", search),
                                "schemas/note.sd",
                                NotesApplication.SCHEMA)));
    }

    /** Returns the status that a client sees, 000 where it does not trust the server. */
    private static String curl(String url, String... options) throws Exception {
        var command = new ArrayList<>(List.of("curl", "-s", "-o", "/dev/null"));
        command.addAll(List.of("-w", "%{http_code}"));
        command.addAll(List.of(options));
        command.add(url + "/state/v1/health");
        Process process = new ProcessBuilder(command).start();
        String status = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return status;
    }
}
