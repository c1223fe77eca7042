package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values of tables and of JSON that a careless reader changes: rows in, types and documents out.
 */
class ValueTypesTest {
    @TempDir private Path directory;

    /** In the rows, {@code ;} ends a line of the table. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Whole numbers
                "a;1;-2                 | a Whole | {\"a\":1} | {\"a\":-2}",
                "a;9223372036854775807;1 | a Whole | {\"a\":9223372036854775807} | {\"a\":1}",
                "a;9223372036854775808;1 | a Decimal | {\"a\":9223372036854775808} | {\"a\":1}",
                "a;9223372036854775809;1 | a Text, a_number Nearest | {\"a\":\"9223372036854775809\",\"a_number\":9223372036854775808} | {\"a\":\"1\",\"a_number\":1}",
                "a;9007199254740993;1.5 | a Text, a_number Nearest | {\"a\":\"9007199254740993\",\"a_number\":9007199254740992} | {\"a\":\"1.5\",\"a_number\":1.5}",
                "a;007;8                | a Text | {\"a\":\"007\"} | {\"a\":\"8\"}",
                "a; 5 ;6                | a Whole | {\"a\":5} | {\"a\":6}",
                // Decimal numbers
                "a;1.50;2               | a Decimal | {\"a\":1.5} | {\"a\":2}",
                "a;1.50;x               | a Text | {\"a\":\"1.50\"} | {\"a\":\"x\"}",
                "a;1e5;12ab             | a Text | {\"a\":\"1e5\"} | {\"a\":\"12ab\"}",
                "a;0.1234567890123456789;1 | a Text, a_number Nearest | {\"a\":\"0.1234567890123456789\",\"a_number\":0.12345678901234568} | {\"a\":\"1\",\"a_number\":1}",
                "a;0.30000000000000004;1 | a Decimal | {\"a\":0.30000000000000004} | {\"a\":1}",
                "a;1e400;1              | a Text, a_number Nearest | {\"a\":\"1e400\"} | {\"a\":\"1\",\"a_number\":1}",
                "a;1e-400;1             | a Text, a_number Nearest | {\"a\":\"1e-400\",\"a_number\":0} | {\"a\":\"1\",\"a_number\":1}",
                "a;NaN;1.5              | a Text | {\"a\":\"NaN\"} | {\"a\":\"1.5\"}",
                // Separators
                "a;\"1,299.00\";950     | a Decimal(POINT) | {\"a\":1299} | {\"a\":950}",
                "a;\"1,299\";950        | a Whole(POINT) | {\"a\":1299} | {\"a\":950}",
                "a;\"-1,234,567\";1.5   | a Decimal(POINT) | {\"a\":-1234567} | {\"a\":1.5}",
                "a\tb;1,299\t1;2,500\t1 | a Text, b Whole | {\"a\":\"1,299\",\"b\":1} | {\"a\":\"2,500\",\"b\":1}",
                "a\tb;1.299,50\t1;12,5\t1 | a Decimal(COMMA), b Whole | {\"a\":1299.5,\"b\":1} | {\"a\":12.5,\"b\":1}",
                "a\tb;1.299,50\t1;1.299\t1 | a Text, b Whole | {\"a\":\"1.299,50\",\"b\":1} | {\"a\":\"1.299\",\"b\":1}",
                "a;\"1,299.00\";\"1.299,00\" | a Text | {\"a\":\"1,299.00\"} | {\"a\":\"1.299,00\"}",
                "a;\"1,299.00\";soon    | a Text | {\"a\":\"1,299.00\"} | {\"a\":\"soon\"}",
                "a;\"12,34\";\"1,2345\" | a Decimal(COMMA) | {\"a\":12.34} | {\"a\":1.2345}",
                "a;\"1,23,456\";1       | a Text | {\"a\":\"1,23,456\"} | {\"a\":\"1\"}",
                // Truth values
                "a;TRUE;false           | a Truth | {\"a\":true} | {\"a\":false}",
                "a;TRUE;maybe           | a Text | {\"a\":\"TRUE\"} | {\"a\":\"maybe\"}",
                // Times
                "a;2024-01-31;1970-01-01 | a Time | {\"a\":1706659200} | {\"a\":0}",
                "a;2024-01-31T10:00Z;1970-01-01T00:00Z | a Time | {\"a\":1706695200} | {\"a\":0}",
                "a;2024-01-31 10:00:05.123;1970-01-01 00:00:00 | a Time, a_text Original | {\"a\":1706695205,\"a_text\":\"2024-01-31 10:00:05.123\"} | {\"a\":0,\"a_text\":\"1970-01-01 00:00:00\"}",
                "a;2024-01-31T10:00:00+02:00;1970-01-01T00:00:00+00:00 | a Time, a_text Original | {\"a\":1706688000,\"a_text\":\"2024-01-31T10:00:00+02:00\"} | {\"a\":0,\"a_text\":\"1970-01-01T00:00:00+00:00\"}",
                "a;2024-01-31;1970-01-01T00:00:00 | a Time, a_text Original | {\"a\":1706659200,\"a_text\":\"2024-01-31\"} | {\"a\":0,\"a_text\":\"1970-01-01T00:00:00\"}",
                "a;2024-01-31;soon      | a Text | {\"a\":\"2024-01-31\"} | {\"a\":\"soon\"}",
                "a;31.01.2024;1.1.1970  | a Time | {\"a\":1706659200} | {\"a\":0}",
                "a;31.01.2024;1970-01-01 | a Time, a_text Original | {\"a\":1706659200,\"a_text\":\"31.01.2024\"} | {\"a\":0,\"a_text\":\"1970-01-01\"}",
                "a;31.01.2024;01.31.2024 | a Text | {\"a\":\"31.01.2024\"} | {\"a\":\"01.31.2024\"}",
                // Texts
                "a,b; x ,1;y,2          | a Text, b Whole | {\"a\":\" x \",\"b\":1} | {\"a\":\"y\",\"b\":2}",
                "a,b;,1;\" \",2         | b Whole | {\"b\":1} | {\"b\":2}",
            })
    void keepsTheValuesOfTables(String table, String fields, String first, String second)
            throws IOException {
        Path file = directory.resolve("a.csv");
        Files.writeString(file, table.strip().replace(";", "\n"));

        check(ImportedFile.of(file), fields, first, second);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Numbers
                "{\"a\":18446744073709551615} {\"a\":1} | a Text, a_number Nearest | {\"a\":\"18446744073709551615\",\"a_number\":18446744073709552000} | {\"a\":\"1\",\"a_number\":1}",
                "{\"a\":0.1234567890123456789} {\"a\":1} | a Text, a_number Nearest | {\"a\":\"0.1234567890123456789\",\"a_number\":0.12345678901234568} | {\"a\":\"1\",\"a_number\":1}",
                "{\"a\":1e400} {\"a\":1} | a Text, a_number Nearest | {\"a\":\"1e400\"} | {\"a\":\"1\",\"a_number\":1}",
                "{\"a\":9007199254740993} {\"a\":0.5} | a Text, a_number Nearest | {\"a\":\"9007199254740993\",\"a_number\":9007199254740992} | {\"a\":\"0.5\",\"a_number\":0.5}",
                "{\"a\":1.50} {\"a\":\"x\"} | a Text | {\"a\":\"1.50\"} | {\"a\":\"x\"}",
                "{\"a\":1.50} {\"a\":2} | a Decimal | {\"a\":1.5} | {\"a\":2}",
                "{\"a\":true} {\"a\":2} | a Text | {\"a\":\"true\"} | {\"a\":\"2\"}",
                "{\"a\":[18446744073709551615]} {\"a\":[1]} | a Array(Text) | {\"a\":[\"18446744073709551615\"]} | {\"a\":[\"1\"]}",
                // Nulls and empty values
                "{\"a\":[1,null,2]} {\"a\":[3]} | a Array(Whole), a_text Original | {\"a\":[1,2],\"a_text\":\"[1,null,2]\"} | {\"a\":[3],\"a_text\":\"[3]\"}",
                "{\"a\":[null,null]} {\"a\":[]} | a Json | {\"a\":\"[null,null]\"} | {\"a\":\"[]\"}",
                "{\"a\":[1,\"\"]} {\"a\":[2]} | a Array(Text) | {\"a\":[\"1\",\"\"]} | {\"a\":[\"2\"]}",
                "{\"a\":[{\"b\":1},null]} {} | a Array(Struct(b Whole)), a_text Original | {\"a\":[{\"b\":1}],\"a_text\":\"[{\\\"b\\\":1},null]\"} | {}",
                "{\"a\":[{\"b\":1},[]]} {} | a Json | {\"a\":\"[{\\\"b\\\":1},[]]\"} | {}",
                "{\"a\":\" \"} {\"a\":1} | a Text | {\"a\":\" \"} | {\"a\":\"1\"}",
                "{\"a\":null,\"b\":1} {\"a\":\"\",\"b\":2} | b Whole | {\"b\":1} | {\"b\":2}",
                // Shapes
                "{\"a\":[[1.50],{\"b\":null}]} {} | a Json | {\"a\":\"[[1.5],{}]\"} | {}",
                "{\"a\":\"2024-01-31T10:00:00.5Z\"} {\"a\":\"1970-01-01\"} | a Time, a_text Original | {\"a\":1706695200,\"a_text\":\"2024-01-31T10:00:00.5Z\"} | {\"a\":0,\"a_text\":\"1970-01-01\"}",
                "{\"a\":[\"2024-01-31T10:00:00+01:00\"]} {} | a Array(Time), a_text Original | {\"a\":[1706691600],\"a_text\":\"[\\\"2024-01-31T10:00:00+01:00\\\"]\"} | {}",
            })
    void keepsTheValuesOfJson(String objects, String fields, String first, String second)
            throws IOException {
        Path file = Files.writeString(directory.resolve("a.jsonl"), objects);

        check(ImportedFile.of(file), fields, first, second);
    }

    private static void check(ImportedFile file, String fields, String first, String second) {
        assertThat(file.fields()).isEqualTo(fields);
        assertThat(comparable(file.puts().get(0).toString())).isEqualTo(comparable(first));
        assertThat(comparable(file.puts().get(1).toString())).isEqualTo(comparable(second));
        assertThat(file.losses()).isEmpty();
    }

    /** Writes numbers outside of texts without fractions of zero and without exponents. */
    private static String comparable(String json) {
        return json.replaceAll("(\":-?\\d+)\\.0([,}\\]])", "$1$2")
                .replaceAll(":0\\.0([,}])", ":0$1")
                .replaceAll(":1\\.8446744073709552E\\+?19", ":18446744073709552000")
                .replaceAll(":9\\.223372036854775808E\\+?18", ":9223372036854775808")
                .replaceAll(":9\\.223372036854776E\\+?18", ":9223372036854775808")
                .replaceAll(":9\\.007199254740992E\\+?15", ":9007199254740992");
    }

