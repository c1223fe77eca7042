package org.crabro.container.llm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.component.Hit;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;

class ContextPromptTest {
    private static final List<Hit> HITS = List.of(hit("one", 1), hit("two {context} @query", 2));

    @Test
    void fillsInQueryAndHits() {
        assertThat(new ContextPrompt(List.of()).of("Of {context}: @query, @query", "why", HITS))
                .isEqualTo(
                        """
                        Of document [1]:
                        title: one
                        year: 1

                        document [2]:
                        title: two {context} @query
                        year: 2

                        : why, why\
                        """);
    }

    @Test
    void putsTheHitsFirstIfThePromptHasNoPlaceForThem() {
        assertThat(new ContextPrompt(List.of("year")).of("Now: @query", "@query", HITS))
                .isEqualTo("document [1]:\nyear: 1\n\ndocument [2]:\nyear: 2\n\n\nNow: @query");
        assertThat(new ContextPrompt(List.of()).of("p", "", List.of())).isEqualTo("\np");
    }

    private static Hit hit(String title, int year) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        fields.put("title", new FieldValue.StringValue(title));
        fields.put("year", new FieldValue.IntValue(year));
        return Hit.of("id", 1, "s", fields);
    }
}
