package org.crabro.container.processing;

import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.FieldType;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.TensorType;

/**
 * Runs the indexing scripts of a schema over documents as they are fed.
 *
 * <p>Scripts read the document fed and write the one that is stored. Fields that no script writes
 * are stored as they came; a script whose value becomes nothing writes nothing. Safe for use by
 * many threads; blocks while a model embeds.
 */
public final class IndexingProcessor {
    private final Schema schema;
    private final Map<String, Embedder> embedders;

    /**
     * @param embedders by the id of their component
     * @throws IllegalArgumentException if a script embeds with what is not there, or into a field
     *     that the embedder cannot fill; the message names the field
     */
    public IndexingProcessor(Schema schema, Map<String, Embedder> embedders) {
        this.schema = schema;
        this.embedders = Map.copyOf(embedders);
        for (SchemaField field : schema.fields().values()) {
            for (Statement statement : field.script().statements()) {
                check(field, statement, targetOf(statement, field));
            }
        }
    }

    /**
     * Returns the document to store, its fields in the order of the schema.
     *
     * @param fed of this schema's type
     * @throws org.crabro.document.InvalidDocumentException if a script cannot work with a value
     */
    public Document process(Document fed) {
        var run = new IndexingRun(schema, fed, embedders);
        for (SchemaField field : schema.fields().values()) {
            IndexingScript script = field.script();
            for (Statement statement : script.statements()) {
                run.execute(field, statement, targetOf(statement, field));
            }
        }
        return run.result();
    }

    /**
     * Returns the type that an embedding in {@code statement} has to have, where it is a tensor.
     */
    private Optional<TensorType> targetOf(Statement statement, SchemaField owner) {
        FieldType type = owner.field().type();
        for (Step step : statement.steps()) {
            if (step instanceof Step.Output(_, String name)) {
                type = schema.field(name).map(field -> field.field().type()).orElse(type);
                break;
            }
        }
        return type instanceof FieldType.TensorOf(TensorType tensor)
                ? Optional.of(tensor)
                : Optional.empty();
    }

    private void check(SchemaField field, Statement statement, Optional<TensorType> target) {
        for (Step step : statement.steps()) {
            switch (step) {
                case Step.Embed(String id) -> check(field, id, target);
                case Step.Concatenation(var parts) ->
                        parts.forEach(part -> check(field, part, target));
                case Step.FirstOf(var alternatives) ->
                        alternatives.forEach(alternative -> check(field, alternative, target));
                case Step.Input _, Step.Literal _, Step.Output _ -> {}
            }
        }
    }

    private void check(SchemaField field, String id, Optional<TensorType> target) {
        String place = "schema '" + schema.name() + "', field '" + field.field().name() + "': ";
        Embedder embedder = embedders.get(id);
        if (embedder == null) {
            throw new IllegalArgumentException(
                    place + "there is no embedder '" + id + "', only " + embedders.keySet());
        }
        if (target.isEmpty()) {
            throw new IllegalArgumentException(
                    place
                            + "an embedding needs a field of a tensor type, not "
                            + field.field().type().text());
        }
        try {
            embedder.check(target.get());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + e.getMessage(), e);
        }
    }
}
