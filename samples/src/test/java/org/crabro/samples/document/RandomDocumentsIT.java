package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Documents of random types, put, updated, removed, read and visited over HTTP, are what a map of
 * them is; also where some lie in files and some in memory.
 */
class RandomDocumentsIT {
    private static final int TYPES = 6;
    private static final int ROUNDS = 3;
    private static final int OPERATIONS = 250;
    private static final int IDS = 40;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** By type, fields by name. */
    private final Map<String, Map<String, RandomField>> types = new TreeMap<>();

    /** By id, fields as they are shown; what is shown as not set may be there. */
    private final Map<String, Map<String, JsonNode>> documents = new HashMap<>();

    @TempDir Path directory;

    @Test
    void areWhatAMapOfThemIs() throws Exception {
        try (var served = ServedPackage.of(directory.resolve("data"), files())) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < OPERATIONS; i++) {
                    step(served);
                }
                compare(served);
                if (round + 1 < ROUNDS) {
                    served.backUp(directory.resolve("backup" + round));
                    compare(served);
                }
            }
        }
        assertThat(documents).hasSizeGreaterThan(IDS);
    }

    private Map<String, String> files() {
        var files = new TreeMap<String, String>();
        var documentElements = new StringBuilder();
        for (int i = 0; i < TYPES; i++) {
            String type = "type" + i;
            var fields = new LinkedHashMap<String, RandomField>();
            // Each in one type at least.
            RandomField[] kinds = RandomField.values();
            for (int j = 0; j < kinds.length; j++) {
                RandomField kind = kinds[j];
                if (j % TYPES == i || random.nextInt(3) == 0) {
                    fields.put("f" + fields.size(), kind);
                }
            }
            types.put(type, fields);
            var schema = new StringBuilder("schema %s { document %s {\n".formatted(type, type));
            schema.append(RandomField.STRUCT).append('\n');
            fields.forEach((name, kind) -> schema.append(kind.declaration(name)).append('\n'));
            files.put("schemas/" + type + ".sd", schema + "} }");
            documentElements.append("<document type='%s' mode='streaming'/>".formatted(type));
        }
        files.put(
                "services.xml",
                NotesApplication.SERVICES.replace(
                        "<document type=\"note\" mode=\"streaming\"/>", documentElements));
        return files;
    }

    private void step(ServedPackage served) throws Exception {
        String type = "type" + random.nextInt(TYPES);
        String name = String.valueOf(random.nextInt(IDS / TYPES * 2));
        boolean isGrouped = random.nextBoolean();
        String id = "id:ns:%s:%s:%s".formatted(type, isGrouped ? "g=ann" : "", name);
        String path =
                "/document/v1/ns/%s/%s/%s".formatted(type, isGrouped ? "group/ann" : "docid", name);
        Map<String, JsonNode> before = documents.get(id);
        Answer answer;
        int status = 200;
        int kind = random.nextInt(10);
        if (kind == 0) {
            answer = served.delete(path);
            documents.remove(id);
        } else if (kind < 4) {
            var fields = new LinkedHashMap<String, JsonNode>();
            fields(type)
                    .forEach((field, of) -> {
                        if (random.nextInt(3) > 0) {
                            fields.put(field, of.value(random));
                        }
                    });
            answer = served.post(path, body(fields).toString());
            documents.put(id, fields);
        } else {
            boolean creates = random.nextInt(3) == 0;
            boolean isAsked = random.nextInt(6) == 0;
            // Whether there is a document is all that this asks for.
            String condition = isAsked ? "&condition=" + URLEncoder.encode(type, UTF_8) : "";
            var fields = new LinkedHashMap<String, JsonNode>(before == null ? Map.of() : before);
            ObjectNode operations = Http.JSON.createObjectNode();
            for (Map.Entry<String, RandomField> field : fields(type).entrySet()) {
                if (random.nextInt(4) == 0) {
                    RandomField.Update update =
                            field.getValue()
                                    .update(random, field.getKey(), fields.get(field.getKey()));
                    operations.set(update.name(), update.operation());
                    JsonNode after = update.after();
                    if (after == null) {
                        fields.remove(field.getKey());
                    } else {
                        fields.put(field.getKey(), after);
                    }
                }
            }
            answer =
                    served.put(
                            path + "?create=" + creates + condition,
                            Http.JSON.createObjectNode().set("fields", operations).toString());
            if (before != null || creates) {
                documents.put(id, fields);
            } else if (isAsked) {
                status = 412;
            }
        }
        assertThat(answer.status()).as("seed %d: %s", seed, answer).isEqualTo(status);
    }

    private Map<String, RandomField> fields(String type) {
        return Objects.requireNonNull(types.get(type));
    }

    private static ObjectNode body(Map<String, JsonNode> fields) {
        ObjectNode node = Http.JSON.createObjectNode();
        fields.forEach(node::set);
        return Http.JSON.createObjectNode().set("fields", node);
    }

    private JsonNode shown(String id) {
        Map<String, RandomField> kinds = fields(id.split(":", -1)[2]);
        var fields = new LinkedHashMap<>(Objects.requireNonNull(documents.get(id)));
        kinds.forEach((name, kind) -> {
            JsonNode value = fields.get(name);
            if (value != null && kind.isHidden(value)) {
                fields.remove(name);
            }
        });
        // Read as an answer is: values that are equal then are of one kind.
        return Http.JSON.readTree(body(fields).toString()).get("fields");
    }

    private void compare(ServedPackage served) throws Exception {
        var expected = new TreeMap<String, JsonNode>();
        documents.keySet().forEach(id -> expected.put(id, shown(id)));
        var visited = new TreeMap<String, JsonNode>();
        for (JsonNode each :
                served.get("/document/v1/?cluster=notes&stream=true&format.tensors=short-value")
                        .json()
                        .get("documents")) {
            assertThat(visited.put(each.get("id").asString(), each.get("fields"))).isNull();
        }
        same(expected, visited);

        var read = new TreeMap<String, JsonNode>();
        var lines = new ArrayList<String>();
        for (String id : expected.keySet()) {
            lines.add("{\"get\":\"" + id + "\"}");
        }
        List<String> answers =
                served.post(
                                "/document/v1/?format.tensors=short-value",
                                String.join("\n", lines),
                                "Content-Type",
                                "application/jsonl")
                        .body()
                        .lines()
                        .toList();
        for (String line : answers.subList(0, answers.size() - 1)) {
            JsonNode each = Http.JSON.readTree(line);
            read.put(each.get("id").asString(), each.get("fields"));
        }
        same(expected, read);
        String one = expected.firstKey();
        String path = one.replaceAll("id:ns:(\\w+)::", "/document/v1/ns/$1/docid/");
        assertThat(served.get(path + "?format.tensors=short-value").json().get("fields"))
                .isEqualTo(expected.get(one));
    }

    private void same(Map<String, JsonNode> expected, Map<String, JsonNode> actual) {
        assertThat(actual.keySet()).as("seed %d", seed).isEqualTo(expected.keySet());
        expected.forEach((id, fields) ->
                assertThat(actual.get(id)).as("seed %d, %s", seed, id).isEqualTo(fields));
    }
}
