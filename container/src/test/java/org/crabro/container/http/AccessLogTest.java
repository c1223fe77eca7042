package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessLogTest {
    private final Logger logger = Logger.getLogger("access");
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    private final Handler written =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void start() throws Exception {
        logger.addHandler(written);
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        server.setRequestLog(new AccessLog());
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        logger.removeHandler(written);
    }

    @ParameterizedTest
    @CsvSource({
        "curl/8.5.0, curl/8.5.0",
        "a\" 200 9 9 \"b, a\\x22 200 9 9 \\x22b",
        "a\\x22b, a\\x5Cx22b",
        "a\u001b[31mred, a\\x1B[31mred",
        "'a\r\nb', a\\x0D\\x0Ab",
        "a\tb, a\\x09b",
        "a\u007fb, a\\x7Fb",
        "caf\u00e9, caf\\xC3\\xA9",
        "a\u2028b, a\\xE2\\x80\\xA8b",
        "a\ud83d\ude00b, a\\xF0\\x9F\\x98\\x80b",
        "a\ud83d, a\\x3F"
    })
    void escapesWhatEndsAFieldOrALine(String agent, String logged) {
        var quoted = new StringBuilder();
        var bare = new StringBuilder();

        AccessLog.escape(agent, AccessLog.AGENT_CHARS_MAX, '"', quoted);
        AccessLog.escape(agent, AccessLog.AGENT_CHARS_MAX, ' ', bare);

        assertThat(quoted).hasToString(logged);
        assertThat(bare).hasToString(logged.replace(" ", "\\x20"));
    }

    @Test
    void staysOnOneLineWhateverAClientSends() throws Exception {
        String line = line("GET /a\"b\\c HTTP/1.0\r\nUser-Agent: a\"\\\u00e9\r\n\r\n");

        assertThat(line)
                .matches("[\\x20-\\x7e]*")
                .contains(" GET /a\\x22b\\x5Cc HTTP/1.0 ")
                .containsPattern(" \"a\\\\x22\\\\x5C[^\"]*\"$");
    }

    /** The path can be an id of a document; nothing else of the request is written. */
    @Test
    void containsNoSecretOfARequest() throws Exception {
        for (String target :
                new String[] {
                    "/p?token=secret&password=secret",
                    "http://user:secret@localhost/p?a=secret",
                    "/p?a#secret",
                    "/p?%0d%0asecret",
                }) {
            String line =
                    line(
                            "POST %s HTTP/1.0\r\nAuthorization: Bearer secret\r\nCookie: a=secret\r\nReferer: http://x/secret\r\nX-Forwarded-For: secret\r\nContent-Length: 6\r\n\r\nsecret"
                                    .formatted(target));

            assertThat(line).doesNotContain("secret").contains(" POST /p HTTP/1.0 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a%0D%0A1%20127.0.0.1%20GET, /a%0D%0A1%20127.0.0.1%20GET",
        "/a%1b[31m, /a%1b[31m",
        "/a%00, /badMessage"
    })
    void writesAPathAsItWasSent(String target, String logged) throws Exception {
        assertThat(line("GET %s HTTP/1.0\r\n\r\n".formatted(target)))
                .matches("[\\x20-\\x7e]*")
                .contains(" " + logged + " ");
    }

    @Test
    void cutsWhatIsTooLong() throws Exception {
        String line =
                line(
                        "GET /%s HTTP/1.0\r\nUser-Agent: %s\r\n\r\n"
                                .formatted("p".repeat(3000), "a".repeat(3000)));

        assertThat(line)
                .contains(" /" + "p".repeat(AccessLog.PATH_CHARS_MAX - 1) + "... HTTP/1.0 ")
                .endsWith(" \"" + "a".repeat(AccessLog.AGENT_CHARS_MAX) + "...\"");
    }

    @Test
    void saysWhereAClientSendsNoUserAgent() throws Exception {
        assertThat(line("GET /p HTTP/1.0\r\n\r\n")).endsWith(" \"-\"");
    }

    /** Returns the line of a request; the server writes it after it has answered. */
    private String line(String request) throws Exception {
        connector.getResponse(request);
        return Objects.requireNonNull(lines.poll(30, TimeUnit.SECONDS));
    }
}
