package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that a foreign web page can make a browser send, at both ports of a server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserRequestsIT {
    private static final String ADMIN = "/application/v2/tenant/default";
    private static final String APPLICATION =
            ADMIN + "/application/default/environment/prod/region/default/instance/default";
    private static final String DOCUMENT = "/document/v1/ns/note/docid/page";

    @TempDir static Path data;

    private ServedPackage served;
    private String generation = "";

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
        generation = generation();
    }

    @AfterAll
    void stop() {
        served.close();
    }

    /**
     * A request as a page can send it: without asking, or a read.
     *
     * @param body in Latin-1
     */
    record PageRequest(boolean isConfig, String method, String path, String type, String body) {
        @Override
        public String toString() {
            return method + " " + path + " " + type;
        }
    }

    static List<PageRequest> requests() throws IOException {
        String zip =
                new String(Http.zip(Map.of("services.xml", ServedPackage.SERVICES)), ISO_8859_1);
        String form =
                """
                --x
                Content-Disposition: form-data; name="applicationZip"; filename="a.zip"
                Content-Type: application/zip

                %s
                --x--
                """
                        .replace("\n", "\r\n")
                        .formatted(zip);
        String none = "";
        String put = "{\"fields\":{\"year\":1}}";
        String line = "{\"put\":\"id:ns:note::page\",\"fields\":{\"year\":1}}\n";
        String multipart = "multipart/form-data; boundary=x";
        return List.of(
                new PageRequest(true, "POST", ADMIN + "/prepareandactivate", multipart, form),
                new PageRequest(true, "POST", ADMIN + "/session", multipart, form),
                new PageRequest(true, "POST", APPLICATION + "/restart", "text/plain", none),
                new PageRequest(true, "POST", APPLICATION + "/reindex", "text/plain", none),
                new PageRequest(true, "DELETE", APPLICATION, "", none),
                new PageRequest(true, "GET", APPLICATION + "/content/", "", none),
                new PageRequest(true, "GET", "/state/v1/health", "", none),
                new PageRequest(false, "POST", DOCUMENT, "text/plain", put),
                new PageRequest(false, "POST", "/document/v1/", "text/plain", line),
                new PageRequest(false, "POST", "/search/", "text/plain", put),
                new PageRequest(
                        false,
                        "GET",
                        "/search/?yql=select+*+from+note+where+true&streaming.selection=true&timeout=60s",
                        "",
                        none),
                new PageRequest(false, "GET", "/document/v1/?cluster=notes", "", none),
                new PageRequest(false, "GET", "/state/v1/metrics", "", none),
                new PageRequest(false, "OPTIONS", DOCUMENT, "", none));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void refusesPagesOfOtherSites(PageRequest request) throws Exception {
        String own = address(request).getAuthority();
        var answers = new LinkedHashMap<List<String>, String>();
        for (List<String> headers :
                List.of(
                        List.of("Host: " + own, "Origin: http://attacker.example"),
                        List.of("Host: " + own, "Origin: null"),
                        List.of("Host: " + own, "Origin: http://localhost:1"),
                        List.of("Host: " + own, "Sec-Fetch-Site: cross-site"),
                        List.of("Host: " + own, "Sec-Fetch-Site: same-site"),
                        List.of(
                                "Host: attacker.example",
                                "Origin: http://attacker.example",
                                "Sec-Fetch-Site: same-origin"),
                        List.of("Host: attacker.example"))) {
            answers.put(headers, send(request, headers));
        }

        assertThat(answers)
                .allSatisfy((_, answer) ->
                        assertThat(answer).startsWith("HTTP/1.1 403").contains("\"message\":\""));
        assertThat(generation()).isEqualTo(generation);
        assertThat(served.get(DOCUMENT).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void letsProgramsAndItsOwnPagesThrough(PageRequest request) throws Exception {
        if (!request.method().equals("GET")) {
            return;
        }
        String own = address(request).getAuthority();
        String localhost = "localhost:" + address(request).getPort();

        assertThat(send(request, List.of("Host: " + own))).startsWith("HTTP/1.1 200");
        assertThat(send(request, List.of("Host: " + own, "Origin: http://" + own)))
                .startsWith("HTTP/1.1 200");
        assertThat(send(request, List.of("Host: " + localhost, "Sec-Fetch-Site: none")))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void acceptsAnyContentTypeFromPrograms() throws Exception {
        String[] types = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"};
        String path = "/document/v1/ns/note/docid/typed";
        for (String type : types) {
            assertThat(served.send("POST", path, "{\"fields\":{}}", "Content-Type", type).status())
                    .as(type)
                    .isEqualTo(200);
        }
    }

    private String generation() throws Exception {
        return served.send("GET", served.config(APPLICATION), new byte[0])
                .json()
                .get("generation")
                .toString();
    }

    private URI address(PageRequest request) {
        return request.isConfig() ? served.config("/") : served.container("/");
    }

    private String send(PageRequest request, List<String> headers) throws IOException {
        URI address = address(request);
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(60_000);
            var sent = new ArrayList<String>(headers);
            sent.addFirst(request.method() + " " + request.path() + " HTTP/1.1");
            sent.add("Connection: close");
            sent.add("Content-Length: " + request.body().length());
            if (!request.type().isEmpty()) {
                sent.add("Content-Type: " + request.type());
            }
            String all = String.join("\r\n", sent) + "\r\n\r\n" + request.body();
            socket.getOutputStream().write(all.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
