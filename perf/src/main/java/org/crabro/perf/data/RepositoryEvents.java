package org.crabro.perf.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * Events of code repositories in the public form of an event API, the same ones each time: pushes,
 * issues, comments and others, of actors and repositories a few of which have most events. The JSON
 * of an event repeats users and repositories with all their addresses, so it has 3 KB on average.
 */
public final class RepositoryEvents {
    /** An actor of one event in a thousand. */
    public static final String ACTOR = "Cyan4973";

    /** A word of one text in five hundred. */
    public static final String WORD = "quickwit";

    private static final String API = "https://api.example.com";
    private static final long START = 1_672_531_200L;
    private static final int DAYS = 30;
    private static final int SECONDS_OF_DAY = 86_400;
    private static final int ACTOR_ONE_IN = 1_000;
    private static final int WORD_ONE_IN = 500;
    private static final List<String> USER_PATHS =
            List.of("followers", "following", "gists", "starred", "subscriptions", "orgs", "repos");
    private static final List<String> REPOSITORY_PATHS =
            List.of(
                    "forks",
                    "keys",
                    "collaborators",
                    "teams",
                    "hooks",
                    "events",
                    "assignees",
                    "branches",
                    "tags",
                    "blobs",
                    "trees",
                    "statuses",
                    "languages",
                    "stargazers",
                    "contributors",
                    "subscribers",
                    "commits",
                    "comments",
                    "contents",
                    "compare",
                    "merges",
                    "downloads",
                    "issues",
                    "pulls",
                    "milestones",
                    "labels",
                    "releases",
                    "deployments");

    /** Types by how many of a hundred events they have. */
    private static final List<Share> TYPES =
            List.of(
                    new Share("PushEvent", 50),
                    new Share("CreateEvent", 14),
                    new Share("PullRequestEvent", 12),
                    new Share("WatchEvent", 8),
                    new Share("IssueCommentEvent", 6),
                    new Share("DeleteEvent", 4),
                    new Share("IssuesEvent", 4),
                    new Share("ForkEvent", 2));

    private record Share(String type, int percent) {}

    /**
     * An event.
     *
     * @param origin what happened where
     * @param texts the texts that are searched; empty if there is none
     * @param json the event as one line
     */
    public record Event(Origin origin, Texts texts, String json) {}

    /** Who did what and when, in seconds. */
    public record Origin(String id, String type, long createdAt, String login, String repository) {
        /** Returns the day, such as {@code 2023-01-31}. */
        public String day() {
            return Instant.ofEpochSecond(createdAt).toString().substring(0, 10);
        }
    }

    /** The texts of an event. */
    public record Texts(String description, String comment, String issue) {
        /** Returns whether one of the texts has the word. */
        public boolean has(String word) {
            return List.of(description, comment, issue).stream()
                    .anyMatch(text -> List.of(text.split("\\W+", -1)).contains(word));
        }
    }

    private final int count;
    private final MailTexts words = new MailTexts(7);

    /**
     * @param count of all events, over which the days and repositories are distributed
     */
    public RepositoryEvents(int count) {
        this.count = count;
    }

    /** Returns an event, from 0 to the count, exclusive. */
    public Event event(int number) {
        var random = new Random(99L * 1_000_003 + number * 7_919L);
        String type = type(random.nextInt(100));
        boolean isHero = random.nextInt(ACTOR_ONE_IN) == 0;
        String login = isHero ? ACTOR : login(skewed(random, Math.max(1_000, count / 8)));
        String repository = repository(skewed(random, Math.max(2_000, count / 4)));
        long createdAt = START + (long) DAYS * SECONDS_OF_DAY * number / count;
        String id = Long.toString(26_000_000_000L + number);
        String description = type.equals("CreateEvent") ? text(random, 10) : "";
        String comment = type.equals("IssueCommentEvent") ? text(random, 60) : "";
        boolean hasIssue = type.equals("IssueCommentEvent") || type.equals("IssuesEvent");
        String issue = hasIssue ? text(random, 120) : "";
        var texts = new Texts(description, comment, issue);
        var origin = new Origin(id, type, createdAt, login, repository);
        return new Event(origin, texts, json(origin, texts, random));
    }

    private static String type(int percent) {
        int sum = 0;
        for (Share share : TYPES) {
            sum += share.percent();
            if (percent < sum) {
                return share.type();
            }
        }
        throw new IllegalStateException("the shares are below 100 %");
    }

    private static int skewed(Random random, int below) {
        double share = random.nextDouble();
        return (int) (share * share * share * below);
    }

