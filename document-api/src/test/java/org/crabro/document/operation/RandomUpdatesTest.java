package org.crabro.document.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.UpdateReader;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/**
 * Compares long sequences of random updates, as JSON, with a model that changes numbers, lists and
 * maps of Java in place.
 */
class RandomUpdatesTest {
    private static final int HISTORIES = 300;
    private static final int UPDATES = 40;
    private static final DocumentType TYPE =
            new DocumentType(
                    "all",
                    List.of(
                            new Field("int", Primitive.INT, true),
                            new Field("byte", Primitive.BYTE, true),
                            new Field("list", new ArrayOf(Primitive.INT), true),
                            new Field("set", new WeightedSetOf(Primitive.STRING), true),
                            new Field("map", new MapOf(Primitive.STRING, Primitive.INT), true),
                            new Field(
                                    "who",
                                    new StructOf(
                                            "who",
                                            List.of(
                                                    new Field("a", Primitive.INT, true),
                                                    new Field("b", Primitive.INT, true))),
                                    true),
                            new Field(
                                    "cells", new TensorOf(TensorType.parse("tensor(x{})")), true)));

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final UpdateReader reader = new UpdateReader(TYPE, false);

    @Test
    void comesToTheSameAsTheModel() {
        for (int history = 0; history < HISTORIES; history++) {
            var model = new Model();
            Map<String, FieldValue> fields = Map.of();
            for (int i = 0; i < UPDATES; i++) {
                String body = "{\"fields\":{" + model.change() + "}}";

                fields =
                        FieldUpdates.apply(
                                reader.read(
                                                new ByteArrayInputStream(body.getBytes(UTF_8)),
                                                LeftOutCells.UNCOUNTED)
                                        .updates(),
                                TYPE,
                                fields);

                assertThat(plain(fields))
                        .as("history %d, update %d: %s, seed %d", history, i, body, seed)
                        .isEqualTo(model.fields());
            }
        }
    }

    /** Returns the values of a document, without empty ones. */
    private static Map<String, Object> plain(Map<String, FieldValue> fields) {
        var plain = new TreeMap<String, Object>();
        fields.forEach((name, value) -> {
            Object each = plain(value);
            boolean isEmpty =
                    (each instanceof List<?> list && list.isEmpty())
                            || (each instanceof Map<?, ?> map && map.isEmpty());
            if (!isEmpty) {
                plain.put(name, each);
            }
        });
        return plain;
    }

    private static Object plain(FieldValue value) {
        return switch (value) {
            case FieldValue.IntValue(int number) -> (long) number;
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().map(RandomUpdatesTest::plain).toList();
            case FieldValue.WeightedSetValue(var weights) -> {
                var map = new TreeMap<String, Object>();
                weights.forEach((element, weight) -> map.put(text(element), (long) weight));
                yield map;
            }
            case FieldValue.MapValue(var values) -> {
                var map = new TreeMap<String, Object>();
                values.forEach((key, each) -> map.put(text(key), plain(each)));
                yield map;
            }
            case FieldValue.StructValue(var members) -> {
                var map = new TreeMap<String, Object>();
                members.forEach((name, each) -> map.put(name, plain(each)));
                yield map;
            }
            case FieldValue.MixedTensorValue(var tensor) -> {
                var map = new TreeMap<String, Object>();
                for (int i = 0; i < tensor.addresses().size(); i++) {
                    map.put(tensor.addresses().get(i).getFirst(), tensor.cell(i, 0));
                }
                yield map;
            }
            case FieldValue.Single _, FieldValue.TensorValue _ ->
                    throw new AssertionError("no field has " + value);
        };
    }

    private static String text(FieldValue key) {
        return ((FieldValue.StringValue) key).value();
    }

    /** The document in plain values. */
    private final class Model {
        private final Map<String, Long> numbers = new TreeMap<>();
        private final List<Long> list = new ArrayList<>();
        private final Map<String, Object> set = new TreeMap<>();
        private final Map<String, Object> map = new TreeMap<>();
        private final Map<String, Object> who = new TreeMap<>();
        private final Map<String, Object> cells = new TreeMap<>();

        Map<String, Object> fields() {
            var fields = new TreeMap<String, Object>(numbers);
            var collections = new HashMap<String, Object>();
            collections.put("list", List.copyOf(list));
            collections.put("set", set);
            collections.put("map", map);
            collections.put("who", who);
            collections.put("cells", cells);
            collections.forEach((name, each) -> {
                boolean isEmpty =
                        each instanceof List<?> some
                                ? some.isEmpty()
                                : ((Map<?, ?>) each).isEmpty();
                if (!isEmpty) {
                    fields.put(name, each);
                }
            });
            return fields;
        }

        /** Changes the model, and returns the update with the same effect. */
        String change() {
            return switch (random.nextInt(7)) {
                case 0 -> number("int", 32);
                case 1 -> number("byte", 8);
                case 2 -> list();
                case 3 -> set();
                case 4 -> map();
                case 5 -> who();
                default -> cells();
            };
        }

        private String number(String name, int bits) {
            if (random.nextInt(6) == 0) {
                numbers.remove(name);
                return "\"%s\":{\"assign\":null}".formatted(name);
            }
            if (random.nextInt(6) == 0) {
                long value = random.nextInt(-128, 128);
                numbers.put(name, value);
                return "\"%s\":{\"assign\":%d}".formatted(name, value);
            }
            Computation computation = computation();
            if (!computation.isDivisionByZero) {
                long result = computation.of.applyAsLong(numbers.getOrDefault(name, 0L));
                numbers.put(name, (result << (64 - bits)) >> (64 - bits));
            }
            return "\"%s\":{%s}".formatted(name, computation.text);
        }

