package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Compares the answers of the ports with {@code wire-forms.txt}, member by member. The forms are
 * those of the reference manual: its pages on the document API, the deploy API, the state API and
 * the JSON of results.
 */
class WireFormsIT {
    private static final Pattern REQUEST = Pattern.compile("> (\\S+) (\\S+) (\\S+) ?(.*)");
    private static final Pattern ANSWER = Pattern.compile("< (\\d+) ?(.*)");
    private static final Pattern SESSION = Pattern.compile("\"session-id\":\"(\\d+)\"");
    private static final String SECONDS = "<seconds>";
    private static final Pattern PLAIN =
            Pattern.compile("\"from\":\\d{10}\\.\\d{3},\"to\":\\d{10}\\.\\d{3}");
    private static final String MORE = "...";

    @TempDir Path data;
    private String session = "";

    @Test
    void answersHaveTheFormsOfTheManual() throws Exception {
        List<String> lines = lines();
        var wrong = new ArrayList<String>();
        try (var served = new ServedPackage(data)) {
            served.deployed();
            for (int i = 0; i < lines.size(); i += 2) {
                check(served, lines.get(i), lines.get(i + 1), wrong);
            }
        }

        assertThat(lines.size() / 2).isGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = WireFormsIT.class.getResourceAsStream("wire-forms.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("> ") || line.startsWith("< "))
                    .toList();
        }
    }

    private void check(ServedPackage served, String request, String form, List<String> wrong)
            throws Exception {
        Matcher asked = matched(REQUEST, request);
        Matcher expected = matched(ANSWER, form);
        boolean isConfig = asked.group(2).equals("config");
        String path = asked.group(3).replace("SESSION", session);
        byte[] body = asked.group(4).getBytes(UTF_8);
        ServedPackage.Answer answer =
                served.send(
                        asked.group(1),
                        isConfig ? served.config(path) : served.container(path),
                        body,
                        body.length == 0
                                ? new String[0]
                                : new String[] {"Content-Type", "application/json"});
        Matcher made = SESSION.matcher(answer.body());
        if (made.find()) {
            session = made.group(1);
        }
        String json =
                expected.group(2)
                        .replace("\"DOC/", "\"" + served.container("/"))
                        .replace("\"CONF/", "\"" + served.config("/"));
        if (answer.status() != Integer.parseInt(expected.group(1))) {
            wrong.add(request + ": " + answer);
            return;
        }
        if (json.isEmpty()) {
            return;
        }
        String problem = difference("", Http.JSON.readTree(json), answer.json());
        if (problem.isEmpty() && json.contains(SECONDS)) {
            problem = PLAIN.matcher(answer.body()).find() ? "" : "seconds with an exponent";
        }
        if (!problem.isEmpty()) {
            wrong.add(request + ": " + problem + ": " + answer);
        }
    }

    /** Returns where an answer differs from its form; empty if it does not. */
    private static String difference(String at, JsonNode form, JsonNode answered) {
        if (form.isObject() && answered.isObject()) {
            List<String> names = List.copyOf(form.propertyNames());
            if (!names.equals(List.copyOf(answered.propertyNames()))) {
                return "%s: expected the members %s, found %s"
                        .formatted(at, names, answered.propertyNames());
            }
            return first(
                    names.stream()
                            .map(name ->
                                    difference(
                                            at + "/" + name, form.get(name), answered.get(name))));
        }
        if (form.isArray() && answered.isArray()) {
            int size = form.size();
            boolean hasMore = size > 0 && form.get(size - 1).asString("").equals(MORE);
            if (hasMore ? answered.size() < size - 1 : answered.size() != size) {
                return "%s: expected %d elements, found %d".formatted(at, size, answered.size());
            }
            return first(
                    IntStream.range(0, hasMore ? answered.size() : size)
                            .mapToObj(i ->
                                    difference(
                                            at + "/" + i,
                                            form.get(hasMore ? Math.min(i, size - 2) : i),
                                            answered.get(i))));
        }
        boolean fits =
                switch (form.asString("")) {
                    case "<text>" -> answered.isString();
                    case "<whole>" -> answered.isIntegralNumber();
                    case "<decimal>", SECONDS -> answered.isFloatingPointNumber();
                    case "<number>" -> answered.isNumber();
                    case "<truth>" -> answered.isBoolean();
                    case "<object>" -> answered.isObject();
                    default -> form.equals(answered);
                };
        return fits ? "" : "%s: expected %s, found %s".formatted(at, form, answered);
    }

    private static String first(Stream<String> problems) {
        return problems.filter(problem -> !problem.isEmpty()).findFirst().orElse("");
    }

    private static Matcher matched(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        return matcher;
    }
}
