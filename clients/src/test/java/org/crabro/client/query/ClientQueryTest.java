package org.crabro.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ClientQueryTest {
    private static final JsonMapper JSON = new JsonMapper();

    @Test
    void bindsValuesAndWritesNoneIntoTheYql() {
        String evil = "x\" or true or text contains \"y";
        ClientQuery query =
                ClientQuery.from("note")
                        .select("text", "time")
                        .where(
                                QueryFilter.field("folder")
                                        .contains(evil)
                                        .and(QueryFilter.field("time").isAtLeast(10))
                                        .andNot(QueryFilter.field("tag").isIn(List.of("a", 2))));

        assertThat(query.parameters())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "yql",
                                "select text, time from note where ((folder contains @v0 and(time"
                                        + " >= @v1)) and !((tag contains @v2 or tag = @v3)))",
                                "v0",
                                evil,
                                "v1",
                                10,
                                "v2",
                                "a",
                                "v3",
                                2));
    }

    @Test
    void setsParametersByTheirTypes() {
        ClientQuery query =
                ClientQuery.of("select * from note where text contains @word")
                        .withValue("word", "water")
                        .withGroup("anna")
                        .withHits(5, 10)
                        .withRanking("near")
                        .withInput("here", List.of(1.5, 2))
                        .withTimeout(Duration.ofSeconds(2));

        assertThat(query.parameters())
                .containsEntry("word", "water")
                .containsEntry("streaming.groupname", "anna")
                .containsEntry("hits", 5)
                .containsEntry("offset", 10)
                .containsEntry("ranking", "near")
                .containsEntry("input.query(here)", List.of(1.5, 2))
                .containsEntry("timeout", "2000ms");
    }

    @Test
    void rejectsNamesThatAreYql() {
        for (String name : List.of("", "a b", "a\"", "1a", "a;", "a or true", "a.")) {
            assertThatThrownBy(() -> QueryFilter.field(name))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(QueryFilter.field("sender.address").contains("x").toString())
                .isEqualTo("sender.address contains @v0");
        assertThatThrownBy(() -> ClientQuery.of("a").withParameter("yql", "b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsHitsCountsAndErrors() {
        record Note(String text, long time) {}
        QueryAnswer answer =
                QueryAnswer.of(
                        JSON.readTree(
                                """
                                {"root": {"fields": {"totalCount": 7},
                                  "coverage": {"full": false},
                                  "errors": [{"code": 12, "summary": "Timed out", "message": "late"}],
                                  "children": [
                                    {"id": "group:root:0", "children": []},
                                    {"id": "id:a:note::1", "relevance": 0.5, "source": "notes",
                                     "fields": {"text": "hello", "time": 3, "other": true}}]}}
                                """));

        assertThat(answer.totalCount()).isEqualTo(7);
        assertThat(answer.isComplete()).isFalse();
        assertThat(answer.errors()).containsExactly("late");
        assertThat(answer.hits()).hasSize(1);
        assertThat(answer.hits().getFirst().as(Note.class)).isEqualTo(new Note("hello", 3));
    }

    @Test
    void readsServerSentEvents() {
        Stream<String> lines =
                """
                event: token
                data: {"token":"Hel"}

                :comment
                data: a
                data: b

                event: end

                data: unfinished
                """
                        .lines();

        assertThat(ServerEvent.parse(lines))
                .containsExactly(
                        new ServerEvent("token", "{\"token\":\"Hel\"}"),
                        new ServerEvent("message", "a\nb"));
    }
}
