package org.crabro.container.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.http.JsonReply;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Talks HTTP to the handler in memory: no port is opened. */
class AccessControlTest {
    private static final String ANNA = "[anna]\npermissions = read\ntoken = " + TokenHash.of("a");

    @TempDir Path directory;

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void namesThePrincipalOfARequest() throws Exception {
        start(access(ANNA));

        assertThat(get("Authorization: Bearer a")).contains("200 OK", "{\"who\":\"anna\"}");
        assertThat(get("authorization: bEaReR  a ")).contains("200 OK");
    }

    @Test
    void refusesRequestsWithoutCredentials() throws Exception {
        start(access(ANNA));

        assertThat(get("Authorization: Basic YTph"))
                .contains("401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "permission read");
    }

    @Test
    void refusesAnUnknownTokenAndDoesNotRepeatIt() throws Exception {
        start(access(ANNA + "\n[anonymous]\npermissions = read\n"));

        assertThat(get("Authorization: Bearer secret"))
                .contains("401 Unauthorized", "WWW-Authenticate: Bearer error=\"invalid_token\"")
                .doesNotContain("secret");
        assertThat(get("Accept: */*")).contains("200 OK", "{\"who\":\"anonymous\"}");
    }

    @Test
    void refusesAPrincipalWithoutThePermission() throws Exception {
        start(access(ANNA.replace("read", "write")));

        assertThat(get("Authorization: Bearer a"))
                .contains("403 Forbidden", "'anna' lacks permission read");
    }

    @Test
    void refusesMoreRequestsThanAPrincipalMaySend() throws Exception {
        start(access(ANNA + "\nrequests-per-second = 0.001\nburst = 2\n"));

        assertThat(get("Authorization: Bearer a")).contains("200 OK");
        assertThat(get("Authorization: Bearer a")).contains("200 OK");
        assertThat(get("Authorization: Bearer a"))
                .contains("429 Too Many Requests", "Retry-After: 1000", "'anna' sends more");
    }

    @Test
    void readsAReplacedFileAndKeepsTheRulesBeforeAnInvalidOne() throws Exception {
        AccessControl access = access(ANNA);
        start(access);
        String before = get("Authorization: Bearer b");

        replace("access", "[berta]\npermissions = read\ntoken-file = hash\n");
        access.look();
        String lacksAFile = get("Authorization: Bearer a");
        replace("hash", TokenHash.of("b").toString());
        access.look();
        String after = get("Authorization: Bearer b");
        String removed = get("Authorization: Bearer a");
        replace("hash", TokenHash.of("c").toString());
        access.look();
        String rotated = get("Authorization: Bearer c");
        replace("access", "nonsense");
        access.look();
        String unchanged = get("Authorization: Bearer c");

        assertThat(before).contains("401");
        assertThat(lacksAFile).contains("200 OK");
        assertThat(after).contains("{\"who\":\"berta\"}");
        assertThat(removed).contains("401");
        assertThat(rotated).contains("{\"who\":\"berta\"}");
        assertThat(unchanged).contains("{\"who\":\"berta\"}");
    }

    @Test
    void goesOnCountingRequestsWhenTheFileIsReplaced() throws Exception {
        String limited = ANNA + "\nrequests-per-second = 0.001\nburst = 1\n";
        AccessControl access = access(limited);
        start(access);
        get("Authorization: Bearer a");

        replace("access", "# the same\n" + limited);
        access.look();

        assertThat(get("Authorization: Bearer a")).contains("429");
    }

    @Test
    void givesAllRightsWithoutAFile() throws Exception {
        start(AccessControl.OPEN);

        assertThat(get("Authorization: Bearer unknown"))
                .contains("200 OK", "{\"who\":\"everyone\"}");
    }

    @Test
    void givesThePermissionsOfTheApplicationToAPrincipalThatTheFileGivesNone() throws Exception {
        String none = ANNA.replace("permissions = read", "permissions = none");
        String berta = "\n[berta]\npermissions = write\ntoken = " + TokenHash.of("b");
        start(
                access(none + berta + "\n[carl]\ntoken = " + TokenHash.of("c")),
                clients(Map.of("anna", Set.of(Permission.READ), "berta", Set.of(Permission.READ))));

        assertThat(get("Authorization: Bearer a")).contains("{\"who\":\"anna\"}");
        assertThat(get("Authorization: Bearer b")).contains("'berta' lacks permission read");
        assertThat(get("Authorization: Bearer c")).contains("'carl' lacks permission read");
    }

    @Test
    void refusesRequestsWithoutCredentialsWhereAnApplicationNamesClients() throws Exception {
        start(access("[anonymous]\npermissions = read\n"), clients(Map.of()));

        assertThat(get("Accept: */*")).contains("401 Unauthorized");
    }

    private static Optional<PackageClients> clients(Map<String, Set<Permission>> tokens) {
        return Optional.of(
                new PackageClients(true, Map.of(), tokens, Optional.empty(), _ -> false));
    }

    private AccessControl access(String text) throws IOException {
        replace("access", text);
        return AccessControl.unwatched(directory.resolve("access"));
    }

    private void replace(String name, String text) throws IOException {
        Path temporary = directory.resolve("temporary");
        Files.writeString(temporary, text);
        Files.move(temporary, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private void start(AccessControl access) throws Exception {
        start(access, Optional.empty());
    }

    private void start(AccessControl access, Optional<PackageClients> clients) throws Exception {
        var echo =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        JsonReply.send(
                                response,
                                callback,
                                200,
                                "who",
                                access.isOpen()
                                        ? "everyone"
                                        : AccessControl.principal(request).name());
                        return true;
                    }
                };
        server.addConnector(connector);
        server.setHandler(
                new AccessHandler(
                        List.of(
                                new Route(
                                        echo,
                                        Route.Paths.at("/"),
                                        _ ->
                                                new Demand(
                                                        Set.of(Permission.READ),
                                                        JsonReply::sendProblem))),
                        access,
                        clients));
        server.start();
    }

    private String get(String header) throws Exception {
        return connector.getResponse(
                "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header + "\r\n\r\n");
    }
}
