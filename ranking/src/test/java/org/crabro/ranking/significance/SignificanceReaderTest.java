package org.crabro.ranking.significance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table in config-model tests the errors of files and their positions. */
class SignificanceReaderTest {
    private static final String JSON =
            """
            {"version": "1.0", "id": "a", "languages": {
              "en, UN": {"document-count": 10, "document-frequencies": {"cat": 3, "the": 10}},
              "de_AT": {"document-frequencies": {"cat": 1}, "document-count": 5}}}
            """;

    private static final String LATER =
            """
            {"version": 1, "languages": {
              "en": {"document-count": 100, "document-frequencies": {"dog": 4}}}}
            """;

    private static SignificanceModels read(byte[] file) throws IOException {
        return SignificanceReader.read(new ByteArrayInputStream(file));
    }

    @Test
    void readsPlainAndCompressedFilesAlike() throws IOException {
        byte[] plain = JSON.getBytes(UTF_8);
        for (byte[] file : new byte[][] {plain, Zstd.compress(plain)}) {
            SignificanceModels models = read(file);

            assertThat(models.languages()).containsExactly("de-at", "en", "un");
            SignificanceModel english = models.of("en").orElseThrow();
            assertThat(english.language()).isEqualTo("en");
            assertThat(english.documents()).isEqualTo(10);
            assertThat(english.size()).isEqualTo(2);
            assertThat(english.documents("cat")).isEqualTo(3);
            assertThat(english.documents("Cat")).isZero();
        }
    }

    @Test
    void aLaterFileHasTheWholeLanguage() throws IOException {
        SignificanceModels models =
                read(JSON.getBytes(UTF_8)).overriddenBy(read(LATER.getBytes(UTF_8)));

        assertThat(models.languages()).containsExactly("de-at", "en", "un");
        assertThat(models.of("en").orElseThrow().documents()).isEqualTo(100);
        assertThat(models.of("en").orElseThrow().documents("cat")).isZero();
        assertThat(models.of("un").orElseThrow().documents("cat")).isEqualTo(3);
    }

    /** Which of the models, none where there is a dash, words of a language are counted in. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    en,un,de    | ``      | en
                    un,de       | ``      | un
                    de          | ``      | -
                    en,un,de    | un      | un
                    en,de       | un      | en
                    de          | un      | -
                    en,un,de    | de      | de
                    en,un,de    | DE      | de
                    en,un,de    | de-at   | de
                    en,de,de-at | de_AT   | de-at
                    en,un       | de      | -
                    en,un       | de-at   | -
                    zh-hant,en  | zh-Hant | zh-hant
                    zh-hant,en  | zh      | -
                    """)
    void choosesByTheLanguage(String counted, String language, String model) throws IOException {
        SignificanceModels models = SignificanceModels.NONE;
        for (String each : counted.split(",", -1)) {
            String json =
                    "{\"languages\":{\"%s\":{\"document-count\":1,\"document-frequencies\":{}}}}"
                            .formatted(each);
            models = models.overriddenBy(read(json.getBytes(UTF_8)));
        }

        assertThat(models.of(language).map(SignificanceModel::language).orElse("-"))
                .isEqualTo(model);
    }

    @Test
    void refusesASmallFileThatUnpacksToALargeOne() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new ZstdOutputStream(packed)) {
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (long written = 0;
                    written <= SignificanceReader.MAX_BYTES;
                    written += blanks.length) {
                out.write(blanks);
            }
        }

        assertThatExceptionOfType(InvalidSignificanceException.class)
                .isThrownBy(() -> read(packed.toByteArray()))
                .withMessage("more than 268,435,456 bytes, uncompressed");
    }

    @Test
    void refusesACompressedFileThatEndsEarlyOrIsDamaged() {
        byte[] packed = Zstd.compress(JSON.getBytes(UTF_8));
        byte[] damaged = packed.clone();
        damaged[6] ^= 0x55;

        assertThatExceptionOfType(InvalidSignificanceException.class)
                .isThrownBy(() -> read(Arrays.copyOf(packed, packed.length - 4)))
                .withMessageStartingWith("cannot be read: ");
        assertThatExceptionOfType(InvalidSignificanceException.class)
                .isThrownBy(() -> read(damaged))
                .withMessageStartingWith("cannot be read: ");
    }

    @Test
    void refusesAnEmptyFile() {
        assertThatExceptionOfType(InvalidSignificanceException.class)
                .isThrownBy(() -> read(new byte[0]))
                .withMessage("expected a significance model, an object");
    }
}
