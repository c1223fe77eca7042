package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserGuardTest {
    private static final BrowserRules SETTINGS =
            BrowserRules.of(
                    new BrowserSettings(
                            List.of("Search.Example"), List.of("https://app.example:8443")));

    private final AtomicReference<BrowserRules> ofPackage =
            new AtomicReference<>(
                    new BrowserRules(
                            Set.of("node0.example"), Set.of(Origin.of("http://pages.example"))));
    private final AtomicBoolean handled = new AtomicBoolean();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    private final Handler answers =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    handled.set(true);
                    String path = request.getHttpURI().getPath();
                    if (path.equals("/fails")) {
                        throw new IllegalStateException("a failure");
                    }
                    if (path.equals("/missing")) {
                        return false;
                    }
                    response.setStatus(200);
                    callback.succeeded();
                    return true;
                }
            };

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setErrorHandler(new JsonErrorHandler());
        server.setHandler(
                new BrowserGuard(
                        answers,
                        AllowedHosts.of(SETTINGS, ofPackage::get, "certified.example"::equals),
                        SETTINGS,
                        ofPackage::get));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8080",
                "localhost.:8080",
                "127.0.0.1:19071",
                "127.0.0.1.",
                "127.4.5.6",
                "[::1]",
                "[::1]:8080",
                "[0:0:0:0:0:0:0:1]:8080",
                "[::ffff:127.0.0.1]",
                "search.example",
                "SEARCH.example.:8080",
                "node0.example:19071",
                "certified.example"
            })
    void acceptsItsOwnNames(String host) throws Exception {
        assertThat(status("GET", host)).isEqualTo(200);
        assertThat(status("GET", host, "Origin: http://" + host)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attacker.example",
                "attacker.example:8080",
                "localhost.attacker.example",
                "127.0.0.1.attacker.example",
                "search.example.attacker.example",
                "192.0.2.1",
                "192.0.2.1:8080",
                "[2001:db8::1]",
                "999.1.1.1",
                "2130706433x"
            })
    void refusesNamesOfOthers(String host) throws Exception {
        assertThat(answer("GET", host)).startsWith("HTTP/1.1 403").contains("--host-name");
        assertThat(status("GET", host, "Origin: http://" + host, "Sec-Fetch-Site: same-origin"))
                .isEqualTo(403);
    }

    @Test
    void acceptsNamesOfTheActivePackageOnly() throws Exception {
        ofPackage.set(BrowserRules.NONE);
        int before = status("GET", "node1.example");
        ofPackage.set(new BrowserRules(Set.of("Node1.example"), Set.of()));

        assertThat(before).isEqualTo(403);
        assertThat(status("GET", "node1.example")).isEqualTo(200);
        assertThat(status("GET", "node0.example")).isEqualTo(403);
    }

    @Test
    void acceptsRequestsThatNameNoHost() throws Exception {
        assertThat(connector.getResponse("GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(connector.getResponse("GET / HTTP/1.0\r\nOrigin: http://localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // Host         | Origin                   | Sec-Fetch-Site | status
                "localhost:8080 | -                        | -              | 200",
                "localhost:8080 | -                        | same-origin    | 200",
                "localhost:8080 | -                        | none           | 200",
                "localhost:8080 | -                        | same-site      | 403",
                "localhost:8080 | -                        | cross-site     | 403",
                "localhost:8080 | -                        | something-new  | 403",
                "localhost:8080 | http://localhost:8080    | same-origin    | 200",
                "LOCALHOST:8080 | http://localhost:8080    | -              | 200",
                "localhost:8080 | http://localhost:8080    | cross-site     | 403",
                "localhost:80   | http://localhost         | same-origin    | 200",
                "localhost      | http://localhost:80      | -              | 200",
                "localhost:8080 | https://localhost:8080   | -              | 403",
                "localhost:8080 | http://localhost:19071   | same-site      | 403",
                "localhost:8080 | http://localhost         | -              | 403",
                "localhost:8080 | http://127.0.0.1:8080    | -              | 403",
                "localhost:8080 | null                     | cross-site     | 403",
                "localhost:8080 | null                     | same-origin    | 403",
                "localhost:8080 | http://attacker.example  | cross-site     | 403",
                "localhost:8080 | http://attacker.example  | same-origin    | 403",
                "localhost:8080 | http://localhost:8080@attacker.example | - | 403",
                "localhost:8080 | http://localhost:8080.attacker.example | - | 403",
                "localhost:8080 | file://                  | -              | 403",
                "localhost:8080 | chrome-extension://abcdef | -             | 403",
                "localhost:8080 | https://app.example:8443 | cross-site     | 200",
                "localhost:8080 | https://APP.example:8443 | -              | 200",
                "localhost:8080 | https://app.example      | cross-site     | 403",
                "localhost:8080 | http://app.example:8443  | cross-site     | 403",
                "localhost:8080 | http://pages.example     | cross-site     | 200",
                "attacker.example | https://app.example:8443 | cross-site   | 403"
            })
    void comparesTheOriginOfAPage(String host, String origin, String site, int status)
            throws Exception {
        for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE")) {
            String[] headers =
                    Stream.of(
                                    origin == null ? "" : "Origin: " + origin,
                                    site == null ? "" : "sec-fetch-site: " + site)
                            .filter(header -> !header.isEmpty())
                            .toArray(String[]::new);
            assertThat(status(method, host, headers)).as(method).isEqualTo(status);
        }
    }

    @Test
    void refusesMoreThanOneOrigin() throws Exception {
        String own = "Origin: http://localhost";

        assertThat(status("GET", "localhost", own, own)).isEqualTo(403);
        assertThat(status("GET", "localhost", own + " http://localhost")).isEqualTo(403);
    }

    @Test
    void answersPreflightRequestsOfAllowedOrigins() throws Exception {
        String answer =
                sent(
                        "OPTIONS /document/v1/a/b/docid/1",
                        "localhost",
                        "Origin: https://app.example:8443",
                        "Sec-Fetch-Site: cross-site",
                        "Access-Control-Request-Method: PUT",
                        "Access-Control-Request-Headers: content-type,authorization");

        assertThat(answer.lines())
                .contains(
                        "HTTP/1.1 204 No Content",
                        "Access-Control-Allow-Origin: https://app.example:8443",
                        "Access-Control-Allow-Credentials: true",
                        "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE,"
                                + " OPTIONS",
                        "Access-Control-Allow-Headers: content-type,authorization",
                        "Vary: Origin");
        assertThat(handled).isFalse();
        assertThat(answer("GET", "localhost").lines()).contains("Vary: Origin");
    }

    @Test
    void refusesPreflightRequestsOfOthers() throws Exception {
        String answer =
                sent(
                        "OPTIONS /",
                        "localhost",
                        "Origin: http://attacker.example",
                        "Access-Control-Request-Method: PUT");

        assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("Access-Control-Allow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/missing", "/fails"})
    void letsPagesOfAllowedOriginsReadEveryAnswer(String path) throws Exception {
        String foreign = sent("GET " + path, "localhost", "Origin: http://pages.example");
        String own = sent("GET " + path, "localhost", "Origin: http://localhost");

        assertThat(foreign.lines())
                .contains("Access-Control-Allow-Origin: http://pages.example", "Vary: Origin");
        assertThat(own).doesNotContain("Access-Control-Allow");
    }

    @Test
    void saysWhatToDoInTheFormOfThePath() throws Exception {
        String documents =
                sent(
                        "POST /document/v1/a/b/docid/1",
                        "localhost",
                        "Origin: http://attacker.example");

        assertThat(documents)
                .startsWith("HTTP/1.1 403")
                .endsWith(
                        "{\"pathId\":\"/document/v1/a/b/docid/1\",\"message\":\"a page of the"
                                + " origin 'http://attacker.example' must not use this server; start it"
                                + " with --cors-origin to allow the origin\"}");
        assertThat(answer("GET", "a".repeat(5000)))
                .contains("'" + "a".repeat(300) + "...' is not a name of this server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "null", "app.example", "https://app.example/", "https://"})
    void refusesSettingsThatNameNoOrigin(String origin) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> BrowserRules.of(new BrowserSettings(List.of(), List.of(origin))))
                .withMessageStartingWith("'" + origin + "' is not an origin: expected scheme");
    }

    @Test
    void acceptsAnyNameWhereSettingsSaySo() {
        BrowserRules any = BrowserRules.of(new BrowserSettings(List.of("*"), List.of()));

        var hosts = AllowedHosts.of(any, () -> BrowserRules.NONE, _ -> false);

        assertThat(hosts.contains("attacker.example", new InetSocketAddress(0))).isTrue();
    }

    private int status(String method, String host, String... headers) throws Exception {
        return Integer.parseInt(answer(method, host, headers).substring(9, 12));
    }

    private String answer(String method, String host, String... headers) throws Exception {
        return sent(method + " /", host, headers);
    }

    private String sent(String asked, String host, String... headers) throws Exception {
        var request = new StringBuilder(asked + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return connector.getResponse(request.append("Connection: close\r\n\r\n").toString());
    }
}
