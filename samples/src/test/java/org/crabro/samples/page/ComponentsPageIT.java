package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Compiles, deploys and asks what the page on components of one's own shows. */
class ComponentsPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** A file: its path, and what is in it. */
    private static final Pattern FILE =
            Pattern.compile("`(src|application)/([^`]+)`:\n\n```[a-z]*\n(.*?)```", Pattern.DOTALL);

    /** A command: the address, what is sent as it is or as a form, and the answer. */
    private static final Pattern COMMAND =
            Pattern.compile(
                    "```sh\ncurl -s 'http://127\\.0\\.0\\.1:8080([^']+)'"
                            + "(?: -d '([^']+)')?(?: --data-urlencode 'yql=([^']+)')?\n```\n\n"
                            + "```json\n(.*?)```",
                    Pattern.DOTALL);

    @TempDir Path folder;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/components.md"));
        var commands = COMMAND.matcher(page).results().toList();
        assertThat(commands).as("commands of the page").hasSize(5);
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(folder.resolve("data")));
                var http = new Http()) {
            URI deploy =
                    server.config().resolve("/application/v2/tenant/default/prepareandactivate");
            Http.Answer deployed = http.post(deploy, "application/zip", application(page));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            for (MatchResult command : commands) {
                JsonNode expected = Http.JSON.readTree(command.group(4));
                assertThat(answer(http, server, command)).isEqualTo(expected);
            }
        }
    }

    private static JsonNode answer(Http http, CrabroServer server, MatchResult command)
            throws Exception {
        URI address = server.container().resolve(command.group(1));
        if (command.group(2) != null) {
            return http.post(address, "application/json", command.group(2).getBytes(UTF_8)).body();
        }
        if (command.group(3) != null) {
            byte[] form = ("yql=" + URLEncoder.encode(command.group(3), UTF_8)).getBytes(UTF_8);
            return http.post(address, "application/x-www-form-urlencoded", form).body();
        }
        return http.get(address).body();
    }

    private byte[] application(String page) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files(page, "application").forEach((path, text) -> files.put(path, text.getBytes(UTF_8)));
        assertThat(files).hasSize(2);
        Map<String, String> sources = files(page, "src");
        assertThat(sources).hasSize(4);
        files.put("components/shop.jar", OwnJar.of(sources, folder.resolve("work")));
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        return bytes.toByteArray();
    }

    private static Map<String, String> files(String page, String below) {
        return FILE.matcher(page)
                .results()
                .filter(file -> file.group(1).equals(below))
                .collect(Collectors.toMap(file -> file.group(2), file -> file.group(3)));
    }
}
