package org.crabro.content.storage.store;

/**
 * A step of a history. Its details follow from its own seed, so that it does the same if other
 * steps are left out.
 */
record HistoryStep(Kind kind, long seed) {
    /** The kind of a step, and its relative frequency. */
    enum Kind {
        PUT(40),
        REMOVE(10),
        REMOVE_GROUP(4),
        GET(10),
        SCAN(6),
        SCAN_GROUP(8),
        HOLD_VIEW(3),
        LOOK_AGAIN(4),
        CLOSE_VIEW(3),
        FLUSH(2),
        FLUSH_ONE(6),
        COMPACT(6),
        BACK_UP(2),
        CHANGE_SCHEMA(2),
        RESTART(2),
        CRASH(2),
        STOP_SOON(3),
        FAIL_SOON(2),
        FILL_DISK(1),
        MAKE_ROOM(2);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    static HistoryStep random(java.util.Random random) {
        int total = 0;
        for (Kind kind : Kind.values()) {
            total += kind.weight;
        }
        int at = random.nextInt(total);
        for (Kind kind : Kind.values()) {
            at -= kind.weight;
            if (at < 0) {
                return new HistoryStep(kind, random.nextLong());
            }
        }
        throw new AssertionError("weights add up to " + total);
    }
}