    /** A vector has the smallest type of cells that keeps all numbers. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0.1, Vector(16 FLOAT)",
        "0.10000000149011612, Vector(16 FLOAT)",
        "0.123456789, Vector(16 DOUBLE)",
        "16777216, Vector(16 FLOAT)",
        "16777217, Vector(16 DOUBLE)",
        "9007199254740993, Array(Whole)",
        "null, Array(Whole)",
    })
    void keepsTheNumbersOfVectors(String number, String type) throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("a.jsonl"), "{\"a\":[" + number + ",1".repeat(15) + "]}");

        assertThat(ImportedFile.of(file).fields().split(", ", 2)[0]).isEqualTo("a " + type);
    }

    @Test
    void saysWhichNumbersAreReadOtherwise() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("a.csv"),
                        "a,b,c,d\n\"1,299.00\",0.1234567890123456789,2024-01-31T10:00:00+02:00,1\n");

        assertThat(ImportedFile.of(file).schema().hints().notes())
                .containsExactly(
                        "a: numbers with separators, such as 1,299.00, are read as numbers with a"
                                + " decimal point",
                        "b: numbers with more digits than a double has, such as"
                                + " 0.1234567890123456789, are texts; b_number has the nearest"
                                + " doubles",
                        "c: times as seconds since 1970; c_text has them as they are given");
    }

    @Test
    void saysHowDatesWithPointsAreRead() throws IOException {
        Path file =
                Files.writeString(directory.resolve("a.csv"), "a;b\n29.04.2024;2\n3.5.2024;3\n");

        assertThat(ImportedFile.of(file).schema().hints().notes())
                .containsExactly(
                        "a: dates with points, such as 29.04.2024, are read as day.month.year");
    }

    @Test
    void saysThatSeparatorsAreNotClear() throws IOException {
        Path file = Files.writeString(directory.resolve("a.csv"), "a;b\n1,299;2\n2,500;3\n");

        assertThat(ImportedFile.of(file).schema().hints().notes())
                .containsExactly(
                        "a: numbers with separators, such as 1,299, are texts: it is not clear what"
                                + " the separators mean");
    }

    /** A number with a large exponent is not written in full. */
    @Test
    void readsNumbersOfAnyExponent() throws IOException {
        String digits = String.join("", Collections.nCopies(390, "9"));
        Path file =
                Files.writeString(
                        directory.resolve("a.jsonl"),
                        "{\"a\":1e999999999} {\"a\":1e-999999999} {\"a\":1e99999999999} {\"a\":%s}"
                                .formatted(digits));

        ImportedFile imported = ImportedFile.of(file);

        assertThat(imported.value(0, "a")).isEqualTo("\"1e999999999\"");
        assertThat(imported.value(1, "a")).isEqualTo("\"1e-999999999\"");
        assertThat(imported.value(2, "a")).isEqualTo("\"1e99999999999\"");
        assertThat(imported.value(3, "a")).isEqualTo('"' + digits + '"');
    }
}
