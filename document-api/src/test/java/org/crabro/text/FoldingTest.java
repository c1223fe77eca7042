package org.crabro.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.text.Normalizer;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FoldingTest {
    @ParameterizedTest
    @CsvSource({
        "Älter, aelter",
        "Æsop, aesop",
        "Åse, aase",
        "Öl, oel",
        "Øre, oere",
        "Über, ueber",
        "Ðuro, duro",
        "Þór, thor",
        "Straße, strasse",
        "Ĳssel, ijssel",
        "paraŀlel, parallel",
        "ŉ, n",
        "ſo, so",
        "Ǉ, lj",
        "ǋ, nj",
        "Ǳ, dz",
        "Crème Brûlée ÇÑ, creme brulee cn",
        "Łódź Đặng Ħ ı İ Ŧ, lodz dang h i i t",
        "ẤỮỲ, auy",
        "ＡＢＣ！, abc!",
        "ｱｲｳ, アイウ",
        "ΟΔΟΣ οδος, οδοσ οδοσ",
        "Йод, йод",
        "\u212a \u212b, k aa",
    })
    void accentsAreFolded(String text, String folded) {
        assertThat(Folding.ACCENTS.of(text)).isEqualTo(folded);
    }

    @Test
    void accentsBehindALetterFoldAsWithIt() {
        String text = "Ä Å Ö Ü é ç ñ ấ ữ ǖ ë Ǻ";

        assertThat(Folding.ACCENTS.of(Normalizer.normalize(text, Normalizer.Form.NFD)))
                .isEqualTo(Folding.ACCENTS.of(text))
                .isEqualTo("ae aa oe ue e c n a u ue e aa");
    }

    @Test
    void caseAloneKeepsAccents() {
        assertThat(Folding.CASE.of("Ärger STRASSE ß Σ")).isEqualTo("ärger strasse ß σ");
        assertThat(Folding.NONE.of("Ärger")).isEqualTo("Ärger");
    }

    @ParameterizedTest
    @EnumSource(Folding.class)
    void agreesWithThePlainWayOnAnyText(Folding folding) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        var folded = new FoldedText(folding);
        for (int round = 0; round < 2_000; round++) {
            String text = RandomText.of(random, random.nextInt(60));
            byte[] utf8 = ("ab" + text).getBytes(UTF_8);
            byte[] expected = PlainFolding.of(text, folding).getBytes(UTF_8);

            folded.set(utf8, 2, utf8.length - 2);
            assertThat(folded.is(expected)).as("'%s', seed %d", text, seed).isTrue();

            folded.set(MemorySegment.ofArray(utf8), 2, utf8.length - 2);
            assertThat(folded.is(expected)).as("'%s', seed %d", text, seed).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Folding.class)
    void growsByHalfAtMost(Folding folding) {
        byte[] into = new byte[32];

        int[] tooLong =
                IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(c ->
                                2 * folding.append(c, into, 0, 0) > 3 * Utf8.encode(c, into, 0))
                        .toArray();

        assertThat(tooLong).isEmpty();
    }

    /** So a part of a folded text without separators is a part of a folded word. */
    @ParameterizedTest
    @EnumSource(Folding.class)
    void makesNoSeparatorOfAWordCharacterNorOneOfASeparator(Folding folding) {
        byte[] into = new byte[32];

        int[] changed =
                IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                        .filter(c -> {
                            int length = folding.append(c, into, 0, 0);
                            return !new String(into, 0, length, UTF_8)
                                    .codePoints()
                                    .allMatch(folded ->
                                            Tokenizer.isWordCharacter(folded)
                                                    == Tokenizer.isWordCharacter(c));
                        })
                        .toArray();

        assertThat(changed).isEmpty();
    }

    /**
     * Everything the analysis does to single characters, in one number. Where it differs, the
     * analysis has changed, or the platform's Unicode: then {@link TextAnalysis#VERSION} rises.
     */
    @Test
    void theVersionStandsForWhatHappensToEveryCharacter() {
        var all = new CRC32C();
        byte[] into = new byte[32];
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            all.update(Tokenizer.isWordCharacter(c) ? 1 : 0);
            all.update(into, 0, Folding.CASE.append(c, into, 0, 0));
            all.update(into, 0, Folding.ACCENTS.append(c, into, 0, 0));
        }
        for (int mark = 0x300; mark < 0x370; mark++) {
            for (char letter = 'a'; letter <= 'z'; letter++) {
                into[0] = (byte) letter;
                all.update(into, 0, Folding.ACCENTS.append(mark, into, 0, 1));
            }
        }

        assertThat(Long.toHexString(all.getValue()) + " is version " + TextAnalysis.VERSION)
                .isEqualTo("6132ccf5 is version 1");
    }
}
