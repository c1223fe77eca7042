package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.crabro.client.imports.GuessedField;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.imports.GuessedType;
import org.junit.jupiter.api.Test;

class SuggestedQueryTest {
    @Test
    void suggestsWordsTimesAndGroups() {
        var schema =
                new GuessedSchema(
                        "mail",
                        List.of(
                                new GuessedField("text", "text", new GuessedType.Text()),
                                new GuessedField("date", "date", new GuessedType.Time()),
                                new GuessedField("folder", "folder", new GuessedType.Keyword())),
                        org.crabro.client.imports.DocumentNames.numbers(1),
                        10,
                        new GuessedSchema.Hints(Optional.of("water"), List.of()));

        assertThat(SuggestedQuery.of(schema))
                .extracting(query -> query.command("it's me"))
                .containsExactly(
                        "crabro query 'select * from mail where userInput(\"water\")'"
                                + " --group 'it'\\''s me'",
                        "crabro query 'select * from mail where true order by date desc limit 3'"
                                + " --group 'it'\\''s me'",
                        "crabro query 'select * from mail where true limit 0 | all(group(folder)"
                                + " each(output(count())))' --group 'it'\\''s me'");
    }

    @Test
    void suggestsQueriesForAnySchema() {
        var schema =
                new GuessedSchema(
                        "mail",
                        List.of(new GuessedField("o", "o", new GuessedType.Json())),
                        org.crabro.client.imports.DocumentNames.numbers(1),
                        1,
                        new GuessedSchema.Hints(Optional.empty(), List.of()));

        assertThat(SuggestedQuery.of(schema)).hasSizeGreaterThanOrEqualTo(2);
    }
}
