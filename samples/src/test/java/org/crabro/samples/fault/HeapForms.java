package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;

/** The forms that {@link SmallHeapIT} sends. */
final class HeapForms {
    private static final int MANY = 5_000_000;
    private static final int LABELS = 1_000_000;

    /** Elements of a document that is just accepted at a heap of 256 MiB. */
    private static final int STORED_TEXTS = 450_000;

    /** Labels of a tensor that is just accepted at a heap of 256 MiB. */
    private static final int STORED_LABELS = 200_000;

    private static final String JSON = "application/json";
    private static final String SEARCH = "/search/?streaming.selection=true&timeout=5s";

    /** The documents that are stored before. */
    private static final String STORED = "/document/v1/ns/note/docid/";

    private HeapForms() {}

    /** Returns the forms that send large values. */
    static List<HeapForm> sent() throws IOException {
        var forms = new ArrayList<HeapForm>();
        BodyPublisher tags = many("{\"fields\":{\"tags\":[\"a\"", ",\"a\"", "]}}");
        BodyPublisher cbor = many("\u00a1ffields\u00a1dtags\u009f", "`", "\u00ff");
        BodyPublisher years = many("{\"fields\":{\"years\":[1", ",1", "]}}");
        BodyPublisher weights = numbered("{\"fields\":{\"weights\":{\"a\":1", ",\"%d\":1", "}}}");
        BodyPublisher names = numbered("{\"fields\":{\"names\":{\"a\":\"\"", ",\"%d\":\"\"", "}}}");
        BodyPublisher parts = many("{\"fields\":{\"parts\":[{}", ",{}", "]}}");
        BodyPublisher vector = numbered("{\"fields\":{\"vector\":{\"a\":1", ",\"%d\":1", "}}}");
        for (String type : List.of("note", "scripted")) {
            IntFunction<String> path = i -> "/document/v1/ns/" + type + "/docid/" + i;
            forms.add(HeapForm.compressed(type + ": texts", "POST", path, JSON, tags));
            forms.add(
                    HeapForm.compressed(
                            type + ": texts in CBOR", "POST", path, "application/cbor", cbor));
            forms.add(HeapForm.compressed(type + ": numbers", "POST", path, JSON, years));
            forms.add(HeapForm.compressed(type + ": weights", "POST", path, JSON, weights));
            forms.add(HeapForm.compressed(type + ": entries", "POST", path, JSON, names));
            forms.add(HeapForm.compressed(type + ": structs", "POST", path, JSON, parts));
            forms.add(HeapForm.compressed(type + ": labels", "POST", path, JSON, vector));
        }
        IntFunction<String> update = i -> "/document/v1/ns/note/docid/u" + i + "?create=true";
        for (String change : List.of("assign", "add")) {
            forms.add(
                    HeapForm.compressed(
                            "update: " + change,
                            "PUT",
                            update,
                            JSON,
                            many(
                                    "{\"fields\":{\"tags\":{\"%s\":[\"a\"".formatted(change),
                                    ",\"a\"",
                                    "]}}}")));
        }
        forms.add(
                HeapForm.compressed(
                        "a script that splits",
                        "POST",
                        i -> "/document/v1/ns/scripted/docid/s" + i,
                        JSON,
                        many("{\"fields\":{\"raw\":\"a", ",a", "\"}}")));
        forms.add(
                HeapForm.compressed(
                        "a line of a bulk request",
                        "POST",
                        _ -> "/document/v1/",
                        "application/jsonl",
                        many(
                                "{\"put\":\"id:ns:scripted::b\",\"fields\":{\"tags\":[\"a\"",
                                ",\"a\"",
                                "]}}\n")));
        return forms;
    }

    /** Returns queries with large parameters. */
    static List<HeapForm> queries() {
        String list = ",\"%d\"";
        return List.of(
                search("parameters", "application/x-www-form-urlencoded", parameters()),
                search("a tensor", JSON, query("products", 150_000, 1)),
                search("a product", JSON, query("products", 2_000, 2_000)),
                search(
                        "a tensor as JSON",
                        JSON,
                        "{\"yql\":\"select * from note where"
                                + " true\",\"ranking.profile\":\"products\",\"input.query(a)\":{\"a\":1"
                                + numbers(",\"%d\":1", 250_000)
                                + "}}"),
                search(
                        "a long text",
                        JSON,
                        "{\"yql\":\"select * from note where userQuery()\",\"query\":\"a"
                                + " b".repeat(1_900_000)
                                + "\"}"),
                search(
                        "texts of an IN",
                        JSON,
                        "{\"yql\":\"select * from note where tags in ('a'"
                                + numbers(",'%d'", 350_000)
                                + ")\"}"),
                search(
                        "a set of weights",
                        JSON,
                        "{\"yql\":\"select * from note where weightedSet(tags, {'a':1"
                                + numbers(",'%d':1", 280_000)
                                + "})\"}"),
                search(
                        "a tree as JSON",
                        JSON,
                        "{\"select\":{\"where\":{\"or\":[true"
                                + ",[]".repeat(1_000_000)
                                + "]}},\"sources\":\"note\"}"),
                search(
                        "groupings as JSON",
                        JSON,
                        "{\"yql\":\"select * from note where true\",\"select\":{\"grouping\":[{}"
                                + ",{}".repeat(1_000_000)
                                + "]}}"),
                search("deep objects", JSON, "{\"a\":".repeat(600_000)),
                search(
                        "deep arrays",
                        JSON,
                        "{\"select.where\":" + "[".repeat(1_500_000) + "]".repeat(1_500_000) + "}"),
                search("members", JSON, "{\"a\":1" + numbers(list + ":1", 300_000) + "}"));
    }

