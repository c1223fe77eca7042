package org.crabro.client.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A condition of a query. Its values become request parameters, so that no value can change the
 * query.
 *
 * {@snippet :
 * QueryFilter.field("folder").contains("inbox").and(QueryFilter.field("time").isAtLeast(1748000000));
 * }
 */
public final class QueryFilter {
    /** Names of fields, and of parts of structs and maps. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_0-9]+)*");

    /** Names the values of a query: {@code v0}, {@code v1} and so on. */
    static final class ParameterNames {
        private final Map<String, Object> parameters;
        private int count;

        ParameterNames(Map<String, Object> parameters) {
            this.parameters = parameters;
        }

        /** Binds a value, and returns its reference in YQL. */
        String bind(Object value) {
            String name = "v" + count++;
            parameters.put(name, value);
            return "@" + name;
        }
    }

    /** Returns YQL, and binds the values in it. */
    private final Function<ParameterNames, String> text;

    private QueryFilter(Function<ParameterNames, String> text) {
        this.text = text;
    }

    /**
     * Begins a condition on a field.
     *
     * @throws IllegalArgumentException if the name is not that of a field
     */
    public static Field field(String name) {
        return new Field(checked(name));
    }

    static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is not the name of a field");
        }
        return name;
    }

    /** Returns a condition on the words that a user entered, with the syntax of search boxes. */
    public static QueryFilter userInput(String words) {
        return new QueryFilter(names -> "userInput(" + names.bind(words) + ")");
    }

    /** Returns a condition that holds for every document. */
    public static QueryFilter everything() {
        return new QueryFilter(_ -> "true");
    }

    /**
     * Returns a condition on the documents whose vectors are nearest.
     *
     * @param input the input of the rank profile that has the vector of the query, see {@link
     *     ClientQuery#withInput}
     * @param targetHits how many neighbors
     */
    public static QueryFilter nearest(String field, String input, int targetHits) {
        String yql =
                "({targetHits: %d}nearestNeighbor(%s, %s))"
                        .formatted(targetHits, checked(field), checked(input));
        return new QueryFilter(_ -> yql);
    }

    /** Returns a condition that holds if this and the other one hold. */
    public QueryFilter and(QueryFilter other) {
        return joined("and", other);
    }

    /** Returns a condition that holds if this or the other one holds. */
    public QueryFilter or(QueryFilter other) {
        return joined("or", other);
    }

    /** Returns a condition that holds if this one holds and the other one does not. */
    public QueryFilter andNot(QueryFilter other) {
        return joined("and !", other);
    }

    private QueryFilter joined(String operator, QueryFilter other) {
        return new QueryFilter(
                names -> "(" + yql(names) + " " + operator + "(" + other.yql(names) + "))");
    }

    String yql(ParameterNames names) {
        return text.apply(names);
    }

    /** Returns the YQL with references to values. */
    @Override
    public String toString() {
        return yql(new ParameterNames(new HashMap<>()));
    }

    /** A field whose condition is not complete. */
    public static final class Field {
        private final String name;

        private Field(String name) {
            this.name = name;
        }

        /** The field contains the word or the phrase. */
        public QueryFilter contains(String words) {
            return with("contains", words);
        }

        /** The number or the truth value is equal. */
        public QueryFilter isEqualTo(Object value) {
            return with("=", value);
        }

        /** The number is larger or equal. */
        public QueryFilter isAtLeast(Number value) {
            return with(">=", value);
        }

        /** The number is smaller or equal. */
        public QueryFilter isAtMost(Number value) {
            return with("<=", value);
        }

        /** The number is larger. */
        public QueryFilter isAbove(Number value) {
            return with(">", value);
        }

        /** The number is smaller. */
        public QueryFilter isBelow(Number value) {
            return with("<", value);
        }

        /**
         * The field has one of the values.
         *
         * @throws IllegalArgumentException if there is no value
         */
        public QueryFilter isIn(Collection<?> values) {
            if (values.isEmpty()) {
                throw new IllegalArgumentException("no value for " + name);
            }
            List<Object> copy = new ArrayList<>(values);
            return new QueryFilter(names ->
                    copy.stream()
                            .map(value ->
                                    name
                                            + (value instanceof String ? " contains " : " = ")
                                            + names.bind(value))
                            .collect(Collectors.joining(" or ", "(", ")")));
        }

        private QueryFilter with(String operator, Object value) {
            return new QueryFilter(names -> name + " " + operator + " " + names.bind(value));
        }
    }
}
