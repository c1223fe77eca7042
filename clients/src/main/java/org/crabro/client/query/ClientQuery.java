package org.crabro.client.query;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A query: its YQL and its request parameters. Immutable.
 *
 * <p>A text with references to values, or a condition that binds them itself:
 *
 * {@snippet :
 * ClientQuery.of("select * from note where folder contains @folder").withValue("folder", folder);
 * ClientQuery.from("note").where(QueryFilter.field("folder").contains(folder)).withGroup("anna");
 * }
 */
public final class ClientQuery {
    private static final Pattern YQL =
            Pattern.compile("(?s)\\s*select(\\s.*)?", Pattern.CASE_INSENSITIVE);

    /** The parameter that adds similar words. */
    static final String TYPOS = "model.typos";

    private static final String DATES = "presentation.dates";

    private final Map<String, Object> parameters;

    private ClientQuery(Map<String, Object> parameters) {
        this.parameters = Collections.unmodifiableMap(parameters);
    }

    /**
     * Returns a query.
     *
     * @param yql a constant text; values of users are {@code @references} in it, see {@link
     *     #withValue}
     */
    public static ClientQuery of(String yql) {
        return new ClientQuery(Map.of("yql", yql));
    }

    /** Returns whether a text is YQL: its first word is {@code select}. */
    public static boolean isYql(String text) {
        return YQL.matcher(text).matches();
    }

    /**
     * Returns a query for documents with all words of a text in their default fields, the best ones
     * first. The last word can be the beginning of a word, and rare words find similar ones.
     *
     * @param words as a person writes them, with the signs of search boxes: {@code "a phrase"
     *     -without field:word}
     */
    public static ClientQuery ofWords(String words) {
        return new ClientQuery(
                Map.of("query", words, "type", "all", TYPOS, true, "model.beginning", true));
    }

    /**
     * Begins a query over a document type.
     *
     * @throws IllegalArgumentException if the name is not that of a type
     */
    public static Builder from(String documentType) {
        return new Builder(QueryFilter.checked(documentType), "*");
    }

    /** A query whose condition is missing. */
    public static final class Builder {
        private final String documentType;
        private final String fields;

        private Builder(String documentType, String fields) {
            this.documentType = documentType;
            this.fields = fields;
        }

        /**
         * Returns the fields of the hits instead of all.
         *
         * @throws IllegalArgumentException if a name is not that of a field
         */
        public Builder select(String... names) {
            return new Builder(
                    documentType,
                    String.join(", ", List.of(names).stream().map(QueryFilter::checked).toList()));
        }

        /** Returns the query with a condition. */
        public ClientQuery where(QueryFilter condition) {
            Map<String, Object> parameters = new LinkedHashMap<>();
            String yql = condition.yql(new QueryFilter.ParameterNames(parameters));
            parameters.put("yql", "select " + fields + " from " + documentType + " where " + yql);
            return new ClientQuery(parameters);
        }
    }

    /** Searches one group: the documents with this {@code g=} in their ids. */
    public ClientQuery withGroup(String name) {
        return withParameter("streaming.groupname", name);
    }

    /** Searches the documents with this {@code n=} in their ids. */
    public ClientQuery withNumber(long number) {
        return withParameter("streaming.userid", Long.toUnsignedString(number));
    }

    /** Gives {@code @name} in the YQL a value: a text, a number or a truth value. */
    public ClientQuery withValue(String name, Object value) {
        return withParameter(name, value);
    }

    /** Sets the words of {@code userQuery()}. */
    public ClientQuery withWords(String words) {
        return withParameter("query", words);
    }

    /** Sets how many hits are returned, and how many are skipped. */
    public ClientQuery withHits(int count, int offset) {
        return withParameter("hits", count).withParameter("offset", offset);
    }

    /** Sets the rank profile. */
    public ClientQuery withRanking(String profile) {
        return withParameter("ranking", profile);
    }

    /**
     * Sets an input of the rank profile.
     *
     * @param value a number, a list of numbers, or a literal such as {@code embed(@text)}
     */
    public ClientQuery withInput(String name, Object value) {
        return withParameter("input.query(" + name + ")", value);
    }

    /** Sets the time limit on the server. */
    public ClientQuery withTimeout(Duration timeout) {
        return withParameter("timeout", timeout.toMillis() + "ms");
    }

    /**
     * Sets any request parameter. The pages of the server list them.
     *
     * @throws IllegalArgumentException if it is the YQL, which is never changed
     */
    public ClientQuery withParameter(String name, Object value) {
        if (name.equals("yql")) {
            throw new IllegalArgumentException("make a new query for another YQL");
        }
        Map<String, Object> changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return new ClientQuery(changed);
    }

    /** Shows times in results as texts, unless the query says how they are shown. */
    public ClientQuery withDates() {
        return parameters.containsKey(DATES) ? this : withParameter(DATES, "iso");
    }

    /** Returns the same query without a parameter. */
    ClientQuery without(String name) {
        Map<String, Object> changed = new LinkedHashMap<>(parameters);
        changed.remove(name);
        return new ClientQuery(changed);
    }

    /** Returns all request parameters by name, with the YQL. */
    public Map<String, Object> parameters() {
        return parameters;
    }

    @Override
    public String toString() {
        return parameters.toString();
    }
}
