package org.crabro.client.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries with and without a group, for a server that requires one. */
class GroupSearchTest {
    private static final ClientQuery NOTES = ClientQuery.of("select * from note where true");
    private static final String ONE_GROUP =
            type("note", 1, "{\"group\":\"me\",\"documents\":3}")
                    + ","
                    + type(
                            "mail",
                            12,
                            "{\"group\":\"ann\",\"documents\":1200},{\"group\":\"ben\",\"documents\":7}");

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private volatile String types = ONE_GROUP;
    private volatile String more = "";
    private volatile int groupsStatus = 200;
    private volatile int hits = 1;

    private static String type(String name, int groupCount, String groups) {
        return "{\"type\":\"%s\",\"cluster\":\"all\",\"mode\":\"streaming\",\"documents\":%d,\"groupCount\":%d,\"groups\":[%s]}"
                .formatted(name, groupCount * 3, groupCount, groups);
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        URI uri = exchange.getRequestURI();
        boolean isQuery = uri.getPath().equals("/search/");
        requests.add(isQuery ? body : uri.toString());
        int status = groupsStatus;
        String answer = "{\"types\":[" + types + "]" + more + "}";
        if (isQuery) {
            boolean hasGroup = body.contains("streaming.");
            status = hasGroup ? 200 : 400;
            answer =
                    hasGroup
                            ? "{\"root\":{\"fields\":{\"totalCount\":%d}}}".formatted(hits)
                            : "{\"root\":{\"errors\":[{\"message\":\"Streaming search requires either streaming.groupname or streaming.selection\"}]}}";
        }
        byte[] bytes = answer.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private GroupSearch.Searched search(ClientQuery query) throws Exception {
        var access =
                ServerAccess.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        try (var client = new QueryClient(access, HttpClient.Version.HTTP_1_1)) {
            return new GroupSearch(client, new GroupSearch.Choice("--group NAME", "--all-groups"))
                    .search(query);
        }
    }

    @Test
    void searchesTheOnlyGroupOfTheType() throws Exception {
        GroupSearch.Searched searched = search(NOTES);

        assertThat(searched.group()).contains("me");
        assertThat(requests).hasSize(3);
        assertThat(requests.getLast()).contains("\"streaming.groupname\":\"me\"");
    }

    @Test
    void readsTheTypeOfAParameter() throws Exception {
        assertThat(
                        search(ClientQuery.ofWords("tea").withParameter("model.restrict", "note"))
                                .group())
                .contains("me");
    }

    @Test
    void searchesANumberedGroup() throws Exception {
        types = type("note", 1, "{\"number\":\"7\",\"documents\":3}");

        assertThat(search(NOTES).group()).contains("7");
        assertThat(requests.getLast()).contains("\"streaming.userid\":\"7\"");
    }

    @Test
    void searchesAllDocumentsWhereNoneHasAGroup() throws Exception {
        types = type("note", 0, "");

        assertThat(search(NOTES).group()).isEmpty();
        assertThat(requests.getLast()).contains("\"streaming.selection\":\"true\"");
    }

    @Test
    void listsTheLargestGroupsOfSeveral() {
        assertThatThrownBy(() -> search(ClientQuery.of("select * from mail where true")))
                .isInstanceOf(UnclearGroupException.class)
                .hasMessage(
                        """
                        There are at least 12 groups. Name the one to search with --group NAME, or search all with --all-groups. The largest are:
                          ann  (1,200 documents)
                          ben  (7 documents)\
                        """);
    }

    @Test
    void addsUpTheGroupsOfAllTypes() {
        types =
                type("note", 1, "{\"group\":\"me\",\"documents\":3}")
                        + ","
                        + type("mail", 1, "{\"group\":\"ann\",\"documents\":5}");

        assertThatThrownBy(() -> search(ClientQuery.ofWords("tea")))
                .hasMessage(
                        """
                        There are 2 groups. Name the one to search with --group NAME, or search all with --all-groups.
                          ann  (5 documents)
                          me  (3 documents)\
                        """);
    }

    @Test
    void doesNotListGroupsForAQueryThatNamesOne() throws Exception {
        assertThat(search(NOTES.withGroup("me")).answer().totalCount()).isOne();
        assertThat(requests).hasSize(1);
    }

    @Test
    void rejectsAGroupWithoutDocuments() {
        hits = 0;
        types = "{\"type\":\"note\",\"documents\":0,\"groups\":[]}";
        more = ",\"nearest\":\"me\"";

        assertThatThrownBy(() -> search(NOTES.withGroup("mee&limit=7")))
                .isInstanceOf(UnknownGroupException.class)
                .hasMessage("there is no group 'mee&limit=7'; did you mean 'me'?");
        assertThat(requests.getLast()).contains("group=mee%26limit%3D7");
    }

    @Test
    void listsTheGroupsWhereNoneIsSimilar() {
        hits = 0;
        types =
                "{\"type\":\"note\",\"cluster\":\"all\",\"mode\":\"streaming\",\"documents\":0,"
                        + "\"groupCount\":1,\"groups\":[{\"group\":\"me\",\"documents\":0}]}";

        assertThatThrownBy(() -> search(NOTES.withGroup("you")))
                .isInstanceOf(UnknownGroupException.class)
                .hasMessage("there is no group 'you'; there are 'me'");

        types = types.replace("\"groupCount\":1", "\"groupCount\":1200");

        assertThatThrownBy(() -> search(NOTES.withGroup("you")))
                .hasMessage("there is no group 'you'; the largest are 'me'");
    }

    @Test
    void advisesWhatFindsDocuments() throws Exception {
        hits = 2;
        ClientQuery words = ClientQuery.ofWords("green tea");

        assertThat(advice(words, Optional.of("me")))
                .containsExactly(
                        "2 documents have some of these words, but none has all: type=any");
        assertThat(requests.getLast())
                .contains("\"hits\":0", "\"type\":\"any\"", "\"streaming.groupname\":\"me\"");
        assertThat(advice(NOTES.withGroup("me"), Optional.empty()))
                .containsExactly(
                        "2 documents match in other groups: --all-groups",
                        "2 documents have similar words: model.typos=true");
        assertThat(requests.get(1))
                .contains("\"streaming.selection\":\"true\"")
                .doesNotContain("groupname");
    }

    @Test
    void returnsNoAdviceIfNoVariantMatches() throws Exception {
        hits = 0;

        assertThat(advice(NOTES.withGroup("me"), Optional.empty())).isEmpty();
        // A query that the server refuses.
        assertThat(advice(NOTES, Optional.empty())).isEmpty();
    }

    private List<String> advice(ClientQuery query, Optional<String> group) throws Exception {
        var access =
                ServerAccess.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        try (var client = new QueryClient(access, HttpClient.Version.HTTP_1_1)) {
            return new GroupSearch(client, new GroupSearch.Choice("--group NAME", "--all-groups"))
                    .advice(query, group);
        }
    }

    @Test
    void returnsNoHitsOfAGroupThatExists() throws Exception {
        hits = 0;

        assertThat(search(NOTES.withGroup("me")).answer().totalCount()).isZero();
    }

    @Test
    void returnsNoHitsWhereTheServerListsNoGroups() throws Exception {
        hits = 0;
        groupsStatus = 404;

        assertThat(search(NOTES.withGroup("me")).answer().totalCount()).isZero();
        assertThatThrownBy(() -> search(NOTES))
                .hasMessage(
                        "Name the group to search with --group NAME, or search all with --all-groups.");
    }

    @Test
    void passesOnOtherRefusals() {
        server.removeContext("/");

        assertThatThrownBy(() -> search(NOTES)).isInstanceOf(ServerRefusalException.class);
    }
}