    private static HeapForm search(String name, String type, String body) {
        return HeapForm.plain("query: " + name, "POST", _ -> SEARCH, type, body).times(6);
    }

    /** Returns the calls of a model with a free size. */
    static List<HeapForm> models() {
        String url = "/model-evaluation/v1/pair/default/the_sum/eval";
        String form = "application/x-www-form-urlencoded";
        String cells = "[[1" + ",1".repeat(900_000) + "]]";
        String last = "{{d0:0,d1:%d}:1}";
        return List.of(
                HeapForm.plain(
                                "model: many cells",
                                "POST",
                                _ -> url,
                                form,
                                "query=" + cells + "&document=" + cells)
                        .times(6),
                HeapForm.plain(
                                "model: a far cell",
                                "POST",
                                _ -> url,
                                form,
                                "query=%1$s&document=%1$s".formatted(last.formatted(16_000_000)))
                        .times(6),
                HeapForm.plain(
                                "model: a cell that is too far",
                                "POST",
                                _ -> url,
                                form,
                                "query=%1$s&document=%1$s".formatted(last.formatted(2_000_000_000)))
                        .times(6));
    }

    /** Returns calls of tools. */
    static List<HeapForm> tools() {
        String part = "{\"a\":%s}";
        return List.of(
                tool("arrays", part.formatted("[[]" + ",[]".repeat(330_000) + "]")),
                tool("objects", part.formatted("[{}" + ",{}".repeat(330_000) + "]")),
                tool("members", "{\"a\":1" + numbers(",\"%d\":1", 60_000) + "}"),
                tool("a text", part.formatted("\"" + "a".repeat(1_000_000) + "\"")),
                tool("deep arrays", part.formatted("[".repeat(400_000) + "]".repeat(400_000))),
                tool("deep arrays without an end", part.formatted("[".repeat(900_000))));
    }

    private static HeapForm tool(String name, String parameters) {
        return HeapForm.plain(
                        "tool: " + name,
                        "POST",
                        _ -> "/mcp/",
                        JSON,
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"yql\":\"select"
                                + " * from note where true\",\"parameters\":"
                                + parameters
                                + "}}}")
                .times(24);
    }

    /** Returns the puts of documents that are as large as documents may be. */
    static List<HeapForm> stored() throws IOException {
        BodyPublisher texts =
                numbered("{\"fields\":{\"tags\":[\"a\"", ",\"%d\"", "]}}", STORED_TEXTS);
        BodyPublisher labels =
                numbered("{\"fields\":{\"vector\":{\"a\":1", ",\"%d\":1", "}}}", STORED_LABELS);
        var forms = new ArrayList<HeapForm>();
        for (int number = 0; number < 4; number++) {
            String each = STORED + "big" + number;
            forms.add(HeapForm.compressed("texts", "POST", _ -> each, JSON, texts));
            String other = STORED + "vector" + number;
            forms.add(HeapForm.compressed("labels", "POST", _ -> other, JSON, labels));
        }
        return forms;
    }

