package org.crabro.samples.document;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A type of field: values of it by chance as a GET shows them, and updates of such values. */
enum RandomField {
    STRING("string"),
    INT("int"),
    LONG("long"),
    BYTE("byte"),
    BOOL("bool"),
    FLOAT("float"),
    DOUBLE("double"),
    RAW("raw"),
    TEXTS("array<string>"),
    NUMBERS("array<int>"),
    PEOPLE("array<person>"),
    WEIGHTS("weightedset<string>"),
    PRICES("map<string, int>"),
    NAMES("map<int, string>"),
    PERSON("person"),
    DENSE("tensor<float>(x[3])"),
    SPARSE("tensor<float>(x{})"),
    MIXED("tensor<int8>(k{},x[2])");

    /** What stands before the fields of a document. */
    static final String STRUCT =
            "struct person { field name type string {} field age type int {} }";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final String type;

    RandomField(String type) {
        this.type = type;
    }

    String declaration(String name) {
        return "field %s type %s { indexing: summary }".formatted(name, type);
    }

    /** Returns whether a value is shown as one that is not set. */
    boolean isHidden(JsonNode value) {
        return switch (this) {
            case STRING -> value.asString().isEmpty();
            case TEXTS, NUMBERS, PEOPLE, WEIGHTS, PRICES, NAMES -> value.isEmpty();
            case INT, LONG, BYTE, BOOL, FLOAT, DOUBLE, RAW, PERSON, DENSE, SPARSE, MIXED -> false;
        };
    }

