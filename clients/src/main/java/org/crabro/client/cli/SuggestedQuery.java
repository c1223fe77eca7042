package org.crabro.client.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.client.imports.GuessedField;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.imports.GuessedType;

/**
 * A query that shows something of imported documents.
 *
 * @param yql without values of users
 */
record SuggestedQuery(String yql) {
    /** Returns three queries: words, a number or a time, and groups or all documents. */
    static List<SuggestedQuery> of(GuessedSchema schema) {
        List<SuggestedQuery> queries = new ArrayList<>();
        String from = "select * from " + schema.typeName() + " where ";
        schema.commonWord()
                .ifPresent(word ->
                        queries.add(new SuggestedQuery(from + "userInput(\"" + word + "\")")));
        first(schema, GuessedType.Time.class)
                .or(() -> first(schema, GuessedType.Whole.class))
                .or(() -> first(schema, GuessedType.Decimal.class))
                .or(() -> first(schema, GuessedType.Single.class))
                .or(() -> first(schema, GuessedType.Separated.class))
                .ifPresent(field ->
                        queries.add(
                                new SuggestedQuery(
                                        from + "true order by " + field + " desc limit 3")));
        first(schema, GuessedType.Keyword.class)
                .or(() -> first(schema, GuessedType.Truth.class))
                .ifPresent(field ->
                        queries.add(
                                new SuggestedQuery(
                                        from
                                                + "true limit 0 | all(group("
                                                + field
                                                + ") each(output(count())))")));
        if (queries.size() < 3) {
            queries.add(new SuggestedQuery(from + "true limit 5"));
        }
        if (queries.size() < 3) {
            queries.add(
                    new SuggestedQuery(
                            "select documentid from " + schema.typeName() + " where true"));
        }
        return queries;
    }

    private static Optional<String> first(GuessedSchema schema, Class<? extends GuessedType> type) {
        return schema.fields().stream()
                .filter(field -> type.isInstance(field.type()))
                .map(GuessedField::name)
                .findFirst();
    }

    /** Returns the command that runs it. */
    String command(String group) {
        return "crabro query '" + yql + "' --group " + ImportArguments.quoted(group);
    }
}
