package org.crabro.perf.search;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.crabro.client.cli.ServerProcess;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.data.PlainHttp;

/**
 * Users with vectors of {@link #CELLS} bfloat16 cells in a server, a group each, and queries for
 * the ten that are nearest to one.
 *
 * <p>Vectors are uniform in [0, 1), as the generator of personal data makes them.
 */
final class PersonalVectors {
    static final int CELLS = 384;

    /** The seed of all vectors, in the order of their users. */
    static final int SEED = 2026;

    /** The seed of the vectors of queries. */
    static final int QUERY_SEED = 7;

    static final int QUERIES = 16;

    /** As many documents are fed at a time, so that little of them is in memory. */
    private static final int FED = 1_000;

    private static final int REQUESTS_IN_FLIGHT = 16;

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("personal", "item"),
                    "schemas/item.sd",
                    GeneratedStore.ITEM_SCHEMA);

    /**
     * Users of one size.
     *
     * @param vectors of each user
     * @param count the number of users, who are queried in turn
     */
    record Users(int vectors, int count) {
        String group(int user) {
            return vectors + "-" + user;
        }

        @Override
        public String toString() {
            return "%,d vectors".formatted(vectors)
                    + (count > 1 ? ", %d users in turn".formatted(count) : "");
        }
    }

    private PersonalVectors() {}

    /** Feeds users into new data, and stops, so that queries read runs and no recent documents. */
    static void feed(Path data, List<Users> all) throws Exception {
        var random = new Random(SEED);
        try (ServerProcess server = start(data);
                var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                var client = new FeedClient(server.container(), REQUESTS_IN_FLIGHT)) {
            DeployedPackage.deploy(PACKAGE, http, server);
            for (Users users : all) {
                for (int user = 0; user < users.count(); user++) {
                    for (int from = 0; from < users.vectors(); from += FED) {
                        int count = Math.min(FED, users.vectors() - from);
                        FeedResult result =
                                client.feed(lines(users.group(user), from, count, random), _ -> {});
                        if (result.stored() != count) {
                            throw new IOException("not all was stored: " + result.problems());
                        }
                    }
                }
            }
        }
    }

    static ServerProcess start(Path data) throws IOException {
        return ServerProcess.start(
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0"));
    }

    private static InputStream lines(String group, int from, int count, Random random) {
        var lines = new StringBuilder();
        for (int id = from; id < from + count; id++) {
            lines.append("{\"put\":\"id:perf:item:g=")
                    .append(group)
                    .append(':')
                    .append(id)
                    .append("\",\"fields\":{\"id\":")
                    .append(id)
                    .append(",\"embedding\":")
                    .append(vector(random))
                    .append("}}\n");
        }
        return new ByteArrayInputStream(lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String vector(Random random) {
        var text = new StringBuilder("[");
        for (int i = 0; i < CELLS; i++) {
            text.append(i == 0 ? "" : ",").append(random.nextFloat());
        }
        return text.append(']').toString();
    }

    /** Returns query bodies for neighbors of different vectors, of one user after another. */
    static List<byte[]> forms(Users users) {
        var random = new Random(QUERY_SEED);
        var forms = new ArrayList<byte[]>();
        for (int i = 0; i < QUERIES; i++) {
            forms.add(form(users.group(i % users.count()), vector(random)));
        }
        return forms;
    }

    /** Sends one of them. */
    static void ask(ServerProcess server, byte[] form) throws IOException {
        PlainHttp.post(
                server.container().resolve("/search/"), "application/x-www-form-urlencoded", form);
    }

    /** Returns the ids of the answer, the nearest first. */
    static List<String> ids(ServerProcess server, byte[] form) throws IOException {
        String answer =
                PlainHttp.postAny(
                        server.container().resolve("/search/"),
                        "application/x-www-form-urlencoded",
                        form);
        return ID.matcher(answer).results().map(each -> each.group(1)).toList();
    }

    private static byte[] form(String group, String vector) {
        return form(Map.of(
                        "yql",
                        "select * from item where"
                                + " {targetHits:10}nearestNeighbor(embedding, q)",
                        "input.query(q)",
                        vector,
                        "streaming.groupname",
                        group,
                        "ranking",
                        "near",
                        "presentation.summary",
                        "minimal",
                        "timeout",
                        "20s"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String form(Map<String, String> parameters) {
        var text = new StringBuilder();
        parameters.forEach((name, value) ->
                text.append(text.isEmpty() ? "" : "&")
                        .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return text.toString();
    }
}
