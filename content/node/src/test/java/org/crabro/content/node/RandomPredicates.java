package org.crabro.content.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.AttributeNumber;
import org.crabro.protocol.query.QueryNode.AttributeValue;
import org.crabro.protocol.query.TermSettings;

/** Random predicates and random queries. A query makes some of the predicates true. */
final class RandomPredicates {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final List<String> VALUES = List.of("x", "y", "z", "1", "'two words'");
    private static final List<Long> LARGE =
            List.of(Long.MIN_VALUE, -(1L << 60), -513L, 512L, 1L << 60, Long.MAX_VALUE);

    private final Random random;

    RandomPredicates(Random random) {
        this.random = random;
    }

    /** Returns a predicate, or a text that is none. */
    String text() {
        return switch (random.nextInt(60)) {
            case 0 -> "a in [x] and not";
            case 1 -> "not (a in [x)";
            // Longer than an index accepts.
            case 2 -> "b in [x" + ", y".repeat(40_000) + "] or " + text(2);
            default -> text(random.nextInt(5));
        };
    }

    private String text(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 10)) {
            case 0, 1 -> values();
            case 2 -> range();
            case 3 -> random.nextInt(4) > 0 ? range() : String.valueOf(random.nextBoolean());
            case 4 -> "not (" + text(depth - 1) + ")";
            case 5, 6, 7 -> joined(" and ", depth - 1);
            default -> joined(" or ", depth - 1);
        };
    }

    private String joined(String by, int depth) {
        var parts = new ArrayList<String>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            parts.add("(" + text(depth) + ")");
        }
        return String.join(by, parts);
    }

    private String values() {
        var values = new ArrayList<String>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            values.add(VALUES.get(random.nextInt(VALUES.size())));
        }
        return name() + (random.nextInt(3) == 0 ? " not" : "") + " in " + values;
    }

    private String range() {
        String low = random.nextInt(4) == 0 ? "" : String.valueOf(number());
        String high = random.nextInt(4) == 0 ? "" : String.valueOf(number());
        return "%s%s in [%s..%s]"
                .formatted(name(), random.nextInt(3) == 0 ? " not" : "", low, high);
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private long number() {
        return random.nextInt(6) == 0
                ? LARGE.get(random.nextInt(LARGE.size()))
                : random.nextInt(-20, 100);
    }

    /** Returns a condition on a field of predicates. */
    QueryNode.Predicate query(String field) {
        var values = new ArrayList<AttributeValue>();
        for (int i = random.nextInt(5); i > 0; i--) {
            String value = VALUES.get(random.nextInt(VALUES.size())).replace("'", "");
            values.add(new AttributeValue(name(), value));
        }
        if (random.nextInt(50) == 0) {
            values.add(new AttributeValue(name(), "x".repeat(40_000)));
        }
        var numbers = new ArrayList<AttributeNumber>();
        for (int i = random.nextInt(4); i > 0; i--) {
            numbers.add(new AttributeNumber(name(), number()));
        }
        return new QueryNode.Predicate(field, values, numbers, TermSettings.DEFAULT);
    }
}
