package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.DocumentOperation.Update;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.onnx.Embedder;

/**
 * Runs the indexing scripts of a schema over documents and updates as they are fed.
 *
 * <p>Scripts read the fed document and write the stored one. Fields that no script writes are
 * stored as they came. A script without a result writes nothing. Safe for use by many threads;
 * blocks while a model embeds.
 *
 * <p>After an update, the scripts that read a changed field run again. They read the stored values,
 * so a field that its own script changes is read as changed. Scripts that read no field, such as
 * those that store the time, do not run.
 */
public final class IndexingProcessor {
    private final Schema schema;
    private final Map<String, Embedder> embedders;
    private final Surroundings surroundings;
    private final Optional<Deadline> deadline;

    /** Scripts that set the document's language come first: others may use it. */
    private final List<SchemaField> fields;

    private final ScriptDependencies dependencies;
    private final boolean embeds;

    /**
     * @param embedders by the id of their component
     * @throws IllegalArgumentException if a script names a missing embedder, or a field that the
     *     embedder cannot fill; the message names the field
     */
    public IndexingProcessor(
            Schema schema, Map<String, Embedder> embedders, Surroundings surroundings) {
        this.schema = schema;
        this.embedders = Map.copyOf(embedders);
        this.surroundings = surroundings;
        this.deadline = Optional.empty();
        this.fields =
                schema.fields().values().stream()
                        .filter(field -> !field.script().statements().isEmpty())
                        .sorted(Comparator.comparing(field -> !setsLanguage(field)))
                        .toList();
        this.dependencies = new ScriptDependencies(fields);
        this.embeds =
                fields.stream()
                        .flatMap(field -> steps(field.script().statements()))
                        .anyMatch(Step.Embed.class::isInstance);
        for (SchemaField field : fields) {
            steps(field.script().statements())
                    .filter(Step.Embed.class::isInstance)
                    .forEach(embed -> check(field, (Step.Embed) embed));
            steps(field.script().statements())
                    .filter(Step.Generate.class::isInstance)
                    .forEach(generate -> check(field, (Step.Generate) generate));
        }
    }

    private IndexingProcessor(IndexingProcessor same, Deadline deadline) {
        this.schema = same.schema;
        this.embedders = same.embedders;
        this.surroundings = same.surroundings;
        this.deadline = Optional.of(deadline);
        this.fields = same.fields;
        this.dependencies = same.dependencies;
        this.embeds = same.embeds;
    }

    /**
     * Returns a processor with the same scripts, whose embeddings are computed until a deadline.
     * Later they throw {@link org.crabro.ranking.onnx.EmbeddingRefusedException}.
     */
    public IndexingProcessor until(Deadline deadline) {
        return embeds ? new IndexingProcessor(this, deadline) : this;
    }

    /** Returns whether a script embeds texts, so that it waits for a model. */
    public boolean embeds() {
        return embeds;
    }

    /** Returns whether a script asks a component to generate values, which takes long. */
    public boolean generates() {
        return fields.stream()
                .flatMap(field -> steps(field.script().statements()))
                .anyMatch(Step.Generate.class::isInstance);
    }

    /** Returns the type of the documents. */
    public DocumentType documentType() {
        return schema.documentType();
    }

    /**
     * Returns the document to store, its fields in the order of the schema.
     *
     * @param fed of this schema's type
     * @throws InvalidDocumentException if a script cannot work with a value
     */
    public Document process(Document fed) {
        return run(fed, fields);
    }

    /**
     * Returns the document to store if a stored one is fed again. Scripts run on the part of it
     * that can be fed; their earlier results are left out.
     *
     * @param stored with all stored fields
     * @throws InvalidDocumentException if a script rejects a value
     */
    public Document processAgain(Document stored) {
        var fed = new LinkedHashMap<>(stored.fields());
        fed.keySet().removeIf(name -> !isFed(schema.documentType(), name));
        return process(new Document(stored.id(), fed));
    }

    /**
     * Returns an update with the results of the scripts for the fields that it changes, if these
     * follow from the update alone: it assigns or clears all fields that the scripts read.
     *
     * @return empty if the stored document must be read, as for {@link #process(Update, Document)}
     * @throws InvalidDocumentException if a script rejects a value
     */
    public Optional<Update> process(Update update) {
        ScriptDependencies.Affected affected = affected(update);
        if (affected.fields().isEmpty()) {
            return Optional.of(update);
        }
        Set<String> assignedFields = assigned(update);
        DocumentType type = schema.documentType();
        boolean isEnough =
                affected.inputs().stream()
                        .allMatch(input -> assignedFields.contains(input) || !isFed(type, input));
        if (!isEnough) {
            return Optional.empty();
        }
        List<FieldUpdate> ofAssigned =
                update.updates().stream()
                        .filter(each -> assignedFields.contains(each.field()))
                        .toList();
        Map<String, FieldValue> derived =
                derived(update.id(), affected, applied(ofAssigned, update.id(), Map.of()));
        var updates = new ArrayList<>(update.updates());
        for (String output : affected.outputs()) {
            FieldValue value = derived.get(output);
            updates.add(
                    FieldUpdate.of(
                            output,
                            value == null
                                    ? new FieldChange.Clear()
                                    : new FieldChange.Assign(value)));
        }
        return Optional.of(new Update(update.id(), updates));
    }

