package org.crabro.container.processing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.FieldGenerator;
import org.crabro.component.LanguageModelException;
import org.crabro.component.QueryError;
import org.crabro.config.schema.IndexingScript.Comparison;
import org.crabro.config.schema.IndexingScript.IdPart;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.HeldSize;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.document.ShownValue;

/** The scripts of one schema over one document. For one thread. */
final class IndexingRun {
    /** The language of a document without a known language. */
    private static final String UNKNOWN_LANGUAGE = "un";

    private final Schema schema;
    private final Document fed;
    private final Surroundings surroundings;
    private final Map<String, FieldValue> written;
    private final Map<String, FieldValue> variables = new HashMap<>();
    private String language = UNKNOWN_LANGUAGE;

    /** The field whose script runs. */
    private String running = "";

    private final Embeddings embeddings;
    private final MadeValues memory = new MadeValues();

    IndexingRun(Schema schema, Document fed, Embeddings embeddings, Surroundings surroundings) {
        this.schema = schema;
        this.fed = fed;
        this.embeddings = embeddings;
        this.surroundings = surroundings;
        this.written = new HashMap<>(fed.fields());
    }

    /** Returns what was written so far, in the order of the schema. */
    Document result() {
        var fields = new LinkedHashMap<String, FieldValue>();
        for (Field field : schema.documentType().fields()) {
            FieldValue value = written.get(field.name());
            if (value != null) {
                fields.put(field.name(), value);
            }
        }
        return new Document(fed.id(), fields);
    }

    /**
     * Computes the embeddings of several scripts in one call, if steps before them only read fed
     * fields and cut texts. Other embeddings are computed when their script is executed.
     */
    void embedTogether(Collection<SchemaField> fields) {
        List<Embeddings.Wanted> wanted = new ArrayList<>();
        for (SchemaField field : fields) {
            for (Statement statement : field.script().statements()) {
                wanted(statement, fed.value(field.field().name())).ifPresent(wanted::add);
            }
        }
        if (wanted.size() > 1) {
            embeddings.compute(wanted);
        }
    }

