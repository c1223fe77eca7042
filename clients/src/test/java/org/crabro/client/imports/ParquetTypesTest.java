package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A column of each type of Parquet, with the values at its limits. pyarrow wrote {@code types} and
 * {@code int96}; {@code older-types} has the annotations of older writers, and types that pyarrow
 * does not write.
 */
class ParquetTypesTest {
    @TempDir private Path directory;

    private ImportedFile imported(String name) throws IOException {
        Path file = directory.resolve(name);
        try (InputStream in = ParquetTypesTest.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return ImportedFile.of(file);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            emptyValue = "",
            value = {
                "u8           | u8 Whole                       | u8           | 200   | ``",
                "i8           | i8 Whole                       | i8           | -5    | 7",
                "u16          | u16 Whole                      | u16          | 65535 | 1",
                "i16          | i16 Whole                      | i16          | -32768 | 1",
                "u32          | u32 Whole                      | u32          | 4294967295 | 1",
                "i32          | i32 Whole                      | i32          | -2147483648 | 1",
                "u64          | u64 Text, u64_number Nearest   | u64          | \"18446744073709551615\" | \"1\"",
                "u64          | u64 Text, u64_number Nearest   | u64_number   | 18446744073709552000 | 1.0",
                "u64_small    | u64_small Whole                | u64_small    | 9223372036854775807 | 1",
                "i64          | i64 Whole                      | i64          | -9223372036854775808 | 9223372036854775807",
                "f16          | f16 Single                     | f16          | 1.5   | \"NaN\"",
                "f32          | f32 Single                     | f32          | 0.1   | \"Infinity\"",
                "f64          | f64 Decimal                    | f64          | 0.1   | \"NaN\"",
                "d9           | d9 Decimal                     | d9           | 12.5  | 7",
                "d38          | d38 Text, d38_number Nearest   | d38          | \"12345678901234567890.123456\" | \"1.500000\"",
                "d76          | d76 Text, d76_number Nearest   | d76          | \"111111111111111111111111111111111111111111111111111111111111\" | \"2\"",
                "whole38      | whole38 Whole                  | whole38      | 9007199254740993 | 2",
                "truth        | truth Truth                    | truth        | true  | false",
                "day          | day Time                       | day          | 1795564800 | -62135596800",
                "ms           | ms Time, ms_text Original      | ms           | 1764072000 | 0",
                "ms           | ms Time, ms_text Original      | ms_text      | \"2025-11-25T12:00:00.123Z\" | \"1970-01-01T00:00:00Z\"",
                "us           | us Time, us_text Original      | us           | 1764072000 | -1",
                "us           | us Time, us_text Original      | us_text      | \"2025-11-25T12:00:00.123456Z\" | \"1969-12-31T23:59:59.999999Z\"",
                "ns           | ns Time, ns_text Original      | ns_text      | \"2025-11-25T12:00:00.123456789Z\" | \"1970-01-01T00:00:00Z\"",
                "s_whole      | s_whole Time                   | s_whole      | 1764072000 | -1",
                "local        | local Time, local_text Original | local       | 1764072000 | 0",
                "local        | local Time, local_text Original | local_text  | \"2025-11-25T12:00:00.500\" | \"1970-01-01T00:00\"",
                "time_ms      | time_ms Text                   | time_ms      | \"01:02:03.004\" | \"00:00\"",
                "time_us      | time_us Text                   | time_us      | \"01:02:03.004005\" | \"00:00\"",
                "time_ns      | time_ns Text                   | time_ns      | \"01:02:03.004005006\" | \"00:00\"",
                "text         | text Text                      | text         | \"Zürich\" | \"x\"",
                "large_text   | large_text Text                | large_text   | \"x\" | \"y\"",
                "dictionary   | dictionary Text                | dictionary   | \"red\" | \"blue\"",
                "bytes_text   | bytes_text Text                | bytes_text   | \"abc\" | \"def\"",
                "bytes        | bytes Raw                      | bytes        | \"/wA=\" | \"YWJj\"",
                "fixed        | fixed Raw                      | fixed        | \"//4A\" | \"YWJj\"",
                "null         | ``                             | null         | ``    | ``",
                "list_u32     | list_u32 Array(Whole), list_u32_text Original | list_u32 | [4294967295,1] | ``",
                "list_u32     | list_u32 Array(Whole), list_u32_text Original | list_u32_text | \"[4294967295,null,1]\" | ``",
                "list_u64     | list_u64 Array(Text)           | list_u64     | [\"18446744073709551615\"] | [\"1\"]",
                "list_i8      | list_i8 Array(Whole)           | list_i8      | [-1] | [2]",
                "list_text    | list_text Array(Text), list_text_text Original | list_text | [\"a\",\"b\"] | ``",
                "list_text    | list_text Array(Text), list_text_text Original | list_text_text | \"[\\\"a\\\",null,\\\"b\\\"]\" | ``",
                "list_list    | list_list Json                 | list_list    | \"[[1],[2,null]]\" | \"[]\"",
                "list_decimal | list_decimal Array(Text)       | list_decimal | [\"0.1000000000000000000001\"] | ``",
                "struct.u32   | struct_u32 Whole               | struct_u32   | 4294967295 | 1",
                "struct.u64   | struct_u64 Text, struct_u64_number Nearest | struct_u64 | \"18446744073709551615\" | \"2\"",
                "struct.inner.u64 | struct_inner_u64 Text, struct_inner_u64_number Nearest | struct_inner_u64 | \"18446744073709551615\" | ``",
                "map_u64.a    | map_u64_a Text, map_u64_a_number Nearest | map_u64_a | \"18446744073709551615\" | \"1\"",
                "map_u64.b    | ``                             | other_members | \"{\\\"map_u64.b\\\":null}\" | ``",
                "map_u32_keys.4294967295 | map_u32_keys_4294967295 Text | map_u32_keys_4294967295 | \"x\" | ``",
                "structs      | structs Array(Struct(n Text, n_number Nearest, t Text)) | structs | [{\"n\":\"18446744073709551615\",\"n_number\":18446744073709552000,\"t\":\"one two\"},{\"n\":\"1\",\"n_number\":1.0}] | ``",
                "uuid         | uuid Text                      | uuid         | \"00000000-0000-0000-0000-000000000001\" | \"00000000-0000-0000-0000-000000000002\"",
                "json         | json Text                      | json         | \"{\\\"a\\\": 1.50}\" | \"[]\"",
            })
    void keepsTheValuesOfEachType(
            String column, String fields, String field, String first, String second)
            throws IOException {
        ImportedFile file = imported("types.parquet");

        assertThat(file.fieldsOf(column)).isEqualTo(fields);
        assertThat(plain(file.value(0, field))).isEqualTo(first);
        assertThat(plain(file.value(1, field))).isEqualTo(second);
        assertThat(file.losses()).isEmpty();
    }

    /** Writes the exponents of the nearest doubles in full. */
    private static String plain(String json) {
        return json.replace("1.8446744073709552E+19", "18446744073709552000")
                .replace("1.8446744073709552E19", "18446744073709552000");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "interval | interval Text                        | \"P14M3DT4.500S\" | \"P4294967295M0DT0.007S\"",
                "choice   | choice Text                          | \"red\" | \"blue\"",
                "bson     | bson Raw                             | \"BQAAAP8=\" | \"BQAAAAA=\"",
                "u8       | u8 Whole                             | 200 | 1",
                "i8       | i8 Whole                             | -7 | 1",
                "i16      | i16 Whole                            | -300 | 1",
                "u32      | u32 Whole                            | 4294967295 | 1",
                "u64      | u64 Text, u64_number Nearest         | \"18446744073709551615\" | \"1\"",
                "amount   | amount Text, amount_number Nearest   | \"12345678901234567890.1234567890\" | \"0.0000000005\"",
                "ms       | ms Time, ms_text Original            | 1764072000 | 0",
                "json     | json Text                            | \"{\\\"a\\\":1.50}\" | \"[]\"",
                "plain    | plain Text                           | \"words\" | \"more\"",
            })
    void keepsTheValuesOfOlderAnnotations(String column, String fields, String first, String second)
            throws IOException {
        ImportedFile file = imported("older-types.parquet");

        assertThat(file.fieldsOf(column)).isEqualTo(fields);
        assertThat(file.value(0, column)).isEqualTo(first);
        assertThat(file.value(1, column)).isEqualTo(second);
        assertThat(file.losses()).isEmpty();
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "day, date",
        "ms, time",
        "us, time",
        "ns, time",
        "s_whole, time",
        "local, time",
        "time_ms, ''",
        "time_us, ''",
        "time_ns, ''",
        "i32, ''",
        "i64, ''",
        "text, ''"
    })
    void saysWhatTheNumbersOfAColumnCount(String column, String kind) throws IOException {
        String schema = imported("types.parquet").schema().text();
        String field =
                schema.replaceFirst("(?s).*field " + column + " type \\w+ \\{(.*?)\\}.*", "$1");

        assertThat(field).contains("indexing: ");
        if (kind.isEmpty()) {
            assertThat(field).doesNotContain("kind: ");
        } else {
            assertThat(field).containsPattern("kind: " + kind + "\n");
        }
    }

    @Test
    void keepsTheNanosecondsOfTimesWith96Bits() throws IOException {
        ImportedFile file = imported("int96.parquet");

        assertThat(file.fields()).isEqualTo("int96 Time, int96_text Original");
        assertThat(file.value(0, "int96_text")).isEqualTo("\"2025-11-25T12:00:00.123456789Z\"");
        assertThat(file.value(1, "int96_text")).isEqualTo("\"1969-12-31T23:59:59.999999999Z\"");
    }

    @Test
    void reportsBytesOfTextsThatAreNoUtf8() throws IOException {
        ImportedFile file = imported("damaged-texts.parquet");

        assertThat(file.value(0, "text")).isEqualTo("\"\ufffdx\"");
        assertThat(file.losses())
                .containsExactly(
                        "text: bytes that are no UTF-8 become U+FFFD: 1 value, first in row 1");
    }

    @Test
    void numbersTheSecondColumnOfAName() throws IOException {
        ImportedFile file = imported("damaged-texts.parquet");

        assertThat(file.fields()).isEqualTo("text Text, a Whole, a_2 Whole");
        assertThat(file.puts().getLast().toString())
                .isEqualTo("{\"text\":\"y\",\"a\":2,\"a_2\":4}");
    }
}
