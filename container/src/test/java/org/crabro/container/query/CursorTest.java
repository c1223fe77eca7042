package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SortKey;
import org.junit.jupiter.api.Test;

/** Cursors come back as they left, and nothing else is one. */
class CursorTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final List<SortKey> SORTING =
            List.of(new SortKey.FieldValueOf("year", true), new SortKey.Relevance(false));

    private static final DocumentId ID = DocumentId.parse("id:ns:note:g=å:1");

    @Test
    void comesBackAsItLeft() {
        for (FieldValue value :
                List.of(
                        new FieldValue.StringValue("Nöte"),
                        new FieldValue.BoolValue(true),
                        new FieldValue.IntValue(-7),
                        new FieldValue.LongValue(Long.MIN_VALUE),
                        new FieldValue.FloatValue(Float.NaN),
                        new FieldValue.DoubleValue(-0.0))) {
            var position =
                    new HitPosition(
                            Double.NEGATIVE_INFINITY,
                            List.of(Optional.of(value), Optional.empty()),
                            ID);

            String text = Cursor.text(position, SORTING).orElseThrow();

            assertThat(text).matches("[A-Za-z0-9_-]+");
            assertThat(Cursor.parse(text, SORTING)).isEqualTo(position);
        }
    }

    @Test
    void isNotMadeOfValuesThatAreVeryLong() {
        var position =
                new HitPosition(
                        0, List.of(Optional.of(new FieldValue.StringValue("x".repeat(9_000)))), ID);

        assertThat(Cursor.text(position, SORTING)).isEmpty();
    }

    @Test
    void isNothingElse() {
        var random = new Random(SEED);
        var position = new HitPosition(1, List.of(Optional.empty(), Optional.empty()), ID);
        byte[] whole = Base64.getUrlDecoder().decode(Cursor.text(position, SORTING).orElseThrow());
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = whole.clone();
            if (i % 3 == 0) {
                changed = new byte[random.nextInt(60)];
                random.nextBytes(changed);
            } else {
                changed[random.nextInt(changed.length)] += (byte) (1 + random.nextInt(255));
            }
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);

            assertThatExceptionOfType(IllegalQueryException.class)
                    .as("%s, seed %d", text, SEED)
                    .isThrownBy(() -> Cursor.parse(text, SORTING));
        }
        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(
                        () -> Cursor.parse(Cursor.text(position, SORTING).orElseThrow(), List.of()))
                .withMessageContaining("another sort order");
    }
}
