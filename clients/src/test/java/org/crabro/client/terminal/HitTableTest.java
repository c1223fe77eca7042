package org.crabro.client.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.junit.jupiter.api.Test;

/** Tables and lines of results, as a server sends them. */
class HitTableTest {
    private static final String HITS =
            """
            {"id": "id:n:note:g=me:1", "relevance": 0.5, "source": "all",
             "fields": {"sddocname": "note", "documentid": "id:n:note:g=me:1",
                        "title": "Tea, green", "text": "%s", "time": 7}}
            """;
    private static final String GROUPS =
            """
            {"id": "group:root:0", "relevance": 1.0, "children": [
              {"id": "grouplist:tags", "label": "tags",
               "message": "2 of 16 groups, since grouping.defaultMaxGroups is 2: set max(...) to get more, or use continuations",
               "children": [
                {"id": "group:string:a", "value": "a", "fields": {"count()": 2, "max(time)": 9},
                 "children": [{"id": "grouplist:year", "label": "year", "children": [
                    {"id": "group:long:2024", "value": "2024", "fields": {"count()": 1}}]}]},
                {"id": "group:string:b", "value": "b", "fields": {"count()": 1, "max(time)": 4}}]}]}
            """;

    private static QueryAnswer answer(String... children) throws Exception {
        byte[] body =
                "{\"root\":{\"fields\":{\"totalCount\":1},\"children\":[%s]}}"
                        .formatted(String.join(",", children))
                        .getBytes(UTF_8);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try (var client =
                new QueryClient(
                        ServerAccess.of(
                                URI.create("http://127.0.0.1:" + server.getAddress().getPort())))) {
            return client.search(ClientQuery.ofWords("tea"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void showsHitsAndGroups() throws Exception {
        assertThat(
                        HitTable.lines(
                                answer(HITS.formatted("water"), GROUPS),
                                new HitTable.Form(80, false)))
                .containsExactly(
                        "relevance  id  title       text   time",
                        "0.5000     1   Tea, green  water  7",
                        "",
                        "tags      count()  max(time)",
                        "a         2        9",
                        "a / 2024  1",
                        "b         1        4",
                        "2 of 16 groups, --groups 16 for all");
    }

    @Test
    void showsNothingForNoHits() throws Exception {
        assertThat(HitTable.lines(answer(), new HitTable.Form(80, false))).isEmpty();
    }

    @Test
    void showsTheValuesOfAllHits() throws Exception {
        assertThat(
                        HitTable.lines(
                                answer("{\"id\": \"group:root:0\", \"fields\": {\"count()\": 3}}"),
                                new HitTable.Form(80, false)))
                .containsExactly("all  count()", "     3");
    }

    @Test
    void showsThePartOfATextThatHasAWord() throws Exception {
        String text = "x ".repeat(100) + "and then the Coffees were cold";

        List<String> lines =
                HitTable.lines(
                        answer(HITS.formatted(text)),
                        new HitTable.Form(100, true, MarkedWords.of("coffee -tea")));

        assertThat(lines.get(1))
                .contains("…", "the \u001b[1mCoffees\u001b[21m were cold")
                .doesNotContain("\u001b[1mTea");
    }

    @Test
    void marksWhatTheServerHasMarked() throws Exception {
        List<String> lines =
                HitTable.lines(
                        answer(HITS.formatted("he <hi>ran</hi> far<sep />away")),
                        new HitTable.Form(100, true, MarkedWords.of("run")));

        assertThat(lines.get(1)).contains("he \u001b[1mran\u001b[21m far…away");
    }

    @Test
    void readsWordsOfASearchAsPatternsOfNothing() throws Exception {
        String search = "\"a.b\" f:(x .* [ \\Q -no " + "w ".repeat(5_000);

        assertThat(
                        HitTable.lines(
                                answer(HITS.formatted("a.b (x")),
                                new HitTable.Form(100, false, MarkedWords.of(search))))
                .hasSize(2);
    }

    @Test
    void writesLinesForOtherPrograms() throws Exception {
        QueryAnswer answer = answer(HITS.formatted("say \\\"hi\\\"\\nnow"));

        assertThat(HitLines.csv(answer))
                .containsExactly(
                        "id,relevance,title,text,time",
                        "id:n:note:g=me:1,0.5,\"Tea, green\",\"say \"\"hi\"\"\nnow\",7");
        assertThat(HitLines.jsonl(answer).getFirst())
                .startsWith("{\"id\":\"id:n:note:g=me:1\",\"relevance\":0.5,\"fields\":{")
                .doesNotContain("\n");
    }

    private static final String MAIL =
            """
            {"id": "id:n:mail:g=me:boat-7@example.com", "relevance": 0.5, "source": "all",
             "fields": {"documentid": "id:n:mail:g=me:boat-7@example.com",
                        "message_id": "boat-7@example.com", "sender": "Tom Lindqvist <tom@example.com>",
                        "recipients": "Anna Berg <anna@example.com>", "subject": "The boat and the charts",
                        "date": "2024-06-02T18:40:00Z", "text": "Hi Anna, bring coffee for the boat."}}
            """;

    @Test
    void leavesOutColumnsThatDoNotFit() throws Exception {
        assertThat(
                        HitTable.lines(
                                answer(MAIL),
                                new HitTable.Form(
                                        80, false, MarkedWords.of("coffee"), "\\json on")))
                .containsExactly(
                        "relevance  id                  subject                  text",
                        "0.5000     boat-7@example.com  The boat and the charts  Hi Anna, bring coffee f…",
                        "columns without room here: sender, recipients, date, message_id"
                                + " (\\json on shows all)");
    }

    @Test
    void showsAllColumnsWhereTheyFit() throws Exception {
        assertThat(HitTable.lines(answer(MAIL), new HitTable.Form(240, false)))
                .hasSize(2)
                .first()
                .asString()
                .contains("message_id", "sender", "recipients", "subject", "date", "text");
    }

    /** The narrowest terminal, and more fields than any has columns. */
    @Test
    void isNeverWiderThanTheTerminal() throws Exception {
        String fields =
                IntStream.range(0, 500)
                        .mapToObj(i ->
                                "\"field_with_a_long_name_%d\": \"%s\""
                                        .formatted(i, "w ".repeat(200)))
                        .collect(Collectors.joining(","));
        String hit =
                "{\"id\": \"id:n:t::%s\", \"fields\": {%s}}".formatted("x".repeat(2_000), fields);

        for (int columns : List.of(20, 40, 80, 160, 240)) {
            List<String> lines = HitTable.lines(answer(hit), new HitTable.Form(columns, false));

            assertThat(lines.subList(0, 2)).allMatch(line -> line.length() <= columns);
            assertThat(lines.getLast())
                    .startsWith("columns without room here: ")
                    .endsWith("(--format csv shows all)");
        }
    }

    @Test
    void saysHowManyDocumentsMatch() throws Exception {
        assertThat(CountLine.of(answer(HITS.formatted("a")), Optional.of("me")))
                .isEqualTo("1 of 1 matching document of group me");
    }
}