    JsonNode value(Random random) {
        return switch (this) {
            case STRING -> JSON.stringNode(text(random));
            case INT -> number(random);
            case LONG -> JSON.numberNode((1L << 40) + random.nextInt());
            case BYTE -> JSON.numberNode(random.nextInt(256) - 128);
            case BOOL -> JSON.booleanNode(random.nextBoolean());
            case FLOAT -> half(random);
            case DOUBLE -> JSON.numberNode(random.nextGaussian());
            case RAW -> {
                var bytes = new byte[random.nextInt(9)];
                random.nextBytes(bytes);
                yield JSON.stringNode(Base64.getEncoder().encodeToString(bytes));
            }
            case TEXTS, NUMBERS, PEOPLE -> {
                ArrayNode array = JSON.arrayNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    array.add(element(random));
                }
                yield array;
            }
            case WEIGHTS, PRICES -> members(random, (key, node) -> node.set(key, number(random)));
            case NAMES -> {
                ObjectNode names = JSON.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    names.put(String.valueOf(random.nextInt(5) - 2), text(random));
                }
                yield names;
            }
            case PERSON -> person(random);
            case DENSE -> JSON.arrayNode().add(half(random)).add(half(random)).add(half(random));
            case SPARSE -> members(random, (key, node) -> node.set(key, half(random)));
            case MIXED ->
                    members(
                            random,
                            (key, node) ->
                                    node.set(
                                            key,
                                            JSON.arrayNode()
                                                    .add(random.nextInt(200) - 100)
                                                    .add(random.nextInt(200) - 100)));
        };
    }

    private static ObjectNode members(Random random, BiConsumer<String, ObjectNode> setting) {
        ObjectNode node = JSON.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            setting.accept(key(random), node);
        }
        return node;
    }

    private JsonNode element(Random random) {
        return switch (this) {
            case TEXTS -> JSON.stringNode(key(random));
            case NUMBERS -> JSON.numberNode(random.nextInt(5));
            default -> person(random);
        };
    }

    private static ObjectNode person(Random random) {
        ObjectNode person = JSON.objectNode();
        if (random.nextBoolean()) {
            person.put("name", "n" + text(random));
        }
        if (random.nextBoolean()) {
            person.set("age", number(random));
        }
        return person;
    }

    private static JsonNode number(Random random) {
        return JSON.numberNode(random.nextInt(1_000_000) - 500_000);
    }

    private static JsonNode half(Random random) {
        return JSON.numberNode((random.nextInt(4_000) - 2_000) / 2.0);
    }

    private static String key(Random random) {
        return List.of("a", "bü", "c d", "水").get(random.nextInt(4));
    }

    private static String text(Random random) {
        return "\u00e4\"\\ \u6c34\n".substring(random.nextInt(6)).repeat(random.nextInt(3));
    }

    /**
     * An update.
     *
     * @param name the member of {@code fields}: the field's or a path
     * @param after the field then; null where it is not set
     */
    record Update(String name, ObjectNode operation, @Nullable JsonNode after) {}

    /** Returns an update by chance of a field, which has a value or none. */
    Update update(Random random, String name, @Nullable JsonNode before) {
        int kind = random.nextInt(5);
        if (kind == 0) {
            return new Update(name, JSON.objectNode().set("assign", JSON.nullNode()), null);
        }
        return switch (this) {
            case INT, LONG, DOUBLE -> {
                int more = random.nextInt(9) - 4;
                double sum = (before == null ? 0 : before.asDouble()) + more;
                yield new Update(
                        name,
                        JSON.objectNode().put("increment", more),
                        switch (this) {
                            case INT -> JSON.numberNode((int) sum);
                            case LONG -> integer((long) sum);
                            default -> JSON.numberNode(sum);
                        });
            }
            case TEXTS, NUMBERS, PEOPLE ->
                    kind == 1 || before == null
                            ? added(random, name, before)
                            : changed(random, name, (ArrayNode) before, kind);
            case WEIGHTS -> weighted(random, name, before, kind);
            case PRICES -> byKey(random, name, before, kind);
            case PERSON -> {
                ObjectNode after = copy(before);
                after.set("age", number(random));
                yield new Update(
                        name + ".age", JSON.objectNode().set("assign", after.get("age")), after);
            }
            case SPARSE -> sparse(random, name, before, kind);
            case STRING, BYTE, BOOL, FLOAT, RAW, NAMES, DENSE, MIXED -> {
                JsonNode after = value(random);
                yield new Update(name, JSON.objectNode().set("assign", after), after);
            }
        };
    }

    /** As a reader of JSON has it. */
    private static JsonNode integer(long value) {
        return value == (int) value ? JSON.numberNode((int) value) : JSON.numberNode(value);
    }

    private static ObjectNode copy(@Nullable JsonNode before) {
        return before == null ? JSON.objectNode() : (ObjectNode) before.deepCopy();
    }

    private Update added(Random random, String name, @Nullable JsonNode before) {
        ArrayNode more = JSON.arrayNode().add(element(random)).add(element(random));
        ArrayNode after = before == null ? JSON.arrayNode() : (ArrayNode) before.deepCopy();
        after.addAll(more);
        return new Update(name, JSON.objectNode().set("add", more), after);
    }

    private Update changed(Random random, String name, ArrayNode before, int kind) {
        if (kind == 2) {
            JsonNode gone = element(random);
            ArrayNode after = JSON.arrayNode();
            before.forEach(each -> {
                if (!each.equals(gone)) {
                    after.add(each);
                }
            });
            return new Update(
                    name, JSON.objectNode().set("remove", JSON.arrayNode().add(gone)), after);
        }
        // One behind the last, too: nothing is changed then.
        int index = random.nextInt(before.size() + 1);
        JsonNode element = element(random);
        ArrayNode after = before.deepCopy();
        boolean isThere = index < before.size();
        if (kind == 3) {
            if (isThere) {
                after.set(index, element);
            }
            return new Update(
                    name,
                    JSON.objectNode()
                            .set(
                                    "match",
                                    JSON.objectNode().put("element", index).set("assign", element)),
                    after);
        }
        if (isThere) {
            after.remove(index);
        }
        return new Update(name + "[" + index + "]", JSON.objectNode().put("remove", 0), after);
    }

    private static Update weighted(
            Random random, String name, @Nullable JsonNode before, int kind) {
        String key = key(random);
        ObjectNode after = copy(before);
        if (kind == 1) {
            after.put(key, 7);
            return new Update(
                    name, JSON.objectNode().set("add", JSON.objectNode().put(key, 7)), after);
        }
        if (kind == 2) {
            after.remove(key);
            return new Update(
                    name, JSON.objectNode().set("remove", JSON.objectNode().put(key, 0)), after);
        }
        if (after.has(key)) {
            after.put(key, after.get(key).asInt() + 3);
        }
        return new Update(
                name,
                JSON.objectNode()
                        .set("match", JSON.objectNode().put("element", key).put("increment", 3)),
                after);
    }

    private static Update byKey(Random random, String name, @Nullable JsonNode before, int kind) {
        String key = key(random);
        ObjectNode after = copy(before);
        String path = name + "{\"" + key + "\"}";
        if (kind < 3) {
            after.put(key, 7);
            return new Update(path, JSON.objectNode().put("assign", 7), after);
        }
        after.remove(key);
        return new Update(path, JSON.objectNode().put("remove", 0), after);
    }

    private static Update sparse(Random random, String name, @Nullable JsonNode before, int kind) {
        String key = key(random);
        if (kind == 1 || before == null) {
            ObjectNode after = copy(before);
            after.put(key, 2.5);
            return new Update(
                    name,
                    JSON.objectNode()
                            .set(
                                    "add",
                                    JSON.objectNode()
                                            .set("cells", JSON.objectNode().put(key, 2.5))),
                    after);
        }
        ObjectNode after = copy(before);
        if (kind == 2) {
            after.remove(key);
            ArrayNode addresses = JSON.arrayNode().add(JSON.objectNode().put("x", key));
            return new Update(
                    name,
                    JSON.objectNode().set("remove", JSON.objectNode().set("addresses", addresses)),
                    after);
        }
        boolean creates = kind == 3;
        if (creates || after.has(key)) {
            after.put(key, (after.has(key) ? after.get(key).asDouble() : 0) + 1.5);
        }
        return new Update(
                name,
                JSON.objectNode()
                        .set(
                                "modify",
                                JSON.objectNode()
                                        .put("operation", "add")
                                        .put("create", creates)
                                        .set("cells", JSON.objectNode().put(key, 1.5))),
                after);
    }
}