    private String login(int number) {
        String word = words.word(200 + number * 31 % 9_000);
        return Character.toUpperCase(word.charAt(0)) + word.substring(1) + number % 997;
    }

    private String repository(int number) {
        return "%s/%s-%s"
                .formatted(
                        login(number % 5_000),
                        words.word(150 + number % 9_000),
                        words.word(150 + number * 31 % 20_000));
    }

    private String text(Random random, int length) {
        var text = new StringBuilder();
        int special = random.nextInt(WORD_ONE_IN) == 0 ? random.nextInt(length) : -1;
        for (int i = 0; i < length; i++) {
            int rank = (int) Math.pow(MailTexts.WORDS, random.nextDouble()) - 1;
            text.append(i == 0 ? "" : " ").append(i == special ? WORD : words.word(rank));
        }
        return text.toString();
    }

    private String json(Origin origin, Texts texts, Random random) {
        var json = new StringBuilder();
        json.append("{\"id\":\"%s\",\"type\":\"%s\",".formatted(origin.id(), origin.type()));
        json.append("\"actor\":").append(user(origin.login())).append(',');
        json.append(
                "\"repo\":{\"name\":\"%s\",\"url\":\"%s/repos/%s\"},"
                        .formatted(origin.repository(), API, origin.repository()));
        json.append("\"payload\":{");
        switch (origin.type()) {
            case "PushEvent" -> commits(json, origin, random);
            case "PullRequestEvent" -> {
                json.append("\"action\":\"opened\",\"pull_request\":{\"title\":\"");
                json.append(text(random, 9)).append("\",\"body\":\"").append(text(random, 90));
                json.append("\",\"user\":").append(user(origin.login()));
                json.append(",\"head\":").append(repositoryJson(origin.repository()));
                json.append(",\"base\":").append(repositoryJson(origin.repository())).append('}');
            }
            case "ForkEvent" ->
                    json.append("\"forkee\":").append(repositoryJson(origin.repository()));
            default ->
                    json.append(
                            "\"description\":\"%s\",\"comment\":{\"body\":\"%s\"},\"issue\":{\"body\":\"%s\",\"user\":%s}"
                                    .formatted(
                                            texts.description(),
                                            texts.comment(),
                                            texts.issue(),
                                            user(origin.login())));
        }
        return json.append("},\"public\":true,\"created_at\":\"")
                .append(Instant.ofEpochSecond(origin.createdAt()))
                .append("\"}")
                .toString();
    }

    private void commits(StringBuilder json, Origin origin, Random random) {
        json.append("\"commits\":[");
        int commits = 1 + random.nextInt(5);
        for (int i = 0; i < commits; i++) {
            String hash = "%016x%016x".formatted(random.nextLong(), random.nextLong());
            json.append(i == 0 ? "" : ",")
                    .append(
                            "{\"sha\":\"%s\",\"message\":\"%s\",\"author\":%s,\"url\":\"%s/repos/%s/commits/%s\"}"
                                    .formatted(
                                            hash,
                                            text(random, 5 + random.nextInt(20)),
                                            user(origin.login()),
                                            API,
                                            origin.repository(),
                                            hash));
        }
        json.append(']');
    }

    private static String user(String login) {
        return addresses(login, "%s/users/%s".formatted(API, login), USER_PATHS);
    }

    private static String repositoryJson(String name) {
        return addresses(name, "%s/repos/%s".formatted(API, name), REPOSITORY_PATHS);
    }

    private static String addresses(String name, String url, List<String> paths) {
        var json = new StringBuilder("{\"name\":\"").append(name).append('"');
        for (String path : paths) {
            json.append(",\"%s_url\":\"%s/%s\"".formatted(path, url, path));
        }
        return json.append('}').toString();
    }

    /** Returns an event as a line that can be fed, into one group. */
    public static byte[] put(Event event) {
        Origin origin = event.origin();
        return ("{\"put\":\"id:perf:event:g=all:%s\",\"fields\":{\"id\":\"%s\",\"type\":\"%s\",\"created_at\":%d,\"login\":\"%s\",\"repo\":\"%s\""
                                .formatted(
                                        origin.id(),
                                        origin.id(),
                                        origin.type(),
                                        origin.createdAt(),
                                        origin.login(),
                                        origin.repository())
                        + field("description", event.texts().description())
                        + field("comment_body", event.texts().comment())
                        + field("issue_body", event.texts().issue())
                        + field("json", event.json().replace("\"", "\\\""))
                        + "}}\n")
                .getBytes(UTF_8);
    }

    private static String field(String name, String text) {
        return text.isEmpty() ? "" : ",\"%s\":\"%s\"".formatted(name, text);
    }
}