    /**
     * Returns the document to store after an update. Only the scripts run that read a changed
     * field; for other fields they read the stored values.
     *
     * @param before the stored document; without fields if there is none
     * @throws InvalidDocumentException if a script cannot process a value
     */
    public Document process(Update update, Document before) {
        Map<String, FieldValue> after = applied(update.updates(), update.id(), before.fields());
        ScriptDependencies.Affected affected = affected(update);
        var fed = new LinkedHashMap<>(after);
        fed.keySet().removeIf(name -> !isFed(schema.documentType(), name));
        Map<String, FieldValue> derived = derived(update.id(), affected, fed);
        for (String output : affected.outputs()) {
            FieldValue value = derived.get(output);
            if (value == null) {
                after.remove(output);
            } else {
                after.put(output, value);
            }
        }
        return new Document(update.id(), after);
    }

    private ScriptDependencies.Affected affected(Update update) {
        return dependencies.of(
                update.updates().stream().map(FieldUpdate::field).collect(Collectors.toSet()));
    }

    /** Returns the fields whose values after an update do not depend on their values before. */
    private static Set<String> assigned(Update update) {
        Set<String> changed = new HashSet<>();
        Set<String> assigned = new HashSet<>();
        for (FieldUpdate each : update.updates()) {
            boolean isWhole =
                    each.path().isEmpty()
                            && (each.change() instanceof FieldChange.Assign
                                    || each.change() instanceof FieldChange.Clear);
            if (changed.add(each.field()) && isWhole) {
                assigned.add(each.field());
            }
        }
        return assigned;
    }

    private static boolean isFed(DocumentType type, String field) {
        return type.field(field).filter(Field::inDocument).isPresent();
    }

    private Map<String, FieldValue> applied(
            List<FieldUpdate> updates, DocumentId id, Map<String, FieldValue> before) {
        try {
            return FieldUpdates.apply(updates, schema.documentType(), before);
        } catch (IllegalArgumentException e) {
            throw new InvalidDocumentException(id + ": " + e.getMessage(), e);
        }
    }

    private Map<String, FieldValue> derived(
            DocumentId id, ScriptDependencies.Affected affected, Map<String, FieldValue> fed) {
        return run(new Document(id, fed), affected.fields()).fields();
    }

    private Document run(Document fed, Collection<SchemaField> scripts) {
        var run = new IndexingRun(schema, fed, new Embeddings(embedders, deadline), surroundings);
        if (embeds) {
            run.embedTogether(scripts);
        }
        scripts.forEach(run::execute);
        return run.result();
    }

    /**
     * Returns whether documents are stored as they are fed: every script does no more than to store
     * its own field.
     */
    public boolean storesAsFed() {
        return fields.stream()
                .allMatch(field ->
                        field.script().statements().stream()
                                .flatMap(statement -> statement.steps().stream())
                                .allMatch(step -> isOwn(step, field.field().name())));
    }

    private static boolean isOwn(Step step, String field) {
        return (step instanceof Step.Input(String input) && input.equals(field))
                || (step instanceof Step.Output(_, String output) && output.equals(field))
                || (step instanceof Step.Store(String stored) && stored.equals(field));
    }

    private static boolean setsLanguage(SchemaField field) {
        return steps(field.script().statements()).anyMatch(Step.SetLanguage.class::isInstance);
    }

    /** Returns the steps of {@code statements} and of all statements in them. */
    static Stream<Step> steps(Collection<Statement> statements) {
        return statements.stream()
                .flatMap(statement -> statement.steps().stream())
                .flatMap(step ->
                        step instanceof Step.Compound compound
                                ? Stream.concat(Stream.of(step), steps(inside(compound)))
                                : Stream.of(step));
    }

    private static Collection<Statement> inside(Step.Compound step) {
        return switch (step) {
            case Step.Concatenation(var parts, _) -> parts;
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
        };
    }

    private void check(SchemaField field, Step.Generate generate) {
        if (!surroundings.generators().containsKey(generate.generator())) {
            throw new IllegalArgumentException(
                    "schema '%s', field '%s': there is no field generator '%s', only %s"
                            .formatted(
                                    schema.name(),
                                    field.field().name(),
                                    generate.generator(),
                                    surroundings.generators().keySet()));
        }
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
            embedder.check(embed.textType());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + e.getMessage(), e);
        }
    }
}
