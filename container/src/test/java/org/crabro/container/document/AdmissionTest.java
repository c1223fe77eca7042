package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final long MIB = 1 << 20;

    private final Admission admission =
            new Admission(
                    new DocumentSettings(MIB, Duration.ofSeconds(5), false, 9, 30 * MIB),
                    BodyTimes.DEFAULT);

    @Test
    void countsWhatALargeBodyBecomesAsItIsReceived() {
        try (BodyMemory.Share body = admission.admit(3 * MIB, 0)) {
            assertThat(admission.operations()).isEqualTo(1);
            assertThat(admission.bytes()).as("announced").isZero();

            Admission.grow(body, MIB);
            assertThat(admission.bytes()).isEqualTo(MIB);

            Admission.grow(body, 3 * MIB);
            assertThat(admission.bytes()).isEqualTo((1 + 2 * 6) * MIB);
        }
        assertThat(admission.operations()).isZero();
        assertThat(admission.bytes()).isZero();
    }

    @Test
    void refusesALargeBodyBeforeItIsSentWhereItWouldBeRefusedLater() {
        try (BodyMemory.Share large = admission.admit(-1, 0)) {
            Admission.grow(large, 2 * MIB);

            assertThatThrownBy(() -> admission.admit(5 * MIB, 0))
                    .isInstanceOf(BodyRefusedException.class)
                    .hasMessage(
                            "overload: 7340032 bytes of requests already enqueued and 26214400"
                                    + " more, at most 31457280");
            admission.admit(2 * MIB, 0).close();
        }
    }

    @Test
    void boundsTheDocumentsThatAreBeingSent() {
        assertThat(admission.hold(10 * MIB)).isEmpty();
        assertThat(admission.hold(MIB)).as("small").isEmpty();
        assertThat(admission.hold(6 * MIB))
                .contains(
                        "overload: 10485760 bytes of documents are being sent and 6291456 more, at"
                                + " most 15728640");
        assertThat(admission.hold(5 * MIB)).isEmpty();

        admission.release(10 * MIB);
        admission.release(MIB);
        admission.release(5 * MIB);
        assertThat(admission.hold(100 * MIB)).as("alone").isEmpty();
    }
}
