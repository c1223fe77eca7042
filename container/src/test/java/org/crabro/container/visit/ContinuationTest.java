package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.DocumentId;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;
import org.junit.jupiter.api.Test;

class ContinuationTest {
    private static final VisitPlan PLAN = new VisitPlan(Partitions.DEFAULT, List.of(0, 8, 4));

    private final Continuation continuation =
            new Continuation(
                    PLAN,
                    new VisitSlice(2, 5),
                    3,
                    List.of(
                            new Continuation.Open(
                                    1,
                                    Optional.of(DocumentId.parse("id:ns:music:g=ångström:a/b:c"))),
                            new Continuation.Open(2, Optional.empty())));

    @Test
    void comesBackAsItWas() {
        assertThat(Continuation.parse(continuation.token(), PLAN, new VisitSlice(2, 5)))
                .isEqualTo(continuation);
    }

    @Test
    void isRefusedWhereItIsOfAnotherVisit() {
        String token = continuation.token();
        for (VisitPlan other :
                List.of(
                        new VisitPlan(Partitions.DEFAULT, List.of(0, 8)),
                        new VisitPlan(Partitions.DEFAULT, List.of(0, 8, 5)),
                        new VisitPlan(new Partitions(5), List.of(0, 8, 4)))) {
            assertThatThrownBy(() -> Continuation.parse(token, other, new VisitSlice(2, 5)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("other partitions");
        }
        assertThatThrownBy(() -> Continuation.parse(token, PLAN, VisitSlice.ALL))
                .hasMessageContaining("slice 2 of 5, but the request is for slice 0 of 1");
    }

    @Test
    void isRefusedWhereAnythingOfItWasChanged() {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        String token = continuation.token();
        for (int i = 0; i < 2_000; i++) {
            var changed = new StringBuilder(token);
            int at = random.nextInt(token.length() - 1);
            changed.setCharAt(at, (char) (' ' + random.nextInt(95)));
            if (random.nextInt(4) == 0) {
                changed.setLength(at);
            }
            if (!changed.toString().equals(token)) {
                assertThatThrownBy(() ->
                                Continuation.parse(changed.toString(), PLAN, new VisitSlice(2, 5)))
                        .as("-Dcrabro.seed=%d: %s", seed, changed)
                        .isInstanceOf(InvalidRequestException.class);
            }
        }
    }
}
