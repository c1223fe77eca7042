package org.crabro.container.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One match of the path chooses the handler and the permission. No port is opened. */
class AccessHandlerTest {
    private static final String RULES =
            """
            [reader]
            permissions = read
            token = %s
            [admin]
            permissions = admin
            token = %s
            """
                    .formatted(TokenHash.of("reader"), TokenHash.of("admin"));

    @TempDir Path directory;

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    /** Answers with its name and the path, or not at all. */
    private static final class Named extends Handler.Abstract {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (name.equals("none")) {
                return false;
            }
            JsonReply.send(response, callback, 200, name, RequestPath.of(request).text());
            return true;
        }
    }

    private static Route route(String name, Route.Paths paths, Permission... needed) {
        return new Route(
                name,
                paths,
                _ -> new Demand(Set.of(needed), JsonReply::sendProblem),
                new Named(name));
    }

    @BeforeEach
    void start() throws Exception {
        Path rules = directory.resolve("access");
        Files.writeString(rules, RULES);
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        server.setHandler(
                new AccessHandler(
                        List.of(
                                route("free", Route.Paths.at("/free")),
                                route("read", Route.Paths.below("/read"), Permission.READ),
                                route("admin", Route.Paths.in("/admin/"), Permission.ADMIN),
                                route("late", Route.Paths.below("/read/late")),
                                route(
                                        "documents",
                                        Route.Paths.below("/document/v1").withIds(),
                                        Permission.READ),
                                route("none", Route.Paths.at("/none"))),
                        AccessControl.unwatched(rules)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /free                      |        | 200 | {"free":"/free"}
                    /%66ree                    |        | 200 | {"free":"/free"}
                    /free/                     |        | 401 | permission admin
                    /freely                    |        | 401 | permission admin
                    /read                      |        | 401 | permission read
                    /read/x                    | reader | 200 | {"read":"/read/x"}
                    /read/x                    | admin  | 403 | lacks permission read
                    /read/late                 |        | 401 | permission read
                    /admin                     | reader | 403 | lacks permission admin
                    /admin                     | admin  | 404 | nothing is served at /admin
                    /admin/x                   | reader | 403 | lacks permission admin
                    /admin/x                   | admin  | 200 | {"admin":"/admin/x"}
                    /document/v1/n/t/docid/a%2Fb | reader | 200 | {"documents":"/document/v1/n/t/docid/a%2Fb"}
                    /admin/document/v1/a%2Fb   |        | 400 | contains '/'
                    /read/document/v1/a;b      |        | 400 | contains ';'
                    /x/document/v1/a%2Fb       |        | 401 | permission admin
                    /x/document/v1/a%2Fb       | admin  | 404 | nothing is served at
                    /none                      |        | 404 | nothing is served at /none
                    /free/../admin/x           |        | 400 | Bad Request
                    """)
    void choosesHandlerAndPermissionByOneMatch(String path, String token, int status, String answer)
            throws Exception {
        String authorization = token == null ? "" : "Authorization: Bearer " + token + "\r\n";

        assertThat(
                        connector.getResponse(
                                "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n"
                                        .formatted(path, authorization)))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains(answer);
    }
}
