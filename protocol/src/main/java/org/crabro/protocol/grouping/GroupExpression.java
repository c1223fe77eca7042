package org.crabro.protocol.grouping;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An expression over the fields of a document, or over all documents of a group. */
public sealed interface GroupExpression {
    /** Returns the canonical form: functions instead of operators, names in lower case. */
    String text();

    /** A value that does not depend on documents. */
    sealed interface Constant extends GroupExpression {}

    /** A whole number. */
    record Whole(long value) implements Constant {
        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    /** A floating-point number. */
    record Real(double value) implements Constant {
        @Override
        public String text() {
            return Double.toString(value);
        }
    }

    /** A string. */
    record Text(String value) implements Constant {
        @Override
        public String text() {
            return quoted(value);
        }
    }

    /**
     * A field, or a part of one.
     *
     * @param name with dots between the names of parts
     * @param key the entry of a map
     * @param path the part of that entry's value, with dots; empty for the whole value
     */
    record FieldOf(String name, Optional<EntryKey> key, String path) implements GroupExpression {
        /**
         * Returns the names from the field to the part, with dots; values of maps are {@code
         * value}.
         */
        public String partPath() {
            return key.isEmpty() ? name : name + ".value" + (path.isEmpty() ? "" : "." + path);
        }

        /** Returns a field without a key. */
        public static FieldOf of(String name) {
            return new FieldOf(name, Optional.empty(), "");
        }

        @Override
        public String text() {
            return key.map(each ->
                            name + "{" + each.text() + "}" + (path.isEmpty() ? "" : "." + path))
                    .orElse(name);
        }
    }

    /** The key of an entry of a map. */
    sealed interface EntryKey {
        /** Returns the key as in a request. */
        String text();

        /** A constant key. */
        record Literal(String key) implements EntryKey {
            @Override
            public String text() {
                return quoted(key);
            }
        }

        /** A key that is the value of another field. */
        record OfField(String field) implements EntryKey {
            @Override
            public String text() {
                return "attribute(" + field + ")";
            }
        }
    }

    /** A function of the values of a document. */
    record Call(GroupFunction function, List<GroupExpression> arguments)
            implements GroupExpression {
        public Call {
            arguments = List.copyOf(arguments);
            if (!function.accepts(arguments.size())) {
                throw new IllegalArgumentException(
                        function + " takes " + function.arguments() + ", not " + arguments);
            }
        }

        /** Returns a call with arguments. */
        public static Call of(GroupFunction function, GroupExpression... arguments) {
            return new Call(function, List.of(arguments));
        }

        @Override
        public String text() {
            return function.text() + "(" + joined(arguments) + ")" + function.unit();
        }
    }

    /** The bucket that contains a value. */
    record Predefined(GroupExpression value, List<GroupBucket> buckets) implements GroupExpression {
        public Predefined {
            buckets = List.copyOf(buckets);
        }

        @Override
        public String text() {
            return buckets.stream()
                    .map(GroupBucket::text)
                    .collect(Collectors.joining(", ", "predefined(" + value.text() + ", ", ")"));
        }
    }

    /**
     * An aggregate of the values of a group's documents.
     *
     * @param argument empty for counts
     */
    record Aggregate(Aggregator aggregator, Optional<GroupExpression> argument)
            implements GroupExpression {
        /** The number of documents, counted as often as the group contains them. */
        public static final Aggregate COUNT = new Aggregate(Aggregator.COUNT, Optional.empty());

        /** Returns an aggregate of an argument. */
        public static Aggregate of(Aggregator aggregator, GroupExpression argument) {
            return new Aggregate(aggregator, Optional.of(argument));
        }

        @Override
        public String text() {
            return aggregator.text() + argument.map(each -> "(" + each.text() + ")").orElse("()");
        }
    }

    /**
     * Quantiles of the values of a group's documents.
     *
     * @param levels each from 0 to 1
     */
    record Quantiles(List<Double> levels, GroupExpression argument) implements GroupExpression {
        public Quantiles {
            levels = List.copyOf(levels);
        }

        @Override
        public String text() {
            return levels.stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(",", "quantiles([", "]," + argument.text() + ")"));
        }
    }

    /**
     * The hits of a group with the fields of a document summary; empty for the summary of the
     * request.
     */
    record Summary(String name) implements GroupExpression {
        @Override
        public String text() {
            return "summary(" + name + ")";
        }
    }

    private static String joined(List<GroupExpression> arguments) {
        return arguments.stream().map(GroupExpression::text).collect(Collectors.joining(", "));
    }

    /** Returns a string in quotes, with escapes. */
    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\f' -> quoted.append("\\f");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