    /** Returns requests on the documents of {@link #stored}. */
    static List<HeapForm> onStored() {
        var forms = new ArrayList<HeapForm>();
        IntFunction<String> each = i -> STORED + "big" + i;
        forms.add(HeapForm.empty("stored: get", "GET", each));
        forms.add(HeapForm.empty("stored: get a tensor", "GET", i -> STORED + "vector" + i));
        forms.add(put("add", each, "{\"fields\":{\"tags\":{\"add\":[\"b\"]}}}"));
        forms.add(put("an element", each, "{\"fields\":{\"tags[5]\":{\"assign\":\"b\"}}}"));
        forms.add(
                put(
                        "a match",
                        each,
                        "{\"fields\":{\"tags\":{\"match\":{\"element\":6,\"assign\":\"b\"}}}}"));
        forms.add(
                put(
                        "a cell",
                        i -> STORED + "vector" + i,
                        "{\"fields\":{\"vector\":{\"add\":{\"cells\":{\"new\":1}}}}}"));
        forms.add(
                put(
                        "a condition",
                        i -> STORED + "big" + i + "?condition=" + encoded("note.tags == \"a\""),
                        "{\"fields\":{\"text\":{\"assign\":\"b\"}}}"));
        forms.add(shown("shown", "select * from note where true", ""));
        forms.add(shown("shown as CBOR", "select * from note where true", "&format=cbor"));
        forms.add(shown("shown as XML", "select * from note where true", "&format=xml"));
        forms.add(shown("a condition", "select * from note where tags contains '77'", ""));
        forms.add(
                shown(
                        "elements",
                        "select * from note where tags contains '77'",
                        "&summary=matched"));
        forms.add(
                shown(
                        "a pattern",
                        "select * from note where tags matches '7.*'",
                        "&summary=matched"));
        forms.add(shown("sorted", "select text from note where true order by tags", ""));
        forms.add(shown("as a tensor", "select text from note where true", "&ranking=labels"));
        forms.add(shown("a tensor", "select * from note where true", "&ranking=sums"));
        forms.add(
                shown(
                        "grouped",
                        "select * from note where true | all(group(tags) max(10)"
                                + " each(output(count())))",
                        "&hits=0"));
        String all = "/document/v1/ns/note/docid?wantedDocumentCount=1000&timeout=5s";
        forms.add(HeapForm.empty("visit", "GET", _ -> all));
        forms.add(HeapForm.empty("visit: streamed", "GET", _ -> all + "&stream=true"));
        forms.add(
                HeapForm.empty("visit: slices", "GET", i -> all + "&slices=4&sliceId=" + (i % 4)));
        String some = "&selection=" + encoded("note.tags == \"77\"");
        forms.add(HeapForm.empty("visit: a selection", "GET", _ -> all + some));
        forms.add(
                HeapForm.empty(
                        "visit: a selection, streamed", "GET", _ -> all + some + "&stream=true"));
        String many = "/document/v1/ns/note/docid?cluster=content&timeout=5s" + some;
        forms.add(
                HeapForm.plain(
                        "many: update",
                        "PUT",
                        _ -> many,
                        JSON,
                        "{\"fields\":{\"tags\":{\"add\":[\"b\"]}}}"));
        forms.add(
                HeapForm.empty(
                        "many: remove",
                        "DELETE",
                        _ -> many + encoded(" and note.text == \"none\"")));
        return forms;
    }

    private static HeapForm put(String name, IntFunction<String> path, String body) {
        return HeapForm.plain("stored: update: " + name, "PUT", path, JSON, body);
    }

    private static HeapForm shown(String name, String yql, String more) {
        return HeapForm.empty(
                "stored: query: " + name, "GET", _ -> SEARCH + more + "&yql=" + encoded(yql));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String parameters() {
        var form = new StringBuilder("p=");
        for (int i = 0; form.length() < 4_000_000; i++) {
            form.append("&p").append(i).append('=');
        }
        return form.toString();
    }

    private static String query(String profile, int ofA, int ofB) {
        return "{\"yql\":\"select * from note where true\",\"ranking.profile\":\"%s\",\"input.query(a)\":\"%s\",\"input.query(b)\":\"%s\"}"
                .formatted(profile, tensor("x", ofA), tensor("y", ofB));
    }

    private static String tensor(String dimension, int cells) {
        var tensor = new StringBuilder("{");
        for (int i = 0; i < cells; i++) {
            tensor.append(i == 0 ? "{" : ",{").append(dimension).append(':').append(i);
            tensor.append("}:1");
        }
        return tensor.append('}').toString();
    }

    private static String numbers(String part, int count) {
        var text = new StringBuilder();
        int gap = part.indexOf("%d");
        for (int i = 0; i < count; i++) {
            text.append(part, 0, gap).append(i).append(part, gap + 2, part.length());
        }
        return text.toString();
    }

    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    private static BodyPublisher compressed(Writing writing) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            writing.to(gzip);
        }
        return BodyPublishers.ofByteArray(bytes.toByteArray());
    }

    /** Returns a body, with each character as a byte. */
    private static BodyPublisher many(String begin, String part, String end) throws IOException {
        int some = 10_000;
        byte[] parts = part.repeat(some).getBytes(ISO_8859_1);
        return compressed(out -> {
            out.write(begin.getBytes(ISO_8859_1));
            for (int i = 0; i < MANY / some; i++) {
                out.write(parts);
            }
            out.write(end.getBytes(ISO_8859_1));
        });
    }

    private static BodyPublisher numbered(String begin, String part, String end)
            throws IOException {
        return numbered(begin, part, end, LABELS);
    }

    private static BodyPublisher numbered(String begin, String part, String end, int count)
            throws IOException {
        return compressed(out -> out.write((begin + numbers(part, count) + end).getBytes(UTF_8)));
    }
}
