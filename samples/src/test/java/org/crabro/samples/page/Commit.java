package org.crabro.samples.page;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A document of the sample, as plain as can be. */
record Commit(
        String id,
        String group,
        String repo,
        long timestamp,
        String subject,
        String body,
        List<String> files) {
    private static final JsonMapper JSON = new JsonMapper();

    /** Reads the documents of a feed. */
    static List<Commit> read(List<String> lines) {
        return lines.stream().map(line -> parse(JSON.readTree(line))).toList();
    }

    private static Commit parse(JsonNode json) {
        String id = json.get("put").asString();
        JsonNode fields = json.get("fields");
        var files = new ArrayList<String>();
        fields.get("files").forEach(file -> files.add(file.asString()));
        return new Commit(
                id,
                id.replaceFirst("^id:activity:commit:g=([^:]*):.*$", "$1"),
                fields.get("repo").asString(),
                fields.get("timestamp").asLong(),
                fields.get("subject").asString(),
                fields.get("body").asString(),
                files);
    }

    /** Returns what the sample's indexing script embeds. */
    String text() {
        return subject + " " + body;
    }
}
