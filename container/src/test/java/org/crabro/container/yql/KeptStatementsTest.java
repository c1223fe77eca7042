package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.crabro.protocol.query.QueryNode;
import org.junit.jupiter.api.Test;

class KeptStatementsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final List<String> STATEMENTS =
            List.of(
                    "select * from sources * where true",
                    "select title from music where title contains \"blue\" and year > 7",
                    "select * from music where title contains @q or userQuery()",
                    "select * from music where userQuery()",
                    "select * from music where userInput(\"some words\")",
                    "select * from music where userInput(@q)",
                    "select * from music where true limit @n",
                    "select * from music where {stem:false}(title contains \"blue\") limit 7",
                    "select * from music where year in (1, 2, 3)",
                    "select * from music where year in (@n)",
                    "select * from music where true | all(group(year) each(output(count())))",
                    "select * from music where true | all(group(year) max(@n) each(output(count())))",
                    "select * from music where title contains phrase(\"a\", \"b\") order by year",
                    "select * from music where title contains",
                    "select * from music where title contains \"x".repeat(3));

    /** A request, which remembers what it was asked. */
    private static final class Request implements QueryContext {
        private final RequestDouble values;
        private final String language;
        private final boolean stems;
        private final String grammar;
        private final List<Integer> counted = new ArrayList<>();
        private int fields;

        Request(Map<String, String> values, String language, boolean stems, String grammar) {
            this.values = new RequestDouble(values);
            this.language = language;
            this.stems = stems;
            this.grammar = grammar;
        }

        @Override
        public Optional<String> parameter(String name) {
            return values.parameter(name);
        }

        @Override
        public FieldKind fieldKind(String name) {
            return values.fieldKind(name);
        }

        @Override
        public Optional<String> unlisted(String name) {
            fields++;
            return values.unlisted(name);
        }

        @Override
        public void count(int chars) {
            counted.add(chars);
        }

        @Override
        public String language() {
            return language;
        }

        @Override
        public boolean stems() {
            return stems;
        }

        @Override
        public String grammar() {
            return grammar;
        }

        @Override
        public Optional<QueryNode> userQuery() {
            return values.userQuery();
        }
    }

    private final KeptStatements statements = new KeptStatements();

    @Test
    void saysOfEachRequestWhatTheParserDoes() {
        var random = new Random(SEED);
        List<Map<String, String>> parameters =
                List.of(
                        Map.of("q", "blue whale", "n", "7", "query", "summer"),
                        Map.of("q", "red", "n", "9", "query", "winter"),
                        Map.of());
        for (int i = 0; i < 3_000; i++) {
            String text = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
            Map<String, String> values = parameters.get(random.nextInt(parameters.size()));
            String language = random.nextInt(3) == 0 ? "de" : "";
            boolean stems = random.nextInt(3) > 0;
            String grammar = random.nextBoolean() ? "weakAnd" : "all";
            var kept = new Request(values, language, stems, grammar);
            var parsed = new Request(values, language, stems, grammar);

            String found = said(() -> statements.parse(text, kept));

            assertThat(found)
                    .as("%s, seed %d, step %d", text, SEED, i)
                    .isEqualTo(said(() -> YqlParser.parse(text, parsed)));
            assertThat(kept.counted).as(text).hasSameSizeAs(parsed.counted);
        }
    }

    private static String said(Supplier<YqlQuery> parsing) {
        try {
            return parsing.get().toString();
        } catch (YqlSyntaxException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void readsAStatementOnceThatNothingOfTheRequestDecides() {
        assertThat(fieldsAsked("select * from music where year in (1, 2)")).isZero();
        assertThat(fieldsAsked("select * from music where year in (@n)")).isPositive();
        assertThat(
                        fieldsAsked(
                                "select * from music where year in (1)"
                                        + " ".repeat(KeptStatements.MAX_CHARS)))
                .isPositive();
    }

    /** Returns how many fields the second of two requests is asked about. */
    private int fieldsAsked(String text) {
        Request second = new Request(Map.of("n", "7"), "", true, "weakAnd");
        statements.parse(text, new Request(Map.of("n", "8"), "", true, "weakAnd"));
        statements.parse(text, second);
        return second.fields;
    }

    @Test
    void keepsTheLaterOfTwoAtOnePlace() {
        for (int i = 0; i < 3 * KeptStatements.PLACES; i++) {
            fieldsAsked("select * from music where year in (" + i + ")");
        }
        String last = "select * from music where year in (7)";

        assertThat(fieldsAsked(last)).isZero();
    }

    @Test
    void letsARequestStopAKeptStatement() {
        String text = "select * from music where title contains \"blue\"";
        statements.parse(text, RequestDouble.EMPTY);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> statements.parse(text, new Refusing()));
    }

    /** A request with no room for any leaf. */
    private static final class Refusing implements QueryContext {
        @Override
        public Optional<String> parameter(String name) {
            return Optional.empty();
        }

        @Override
        public FieldKind fieldKind(String name) {
            return RequestDouble.kind(name);
        }

        @Override
        public void count(int chars) {
            throw new IllegalStateException("full");
        }

        @Override
        public Optional<QueryNode> userQuery() {
            return Optional.empty();
        }
    }
}
