package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.jspecify.annotations.Nullable;

/**
 * Checks the indexing script of one field: that what it reads exists, that the type of each value
 * fits the step it goes into, and that it writes its own field alone.
 */
final class ScriptCompiler {
    private final String field;
    private final FieldType type;
    private final boolean inDocument;
    private final Map<String, FieldType> documentFields;
    private final Set<String> broken;
    private final Optional<Set<String>> embedders;
    private final Findings findings;
    private final EnumSet<Aspect> aspects = EnumSet.noneOf(Aspect.class);

    /**
     * @param documentFields the types of the fields that clients feed, by name
     * @param broken the fields whose types were refused; reading them is no problem of the script
     * @param embedders the ids of all embedders, where known
     */
    ScriptCompiler(
            String field,
            FieldType type,
            boolean inDocument,
            Map<String, FieldType> documentFields,
            Set<String> broken,
            Optional<Set<String>> embedders,
            Findings findings) {
        this.field = field;
        this.type = type;
        this.inDocument = inDocument;
        this.documentFields = documentFields;
        this.broken = broken;
        this.embedders = embedders;
        this.findings = findings;
    }

    /** Thrown inside to leave a statement whose problem was reported. */
    private static final class Reported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Reported() {
            super("reported", null, false, false);
        }
    }

    /** What is known of a value between two steps: its type, and whether it is the field's own. */
    private record Value(FieldType type, boolean own) {}

    /** Returns where the script sends values, once it was compiled. */
    Set<Aspect> aspects() {
        return aspects;
    }

    /** Returns the script with every name and embedder in it, or what is right of it. */
    IndexingScript compile(ScriptDeclaration script) {
        var statements = new ArrayList<Statement>();
        for (ScriptDeclaration.Statement statement : script.statements()) {
            try {
                statements.add(whole(statement));
            } catch (Reported _) {
                // Told already; the next statement may have a problem of its own.
            }
        }
        return new IndexingScript(statements);
    }

    private Statement whole(ScriptDeclaration.Statement statement) {
        var steps = new ArrayList<Step>();
        Value value = null;
        if (!givesInput(statement.steps().getFirst())) {
            if (!inDocument) {
                throw problem(
                        statement.at(),
                        "field '"
                                + field
                                + "' is outside the document, so its script has to start with"
                                + " input and the name of a document field");
            }
            steps.add(new Step.Input(field));
            value = new Value(type, true);
        }
        for (ScriptDeclaration.Step step : statement.steps()) {
            value = step(step, value, steps);
        }
        return new Statement(steps);
    }

    private static boolean givesInput(ScriptDeclaration.Step step) {
        return switch (step) {
            case ScriptDeclaration.Step.Input _,
                    ScriptDeclaration.Step.Literal _,
                    ScriptDeclaration.Step.Concatenation _,
                    ScriptDeclaration.Step.FirstOf _ ->
                    true;
            case ScriptDeclaration.Step.Embed _, ScriptDeclaration.Step.Output _ -> false;
        };
    }

    /** Adds {@code step} to {@code into} and returns what comes out of it. */
    private Value step(ScriptDeclaration.Step step, @Nullable Value value, List<Step> into) {
        switch (step) {
            case ScriptDeclaration.Step.Input input -> {
                String name = input.field().map(Name::text).orElse(field);
                into.add(new Step.Input(name));
                return new Value(inputType(input, name), name.equals(field));
            }
            case ScriptDeclaration.Step.Literal(_, var text) -> {
                into.add(new Step.Literal(text));
                return new Value(Primitive.STRING, false);
            }
            case ScriptDeclaration.Step.Concatenation concatenation -> {
                into.add(concatenation(concatenation));
                return new Value(Primitive.STRING, false);
            }
            case ScriptDeclaration.Step.FirstOf firstOf -> {
                return firstOf(firstOf, into);
            }
            case ScriptDeclaration.Step.Embed embed -> {
                into.add(embed(embed, given(embed.at(), value)));
                return new Value(type, false);
            }
            case ScriptDeclaration.Step.Output output -> {
                Value given = given(output.at(), value);
                into.add(output(output, given));
                return given;
            }
        }
    }

    private Value given(SourcePosition at, @Nullable Value value) {
        if (value == null) {
            throw problem(at, "nothing comes into this step; expected input before it");
        }
        return value;
    }

    private FieldType inputType(ScriptDeclaration.Step.Input input, String name) {
        FieldType found = documentFields.get(name);
        if (found == null && broken.contains(name)) {
            throw new Reported();
        }
        if (found == null) {
            SourcePosition at = input.field().map(Name::at).orElse(input.at());
            throw problem(
                    at,
                    "input reads '%s', which is no field of the document%s"
                            .formatted(name, NearestName.hint(name, documentFields.keySet())));
        }
        return found;
    }

    private Step concatenation(ScriptDeclaration.Step.Concatenation concatenation) {
        var parts = new ArrayList<Statement>();
        for (ScriptDeclaration.Statement part : concatenation.parts()) {
            var steps = new ArrayList<Step>();
            FieldType partType = inner(part, steps).type();
            switch (partType) {
                case Primitive _ -> {}
                case ArrayOf _ ->
                        throw problem(part.at(), "joining arrays with '.' is not built yet");
                case WeightedSetOf _, MapOf _, StructOf _, TensorOf _ ->
                        throw problem(
                                part.at(),
                                "'.' joins texts and numbers, but this is of type "
                                        + partType.text());
            }
            parts.add(new Statement(steps));
        }
        return new Step.Concatenation(parts);
    }

    private Value firstOf(ScriptDeclaration.Step.FirstOf firstOf, List<Step> into) {
        var alternatives = new ArrayList<Statement>();
        FieldType common = null;
        for (ScriptDeclaration.Statement alternative : firstOf.alternatives()) {
            var steps = new ArrayList<Step>();
            FieldType found = inner(alternative, steps).type();
            if (common != null && !common.equals(found)) {
                throw problem(
                        alternative.at(),
                        "the alternatives of '||' have one type: this is %s, the first is %s"
                                .formatted(found.text(), common.text()));
            }
            common = found;
            alternatives.add(new Statement(steps));
        }
        into.add(new Step.FirstOf(alternatives));
        return new Value(Objects.requireNonNull(common), false);
    }

    private Value inner(ScriptDeclaration.Statement statement, List<Step> into) {
        Value value = null;
        for (ScriptDeclaration.Step step : statement.steps()) {
            value = step(step, value, into);
        }
        return Objects.requireNonNull(value);
    }

    private Step embed(ScriptDeclaration.Step.Embed embed, Value value) {
        if (!(type instanceof TensorOf(var tensor)) || tensor.dimensions().size() != 1) {
            throw problem(
                    embed.at(),
                    "embed fills a tensor with one indexed dimension, such as"
                            + " tensor<float>(x[384]), but field '%s' is of type %s"
                                    .formatted(field, type.text()));
        }
        if (!value.type().equals(Primitive.STRING)) {
            String more =
                    value.type() instanceof ArrayOf ? "; embedding arrays is not built yet" : "";
            throw problem(
                    embed.at(),
                    "embed takes a string, but a value of type %s comes in%s"
                            .formatted(value.type().text(), more));
        }
        return new Step.Embed(embedder(embed));
    }

    private String embedder(ScriptDeclaration.Step.Embed embed) {
        if (embedders.isEmpty()) {
            return embed.embedder().map(Name::text).orElse("");
        }
        var ids = new TreeSet<>(embedders.get());
        if (ids.isEmpty()) {
            throw problem(
                    embed.at(),
                    "there is no embedder; add a component of type hugging-face-embedder to a"
                            + " container in services.xml");
        }
        if (embed.embedder().isEmpty()) {
            if (ids.size() > 1) {
                throw problem(
                        embed.at(),
                        "there are several embedders; write embed and one of "
                                + String.join(", ", ids));
            }
            return ids.getFirst();
        }
        Name id = embed.embedder().get();
        if (!ids.contains(id.text())) {
            throw problem(
                    id.at(),
                    "there is no embedder '%s', only %s%s"
                            .formatted(
                                    id.text(),
                                    String.join(", ", ids),
                                    NearestName.hint(id.text(), ids)));
        }
        return id.text();
    }

    private Step output(ScriptDeclaration.Step.Output output, Value value) {
        String target = output.field().map(Name::text).orElse(field);
        if (!target.equals(field)) {
            throw problem(
                    output.field().map(Name::at).orElse(output.at()),
                    "the script of field '%s' writes field '%s', but may write its own alone"
                            .formatted(field, target));
        }
        if (inDocument && !value.own()) {
            throw problem(
                    output.at(),
                    "the script of document field '%s' changes its value; use a field outside the"
                                    .formatted(field)
                            + " document for what is computed");
        }
        if (!value.type().equals(type)) {
            throw problem(
                    output.at(),
                    "a value of type %s comes in, but field '%s' is of type %s"
                            .formatted(value.type().text(), field, type.text()));
        }
        Aspect aspect = output.aspect();
        if (aspect == Aspect.INDEX && isNumber(type)) {
            // Numbers have no words to look up; an index of one has always meant an attribute.
            aspect = Aspect.ATTRIBUTE;
        }
        aspects.add(aspect);
        return new Step.Output(aspect, field);
    }

    private static boolean isNumber(FieldType type) {
        return switch (type) {
            case Primitive primitive -> primitive.isNumber() || primitive == Primitive.BOOL;
            case ArrayOf(var element) -> isNumber(element);
            case WeightedSetOf(var element) -> isNumber(element);
            case MapOf _, StructOf _, TensorOf _ -> false;
        };
    }

    private Reported problem(SourcePosition at, String problem) {
        findings.problem(at.pointing(problem));
        return new Reported();
    }
}
