package org.crabro.container.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.crabro.container.document.InvalidRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeftOutOfLinesTest {
    /** Pieces of 800 bytes, lines of 1,600, room for 2,400: 100, 200 and 300 cells. */
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    1,
                    new BulkSettings.Input(800, 1, 1_600, 2_400),
                    new BulkSettings.Batches(1, 1, 1),
                    1,
                    Duration.ofSeconds(1));

    private final BulkAdmission admission = new BulkAdmission(SETTINGS, Duration.ofSeconds(10));
    private final LineRoom room = new LineRoom(admission);
    private final LeftOutOfLines leftOut = new LeftOutOfLines(room, SETTINGS);

    @AfterEach
    void allIsGivenBack() {
        room.close();
        admission.close();
        assertThat(admission.longLineBytes()).isZero();
    }

    @Test
    void asManyAsAPieceHasBytesAreFree() {
        line(60);
        line(40);
        assertThat(leftOut.taken()).isZero();
        line(1);
        assertThat(leftOut.taken()).isEqualTo(8);
        assertThat(admission.longLineBytes()).isEqualTo(8);
    }

    @Test
    void aLineHasABoundOfItsOwn() {
        line(200);
        leftOut.begin();
        leftOut.count(150);
        refused(413, 51);
    }

    @Test
    void allLinesTogetherHaveOne() {
        line(200);
        line(200);
        leftOut.begin();
        refused(429, 1);
        assertThat(leftOut.taken()).isEqualTo(2_400);
    }

    @Test
    void anotherLineHasTheRoomOfOneThatIsRefused() {
        line(200);
        line(100);
        leftOut.begin();
        leftOut.count(100);
        refused(429, 1);
        leftOut.forget();
        line(100);
        leftOut.begin();
        refused(429, 1);
    }

    @Test
    void thereIsNoneBehindTheEnd() {
        line(101);
        room.close();
        assertThat(admission.longLineBytes()).isZero();
        leftOut.begin();
        refused(429, 1);
    }

    private void line(int cells) {
        leftOut.begin();
        leftOut.count(cells);
    }

    private void refused(int status, int cells) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> leftOut.count(cells))
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(status));
    }
}
