package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EmbeddingTest {
    private static GuessedSchema schema(String... texts) {
        return new GuessedSchema(
                "note",
                List.of(texts).stream()
                        .map(name -> new GuessedField(name, name, new GuessedType.Text()))
                        .toList(),
                DocumentNames.numbers(1),
                1,
                new GuessedSchema.Hints(Optional.empty(), List.of()));
    }

    @Test
    void embedsTheTitleAndTheMainTextsInThisOrder() {
        assertThat(Embedding.of(schema("path", "text", "Title", "folder"), "model_1", 8))
                .contains(new Embedding("part_vectors", List.of("Title", "text"), "model_1", 8));
        assertThat(Embedding.of(schema("street", "town"), "model_1", 8))
                .contains(new Embedding("part_vectors", List.of("street", "town"), "model_1", 8));
        assertThat(Embedding.of(schema(), "model_1", 8)).isEmpty();
    }

    @Test
    void choosesANameThatNoColumnHas() {
        Embedding embedding =
                Embedding.of(schema("part_vectors", "part_vectors_2"), "model_1", 8).orElseThrow();

        assertThat(embedding.name()).isEqualTo("part_vectors_3");
    }

    @Test
    void readsWhatItHasWritten() {
        GuessedSchema schema = schema("title", "text");
        Optional<Embedding> embedding = Embedding.of(schema, "model_0a", 384);

        String text = schema.text(embedding);

        assertThat(Embedding.in(text)).isEqualTo(embedding);
        assertThat(text)
                .contains("(input title || \"\") . \". \" . (input text || \"\") | chunk")
                .contains("expression: bm25(title) + bm25(text)");
        assertThat(Embedding.in(schema.text())).isEmpty();
        assertThat(schema.hasTexts(embedding.orElseThrow())).isTrue();
        assertThat(schema("title").hasTexts(embedding.orElseThrow())).isFalse();
    }

    @Test
    void findsTheTypeAndTheFieldInTheQueryProfile() {
        Embedding embedding = Embedding.of(schema("text"), "model_1", 8).orElseThrow();

        assertThat(embedding.queryProfile("meaning_note", "note"))
                .contains("select * from note where")
                .contains("nearestNeighbor(part_vectors, q)")
                .contains("embed(model_1, @query)");
    }
}