    private Optional<Embeddings.Wanted> wanted(Statement statement, Optional<FieldValue> begin) {
        Optional<FieldValue> value = begin;
        for (Step step : statement.steps()) {
            if (step instanceof Step.Embed embed) {
                return value.map(text -> new Embeddings.Wanted(embed, text));
            }
            if (!isPlain(step)) {
                return Optional.empty();
            }
            try {
                value = value(step, value);
            } catch (UnfitStepException _) {
                // Reported when the script is executed.
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Returns whether a step has the same result before other scripts run. */
    private static boolean isPlain(Step step) {
        return step instanceof Step.Input
                || step instanceof Step.Literal
                || step instanceof Step.Apply
                || step instanceof Step.Convert
                || step instanceof Step.Substring
                || step instanceof Step.Split
                || step instanceof Step.Join
                || step instanceof Step.Chunk
                || step instanceof Step.Member
                || step instanceof Step.MapValue;
    }

    /** Executes the script of {@code field}; each statement begins with the field's own value. */
    void execute(SchemaField field) {
        variables.clear();
        running = field.field().name();
        try {
            for (Statement statement : field.script().statements()) {
                value(statement, fed.value(field.field().name()));
            }
        } catch (UnfitStepException e) {
            throw new InvalidDocumentException(
                    "%s: field '%s': %s".formatted(fed.id(), field.field().name(), e.getMessage()),
                    e);
        }
    }

    private Optional<FieldValue> generated(Step.Generate step, FieldValue value) {
        String text = ValueFunctions.text(value);
        FieldGenerator generator = surroundings.generators().get(step.generator());
        if (generator == null) {
            throw new IllegalStateException("generator " + step.generator() + " was not checked");
        }
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            return generator.generate(text, running, step.type());
        } catch (LanguageModelException e) {
            throw new LanguageModelException(
                    e.error().kind(),
                    "%s: field '%s': %s".formatted(fed.id(), running, e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new LanguageModelException(
                    QueryError.Kind.TIMED_OUT,
                    "%s: field '%s': the server stopped waiting".formatted(fed.id(), running));
        }
    }

    private Optional<FieldValue> value(Statement statement, Optional<FieldValue> begin) {
        Optional<FieldValue> value = begin;
        for (Step step : statement.steps()) {
            Optional<FieldValue> next = value(step, value);
            if (next.isPresent() && (value.isEmpty() || isOther(next.get(), value.get()))) {
                memory.made(next.get());
            }
            value = next;
        }
        return value;
    }

    /** Returns whether a value takes memory of its own. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOther(FieldValue value, FieldValue before) {
        return value != before;
    }

    private Optional<FieldValue> value(Step step, Optional<FieldValue> current) {
        return switch (step) {
            case Step.Input(String field) -> fed.value(field);
            case Step.Literal(var literal) -> Optional.of(literal);
            case Step.Concatenation concatenation -> joined(concatenation, current);
            case Step.FirstOf(var alternatives) ->
                    alternatives.stream()
                            .map(each -> value(each, current))
                            .flatMap(Optional::stream)
                            .findFirst();
            case Step.Arithmetic(var operator, var left, var right, var type) -> {
                Optional<FieldValue> first = value(left, current);
                Optional<FieldValue> second = value(right, current);
                yield first.isEmpty() || second.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                ValueFunctions.arithmetic(
                                        operator, first.get(), second.get(), type));
            }
            case Step.Embed embed -> current.flatMap(each -> embeddings.of(embed, each));
            case Step.Generate generate -> current.flatMap(each -> generated(generate, each));
            case Step.Output(_, String field) -> stored(field, current);
            case Step.Store(String field) -> stored(field, current);
            case Step.Apply(var operation) ->
                    current.map(each -> ValueFunctions.apply(operation, each));
            case Step.Convert(var type) -> current.map(each -> ValueFunctions.convert(each, type));
            case Step.Substring(int from, int to) ->
                    current.map(each -> ValueFunctions.substring(each, from, to));
            case Step.Split(var pattern) ->
                    current.map(each -> ValueFunctions.split(each, pattern, memory));
            case Step.Join(var delimiter) -> current.map(each -> joined(each, delimiter, memory));
            case Step.Chunk chunk -> current.map(each -> chunks(each, chunk, memory));
            case Step.Member(var name) -> current.flatMap(each -> member(each, name));
            case Step.MapValue(var key) -> current.flatMap(each -> mapped(each, key));
            case Step.SetVariable(var name) -> {
                current.ifPresentOrElse(
                        each -> variables.put(name, each), () -> variables.remove(name));
                yield current;
            }
            case Step.GetVariable(var name) -> Optional.ofNullable(variables.get(name));
            case Step.ClearState() -> {
                variables.clear();
                yield Optional.empty();
            }
            case Step.SetLanguage() -> {
                current.ifPresent(each -> language = ValueFunctions.text(each).strip());
                yield current;
            }
            case Step.GetLanguage() -> Optional.of(new FieldValue.StringValue(language));
            case Step.Now() ->
                    Optional.of(
                            new FieldValue.LongValue(
                                    surroundings.clock().instant().getEpochSecond()));
            case Step.Random(var max) ->
                    max.isPresent()
                            ? Optional.of(random(max.getAsInt()))
                            : current.map(each -> random(ValueFunctions.whole(each)));
            case Step.Hostname() ->
                    Optional.of(new FieldValue.StringValue(surroundings.hostname().get()));
            case Step.Id(var part) -> idPart(fed.id(), part).map(FieldValue.StringValue::new);
            case Step.Binarize(double threshold) ->
                    current.map(each -> TensorFunctions.binarized(each, threshold));
            case Step.Block block -> {
                run(block, current);
                yield current;
            }
            case Step.If condition -> condition(condition, current);
            case Step.Switch choice -> {
                choose(choice, current);
                yield current;
            }
            case Step.SelectInput(var cases) -> {
                for (var each : cases.entrySet()) {
                    Optional<FieldValue> fieldValue = fed.value(each.getKey());
                    if (fieldValue.isPresent()) {
                        value(each.getValue(), fieldValue);
                        break;
                    }
                }
                yield current;
            }
            case Step.ForEach(var body) -> current.map(each -> forEach(each, body));
        };
    }

    private Optional<FieldValue> stored(String field, Optional<FieldValue> value) {
        value.ifPresent(each -> written.put(field, each));
        return value;
    }

    private void run(Step.Block block, Optional<FieldValue> begin) {
        block.statements().forEach(statement -> value(statement, begin));
    }

    private Optional<FieldValue> condition(Step.If condition, Optional<FieldValue> current) {
        Optional<FieldValue> left = value(condition.left(), current);
        Optional<FieldValue> right = value(condition.right(), current);
        if (left.isEmpty() || right.isEmpty()) {
            return Optional.empty();
        }
        if (holds(condition.comparison(), ValueFunctions.compare(left.get(), right.get()))) {
            run(condition.then(), current);
        } else {
            condition.otherwise().ifPresent(block -> run(block, current));
        }
        return current;
    }

    private static boolean holds(Comparison comparison, int order) {
        return switch (comparison) {
            case EQUAL -> order == 0;
            case DIFFERENT -> order != 0;
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case MORE -> order > 0;
            case AT_LEAST -> order >= 0;
        };
    }

    private void choose(Step.Switch choice, Optional<FieldValue> current) {
        if (current.isEmpty()) {
            return;
        }
        Statement chosen = choice.cases().get(ValueFunctions.text(current.get()));
        if (chosen != null) {
            value(chosen, current);
        } else {
            choice.otherwise().ifPresent(statement -> value(statement, current));
        }
    }

    private FieldValue forEach(FieldValue collection, Statement body) {
        return switch (collection) {
            case FieldValue.ArrayValue(var elements) -> forEachOf(elements, body);
            case FieldValue.WeightedSetValue(var weights) -> {
                var changed = new LinkedHashMap<FieldValue, Integer>();
                weights.forEach((element, weight) ->
                        value(body, Optional.of(element))
                                .ifPresent(each -> changed.put(each, weight)));
                yield new FieldValue.WeightedSetValue(changed);
            }
            case FieldValue.MapValue(var values) -> {
                var entries = new ArrayList<FieldValue>();
                values.forEach((key, mapped) ->
                        entries.add(
                                new FieldValue.StructValue(Map.of("$key", key, "$value", mapped))));
                yield forEachOf(entries, body);
            }
            case FieldValue.StructValue(var fields) -> {
                var changed = new LinkedHashMap<String, FieldValue>();
                fields.forEach((name, set) ->
                        value(body, Optional.of(set)).ifPresent(each -> changed.put(name, each)));
                yield new FieldValue.StructValue(changed);
            }
            case FieldValue.Single _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new UnfitStepException(
                            "expected a collection but found " + ShownValue.of(collection));
        };
    }

    private FieldValue forEachOf(List<FieldValue> elements, Statement body) {
        var changed = new ArrayList<FieldValue>();
        elements.forEach(element -> value(body, Optional.of(element)).ifPresent(changed::add));
        return new FieldValue.ArrayValue(changed);
    }

    private Optional<FieldValue> joined(
            Step.Concatenation concatenation, Optional<FieldValue> begin) {
        var values = new ArrayList<FieldValue>();
        for (Statement part : concatenation.parts()) {
            value(part, begin).ifPresent(values::add);
        }
        if (concatenation.appends()) {
            return values.isEmpty() ? Optional.empty() : Optional.of(JoinedValues.of(values));
        }
        if (values.size() < concatenation.parts().size()) {
            return Optional.empty();
        }
        memory.joined(HeldSize.of(values));
        return Optional.of(new FieldValue.StringValue(JoinedValues.text(values)));
    }

    private static FieldValue joined(FieldValue array, String delimiter, MadeValues memory) {
        if (!(array instanceof FieldValue.ArrayValue(var elements))) {
            throw new UnfitStepException("expected an array but found " + ShownValue.of(array));
        }
        memory.joined(HeldSize.of(elements) + (long) delimiter.length() * elements.size());
        return new FieldValue.StringValue(
                String.join(delimiter, elements.stream().map(ValueFunctions::text).toList()));
    }

    private static FieldValue chunks(FieldValue value, Step.Chunk chunk, MadeValues memory) {
        String text = ValueFunctions.text(value);
        List<String> pieces =
                chunk.length().isPresent()
                        ? Chunks.ofLength(text, chunk.length().getAsInt(), memory)
                        : Chunks.sentences(text, memory);
        return new FieldValue.ArrayValue(
                pieces.stream().<FieldValue>map(FieldValue.StringValue::new).toList());
    }

    private static Optional<FieldValue> member(FieldValue value, String name) {
        if (value instanceof FieldValue.StructValue(var fields)) {
            return Optional.ofNullable(fields.get(name));
        }
        throw new UnfitStepException("expected a struct but found " + ShownValue.of(value));
    }

    private static Optional<FieldValue> mapped(FieldValue value, FieldValue key) {
        if (value instanceof FieldValue.MapValue(var values)) {
            return Optional.ofNullable(values.get(key));
        }
        throw new UnfitStepException("expected a map but found " + ShownValue.of(value));
    }

    private FieldValue random(long bound) {
        if (bound < 1 || bound > Integer.MAX_VALUE) {
            throw new UnfitStepException("random needs a number from 1 to 2^31-1, not " + bound);
        }
        return new FieldValue.IntValue(surroundings.random().applyAsInt((int) bound));
    }

    private static Optional<String> idPart(DocumentId id, IdPart part) {
        return switch (part) {
            case WHOLE -> Optional.of(id.toString());
            case NAMESPACE -> Optional.of(id.namespace());
            case DOCUMENT_TYPE -> Optional.of(id.documentType());
            case GROUP ->
                    id.key() instanceof LocationKey.Group(var group)
                            ? Optional.of(group)
                            : Optional.empty();
            case NUMBER ->
                    id.key() instanceof LocationKey.Numbered(long number)
                            ? Optional.of(Long.toUnsignedString(number))
                            : Optional.empty();
            case SPECIFIC -> Optional.of(id.user());
        };
    }
}
