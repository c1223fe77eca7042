package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The served description matches the code. */
class OpenApiTest {
    private static final JsonNode API = JsonMapper.shared().readTree(OpenApi.description());

    /** The packages that read requests under {@code /document/v1}. */
    private static final List<String> PACKAGES = List.of("document", "visit", "bulk");

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "\\b(?:text|flag|time|number|positive|timestamp)\\(\\s*(?:parameters,\\s*)?\"([A-Za-z.]+)\"");

    private static final Pattern STATUS = Pattern.compile("HttpStatus\\.[A-Z_]+_(\\d+)");

    private static Set<String> matches(Pattern pattern) throws IOException {
        var matches = new TreeSet<String>();
        for (String name : PACKAGES) {
            try (Stream<Path> files =
                    Files.list(Path.of("src/main/java/org/crabro/container", name))) {
                for (Path file : files.toList()) {
                    Matcher matcher = pattern.matcher(Files.readString(file));
                    while (matcher.find()) {
                        matches.add(matcher.group(1));
                    }
                }
            }
        }
        assertThat(matches).hasSizeGreaterThan(5);
        return matches;
    }

    private static void nodes(JsonNode node, List<JsonNode> all) {
        all.add(node);
        node.forEach(child -> nodes(child, all));
    }

    private static List<JsonNode> nodes() {
        var all = new ArrayList<JsonNode>();
        nodes(API, all);
        return all;
    }

    @Test
    void isADescriptionWhoseReferencesLeadSomewhere() {
        assertThat(API.get("openapi").asString()).isEqualTo("3.1.0");
        assertThat(API.get("info").get("title").asString()).isNotEmpty();
        assertThat(API.get("info").get("version").asString()).isNotEmpty();
        var operations = new HashSet<String>();
        for (JsonNode node : nodes()) {
            if (node.has("$ref")) {
                String pointer = node.get("$ref").asString();
                assertThat(pointer).startsWith("#/");
                assertThat(API.at(pointer.substring(1)).isMissingNode()).as(pointer).isFalse();
            }
            if (node.has("operationId")) {
                assertThat(operations.add(node.get("operationId").asString()))
                        .as(node.get("operationId").asString())
                        .isTrue();
                assertThat(node.get("responses").isEmpty()).isFalse();
            }
        }
        assertThat(operations).hasSizeGreaterThan(20);
    }

    @Test
    void hasEveryPath() {
        var expected = new HashSet<>(DocumentPath.TEMPLATES);
        expected.add(OpenApi.PATH);

        assertThat(API.get("paths").propertyNames()).containsExactlyInAnyOrderElementsOf(expected);
    }

    static List<String> templates() {
        return DocumentPath.TEMPLATES;
    }

    @ParameterizedTest
    @MethodSource("templates")
    void hasEveryMethodAndPartOfAPath(String template) {
        JsonNode path = API.get("paths").get(template);
        List<String> methods =
                DocumentPath.parse(template.replace("{number}", "7").replaceAll("[{}]", ""))
                        .orElseThrow()
                        .methods();
        Set<String> expected =
                methods.stream()
                        .map(method -> method.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new));
        expected.add("options");
        Set<String> told = new TreeSet<>(path.propertyNames());
        told.remove("parameters");
        assertThat(told).isEqualTo(expected);

        var parts = new ArrayList<String>();
        Matcher matcher = Pattern.compile("\\{(\\w+)}").matcher(template);
        while (matcher.find()) {
            parts.add(matcher.group(1));
        }
        var declared = new ArrayList<String>();
        path.path("parameters").forEach(each -> declared.add(each.get("name").asString()));
        assertThat(declared).isEqualTo(parts);
    }

    @Test
    void hasEveryParameterThatIsRead() throws IOException {
        Set<String> read = matches(PARAMETER);

        assertThat(new TreeSet<>(API.get("components").get("parameters").propertyNames()))
                .isEqualTo(read);
        API.get("components")
                .get("parameters")
                .properties()
                .forEach(each ->
                        assertThat(each.getValue().get("name").asString())
                                .isEqualTo(each.getKey()));
        Set<String> used =
                nodes().stream()
                        .filter(node ->
                                node.has("$ref") || node.path("in").asString("").equals("query"))
                        .map(node ->
                                node.has("$ref")
                                        ? node.get("$ref").asString()
                                        : node.get("name").asString())
                        .map(name -> name.substring(name.lastIndexOf('/') + 1))
                        .collect(Collectors.toSet());
        assertThat(used).containsAll(read);
    }

    @Test
    void saysThatEveryAnswerMayBeInCbor() {
        List<JsonNode> contents =
                API.get("paths").properties().stream()
                        .filter(path -> !path.getKey().equals(OpenApi.PATH))
                        .flatMap(path -> path.getValue().findValues("responses").stream())
                        .flatMap(responses -> responses.findValues("content").stream())
                        .toList();

        assertThat(contents)
                .hasSizeGreaterThan(100)
                .allSatisfy(content -> {
                    assertThat(content.get("application/cbor"))
                            .isEqualTo(content.get("application/json"));
                    assertThat(content.get("application/cbor-seq"))
                            .isEqualTo(content.get("application/jsonl"));
                });
    }

    @Test
    void saysThatDocumentsComeInCborToo() {
        List<JsonNode> bodies =
                API.get("paths").properties().stream()
                        .filter(path -> path.getKey().endsWith("{docid}"))
                        .flatMap(path -> path.getValue().findValues("requestBody").stream())
                        .map(body -> body.get("content"))
                        .toList();

        assertThat(bodies)
                .hasSize(6)
                .allSatisfy(content ->
                        assertThat(content.get("application/cbor"))
                                .isEqualTo(content.get("application/json")));
    }

    @Test
    void hasEveryStatusThatIsAnswered() throws IOException {
        Set<String> answered = matches(STATUS);
        // Without an application, the handlers of these packages are not called. Another package
        // reads and unpacks bodies.
        answered.addAll(List.of("408", "415", "503"));
        var told = new TreeSet<String>();
        for (JsonNode node : nodes()) {
            if (node.has("operationId")) {
                told.addAll(node.get("responses").propertyNames());
            }
        }

        assertThat(told).isEqualTo(answered);
    }
}
