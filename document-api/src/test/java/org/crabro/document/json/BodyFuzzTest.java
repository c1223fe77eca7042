package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Whatever a body holds, it is read, or refused with the one exception that is declared. */
class BodyFuzzTest {
    private static final int ROUNDS = 8_000;
    private static final DocumentType TYPE =
            new DocumentType(
                    "t",
                    List.of(
                            new Field("s", Primitive.STRING, true),
                            new Field("i", Primitive.INT, true),
                            new Field("l", Primitive.LONG, true),
                            new Field("b", Primitive.BYTE, true),
                            new Field("f", Primitive.FLOAT, true),
                            new Field("h", Primitive.FLOAT16, true),
                            new Field("d", Primitive.DOUBLE, true),
                            new Field("bool", Primitive.BOOL, true),
                            new Field("uri", Primitive.URI, true),
                            new Field("raw", Primitive.RAW, true),
                            new Field("is", Primitive.PREDICATE, true),
                            new Field("where", StructOf.POSITION, true),
                            new Field("ref", new ReferenceOf("t"), true),
                            new Field("list", new ArrayOf(new ArrayOf(Primitive.INT)), true),
                            new Field("set", new WeightedSetOf(Primitive.STRING), true),
                            new Field("map", new MapOf(Primitive.INT, Primitive.STRING), true),
                            new Field(
                                    "who",
                                    new StructOf(
                                            "who",
                                            List.of(
                                                    new Field("a", Primitive.INT, true),
                                                    new Field(
                                                            "m",
                                                            new MapOf(
                                                                    Primitive.STRING,
                                                                    Primitive.DOUBLE),
                                                            true))),
                                    true),
                            new Field(
                                    "dense",
                                    new TensorOf(TensorType.parse("tensor<float>(x[2])")),
                                    true),
                            new Field(
                                    "sparse", new TensorOf(TensorType.parse("tensor(x{})")), true),
                            new Field(
                                    "mixed",
                                    new TensorOf(TensorType.parse("tensor<int8>(x{},y[2])")),
                                    true)));

