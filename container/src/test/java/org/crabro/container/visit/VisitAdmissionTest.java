package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.crabro.container.document.InvalidRequestException;
import org.junit.jupiter.api.Test;

class VisitAdmissionTest {
    private final VisitAdmission admission =
            new VisitAdmission(new VisitSettings(8, 4, 1_000, 1_000_000));

    @Test
    void oneClientCannotTakeAll() {
        VisitAdmission.Share first = admission.admit("a", 3);
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> admission.admit("a", 2))
                .withMessage(
                        "overload: visits of this client read 3 partitions at once and this one"
                                + " would read 2 more, at most 4");
        VisitAdmission.Share second = admission.admit("a", 1);
        VisitAdmission.Share other = admission.admit("b", 4);
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> admission.admit("c", 1))
                .withMessage(
                        "overload: visits under way read 8 partitions at once and this one would"
                                + " read 1 more, at most 8");

        first.close();
        VisitAdmission.Share again = admission.admit("a", 3);
        second.close();
        other.close();
        again.close();

        assertThat(admission.ranges()).isZero();
    }

    @Test
    void isMeasured() {
        var registry = new SimpleMeterRegistry();
        admission.measure(registry);
        try (VisitAdmission.Share _ = admission.admit("a", 4)) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> admission.admit("a", 1));

            assertThat(registry.get("visits.partitions").gauge().value()).isEqualTo(4);
        }

        assertThat(registry.get("visits.partitions").gauge().value()).isZero();
        assertThat(registry.get("visits.refused").functionCounter().count()).isEqualTo(1);
    }
}
