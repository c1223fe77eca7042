package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Federations of two content clusters, as the page on them shows. */
class FederationIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    private static final Pattern FILE =
            Pattern.compile("`application/([^`]+)`:\n\n```[a-z]*\n(.*?)```", Pattern.DOTALL);

    /** A command: the address, what is sent as it is or as a form, and the answer. */
    private static final Pattern COMMAND =
            Pattern.compile(
                    "```sh\ncurl -s 'http://127\\.0\\.0\\.1:8080([^']+)'"
                            + "(?: -d '([^']+)')?(?: --data-urlencode 'yql=([^']+)')?\n```\n\n"
                            + "```json\n(.*?)```",
                    Pattern.DOTALL);

    private static final int DOCUMENTS = 20;

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        List<MatchResult> commands = COMMAND.matcher(page()).results().toList();
        assertThat(commands).as("commands of the page").hasSize(6);
        try (ServedPackage served = served()) {
            for (MatchResult command : commands) {
                ServedPackage.Answer answer =
                        command.group(2) == null
                                ? served.post(
                                        command.group(1),
                                        "yql=" + URLEncoder.encode(command.group(3), UTF_8),
                                        "Content-Type",
                                        "application/x-www-form-urlencoded")
                                : served.post(command.group(1), command.group(2));
                assertThat(answer.json()).isEqualTo(Http.JSON.readTree(command.group(4)));
            }
        }
    }

    @Test
    void blendedSourcesAreExactlyOneSearch() throws Exception {
        try (ServedPackage served = served()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                served.write(
                        "/document/v1/home/%s/docid/%d".formatted(i % 2 == 0 ? "mail" : "note", i),
                        "\"text\":\"word%d\",\"time\":%d".formatted(i % 3, i));
            }

            assertThat(times(search(served, "true order by time desc limit 8 offset 3")))
                    .isEqualTo(IntStream.range(0, 5).map(i -> DOCUMENTS - 4 - i).boxed().toList());
            var paged = new ArrayList<Integer>();
            String after = "";
            while (after != null) {
                JsonNode root =
                        search(served, "true order by time limit 7&after=" + encoded(after));
                paged.addAll(times(root));
                JsonNode next = root.path("fields").path("after");
                after = next.isMissingNode() ? null : next.asString();
            }
            assertThat(paged).isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
            JsonNode groups =
                    search(
                                    served,
                                    "true limit 0 | all(group(time % 3) max(2) order(-sum(time))"
                                            + " each(output(count(), sum(time))))")
                            .path("children");
            assertThat(groups).hasSize(1);
            var ids = new ArrayList<String>();
            groups.get(0)
                    .path("children")
                    .get(0)
                    .path("children")
                    .forEach(group ->
                            ids.add(group.path("value").asString() + " " + group.path("fields")));
            assertThat(ids)
                    .containsExactly(
                            "1 {\"count()\":7,\"sum(time)\":70}",
                            "0 {\"count()\":7,\"sum(time)\":63}");
            assertThat(times(search(served, "true order by time&collapsefield=text")))
                    .containsExactly(0, 1, 2);
            assertThat(times(search(served, "true order by time limit 2&searchChain=memos")))
                    .containsExactly(1, 3);
        }
    }

    /** Returns the times, which are the user-specified parts of the ids. */
    private static List<Integer> times(JsonNode root) {
        var times = new ArrayList<Integer>();
        for (JsonNode hit : root.path("children")) {
            String id = hit.path("id").asString();
            times.add(Integer.valueOf(id.substring(id.lastIndexOf(':') + 1)));
        }
        return times;
    }

    private static JsonNode search(ServedPackage served, String where) throws Exception {
        int more = where.indexOf('&') < 0 ? where.length() : where.indexOf('&');
        ServedPackage.Answer answer =
                served.get(
                        "/search/?timeout=60s&yql="
                                + encoded(
                                        "select * from sources * where " + where.substring(0, more))
                                + where.substring(more));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().path("root");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String page() throws Exception {
        return Files.readString(ROOT.resolve("docs/federation.md"));
    }

    private ServedPackage served() throws Exception {
        Map<String, String> files = new LinkedHashMap<>();
        FILE.matcher(page()).results().forEach(file -> files.put(file.group(1), file.group(2)));
        return ServedPackage.of(data, files);
    }
}
