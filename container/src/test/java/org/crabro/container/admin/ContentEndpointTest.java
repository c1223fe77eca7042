package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.crabro.container.admin.AdminConnection.APPLICATION;
import static org.crabro.container.admin.AdminConnection.SESSION;
import static org.crabro.container.admin.AdminConnection.TENANT;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.config.application.PackageLimits;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads and writes the files of packages one by one. */
class ContentEndpointTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String URL = "http://h:19071";
    private static final String FILES = SESSION + "/1/content/";

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void open() throws Exception {
        connection =
                AdminConnection.open(
                        directory.resolve("packages"),
                        new PackageLimits(8, 5_000, 200),
                        SessionLimits.DEFAULT,
                        4_000);
        Map<String, String> files = Packages.files(TEXT);
        files.put("files/a b+ü.txt", "some words");
        connection.post(SESSION, Packages.zip(files));
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    files/a%20b+%C3%BC.txt   => some words
                    files/a%20b%2b%c3%bc.txt => some words
                    ``                       => ["@/files/","@/schemas/","@/services.xml"]
                    files                    => ["@/files/a%20b%2B%C3%BC.txt"]
                    files/?recursive=false   => ["@/files/a%20b%2B%C3%BC.txt"]
                    ?recursive=true          => ["@/files/","@/files/a%20b%2B%C3%BC.txt","@/schemas/","@/schemas/note.sd","@/services.xml"]
                    files/?return=status     => [{"status":"new","md5":"45274721987e0624326a67b74e146d61","name":"@/files/a%20b%2B%C3%BC.txt"}]
                    files/a%20b+%C3%BC.txt?return=content => some words
                    """)
    void reads(String path, String answer) throws Exception {
        HttpTester.Response reply = connection.get(FILES + path);

        assertThat(reply.getStatus()).isEqualTo(200);
        assertThat(reply.getContent()).isEqualTo(answer.replace("@", URL + SESSION + "/1/content"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    GET /session/1/content/none => 404 NOT_FOUND the package has no 'none'
                    GET /session/1/content/services.xml/ => 404 NOT_FOUND the package has no 'services.xml/'
                    GET /session/1/content/services.xml?return=md5 => 400 BAD_REQUEST return: expected content or status, but found 'md5'
                    GET /session/7/content/ => 404 NOT_FOUND there is no session 7
                    PUT /session/7/content/a => 404 NOT_FOUND there is no session 7: it was never made, or was not activated in time, or the server started since
                    POST /session/1/content/a => 405 METHOD_NOT_ALLOWED POST is not allowed at /application/v2/tenant/default/session/1/content/a, only GET, PUT, DELETE
                    PUT /session/1/content/ => 400 BAD_REQUEST expected the name of a file or directory in the package
                    DELETE /session/1/content => 400 BAD_REQUEST expected the name of a file or directory in the package
                    PUT /session/1/content/schemas => 400 BAD_REQUEST 'schemas' is a directory
                    PUT /session/1/content/services.xml/ => 400 BAD_REQUEST 'services.xml' is a file
                    PUT /session/1/content/services.xml/a/b => 400 BAD_REQUEST 'services.xml' is a file
                    DELETE /session/1/content/schemas => 400 BAD_REQUEST the directory 'schemas' is not empty
                    DELETE /session/1/content/none => 404 NOT_FOUND session 1 has no file 'none'
                    PUT /session/1/content/a/b/c/d/ => 400 QUOTA_EXCEEDED the package would hold more than 8 files and directories
                    """)
    void refuses(String request, String answer) throws Exception {
        String[] words = request.split(" ", 2);

        HttpTester.Response reply = connection.send(words[0], TENANT + words[1], "", new byte[0]);

        String[] parts = answer.split(" ", 3);
        assertThat(reply.getStatus()).isEqualTo(Integer.parseInt(parts[0]));
        assertThat(reply.getContent())
                .isEqualTo(
                        "{\"error-code\":\"%s\",\"message\":\"%s\"}".formatted(parts[1], parts[2]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../secret",
                "../secret",
                "%2e%2e/secret",
                "..%2Fsecret",
                "files/../../secret",
                "files%2F..%2F..%2F..%2Fsecret",
                "%2Fsecret",
                "//secret/../..",
                "..%5Csecret",
                "c:%5Csecret",
                "secret%00"
            })
    void neverLeavesThePackage(String path) throws Exception {
        Files.writeString(directory.resolve("secret"), "secret");
        Files.writeString(directory.resolve("packages/secret"), "secret");

        for (String method : List.of("GET", "PUT", "DELETE")) {
            HttpTester.Response reply = connection.send(method, FILES + path, "", new byte[] {'x'});

            assertThat(reply.getStatus()).isBetween(400, 404);
            assertThat(reply.getContent()).doesNotContain("\"secret\"");
        }
        assertThat(directory.resolve("secret")).hasContent("secret");
        assertThat(directory.resolve("packages/secret")).hasContent("secret");
    }

    @Test
    void writesFilesAndTellsWhatChanged() throws Exception {
        HttpTester.Response put = connection.put(FILES + "search/new.xml", "new");
        connection.put(FILES + "services.xml", "changed");
        connection.delete(FILES + "schemas/note.sd");
        HttpTester.Response made = connection.put(FILES + "models/");

        assertThat(put.getContent())
                .isEqualTo("{\"prepared\":\"" + URL + SESSION + "/1/prepared\"}");
        assertThat(made.getStatus()).isEqualTo(200);
        assertThat(connection.get(FILES + "search/new.xml").getContent()).isEqualTo("new");
        assertThat(status("search/new.xml")).startsWith("{\"status\":\"new\"");
        assertThat(connection.get(FILES + "services.xml").getContent()).isEqualTo("changed");
        assertThat(status("services.xml"))
                .isEqualTo(
                        "{\"status\":\"changed\",\"md5\":\"8977dfac2f8e04cb96e66882235f5aba\","
                                + "\"name\":\"%s\"}".formatted(URL + FILES + "services.xml"));
        assertThat(connection.get(FILES + "schemas/note.sd").getStatus()).isEqualTo(404);
        assertThat(status("schemas/note.sd")).startsWith("{\"status\":\"deleted\",\"md5\":\"\"");
        assertThat(connection.get(FILES + "models/").getContent()).isEqualTo("[]");
        assertThat(connection.delete(FILES + "schemas/").getStatus()).isEqualTo(200);
        assertThat(connection.get(FILES + "schemas/").getStatus()).isEqualTo(404);
    }

    @Test
    void forgetsFilesThatCameAndWent() throws Exception {
        connection.put(FILES + "a.txt", "a");
        connection.put(FILES + "a.txt", "b");
        assertThat(status("a.txt")).startsWith("{\"status\":\"new\"");

        connection.delete(FILES + "a.txt");

        assertThat(connection.get(FILES + "a.txt?return=status").getStatus()).isEqualTo(404);
    }

    @Test
    void refusesFilesThatAreTooLarge() throws Exception {
        HttpTester.Response large = connection.put(FILES + "a.txt", "a".repeat(4_001));
        connection.put(FILES + "a.txt", "a".repeat(3_900));
        HttpTester.Response more = connection.put(FILES + "b.txt", "a".repeat(3_900));

        assertThat(large.getStatus()).isEqualTo(413);
        assertThat(large.getContent()).contains("larger than the limit of 4,000 bytes");
        assertThat(more.getStatus()).isEqualTo(400);
        assertThat(more.getContent())
                .contains("QUOTA_EXCEEDED", "the package would take more than 5,000 bytes");
        assertThat(connection.get(FILES + "b.txt").getStatus()).isEqualTo(404);
    }

    @Test
    void answersHeadsWithTheLength() throws Exception {
        String reply = connection.head(FILES + "files/a%20b+%C3%BC.txt");

        assertThat(reply)
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Length: 10\r\n", "Content-Type: application/octet-stream")
                .endsWith("\r\n\r\n");
    }

    /** As the command line fetches a package. */
    @Test
    void hasTheActiveApplicationFetchedFileByFile() throws Exception {
        assertThat(connection.get(APPLICATION + "/content").getStatus()).isEqualTo(404);
        connection.put(SESSION + "/1/prepared");
        connection.put(SESSION + "/1/active");
        var fetched = new TreeMap<String, String>();

        fetch(APPLICATION + "/content", fetched);

        String root = APPLICATION + "/content/";
        assertThat(fetched.keySet())
                .containsExactly(
                        root + "files/a%20b%2B%C3%BC.txt",
                        root + "schemas/note.sd",
                        root + "services.xml");
        assertThat(fetched.get(root + "services.xml")).isEqualTo(Packages.SERVICES);
        assertThat(connection.put(root + "services.xml", "x").getStatus()).isEqualTo(405);
        assertThat(connection.put(FILES + "services.xml", "x").getContent())
                .contains("BAD_REQUEST", "session 1 is active already");
        assertThat(connection.get(FILES + "services.xml").getContent())
                .isEqualTo(Packages.SERVICES);
    }

    private void fetch(String path, Map<String, String> fetched) throws Exception {
        HttpTester.Response reply = connection.get(path);
        assertThat(reply.getStatus()).isEqualTo(200);
        for (String url : strings(reply.getContent())) {
            String inside = url.substring(URL.length());
            if (inside.endsWith("/")) {
                fetch(inside, fetched);
            } else {
                fetched.put(inside, connection.get(inside).getContent());
            }
        }
    }

    private static List<String> strings(String json) {
        var strings = new ArrayList<String>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    strings.add(parser.getString());
                }
            }
        }
        return strings;
    }

    private String status(String path) throws Exception {
        return connection.get(FILES + path + "?return=status").getContent();
    }
}
