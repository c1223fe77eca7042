package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random documents of random types, as JSON: put, updated in every way, removed, with conditions,
 * with flushes and restarts in between. Gets and visits return the same as a map of plain values.
 */
class DocumentModelTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int STEPS = 500;
    private static final int IDS = 8;
    private static final List<TensorFormat> FORMATS =
            List.of(TensorFormat.SHORT, TensorFormat.LONG, TensorFormat.HEX);

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    private final Map<DocumentId, Map<String, Object>> model = new HashMap<>();

    /** An operation as JSON, and its reply. */
    private record Step(String json, Class<? extends WriteReply> reply) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void comesToWhatAMapComesTo(int round) throws IOException {
        var random = new Random(SEED + round);
        var values = new PlainValues(random);
        var updates = new PlainUpdates(random, values);
        List<DocumentType> types = List.of(type("t", values, random), type("u", values, random));
        var reader = new OperationReader(types, false);
        int stored = 0;
        var node = new VisitedNode(files, types);
        try {
            for (int i = 0; i < STEPS; i++) {
                int chance = random.nextInt(100);
                if (chance < 3) {
                    node.node().flush();
                } else if (chance < 5) {
                    node.close();
                    node = new VisitedNode(files, types);
                }
                DocumentType type = types.get(random.nextInt(types.size()));
                DocumentId id = id(type, random);
                Map<String, Object> before =
                        model.containsKey(id)
                                ? PlainValues.map(PlainValues.copy(model.get(id)))
                                : Map.of();
                Step step = step(type, id, values, updates, random);

                WriteReply reply = feed(node, reader, step.json);

                String what =
                        "seed %d, round %d, step %d of %s: %s\nto %s"
                                .formatted(SEED, round, i, type, step.json, before);
                assertThat(reply).as(what).isInstanceOf(step.reply);
                assertThat(got(node, id)).as(what).isEqualTo(expected(type, id));
                stored += reply instanceof WriteReply.Stored ? 1 : 0;
                if (i % 50 == 49) {
                    for (TensorFormat format : FORMATS) {
                        assertThat(visited(node, types, reader, format))
                                .as(what)
                                .isEqualTo(expected(types));
                    }
                }
            }
            assertThat(stored).as("seed %d", SEED).isGreaterThan(STEPS / 2);
        } finally {
            node.close();
        }
    }

    private static DocumentType type(String name, PlainValues values, Random random) {
        var fields = new ArrayList<Field>();
        fields.add(new Field("size", Primitive.INT, true));
        for (int i = 3 + random.nextInt(6); i > 0; i--) {
            fields.add(new Field("f" + i, values.type(3), true));
        }
        return new DocumentType(name, fields);
    }

    private static DocumentType typeOf(List<DocumentType> types, DocumentId id) {
        return types.stream()
                .filter(type -> type.name().equals(id.documentType()))
                .findFirst()
                .orElseThrow();
    }

    private static DocumentId id(DocumentType type, Random random) {
        int number = random.nextInt(IDS);
        return DocumentId.parse(
                "id:n:%s:%s:%d"
                        .formatted(type.name(), number % 3 == 0 ? "" : "g=" + number % 3, number));
    }

    /** Changes the model, and returns an operation that makes the same change. */
    private Step step(
            DocumentType type,
            DocumentId id,
            PlainValues values,
            PlainUpdates updates,
            Random random) {
        Map<String, Object> stored = model.get(id);
        boolean hasCondition = random.nextInt(4) == 0;
        boolean creates = random.nextInt(3) == 0;
        long wanted = random.nextInt(4);
        boolean holds =
                !hasCondition
                        || (stored == null
                                ? creates
                                : Long.valueOf(wanted).equals(stored.get("size")));
        String members =
                (hasCondition
                                ? ",\"condition\":\"%s.size == %d\"".formatted(type.name(), wanted)
                                : "")
                        + (creates ? ",\"create\":true" : "");
        int chance = random.nextInt(10);
        if (chance == 0) {
            boolean removes = !hasCondition || (stored != null && holds);
            if (removes) {
                model.remove(id);
            }
            return new Step("{\"remove\":\"%s\"%s}".formatted(id, members), reply(removes));
        }
        if (chance < 4) {
            var fields = new TreeMap<String, Object>();
            for (Field field : type.fields()) {
                if (random.nextInt(4) > 0) {
                    fields.put(
                            field.name(),
                            field.name().equals("size")
                                    ? (Object) (long) random.nextInt(4)
                                    : values.value(field.type()));
                }
            }
            String json =
                    "{\"put\":\"%s\",\"fields\":%s%s}"
                            .formatted(
                                    id,
                                    values.json(
                                            new FieldType.StructOf("fields", type.fields()),
                                            fields),
                                    members);
            if (holds) {
                model.put(id, fields);
            }
            return new Step(json, reply(holds));
        }
        Map<String, Object> fields =
                stored == null ? new TreeMap<>() : PlainValues.map(PlainValues.copy(stored));
        String json =
                "{\"update\":\"%s\",\"fields\":{%s}%s}"
                        .formatted(id, updates.change(type, fields), members);
        boolean isDone = holds && (stored != null || creates);
        if (isDone) {
            model.put(id, fields);
        }
        return new Step(json, holds && !isDone ? WriteReply.Missing.class : reply(holds));
    }

    private static Class<? extends WriteReply> reply(boolean isDone) {
        return isDone ? WriteReply.Stored.class : WriteReply.ConditionNotMet.class;
    }

    private static WriteReply feed(VisitedNode node, OperationReader reader, String json) {
        byte[] bytes = json.getBytes(UTF_8);
        var operation = reader.read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED).operation();
        return node.node()
                .write(
                        VisitedNode.header(),
                        new Write.Operation(
                                NodeFixture.PARTITIONS.of(operation.id().location()), operation),
                        Optional.empty());
    }

    /** Returns the expected fields, without values that are equivalent to unset fields. */
    private Optional<Map<String, Object>> expected(DocumentType type, DocumentId id) {
        return Optional.ofNullable(model.get(id)).map(fields -> shown(type, fields));
    }

    private Map<DocumentId, Map<String, Object>> expected(List<DocumentType> types) {
        return model.keySet().stream()
                .collect(
                        Collectors.toMap(
                                id -> id, id -> expected(typeOf(types, id), id).orElseThrow()));
    }

    private static Map<String, Object> shown(DocumentType type, Map<String, Object> fields) {
        var shown = new TreeMap<String, Object>();
        fields.forEach((name, value) -> {
            FieldType fieldType = type.field(name).orElseThrow().type();
            // A value without members or cells is still a value.
            boolean isWhole =
                    fieldType instanceof FieldType.TensorOf
                            || fieldType instanceof FieldType.StructOf;
            boolean isEmpty =
                    switch (value) {
                        case String text -> text.isEmpty();
                        case List<?> list -> list.isEmpty();
                        case Map<?, ?> map -> map.isEmpty() && !isWhole;
                        default -> false;
                    };
            if (!isEmpty) {
                shown.put(name, value);
            }
        });
        return shown;
    }

    private static Map<String, Object> plain(Document document) {
        var plain = new TreeMap<String, Object>();
        document.fields()
                .forEach((name, value) -> {
                    if (!FieldValueWriter.isEmpty(value)) {
                        plain.put(name, PlainValues.of(value));
                    }
                });
        return plain;
    }

    private static Optional<Map<String, Object>> got(VisitedNode node, DocumentId id) {
        GetReply reply =
                node.node()
                        .get(
                                new GetRequest(
                                        VisitedNode.header(),
                                        NodeFixture.PARTITIONS.of(id.location()),
                                        id,
                                        Optional.empty()));
        return switch (reply) {
            case GetReply.Found(Document document, _) -> Optional.of(plain(document));
            case GetReply.Missing() -> Optional.empty();
            default -> throw new AssertionError(reply);
        };
    }

    /** Returns the documents in the lines of a visit, parsed like a feed. */
    private static Map<DocumentId, Map<String, Object>> visited(
            VisitedNode node,
            List<DocumentType> types,
            OperationReader reader,
            TensorFormat format) {
        var visited = new HashMap<DocumentId, Map<String, Object>>();
        var form = new VisitForm.Json(VisitForm.Style.LINES, format, false);
        for (VisitReply.Page page : node.pages(VisitedNode.all(types, form))) {
            if (!(page.contents() instanceof VisitReply.Contents.Json(var text))) {
                throw new AssertionError(page);
            }
            UTF_8.decode(text)
                    .toString()
                    .lines()
                    .forEach(line -> {
                        byte[] bytes = line.getBytes(UTF_8);
                        if (!(reader.read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED)
                                        .operation()
                                        .operation()
                                instanceof DocumentOperation.Put(Document document))) {
                            throw new AssertionError(line);
                        }
                        assertThat(visited.put(document.id(), plain(document)))
                                .as("twice")
                                .isNull();
                    });
        }
        return visited;
    }
}
