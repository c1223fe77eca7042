package org.crabro.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TokenizerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    ""                          | ""
                    " .,-\t"                    | ""
                    Hello, World!               | hello world
                    fix(core): NPE in Foo_Bar#2 | fix core npe in foo bar 2
                    Crème brûlée                | creme brulee
                    GROẞE Straße, Åse, ÖL       | grosse strasse aase oel
                    日本語 テキスト。             | 日本語 テキスト
                    Привет, мир                 | привет мир
                    x² ½ ⅷ                      | x ⅷ
                    e-mail@example.com          | e mail example com
                    ａｂｃ１２３                   | abc123
                    ab\ue000cd                  | ab\ue000cd
                    """)
    void cutsAndFolds(String text, String tokens) {
        assertThat(String.join(" ", Tokenizer.tokens(text))).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    " .,-\t"           | ""
                    Hello, World!      | hello world
                    Crème Cre\u0300me  | crème crème
                    ﬁsh ａＢ x² ⅷ       | fish ab x2 viii
                    STRAẞE Öl          | straße öl
                    """)
    void dictionariesHaveWordsWithTheirAccents(String text, String words) {
        assertThat(String.join(" ", Tokenizer.words(text))).isEqualTo(words);
    }

    /** Ligatures, Roman numerals, raised and circled letters, and letters of two characters. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    \uFB01sh ab         | fish ab
                    \u2167 \u24B6\u24B7 x\u1D43 | viii ab xa
                    x\u00B2 \u2460        | x
                    Cr\u00E8me Cre\u0300me | creme creme
                    \u0438\u0306 \uFF76\uFF9E | \u0439 \u30AC
                    """)
    void normalizesWordsAfterCutting(String text, String tokens) {
        var analysis = new WordAnalysis(Folding.ACCENTS, true, SpecialTokens.NONE);

        assertThat(tokens(text, analysis)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    C++ and c       | c++ and c
                    c++11 c+++ abc++ | c++ 11 c++ abc
                    asp.net .NET .network | asp .net .net network
                    Wal-Mart wal-marts | walmart wal marts
                    a.b.c a.b       | a.b.c x
                    c#, C# C        | c# c# c
                    cre\u0300me     | creme
                    """)
    void findsSpecialTokens(String text, String tokens) {
        var special =
                SpecialTokens.of(
                        List.of(
                                new SpecialTokens.Token("c++", "c++"),
                                new SpecialTokens.Token("c#", "c#"),
                                new SpecialTokens.Token(".net", ".net"),
                                new SpecialTokens.Token("a.b", "x"),
                                new SpecialTokens.Token("a.b.c", "a.b.c"),
                                new SpecialTokens.Token("wal-mart", "walmart")));

        assertThat(tokens(text, new WordAnalysis(Folding.ACCENTS, false, special)))
                .isEqualTo(tokens);
    }

    private static String tokens(String text, TextAnalysis analysis) {
        byte[] utf8 = text.getBytes(UTF_8);
        var tokenizer = new Tokenizer(analysis);
        tokenizer.set(utf8, 0, utf8.length);
        var tokens = new ArrayList<String>();
        while (tokenizer.next()) {
            tokens.add(new String(tokenizer.buffer(), 0, tokenizer.length(), UTF_8));
        }
        return String.join(" ", tokens);
    }

    /** Stored words of another analysis are not used. */
    @Test
    void differentAnalysesHaveDifferentFingerprints() {
        SpecialTokens tokens = SpecialTokens.of(List.of(new SpecialTokens.Token("c++", "c++")));
        SpecialTokens others = SpecialTokens.of(List.of(new SpecialTokens.Token("c++", "cpp")));
        var fingerprints = new HashSet<Long>();
        for (Folding folding : Folding.values()) {
            fingerprints.add(TextAnalysis.fingerprint(folding));
            for (SpecialTokens special : List.of(SpecialTokens.NONE, tokens, others)) {
                fingerprints.add(
                        TextAnalysis.fingerprint(new WordAnalysis(folding, true, special)));
                fingerprints.add(
                        TextAnalysis.fingerprint(new WordAnalysis(folding, false, special)));
            }
        }

        assertThat(fingerprints).hasSize(3 * 6);
        assertThat(TextAnalysis.fingerprint(new WordAnalysis(Folding.CASE, false, tokens)))
                .isEqualTo(TextAnalysis.fingerprint(new WordAnalysis(Folding.CASE, false, tokens)));
    }

    @Test
    void countsPositions() {
        byte[] text = "a  b, c".getBytes(UTF_8);
        var tokenizer = new Tokenizer(Folding.ACCENTS);

        tokenizer.set(text, 1, text.length - 1);

        assertThat(tokenizer.next()).isTrue();
        assertThat(tokenizer.position()).isZero();
        assertThat(tokenizer.is("b".getBytes(UTF_8))).isTrue();
        assertThat(tokenizer.is("bb".getBytes(UTF_8))).isFalse();
        assertThat(tokenizer.next()).isTrue();
        assertThat(tokenizer.position()).isEqualTo(1);
        assertThat(tokenizer.next()).isFalse();
        assertThat(tokenizer.next()).isFalse();
    }

    @Test
    void readsNoFurtherThanItsBound() {
        byte[] text = "ab ".repeat(Tokenizer.TEXT_LENGTH_MAX).getBytes(UTF_8);
        var tokenizer = new Tokenizer(Folding.ACCENTS);

        tokenizer.set(text, 0, text.length);

        int count = 0;
        while (tokenizer.next()) {
            count++;
        }
        assertThat(count).isEqualTo(Tokenizer.TEXT_LENGTH_MAX / 3 + 1);
    }

    /** Tokenizes with strings, code point by code point. */
    @ParameterizedTest
    @EnumSource(Folding.class)
    void agreesWithThePlainWayOnAnyText(Folding folding) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        var tokenizer = new Tokenizer(folding);
        for (int round = 0; round < 2_000; round++) {
            String text = RandomText.of(random, random.nextInt(60));

            List<String> expected = plain(text, folding);

            assertThat(viaBytes(tokenizer, text))
                    .as("'%s', seed %d", text, seed)
                    .isEqualTo(expected);
            assertThat(viaMemory(tokenizer, text))
                    .as("'%s', seed %d", text, seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void badBytesSeparateWords() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        var tokenizer = new Tokenizer(Folding.ACCENTS);
        tokenizer.set(new byte[] {'a', (byte) 0xff, 'b', (byte) 0xe4, 'c', (byte) 0xc3}, 0, 6);

        assertThat(remainingTokens(tokenizer)).containsExactly("a", "b", "c");

        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            tokenizer.set(bytes, 0, bytes.length);
            for (String token : remainingTokens(tokenizer)) {
                assertThat(token).as("seed %d", seed).isNotEmpty().doesNotContain("\ufffd");
            }
        }
    }

    @Test
    void hashesDependOnTheWordAlone() {
        var hashes = new HashSet<Long>();
        var words = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            words.append(Integer.toString(i, 36)).append(' ').append("w".repeat(i % 40)).append(i);
            words.append(' ');
        }
        byte[] text = words.toString().getBytes(UTF_8);
        var tokenizer = new Tokenizer(Folding.ACCENTS);
        var distinct = new HashSet<String>();

        tokenizer.set(text, 0, text.length);

        while (tokenizer.next()) {
            String word = word(tokenizer);
            assertThat(tokenizer.hash()).isEqualTo(Tokenizer.hash(word.getBytes(UTF_8)));
            distinct.add(word);
            hashes.add(tokenizer.hash());
        }
        assertThat(hashes).hasSameSizeAs(distinct);
    }

    private static List<String> viaBytes(Tokenizer tokenizer, String text) {
        byte[] utf8 = ("x" + text + "y").getBytes(UTF_8);
        tokenizer.set(utf8, 1, utf8.length - 2);
        return remainingTokens(tokenizer);
    }

    private static List<String> viaMemory(Tokenizer tokenizer, String text) {
        byte[] utf8 = ("x" + text + "y").getBytes(UTF_8);
        try (var arena = Arena.ofConfined()) {
            MemorySegment memory =
                    arena.allocate(utf8.length).copyFrom(MemorySegment.ofArray(utf8));
            tokenizer.set(memory, 1, utf8.length - 2);
        }
        return remainingTokens(tokenizer);
    }

    private static List<String> remainingTokens(Tokenizer tokenizer) {
        var tokens = new ArrayList<String>();
        while (tokenizer.next()) {
            assertThat(tokenizer.position()).isEqualTo(tokens.size());
            tokens.add(word(tokenizer));
        }
        return tokens;
    }

    private static String word(Tokenizer tokenizer) {
        return new String(tokenizer.buffer(), 0, tokenizer.length(), UTF_8);
    }

    private static List<String> plain(String text, Folding folding) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        text.codePoints()
                .forEach(codePoint -> {
                    if (Tokenizer.isWordCharacter(codePoint)) {
                        word.appendCodePoint(codePoint);
                    } else if (!word.isEmpty()) {
                        words.add(word.toString());
                        word.setLength(0);
                    }
                });
        if (!word.isEmpty()) {
            words.add(word.toString());
        }
        return words.stream().map(each -> PlainFolding.of(each, folding)).toList();
    }
}
