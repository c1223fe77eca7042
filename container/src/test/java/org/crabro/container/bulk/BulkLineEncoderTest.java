package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.DocumentBody;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The direct path and the path through values give equal rows, to the byte. */
class BulkLineEncoderTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:plain:g=anna:1");
    private static final int ROUNDS = 20_000;

    @TempDir static Path directory;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private DocumentType type;
    private DocumentReader reader;
    private BulkLineEncoder lines;

    @BeforeEach
    void start() throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        type = Objects.requireNonNull(model.schemas().get("plain")).documentType();
        reader = new DocumentReader(type);
        var rows = new MapOfRows(model);
        lines =
                new BulkLineEncoder(
                        new ServedTypes(model, Map.of(), false),
                        new SelectionFilter(model, rows, InstantSource.system()),
                        rows,
                        false,
                        _ -> {});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "'text':'plain'",
                "'text':''",
                "'text':'a longer text with nothing special in it, to be read eight by eight'",
                "'text':'line\\\\nfeed \\\\t \\\\\\\\ \\\\/ \\\\\""
                        + " \\\\u00e5\\\\u4e2d\\\\ud83d\\\\ude00'",
                "'text':'å中😀 and more text behind it, with ü in it'",
                " 'text' : 'blanks' , 'year' : 7 ",
                "'year':1,'text':'in another order'",
                "'text':'first','text':'last'",
                "'text':'set','text':null",
                "'text':null",
                "'year':-2147483648,'time':-999999999999999999,'small':-128",
                "'year':0,'time':123456789012345678,'small':127",
                "'ratio':0.1,'weight':0.1",
                "'ratio':16777219.5,'weight':1e22",
                "'ratio':3.4028235e38,'weight':123456789.123456789",
                "'ratio':-1.5e-3,'weight':-1.7976931348623157E308",
                "'good':true",
                "'good':false",
                "'tags':[],'years':[]",
                "'tags':['a','',' b '],'years':[1,-2,3]",
                "'vector':[1,2.5,-3e2],'exact':[[1,2],[3,4.25]],'half':[1,2.7,3,4]",
                "'vector':{'values':[0.12345678901234567,1e-7,0.30000000000000004]}",
                "'vector':[0.1, -0.25, 0.0]",
                "'vector':[0.123456789012345678,-1.5e-3,9.9999999999999999]",
                "'vector':[0.00012345678901,-9.0000001,1.23456789]",
                "'bits':[1,-128,127,300],'half':'3FC0C0003F803F81'",
                "'vector':'3F8000004000000040400000','bits':'01FF7F80'",
                "'vector':'3f800000bf80000000000000','exact':'"
                        + "3FF00000000000004000000000000000400800000000000040100000000000000"
                        + "'"
            })
    void readsCommonFormsAsTheyAreReadOtherwise(String fields) {
        String json = "{\"fields\":{" + fields.replace('\'', '"') + "}}";

        assertThat(quick(json)).isEqualTo(slow(json));
    }

    @Test
    void readsMostOfWhatProgramsWrite() {
        for (String fields :
                List.of(
                        "\"text\":\"some\\ntext\",\"year\":7,\"vector\":[0.1,0.25,0.3]",
                        "\"vector\":\"3F8000004000000040400000\"",
                        "\"tags\":[\"a\",\"b\"],\"weight\":0.12345678901234567")) {
            assertThat(quick("{\"fields\":{" + fields + "}}")).as(fields).isPresent();
        }
    }

    /** Whatever comes: either both read the same, or the long way decides. */
    @Test
    void neverReadsWhatTheLongWayReadsOtherwiseOrRefuses() {
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String json = "{\"fields\":{" + randomFields() + "}}";
            Optional<List<Byte>> quick = quick(json);
            if (quick.isPresent()) {
                assertThat(quick).as("%s, seed %d", json, seed).isEqualTo(slow(json));
                read++;
            }
        }
        assertThat(read).isGreaterThan(ROUNDS / 10);
    }

    private String randomFields() {
        String fields =
                IntStream.range(0, random.nextInt(5))
                        .mapToObj(_ -> randomField())
                        .collect(Collectors.joining(","));
        if (random.nextInt(3) > 0 || fields.isEmpty()) {
            return fields;
        }
        var broken = new StringBuilder(fields);
        String others = "\"\\,:[]{}0123456789eE+-. naå\u0001\ufffe";
        broken.setCharAt(
                random.nextInt(broken.length()), others.charAt(random.nextInt(others.length())));
        return broken.toString();
    }

    private String randomField() {
        return switch (random.nextInt(12)) {
            case 0 -> "\"text\":\"" + randomText() + '"';
            case 1 -> "\"word\":\"" + randomText() + '"';
            case 2 -> "\"year\":" + (random.nextInt() >> random.nextInt(32));
            case 3 -> "\"time\":" + (random.nextLong() >> random.nextInt(64));
            case 4 -> "\"ratio\":" + number();
            case 5 -> "\"weight\":" + number();
            case 6 -> "\"vector\":" + numbers(3);
            case 7 -> "\"exact\":[" + numbers(2) + "," + numbers(2) + "]";
            case 8 -> "\"half\":{\"values\":" + numbers(4) + "}";
            case 9 -> "\"bits\":" + numbers(4);
            case 10 -> "\"vector\":\"" + hex(24) + '"';
            default -> "\"years\":[" + random.nextInt(100) + ',' + random.nextInt() + ']';
        };
    }

    private String numbers(int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> number())
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String number() {
        return switch (random.nextInt(6)) {
            case 0 -> Integer.toString(random.nextInt(100));
            case 1 -> Float.toString(random.nextFloat());
            case 2 -> Double.toString(random.nextGaussian());
            case 3 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
            case 4 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
            default ->
                    "0.%018d".formatted(Math.abs(random.nextLong() % 1_000_000_000_000_000_000L))
                            + (random.nextBoolean() ? "e" + (random.nextInt(80) - 40) : "");
        };
    }

    private String hex(int digits) {
        return IntStream.range(0, digits)
                .mapToObj(_ -> Integer.toHexString(random.nextInt(16)))
                .collect(Collectors.joining());
    }

    private String randomText() {
        String[] parts = {"a", "word ", "å", "中", "😀", "\\n", "\\\"", "\\u0041", "\\ud83d\\ude00"};
        return IntStream.range(0, random.nextInt(20))
                .mapToObj(_ -> parts[random.nextInt(parts.length)])
                .collect(Collectors.joining());
    }

    private Optional<List<Byte>> quick(String json) {
        byte[] line = ("{\"put\":\"" + ID + "\"," + json.substring(1)).getBytes(UTF_8);
        return Optional.ofNullable(lines.read(line, 0, line.length, 1))
                .map(BulkLineEncoderTest::row);
    }

    private static List<Byte> row(BulkLine line) {
        return switch (line) {
            case BulkLine.Unconditional write -> bytes(write.row().bytes());
            case BulkLine.Conditional conditional -> bytes(conditional.row().bytes());
            case BulkLine.Dependent _, BulkLine.Get _, BulkLine.Refused _ ->
                    throw new AssertionError("no put: " + line);
        };
    }

    private Optional<List<Byte>> slow(String json) {
        try {
            DocumentBody body =
                    reader.read(
                            ID,
                            new ByteArrayInputStream(json.getBytes(UTF_8)),
                            LeftOutCells.UNCOUNTED);
            return Optional.of(
                    bytes(
                            RowEncoding.encode(
                                    new Row(
                                            ID,
                                            0,
                                            type.fingerprint(),
                                            false,
                                            body.document().fields()),
                                    type)));
        } catch (InvalidDocumentException e) {
            return Optional.empty();
        }
    }

    private static List<Byte> bytes(byte[] row) {
        return IntStream.range(0, row.length).mapToObj(i -> row[i]).toList();
    }
}
