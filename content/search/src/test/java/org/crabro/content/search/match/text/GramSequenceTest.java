package org.crabro.content.search.match.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.stream.Stream;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.GramMatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GramSequenceTest {
    /** Grams of two characters; places are positions of their first and last gram. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PHRASE       | el le ep | elephants elep | 0-2 8-10
                    PHRASE       | ab ba ab | abababa        | 0-2 2-4
                    PHRASE       | ab ab ba | abab ab ab ba  | 3-5
                    PHRASE       | aa aa    | aaaa           | 0-1 1-2
                    PHRASE       | a bc     | a bc d a bcd   | 0-1 3-4
                    PHRASE       | 東京 京都  | 東京都庁         | 0-1
                    PHRASE       | 😀x xy   | a😀xy          | 1-2
                    NEAR         | el le ep | ep le el       | 0-2
                    NEAR         | el ep    | el x ep x x el | 0-2
                    NEAR         | ab ab    | ab x ab        | 0-0 2-2
                    NEAR         | a b c d  | a b c d        | ''
                    ORDERED_NEAR | el ep    | ep el ep       | 1-2
                    ORDERED_NEAR | el ep    | el el ep       | 1-2
                    ORDERED_NEAR | el ep    | el x x ep      | ''
                    ORDERED_NEAR | ab ab    | ab             | ''
                    ORDERED_NEAR | ab ab    | ab x ab        | 0-2
                    """)
    void findsThePlacesOfGrams(GramMatch how, String grams, String text, String places) {
        GramSequence sequence = sequence(how, grams);

        assertThat(places(sequence, text)).isEqualTo(places);
        assertThat(places(sequence, text)).as("in the next element").isEqualTo(places);
    }

    @ParameterizedTest
    @EnumSource(names = {"PHRASE", "NEAR", "ORDERED_NEAR"})
    void findsNothingOverTheEndOfAnElement(GramMatch how) {
        GramSequence sequence = sequence(how, "el le");

        assertThat(places(sequence, "x el")).isEmpty();
        assertThat(places(sequence, "le")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"PHRASE", "NEAR", "ORDERED_NEAR"})
    void stopsInsideALongWord(GramMatch how) {
        var work = new WorkMeter();
        work.begin(() -> true);
        int count = 1_000;
        var parts = Collections.nCopies(count, new TextPattern.Word("aa", Affix.SUBSTRING));
        var sequence = new GramSequence(new TextPattern.Grams(parts, how), 2, work);
        byte[] word = "a".repeat(100_000).getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(ScanStoppedException.class)
                .isThrownBy(() -> sequence.add(word, 0, word.length, (_, _) -> {}));
        assertThat(work.largestGap()).isLessThanOrEqualTo(WorkMeter.UNITS + count);
    }

    private static GramSequence sequence(GramMatch how, String grams) {
        var parts =
                Stream.of(grams.split(" ", -1))
                        .map(gram -> new TextPattern.Word(gram, Affix.SUBSTRING))
                        .toList();
        return new GramSequence(new TextPattern.Grams(parts, how), 2, new WorkMeter());
    }

    private static String places(GramSequence sequence, String text) {
        var places = new ArrayList<String>();
        sequence.begin();
        for (String word : text.split(" ", -1)) {
            byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
            sequence.add(utf8, 0, utf8.length, (first, last) -> places.add(first + "-" + last));
        }
        return String.join(" ", places);
    }
}
