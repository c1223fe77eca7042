package org.crabro.content.replication.log;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether a history of one register is linearizable: whether its operations can be put in
 * an order in which each has its result, and no operation comes before one that had returned when
 * it was invoked. This is the search of Wing and Gong, which remembers the configurations that it
 * has visited (Lowe). Tests and measurements of clusters use it.
 */
public final class Linearizability {
    /** The time of the return of an operation whose outcome is unknown. */
    public static final long NEVER = Long.MAX_VALUE;

    private final List<Operation> operations;
    private final Set<Configuration> visited = new HashSet<>();

    private Linearizability(List<Operation> operations) {
        this.operations = operations;
    }

    /**
     * An operation.
     *
     * @param text for messages
     * @param invoked the time of the call
     * @param returned the time of the return; {@link #NEVER} if the outcome is unknown: then it may
     *     have happened at any time since, or not at all
     * @param effect the value after it; empty if its result contradicts the value before it
     */
    public record Operation(
            String text, long invoked, long returned, Function<String, Optional<String>> effect) {
        boolean isKnown() {
            return returned != NEVER;
        }
    }

    private record Configuration(BitSet done, String value) {}

    /**
     * Returns whether the operations on a register with a first value are linearizable. It tries
     * them in their order, so a likely order is found fast. Needs a level of the stack for each.
     */
    public static boolean holds(List<Operation> operations, String first) {
        return new Linearizability(List.copyOf(operations)).search(new BitSet(), first);
    }

    private boolean search(BitSet done, String value) {
        long earliest = NEVER;
        boolean isComplete = true;
        for (int i = 0; i < operations.size(); i++) {
            Operation each = operations.get(i);
            if (!done.get(i) && each.isKnown()) {
                isComplete = false;
                earliest = Math.min(earliest, each.returned);
            }
        }
        if (isComplete) {
            return true;
        }
        if (!visited.add(new Configuration(done, value))) {
            return false;
        }
        for (int i = 0; i < operations.size(); i++) {
            Operation each = operations.get(i);
            if (done.get(i) || each.invoked > earliest) {
                continue;
            }
            Optional<String> after = each.effect.apply(value);
            if (after.isPresent()) {
                BitSet more = (BitSet) done.clone();
                more.set(i);
                if (search(more, after.get())) {
                    return true;
                }
            }
        }
        return false;
    }
}
