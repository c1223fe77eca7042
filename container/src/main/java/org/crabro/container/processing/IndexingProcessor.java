package org.crabro.container.processing;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.ranking.onnx.Embedder;

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
    private final Surroundings surroundings;

    /** Those that say the document's language come first: others may ask for it. */
    private final List<SchemaField> fields;

    /**
     * @param embedders by the id of their component
     * @throws IllegalArgumentException if a script embeds with what is not there, or into a field
     *     that the embedder cannot fill; the message names the field
     */
    public IndexingProcessor(
            Schema schema, Map<String, Embedder> embedders, Surroundings surroundings) {
        this.schema = schema;
        this.embedders = Map.copyOf(embedders);
        this.surroundings = surroundings;
        this.fields =
                schema.fields().values().stream()
                        .filter(field -> !field.script().statements().isEmpty())
                        .sorted(Comparator.comparing(field -> !setsLanguage(field)))
                        .toList();
        for (SchemaField field : fields) {
            steps(field.script().statements())
                    .filter(Step.Embed.class::isInstance)
                    .forEach(embed -> check(field, (Step.Embed) embed));
        }
    }

    /**
     * Returns the document to store, its fields in the order of the schema.
     *
     * @param fed of this schema's type
     * @throws org.crabro.document.InvalidDocumentException if a script cannot work with a value
     */
    public Document process(Document fed) {
        var run = new IndexingRun(schema, fed, embedders, surroundings);
        fields.forEach(run::execute);
        return run.result();
    }

    private static boolean setsLanguage(SchemaField field) {
        return steps(field.script().statements()).anyMatch(Step.SetLanguage.class::isInstance);
    }

    /** Returns the steps of {@code statements} and of all statements in them. */
    private static Stream<Step> steps(Collection<Statement> statements) {
        return statements.stream()
                .flatMap(statement -> statement.steps().stream())
                .flatMap(step -> Stream.concat(Stream.of(step), steps(inside(step))));
    }

    private static Collection<Statement> inside(Step step) {
        return switch (step) {
            case Step.Concatenation(var parts) -> parts;
            case Step.FirstOf(var alternatives) -> alternatives;
            case Step.Arithmetic(_, var left, var right, _) -> List.of(left, right);
            case Step.Block(var statements, _) -> statements;
            case Step.If(var left, _, var right, var then, var otherwise) ->
                    Stream.of(
                                    List.of(left, right),
                                    then.statements(),
                                    otherwise.map(Step.Block::statements).orElse(List.of()))
                            .flatMap(List::stream)
                            .toList();
            case Step.Switch(var cases, Optional<Statement> otherwise) ->
                    Stream.concat(cases.values().stream(), otherwise.stream()).toList();
            case Step.SelectInput(var cases) -> cases.values();
            case Step.ForEach(var body) -> List.of(body);
            case Step.Input _,
                    Step.Literal _,
                    Step.Embed _,
                    Step.Output _,
                    Step.Store _,
                    Step.Apply _,
                    Step.Convert _,
                    Step.Substring _,
                    Step.Split _,
                    Step.Join _,
                    Step.Chunk _,
                    Step.Member _,
                    Step.MapValue _,
                    Step.SetVariable _,
                    Step.GetVariable _,
                    Step.ClearState _,
                    Step.SetLanguage _,
                    Step.GetLanguage _,
                    Step.Now _,
                    Step.Random _,
                    Step.Hostname _,
                    Step.Id _,
                    Step.Binarize _ ->
                    List.of();
        };
    }

    private void check(SchemaField field, Step.Embed embed) {
        String place = "schema '" + schema.name() + "', field '" + field.field().name() + "': ";
        Embedder embedder = embedders.get(embed.embedder());
        if (embedder == null) {
            throw new IllegalArgumentException(
                    place
                            + "there is no embedder '"
                            + embed.embedder()
                            + "', only "
                            + embedders.keySet());
        }
        try {
            embedder.check(embed.type().subspaceType());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + e.getMessage(), e);
        }
    }
}
