package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The queries that Quickwit shows on the events of GitHub, on generated ones; the answers are
 * computed again by loops over the events.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuickwitQueriesIT {
    private static final String SCHEMA =
            """
            schema gharchive {
              document gharchive {
                struct actor { field id type long {} field login type string {} }
                struct repo { field id type long {} field name type string {} }
                struct user { field login type string {} }
                struct comment { field body type string {} }
                struct issue {
                  field title type string {}
                  field body type string {}
                  field state type string {}
                  field user type user {}
                }
                struct payload {
                  field action type string {}
                  field description type string {}
                  field comment type comment {}
                  field issue type issue {}
                }
                field id type string { indexing: attribute | summary }
                field type type string { indexing: attribute | summary }
                field actor type actor {
                  indexing: summary | index
                  struct-field login {
                    indexing: summary | index
                    match: word
                  }
                }
                field repo type repo {
                  indexing: summary | index
                  struct-field name {
                    indexing: summary | index
                    match: word
                  }
                }
                field payload type payload { indexing: summary | index }
                field created_at type long { indexing: attribute | summary }
              }
              fieldset bodies {
                fields: payload.description, payload.comment.body, payload.issue.body
              }
            }
            """;

    private static final int EVENTS = 3_000;
    private static final long START = 1_420_070_400L;
    private static final long DAY = 86_400;
    private static final List<String> WORDS =
            List.of("search", "Quickwit", "engine", "fast", "log", "issue", "quickwits", "on");

    private static final Pattern NO_WORD = Pattern.compile("\\W+");

    @TempDir static Path data;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final List<Event> events = new ArrayList<>();
    @AutoClose private StreamingServer server;

    private record Event(
            int number,
            String type,
            String login,
            String repo,
            String description,
            String comment,
            String issue,
            long createdAt) {
        boolean says(String word) {
            return List.of(description, comment, issue).stream()
                    .flatMap(text -> NO_WORD.splitAsStream(text.toLowerCase(Locale.ROOT)))
                    .anyMatch(word::equals);
        }

        String json() {
            return """
            {"put":"id:gh:gharchive:g=all:%d","fields":{"id":"%d","type":"%s",\
            "actor":{"id":1,"login":"%s"},"repo":{"id":2,"name":"%s"},"created_at":%d,\
            "payload":{"action":"opened","description":"%s","comment":{"body":"%s"},\
            "issue":{"title":"t","body":"%s","state":"open","user":{"login":"%s"}}}}}\
            """
                    .formatted(
                            number,
                            number,
                            type,
                            login,
                            repo,
                            createdAt,
                            description,
                            comment,
                            issue,
                            login);
        }
    }

    @BeforeAll
    void feed() throws Exception {
        server = new StreamingServer(data, Map.of("gharchive", SCHEMA));
        var random = new Random(seed);
        List<String> types = List.of("WatchEvent", "PushEvent", "IssueCommentEvent");
        for (int i = 0; i < EVENTS; i++) {
            // A few people and repositories do most of all.
            int person = (int) (Math.pow(random.nextDouble(), 3) * 40);
            int repo = (int) (Math.pow(random.nextDouble(), 3) * 150);
            events.add(
                    new Event(
                            i,
                            types.get(random.nextInt(3)),
                            person == 1 ? "Cyan4973" : "user" + person,
                            "owner/repo" + repo,
                            text(random),
                            text(random),
                            text(random),
                            START + random.nextLong(90 * DAY)));
        }
        server.feed(events.stream().map(Event::json).toList());
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(WORDS.get(random.nextInt(WORDS.size()))).append(i % 4 == 0 ? ", " : " ");
        }
        return text.toString();
    }

    @Test
    void findsTheLastEventsOfOneActor() throws Exception {
        JsonNode root =
                root(
                        "select * from gharchive where actor.login contains \"cyan4973\""
                                + " order by created_at desc limit 10");

        List<Event> own =
                matching(event -> event.login.equals("Cyan4973")).stream()
                        .sorted(
                                Comparator.comparingLong(Event::createdAt)
                                        .reversed()
                                        .thenComparing(event -> Integer.toString(event.number)))
                        .toList();
        assertThat(own).as("seed %d", seed).hasSizeGreaterThan(10);
        assertThat(root.path("fields").path("totalCount").asInt()).isEqualTo(own.size());
        assertThat(StreamingServer.ids(root))
                .containsExactlyElementsOf(
                        own.stream()
                                .limit(10)
                                .map(event -> Integer.toString(event.number))
                                .toList());
    }

    @Test
    void countsAllEventsByDay() throws Exception {
        assertThat(days("true")).isEqualTo(days(_ -> true));
        JsonNode root =
                root(
                        "select * from gharchive where true limit 0 | all(group(time.bucket("
                                + "created_at, \"1d\")) max(4000) order(min(created_at))"
                                + " each(output(count())))");
        assertThat(counts(root).values()).containsExactlyElementsOf(days(_ -> true).values());
    }

    @Test
    void countsTheEventsOfOneActorByDay() throws Exception {
        assertThat(days("actor.login contains \"Cyan4973\""))
                .isEqualTo(days(event -> event.login.equals("Cyan4973")));
    }

    @Test
    void findsTheRepositoriesThatAreWatchedMost() throws Exception {
        assertThat(repositories("type contains \"WatchEvent\""))
                .containsExactlyElementsOf(repositories(event -> event.type.equals("WatchEvent")));
    }

    @Test
    void findsTheRepositoriesThatSpeakOfAWordMost() throws Exception {
        List<String> expected = repositories(event -> event.says("quickwit"));

        assertThat(
                        repositories(
                                "payload.description contains \"quickwit\""
                                        + " or payload.comment.body contains \"quickwit\""
                                        + " or payload.issue.body contains \"quickwit\""))
                .containsExactlyElementsOf(expected);
        assertThat(repositories("bodies contains \"quickwit\""))
                .containsExactlyElementsOf(expected);
    }

    private List<Event> matching(Predicate<Event> condition) {
        return events.stream().filter(condition).toList();
    }

    private Map<String, Integer> days(String where) throws Exception {
        return counts(
                root(
                        "select * from gharchive where "
                                + where
                                + " limit 0 | all(group(fixedwidth(created_at,86400)) max(4000)"
                                + " order(min(created_at)) each(output(count())))"));
    }

    private Map<String, Integer> days(Predicate<Event> condition) {
        var days = new TreeMap<String, Integer>();
        for (Event event : matching(condition)) {
            long day = event.createdAt / DAY * DAY;
            days.merge("group:long_bucket:%d:%d".formatted(day, day + DAY), 1, Integer::sum);
        }
        return days;
    }

    /** By the id of the group. */
    private static Map<String, Integer> counts(JsonNode root) {
        var counts = new TreeMap<String, Integer>();
        for (JsonNode group :
                root.path("children").path(0).path("children").path(0).path("children")) {
            counts.put(group.path("id").asString(), group.path("fields").path("count()").asInt());
        }
        return counts;
    }

    private List<String> repositories(String where) throws Exception {
        JsonNode root =
                root(
                        "select * from gharchive where "
                                + where
                                + " limit 0 | all(group(repo.name) max(100) precision(10000)"
                                + " order(-count()) each(output(count())))");
        var repositories = new ArrayList<String>();
        for (JsonNode group :
                root.path("children").path(0).path("children").path(0).path("children")) {
            repositories.add(
                    group.path("value").asString() + " " + group.path("fields").path("count()"));
        }
        return repositories;
    }

    /** The most frequent first, then by name. */
    private List<String> repositories(Predicate<Event> condition) {
        Map<String, Long> counts =
                matching(condition).stream()
                        .collect(Collectors.groupingBy(Event::repo, Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Long>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(100)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    private JsonNode root(String yql) throws Exception {
        return server.root("streaming.groupname", "all", "yql", yql);
    }
}
