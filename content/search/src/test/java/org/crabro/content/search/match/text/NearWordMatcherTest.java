package org.crabro.content.search.match.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.content.storage.file.WorkMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearWordMatcherTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Letters of one, two, three and four bytes. */
    private static final List<String> LETTERS = List.of("a", "b", "c", "ß", "ж", "ก", "𐐨", "𐐩");

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    house,       house,       0
                    house,       hose,        1
                    house,       housse,      1
                    house,       mouse,       1
                    house,       huose,       1
                    house,       hoseu,       -1
                    house,       houses,      1
                    house,       ouse,        1
                    house,       houseab,     -1
                    house,       hou,         -1
                    breakfast,   braekfats,   2
                    breakfast,   brekfst,     2
                    breakfast,   brekfs,      -1
                    breakfast,   xbreakfastx, 2
                    straße,      straẞe,      1
                    𐐨𐐩𐐨𐐩𐐨,      𐐨𐐩𐐩𐐨𐐨,      1
                    𐐨𐐩𐐨𐐩𐐨,      𐐨𐐩𐐨𐐩,        1
                    """)
    void countsEdits(String word, String token, int edits) {
        int most = Math.max(1, NearWordMatcher.edits(word));
        var matcher = new NearWordMatcher(word, most, new WorkMeter());

        assertThat(edits(matcher, token)).isEqualTo(edits);
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    boat,        0
                    house,       1
                    houseboa,    1
                    houseboat,   2
                    äöüßé,       1
                    𐐨𐐩𐐨𐐩,        0
                    𐐨𐐩𐐨𐐩𐐨,       1
                    a1b2c3,      0
                    20240501,    0
                    東京都庁前,  0
                    """)
    void dependsOnTheLengthInCharacters(String word, int edits) {
        assertThat(NearWordMatcher.edits(word)).isEqualTo(edits);
    }

    @Test
    void longWordsMatchAsWritten() {
        assertThat(NearWordMatcher.edits("a".repeat(NearWordMatcher.LENGTH_MAX))).isEqualTo(2);
        assertThat(NearWordMatcher.edits("a".repeat(NearWordMatcher.LENGTH_MAX + 1))).isZero();
    }

    @Test
    void countsAsTheWholeTableDoes() {
        var random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            String word = word(random, 4 + random.nextInt(8));
            int most = 1 + random.nextInt(2);
            var tokens = new ArrayList<String>();
            for (int i = 0; i < 60; i++) {
                tokens.add(
                        random.nextInt(3) == 0
                                ? word(random, random.nextInt(14))
                                : edited(word, random));
            }
            if (random.nextBoolean()) {
                tokens.sort(null);
            }
            var matcher = new NearWordMatcher(word, most, new WorkMeter());
            for (String token : tokens) {
                int edits = edits(word, token);

                assertThat(edits(matcher, token))
                        .as("'%s' and '%s', seed %d", word, token, SEED)
                        .isEqualTo(edits > most ? NearWordMatcher.FAR : edits);
            }
        }
    }

    private static String word(Random random, int length) {
        var word = new StringBuilder();
        for (int i = 0; i < length; i++) {
            word.append(LETTERS.get(random.nextInt(LETTERS.size())));
        }
        return word.toString();
    }

    private static String edited(String word, Random random) {
        var characters = new ArrayList<String>();
        word.codePoints().forEach(each -> characters.add(Character.toString(each)));
        for (int i = random.nextInt(4); i > 0 && characters.size() > 1; i--) {
            int at = random.nextInt(characters.size() - 1);
            String other = LETTERS.get(random.nextInt(LETTERS.size()));
            switch (random.nextInt(4)) {
                case 0 -> characters.remove(at);
                case 1 -> characters.add(at, other);
                case 2 -> characters.set(at, other);
                default -> characters.add(at, characters.remove(at + 1));
            }
        }
        return String.join("", characters);
    }

    private static int edits(NearWordMatcher matcher, String token) {
        byte[] bytes = token.getBytes(UTF_8);
        return matcher.edits(bytes, bytes.length);
    }

    /** Computes the distance by its definition. */
    private static int edits(String word, String token) {
        int[] a = word.codePoints().toArray();
        int[] b = token.codePoints().toArray();
        var table = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                    continue;
                }
                int least = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                least = Math.min(least, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    least = Math.min(least, table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        return table[a.length][b.length];
    }
}
