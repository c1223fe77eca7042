package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final long MIB = 1 << 20;

    private final Admission admission =
            new Admission(new DocumentSettings(MIB, Duration.ofSeconds(5), false, 9, 30 * MIB));

    @Test
    void countsWhatALargeBodyBecomes() {
        Admission.Entry.Admitted small = admitted(MIB);
        assertThat(admission.bytes()).isEqualTo(MIB);

        Admission.Entry.Admitted large = admitted(3 * MIB);
        assertThat(admission.bytes()).isEqualTo((1 + 1 + 2 * 6) * MIB);

        admission.release(large);
        admission.release(small);
        assertThat(admission.bytes()).isZero();
    }

    @Test
    void admitsABodyOfAnyLengthAlone() {
        Admission.Entry.Admitted alone = admitted(100 * MIB);

        assertThat(admission.admit(1, 0))
                .isEqualTo(
                        new Admission.Entry.Refused(
                                "overload: 623902720 bytes of requests already enqueued and 1 more,"
                                        + " at most 31457280"));
        admission.release(alone);
        assertThat(admission.admit(1, 0)).isInstanceOf(Admission.Entry.Admitted.class);
    }

    @Test
    void countsABodyThatGrowsUntilItIsTooMuch() {
        Admission.Entry.Admitted other = admitted(MIB);
        Admission.Entry.Admitted growing = admitted(Admission.UNANNOUNCED_BYTES);

        assertThat(admission.grow(growing, 1)).isEmpty();
        assertThat(admission.bytes()).isEqualTo(MIB + Admission.UNANNOUNCED_BYTES);
        assertThat(admission.grow(growing, 5 * MIB)).isEmpty();
        assertThat(admission.bytes()).isEqualTo((1 + 1 + 4 * 6) * MIB);
        assertThat(admission.grow(growing, 6 * MIB))
                .contains(
                        "overload: 1048576 bytes of requests already enqueued and 32505856 more,"
                                + " at most 31457280");

        admission.release(other);
        assertThat(admission.grow(growing, 7 * MIB)).as("alone").isEmpty();
        admission.release(growing);
        assertThat(admission.bytes()).isZero();
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

        admission.letGo(10 * MIB);
        admission.letGo(MIB);
        admission.letGo(5 * MIB);
        assertThat(admission.hold(100 * MIB)).as("alone").isEmpty();
    }

    private Admission.Entry.Admitted admitted(long length) {
        Admission.Entry entry = admission.admit(length, 0);
        assertThat(entry).isInstanceOf(Admission.Entry.Admitted.class);
        return (Admission.Entry.Admitted) entry;
    }
}