    /** Names and values with a meaning in some context. */
    private static final List<String> PIECES =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ":",
                    ",",
                    "\"",
                    "1",
                    "-1",
                    "1.5",
                    "1e400",
                    "1e-400",
                    "null",
                    "true",
                    "\"x\"",
                    "\"a\"",
                    "\"fields\"",
                    "\"assign\"",
                    "\"add\"",
                    "\"remove\"",
                    "\"match\"",
                    "\"element\"",
                    "\"modify\"",
                    "\"operation\"",
                    "\"multiply\"",
                    "\"create\"",
                    "\"increment\"",
                    "\"divide\"",
                    "\"cells\"",
                    "\"blocks\"",
                    "\"values\"",
                    "\"addresses\"",
                    "\"address\"",
                    "\"value\"",
                    "\"key\"",
                    "\"type\"",
                    "\"lat\"",
                    "\"N1;E2\"",
                    "\"3f80\"",
                    "\"3F80000040000000\"",
                    "99999999999999999999",
                    "\"id:n:t::x\"",
                    "\"\\ud83d\"",
                    "\"\\u0000\"",
                    "\"inf\"",
                    "\"s\"",
                    "\"who.a\"",
                    "\"list[0][1]\"",
                    "\"map{1}\"",
                    "\"set{\\\"k\\\"}\"",
                    "\"list[99999999999]\"",
                    "\"mixed{\"",
                    "\"condition\"",
                    "0x1",
                    "//",
                    "'");

    private static final List<String> BODIES =
            List.of(
                    "{\"fields\":{\"s\":\"x\",\"i\":1,\"l\":\"2\",\"b\":3,\"f\":1.5,\"d\":\"NaN\",\"bool\":true}}",
                    "{\"fields\":{\"uri\":\"http://a/\",\"raw\":\"AQID\",\"ref\":\"id:n:t::x\",\"where\":{\"lat\":1,\"lng\":2}}}",
                    "{\"fields\":{\"where\":\"N1.5;E2\",\"list\":[[1,2],[]],\"set\":{\"a\":1},\"map\":{\"1\":\"x\"},\"is\":\"a in ['b']\"}}",
                    "{\"fields\":{\"who\":{\"a\":1,\"m\":{\"k\":1.5}},\"map\":[{\"key\":1,\"value\":\"x\"}]}}",
                    "{\"fields\":{\"dense\":{\"values\":[1,2]},\"sparse\":{\"cells\":{\"a\":1}},\"mixed\":{\"blocks\":{\"a\":[1,2]}}}}",
                    "{\"fields\":{\"dense\":\"3F80000040000000\",\"sparse\":[{\"address\":{\"x\":\"a\"},\"value\":1}],\"mixed\":{\"a\":\"01FF\"}}}",
                    "{\"fields\":{\"s\":{\"assign\":\"x\"},\"i\":{\"increment\":1},\"list\":{\"add\":[[1]],\"remove\":[[2]]}},\"create\":true}",
                    "{\"fields\":{\"list\":{\"match\":{\"element\":0,\"match\":{\"element\":1,\"assign\":5}}},\"set\":{\"match\":{\"element\":\"a\",\"divide\":0}}}}",
                    "{\"fields\":{\"who.m{k}\":{\"assign\":2},\"list[0][1]\":{\"remove\":0},\"map{1}\":{\"assign\":null}},\"condition\":\"t.i==1\"}",
                    "{\"fields\":{\"mixed\":{\"modify\":{\"operation\":\"add\",\"create\":true,\"cells\":[{\"address\":{\"x\":\"a\",\"y\":1},\"value\":1}]}}}}",
                    "{\"fields\":{\"sparse\":{\"remove\":{\"addresses\":[{\"x\":\"a\"}]},\"add\":{\"b\":1}}}}");

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final DocumentReader puts = new DocumentReader(TYPE);
    private final UpdateReader updates = new UpdateReader(TYPE, false);
    private final OperationReader operations = new OperationReader(List.of(TYPE), true);
    private int understood;
    private int refused;

    @Test
    void isReadOrRefusedAsDeclared() {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] body = body();
            try {
                read(round % 3, body);
                understood++;
            } catch (InvalidDocumentException e) {
                assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
                refused++;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(
                        "seed %d, round %d: %s".formatted(seed, round, new String(body, UTF_8)), e);
            }
        }
        assertThat(understood).as("seed %d", seed).isGreaterThan(ROUNDS / 50);
        assertThat(refused).as("seed %d", seed).isGreaterThan(ROUNDS / 2);
    }

    private void read(int reader, byte[] body) {
        switch (reader) {
            case 0 ->
                    puts.read(
                            DocumentId.parse("id:n:t::x"),
                            new ByteArrayInputStream(body),
                            LeftOutCells.UNCOUNTED);
            case 1 ->
                    FieldUpdates.apply(
                            updates.read(new ByteArrayInputStream(body), LeftOutCells.UNCOUNTED)
                                    .updates(),
                            TYPE,
                            java.util.Map.of());
            default -> operations.read(body, 0, body.length, LeftOutCells.UNCOUNTED);
        }
    }

    private byte[] body() {
        String text = BODIES.get(random.nextInt(BODIES.size()));
        if (random.nextInt(3) == 0) {
            String operation = random.nextBoolean() ? "put" : "update";
            text = "{\"%s\":\"id:n:t::x\",%s".formatted(operation, text.substring(1));
        }
        var changed = new StringBuilder(text);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(changed.length() + 1);
            switch (random.nextInt(5)) {
                case 0 -> changed.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> changed.delete(at, Math.min(changed.length(), at + random.nextInt(6)));
                case 2 -> replaceValue(changed);
                case 3 ->
                        changed.insert(
                                at,
                                "[{".substring(random.nextInt(2)).repeat(random.nextInt(2_000)));
                default -> {
                    if (at < changed.length()) {
                        changed.setCharAt(at, (char) random.nextInt(256));
                    }
                }
            }
        }
        byte[] bytes = changed.toString().getBytes(UTF_8);
        if (random.nextInt(8) == 0 && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(16) == 0
                ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1))
                : bytes;
    }

    /** Replaces a value, a name or a part of one. */
    private void replaceValue(StringBuilder in) {
        int colon = in.indexOf(":", random.nextInt(in.length() + 1));
        if (colon < 0) {
            return;
        }
        int end = colon + 1;
        while (end < in.length() && ",}]".indexOf(in.charAt(end)) < 0) {
            end++;
        }
        in.replace(colon + 1, end, PIECES.get(random.nextInt(PIECES.size())));
    }
}