        private record Computation(String text, boolean isDivisionByZero, LongUnaryOperator of) {}

        private Computation computation() {
            long operand = random.nextInt(-50_000, 50_000) / (random.nextBoolean() ? 1 : 10_000);
            return switch (random.nextInt(4)) {
                case 0 -> new Computation("\"increment\":" + operand, false, old -> old + operand);
                case 1 -> new Computation("\"decrement\":" + operand, false, old -> old - operand);
                case 2 -> new Computation("\"multiply\":" + operand, false, old -> old * operand);
                default ->
                        new Computation(
                                "\"divide\":" + operand,
                                operand == 0,
                                old -> operand == 0 ? old : old / operand);
            };
        }

        private String list() {
            int index = random.nextInt(6);
            long value = random.nextInt(4);
            return switch (random.nextInt(5)) {
                case 0 -> {
                    list.removeIf(each -> each == value);
                    yield "\"list\":{\"remove\":[%d]}".formatted(value);
                }
                case 1 -> {
                    if (index < list.size()) {
                        list.set(index, value);
                    }
                    yield "\"list\":{\"match\":{\"element\":%d,\"assign\":%d}}"
                            .formatted(index, value);
                }
                case 2 -> {
                    if (index < list.size()) {
                        list.remove(index);
                    }
                    yield "\"list[%d]\":{\"remove\":0}".formatted(index);
                }
                case 3 -> {
                    if (index < list.size()) {
                        list.set(index, list.get(index) + value);
                    }
                    yield "\"list[%d]\":{\"increment\":%d}".formatted(index, value);
                }
                default -> {
                    list.add(value);
                    list.add(value + 1);
                    yield "\"list\":{\"add\":[%d,%d]}".formatted(value, value + 1);
                }
            };
        }

        private String key() {
            return "k" + random.nextInt(4);
        }

        private String set() {
            String key = key();
            long weight = random.nextInt(100);
            return switch (random.nextInt(4)) {
                case 0 -> {
                    set.remove(key);
                    yield "\"set\":{\"remove\":{\"%s\":1}}".formatted(key);
                }
                case 1 -> {
                    set.computeIfPresent(key, (_, old) -> (Long) old - weight);
                    yield "\"set\":{\"match\":{\"decrement\":%d,\"element\":\"%s\"}}"
                            .formatted(weight, key);
                }
                case 2 -> {
                    set.merge(key, weight, (old, more) -> (Long) old + (Long) more);
                    yield "\"set{%s}\":{\"increment\":%d}".formatted(key, weight);
                }
                default -> {
                    set.put(key, weight);
                    yield "\"set\":{\"add\":{\"%s\":%d}}".formatted(key, weight);
                }
            };
        }

        private String map() {
            String key = key();
            long value = random.nextInt(100);
            return switch (random.nextInt(3)) {
                case 0 -> {
                    map.remove(key);
                    yield "\"map{%s}\":{\"remove\":0}".formatted(key);
                }
                case 1 -> {
                    map.merge(key, value, (old, more) -> (Long) old + (Long) more);
                    yield "\"map{\\\"%s\\\"}\":{\"increment\":%d}".formatted(key, value);
                }
                default -> {
                    map.put(key, value);
                    yield "\"map{%s}\":{\"assign\":%d}".formatted(key, value);
                }
            };
        }

        private String who() {
            String member = random.nextBoolean() ? "a" : "b";
            long value = random.nextInt(100);
            return switch (random.nextInt(3)) {
                case 0 -> {
                    who.remove(member);
                    yield "\"who.%s\":{\"assign\":null}".formatted(member);
                }
                case 1 -> {
                    who.clear();
                    who.put(member, value);
                    yield "\"who\":{\"assign\":{\"%s\":%d}}".formatted(member, value);
                }
                default -> {
                    who.put(member, value);
                    yield "\"who.%s\":{\"assign\":%d}".formatted(member, value);
                }
            };
        }

        private String cells() {
            String key = key();
            double value = random.nextInt(100);
            boolean create = random.nextBoolean();
            return switch (random.nextInt(4)) {
                case 0 -> {
                    cells.remove(key);
                    yield "\"cells\":{\"remove\":{\"addresses\":[{\"x\":\"%s\"}]}}".formatted(key);
                }
                case 1 -> {
                    if (create || cells.containsKey(key)) {
                        cells.merge(key, value, (old, more) -> (Double) old + (Double) more);
                    }
                    yield "\"cells\":{\"modify\":{\"operation\":\"add\",\"create\":%s,\"cells\":{\"%s\":%s}}}"
                            .formatted(create, key, value);
                }
                case 2 -> {
                    if (create || cells.containsKey(key)) {
                        cells.merge(key, value, (old, more) -> (Double) old * (Double) more);
                    }
                    yield "\"cells\":{\"modify\":{\"operation\":\"multiply\",\"create\":%s,\"cells\":{\"%s\":%s}}}"
                            .formatted(create, key, value);
                }
                default -> {
                    cells.put(key, value);
                    yield "\"cells\":{\"add\":{\"%s\":%s}}".formatted(key, value);
                }
            };
        }
    }
}
