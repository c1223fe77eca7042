package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.crabro.content.replication.log.Linearizability.Operation;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    @Test
    void concurrentOperationsHaveAnyOrder() {
        assertThat(holds(write("a", 0, 10), read("", 1, 2), read("a", 3, 4))).isTrue();
        assertThat(holds(write("a", 0, 10), write("b", 0, 10), read("a", 11, 12))).isTrue();
    }

    @Test
    void readsSeeWhatWasWrittenBefore() {
        assertThat(holds(write("a", 0, 1), read("", 2, 3))).isFalse();
        assertThat(holds(write("a", 0, 1), write("b", 2, 3), read("a", 4, 5))).isFalse();
    }

    @Test
    void valuesDoNotComeBack() {
        assertThat(holds(write("a", 0, 10), read("a", 1, 2), read("", 3, 4))).isFalse();
    }

    @Test
    void unknownOperationsHappenLateOrNever() {
        Operation unknown = write("a", 0, Linearizability.NEVER);

        assertThat(holds(unknown, read("", 1, 2), read("a", 3, 4))).isTrue();
        assertThat(holds(unknown, read("", 1, 2), read("", 3, 4))).isTrue();
        assertThat(holds(unknown, read("a", 1, 2), read("", 3, 4))).isFalse();
        assertThat(holds(read("a", 1, 2), write("a", 3, Linearizability.NEVER))).isFalse();
    }

    @Test
    void changesHappenOnce() {
        Operation change = change("a", "b", 2, 3);

        assertThat(holds(write("a", 0, 1), change, read("b", 4, 5))).isTrue();
        assertThat(holds(write("a", 0, 1), change, change("a", "c", 2, 3))).isFalse();
    }

    private static boolean holds(Operation... operations) {
        return Linearizability.holds(List.of(operations), "");
    }

    private static Operation write(String value, long invoked, long returned) {
        return new Operation("write " + value, invoked, returned, _ -> Optional.of(value));
    }

    private static Operation read(String value, long invoked, long returned) {
        return change(value, value, invoked, returned);
    }

    private static Operation change(String from, String to, long invoked, long returned) {
        return new Operation(
                from + " to " + to,
                invoked,
                returned,
                value -> value.equals(from) ? Optional.of(to) : Optional.empty());
    }
}
