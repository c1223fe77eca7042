package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.function.IntConsumer;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selections report their work, so that a deadline can end them inside a document. */
class SelectionWorkTest {
    private static final long NOW = 1_000;

    /** Work that is reported in one step takes at most about 20 ms. */
    private static final int LARGEST = 1 << 22;

    private static final SelectedDocument DOCUMENT = SelectedDocument.of(document());

    private static Document document() {
        var ratings = new ArrayList<FieldValue>();
        for (int i = 0; i < 20_000; i++) {
            ratings.add(new IntValue(i));
        }
        return new Document(
                DocumentId.parse("id:n:music::1"),
                Map.of(
                        "title", new StringValue("a".repeat(20_000)),
                        "note", new StringValue("ab".repeat(10_000)),
                        "ratings", new ArrayValue(ratings)));
    }

    /** Counts units, and throws when there were enough. */
    private static final class Counter implements IntConsumer {
        private final long most;
        private long sum;
        private int largest;

        Counter(long most) {
            this.most = most;
        }

        @Override
        public void accept(int units) {
            sum += units;
            largest = Math.max(largest, units);
            if (sum > most) {
                throw new IllegalStateException("enough");
            }
        }
    }

    /** {@code ...} represents many repetitions. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "music.title =~ \"a{900}z\" | 18000000",
                "music.title = \"*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz\" | 500000",
                "music.ratings[$x] < 0 and music.ratings[$x] < 1 | 500000",
                "music.ratings == 77777 or ... | 16000000",
                "music.note.lowercase() == \"b\" or ... | 2000000",
                "music.note.hash() % 7 == 9 or ... | 2000000",
                "music.title < music.note and ... | 2000000",
            })
    void isReportedBeforeItIsDone(String written, long units) {
        String part = written.replaceAll(" (or|and) \\.\\.\\.", "");
        String join = written.contains(" or ") ? " or " : " and ";
        String text = String.join(join, Collections.nCopies(part.equals(written) ? 1 : 100, part));
        Selection selection = Selection.parse(text, Music.TYPES);
        var whole = new Counter(Long.MAX_VALUE);
        selection.of(DOCUMENT, NOW, whole);

        assertThat(whole.sum).isGreaterThanOrEqualTo(units);
        assertThat(whole.largest).isLessThanOrEqualTo(LARGEST);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> selection.of(DOCUMENT, NOW, new Counter(units / 2)));
    }

    /** Results that are the same for all documents are computed when a batch is prepared. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void isReportedWhereNoDocumentIsAsked(boolean isOfId) {
        String text = "\"%s\" =~ \"a{900}z\"".formatted("a".repeat(20_000));
        Selection selection =
                Selection.parse(isOfId ? "id.type == \"music\" and " + text : text, Music.TYPES);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> selection.batches("music", NOW, new Counter(1_000_000)));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> selection.mayMean(DOCUMENT.id(), NOW, new Counter(1_000_000)));
    }
}
