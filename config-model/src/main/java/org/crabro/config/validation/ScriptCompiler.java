package org.crabro.config.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the indexing script of one field. Checks that its inputs exist, that the type of each
 * value fits the next step, and that the script writes only its own field.
 *
 * <p>{@link CallCompiler} compiles keywords, {@link EmbedCompiler} embedders. The rest is one
 * class, because steps contain statements, whose steps are compiled the same way.
 */
final class ScriptCompiler {
    private final String field;
    private final FieldType type;
    private final boolean inDocument;
    private final ScriptScope scope;
    private final SchemaFindings findings;
    private final CallCompiler calls;
    private final EmbedCompiler embeds;
    private final EnumSet<Aspect> aspects = EnumSet.noneOf(Aspect.class);
    private boolean hasIndexOfNumbers;

    ScriptCompiler(
            String field,
            FieldType type,
            boolean inDocument,
            ScriptScope scope,
            SchemaFindings findings) {
        this.field = field;
        this.type = type;
        this.inDocument = inDocument;
        this.scope = scope;
        this.findings = findings;
        this.calls =
                new CallCompiler(
                        field,
                        inDocument,
                        new HashMap<>(),
                        scope.components().map(ScriptComponents::generators),
                        findings);
        this.embeds =
                new EmbedCompiler(
                        field, type, scope.components().map(ScriptComponents::embedders), findings);
    }

    /** Thrown to leave a statement after its problem was reported. */
    static final class Reported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Reported() {
            super("reported", null, false, false);
        }
    }

    /**
     * The properties of a value between two steps: its type, and whether it is the field's own
     * value.
     */
    record Value(FieldType type, boolean own) {
        static Value of(FieldType type) {
            return new Value(type, false);
        }
    }

    /** Returns whether numbers are written to an index, which makes them an attribute. */
    boolean hasIndexOfNumbers() {
        return hasIndexOfNumbers;
    }

    /** Returns the outputs of the script, after it was compiled. */
    Set<Aspect> aspects() {
        return aspects;
    }

    /**
     * Returns the script with every name and embedder resolved; statements with problems are left
     * out.
     */
    IndexingScript compile(ScriptDeclaration script) {
        var statements = new ArrayList<Statement>();
        for (ScriptDeclaration.Statement statement : script.statements()) {
            try {
                statements.add(whole(statement));
            } catch (Reported _) {
                // Already reported; the next statement may have another problem.
            }
        }
        return new IndexingScript(statements);
    }

    private Statement whole(ScriptDeclaration.Statement statement) {
        var steps = new ArrayList<Step>();
        Value value = null;
        ScriptDeclaration.Step first = statement.steps().getFirst();
        if (needsInput(first)) {
            if (inDocument) {
                steps.add(new Step.Input(field));
                value = new Value(type, true);
            } else if (!(first instanceof ScriptDeclaration.Step.Block)
                    && !(first instanceof ScriptDeclaration.Step.If)) {
                throw problem(
                        SchemaStep.INPUTS,
                        statement.at(),
                        "field '"
                                + field
                                + "' is outside the document, so its script has to start with"
                                + " input and the name of a document field");
            }
        }
        return new Statement(steps(statement, value, type, steps).steps);
    }

    /** Returns whether a step, or the first step inside it, needs an input value. */
    private static boolean needsInput(ScriptDeclaration.Step step) {
        return switch (step) {
            case ScriptDeclaration.Step.Input _, ScriptDeclaration.Step.Literal _ -> false;
            case ScriptDeclaration.Step.Concatenation(_, var parts) -> anyNeedsInput(parts);
            case ScriptDeclaration.Step.FirstOf(_, var parts) -> anyNeedsInput(parts);
            case ScriptDeclaration.Step.Arithmetic(_, _, var left, var right) ->
                    anyNeedsInput(List.of(left, right));
            case ScriptDeclaration.Step.Call call -> CallCompiler.needsInput(call);
            case ScriptDeclaration.Step.Block(_, var statements, _) -> anyNeedsInput(statements);
            case ScriptDeclaration.Step.If(_, var left, _, var right, var then, var otherwise) ->
                    anyNeedsInput(List.of(left, right))
                            || needsInput(then)
                            || otherwise.map(ScriptCompiler::needsInput).orElse(false);
            case ScriptDeclaration.Step.SelectInput _ -> false;
            case ScriptDeclaration.Step.Embed _,
                    ScriptDeclaration.Step.Output _,
                    ScriptDeclaration.Step.Switch _,
                    ScriptDeclaration.Step.ForEach _ ->
                    true;
        };
    }

    private static boolean anyNeedsInput(List<ScriptDeclaration.Statement> statements) {
        return statements.stream().anyMatch(each -> needsInput(each.steps().getFirst()));
    }

    /** Steps, and the output of the last one. */
    private record Compiled(List<Step> steps, @Nullable Value value) {}

    private Compiled steps(
            ScriptDeclaration.Statement statement,
            @Nullable Value begin,
            FieldType target,
            List<Step> into) {
        Value value = begin;
        List<FieldType> targets = targets(statement.steps(), target);
        for (int i = 0; i < targets.size(); i++) {
            value = step(statement.steps().get(i), value, targets.get(i), into);
            if (value != null && ScriptTypes.isTooDeep(value.type())) {
                throw problem(
                        statement.at(),
                        "the statement makes a type that is nested deeper than "
                                + ScriptTypes.TYPE_DEPTH_MAX);
            }
        }
        return new Compiled(into, value);
    }

    /**
     * Returns for each step the type that its output must reach, so that the last value has type
     * {@code target}. {@code pack_bits} packs eight cells into one, so the steps before it need the
     * unpacked type.
     */
    private static List<FieldType> targets(List<ScriptDeclaration.Step> steps, FieldType target) {
        var targets = new ArrayDeque<FieldType>();
        FieldType wanted = target;
        for (ScriptDeclaration.Step step : steps.reversed()) {
            targets.addFirst(wanted);
            if (step instanceof ScriptDeclaration.Step.Call call
                    && call.keyword().equals("pack_bits")
                    && wanted instanceof TensorOf(var tensor)) {
                wanted = new TensorOf(ScriptTypes.unpacked(tensor));
            }
        }
        return List.copyOf(targets);
    }

    private Compiled steps(
            ScriptDeclaration.Statement statement, @Nullable Value begin, FieldType target) {
        return steps(statement, begin, target, new ArrayList<>());
    }

    /**
     * Appends {@code step} to {@code into} and returns its output value.
     *
     * @param target the type that the statement converts the value to in the end
     */
    private @Nullable Value step(
            ScriptDeclaration.Step step, @Nullable Value value, FieldType target, List<Step> into) {
        return switch (step) {
            case ScriptDeclaration.Step.Input input -> input(input, into);
            case ScriptDeclaration.Step.Literal(_, var literal) -> {
                into.add(new Step.Literal(literal));
                yield Value.of(CallCompiler.typeOf(literal));
            }
            case ScriptDeclaration.Step.Concatenation concatenation ->
                    concatenation(concatenation, value, target, into);
            case ScriptDeclaration.Step.FirstOf firstOf -> firstOf(firstOf, value, target, into);
            case ScriptDeclaration.Step.Arithmetic arithmetic ->
                    arithmetic(arithmetic, value, target, into);
            case ScriptDeclaration.Step.Embed embed -> {
                into.add(embeds.compile(embed, given(embed.at(), value), target));
                yield Value.of(target);
            }
            case ScriptDeclaration.Step.Output output -> {
                Value given = given(output.at(), value);
                output(output, given, into);
                yield given;
            }
            case ScriptDeclaration.Step.Call call -> calls.compile(call, value, target, into);
            case ScriptDeclaration.Step.Block block -> {
                into.add(block(block, value, target));
                yield value;
            }
            case ScriptDeclaration.Step.If condition -> {
                into.add(condition(condition, value, target));
                yield value;
            }
            case ScriptDeclaration.Step.Switch choice -> {
                into.add(choice(choice, given(choice.at(), value), target));
                yield value;
            }
            case ScriptDeclaration.Step.SelectInput select -> {
                into.add(select(select, target));
                yield value;
            }
            case ScriptDeclaration.Step.ForEach forEach ->
                    forEach(forEach, given(forEach.at(), value), target, into);
        };
    }

    private Value given(SourcePosition at, @Nullable Value value) {
        return calls.given(at, value);
    }

    private Value input(ScriptDeclaration.Step.Input input, List<Step> into) {
        String path = input.field().map(Name::text).orElse(field);
        SourcePosition at = input.field().map(Name::at).orElse(input.at());
        String[] names = path.split("\\.", -1);
        into.add(new Step.Input(names[0]));
        FieldType type = inputType(at, names[0]);
        for (int i = 1; i < names.length; i++) {
            into.add(new Step.Member(names[i]));
            type = calls.member(at, type, names[i]);
        }
        return new Value(type, path.equals(field));
    }

    private FieldType inputType(SourcePosition at, String name) {
        FieldType type = scope.documentFields().get(name);
        if (type == null && scope.broken().contains(name)) {
            throw new Reported();
        }
        if (type == null) {
            throw problem(
                    SchemaStep.INPUTS,
                    at,
                    "input reads '%s', which is no field of the document%s"
                            .formatted(
                                    name, NearestName.hint(name, scope.documentFields().keySet())));
        }
        return type;
    }

    private Value concatenation(
            ScriptDeclaration.Step.Concatenation concatenation,
            @Nullable Value begin,
            FieldType target,
            List<Step> into) {
        var parts = new ArrayList<Statement>();
        FieldType joined = null;
        boolean areAlike = true;
        for (ScriptDeclaration.Statement part : concatenation.parts()) {
            Compiled compiled = steps(part, begin, target);
            FieldType partType = given(part.at(), compiled.value).type();
            areAlike &= joined == null || joined.equals(partType);
            joined = partType;
            parts.add(new Statement(compiled.steps));
        }
        boolean appends = areAlike && joined != null && isCollection(joined);
        into.add(new Step.Concatenation(parts, appends));
        return Value.of(appends && joined != null ? joined : Primitive.STRING);
    }

    private static boolean isCollection(FieldType type) {
        return switch (type) {
            case ArrayOf _, WeightedSetOf _, MapOf _, StructOf _ -> true;
            case Primitive _, ReferenceOf _, TensorOf _ -> false;
        };
    }

    private Value firstOf(
            ScriptDeclaration.Step.FirstOf firstOf,
            @Nullable Value begin,
            FieldType target,
            List<Step> into) {
        var compiled = new ArrayList<Compiled>();
        FieldType common = null;
        for (ScriptDeclaration.Statement alternative : firstOf.alternatives()) {
            Compiled next = steps(alternative, begin, target);
            FieldType type = given(alternative.at(), next.value).type();
            FieldType before = common == null ? type : common;
            common =
                    ScriptTypes.wider(before, type)
                            .orElseThrow(() ->
                                    problem(
                                            alternative.at(),
                                            "the alternatives of '||' have one type: this is %s, the"
                                                            .formatted(type.text())
                                                    + " first is "
                                                    + before.text()));
            compiled.add(next);
        }
        var alternatives = new ArrayList<Statement>();
        for (Compiled each : compiled) {
            if (each.value != null && common != null && !each.value.type().equals(common)) {
                each.steps.add(new Step.Convert(common));
            }
            alternatives.add(new Statement(each.steps));
        }
        into.add(new Step.FirstOf(alternatives));
        return Value.of(common == null ? Primitive.STRING : common);
    }

    private Value arithmetic(
            ScriptDeclaration.Step.Arithmetic arithmetic,
            @Nullable Value begin,
            FieldType target,
            List<Step> into) {
        Compiled left = steps(arithmetic.left(), begin, target);
        Compiled right = steps(arithmetic.right(), begin, target);
        Primitive result =
                ScriptTypes.ofArithmetic(
                        number(arithmetic, arithmetic.left().at(), left),
                        number(arithmetic, arithmetic.right().at(), right));
        into.add(
                new Step.Arithmetic(
                        arithmetic.operator(),
                        new Statement(left.steps),
                        new Statement(right.steps),
                        result));
        return Value.of(result);
    }

    private Primitive number(
            ScriptDeclaration.Step.Arithmetic arithmetic, SourcePosition at, Compiled operand) {
        FieldType type = given(at, operand.value).type();
        if (type instanceof Primitive primitive && primitive.isNumber()) {
            return primitive;
        }
        throw problem(
                at,
                "'%s' takes numbers, but this is of type %s"
                        .formatted(arithmetic.operator().symbol(), type.text()));
    }

    private void output(ScriptDeclaration.Step.Output output, Value value, List<Step> into) {
        String target = output.field().map(Name::text).orElse(field);
        if (!target.equals(field)) {
            throw problem(
                    SchemaStep.OUTPUTS,
                    output.field().map(Name::at).orElse(output.at()),
                    "the script of field '%s' writes field '%s', but may write its own alone"
                            .formatted(field, target));
        }
        if (inDocument && !value.own()) {
            throw problem(SchemaStep.OUTPUTS, output.at(), CallCompiler.changes(field));
        }
        if (!ScriptTypes.isStorable(value.type(), type)) {
            throw problem(
                    output.at(),
                    "the value is of type %s, but field '%s' is of type %s"
                            .formatted(value.type().text(), field, type.text()));
        }
        Aspect aspect = output.aspect();
        if (aspect == Aspect.INDEX && ScriptTypes.isNumber(type)) {
            // Numbers have no words to look up; an index of one has always meant an attribute.
            aspect = Aspect.ATTRIBUTE;
            hasIndexOfNumbers = true;
        }
        aspects.add(aspect);
        if (!value.type().equals(type)) {
            into.add(new Step.Convert(type));
        }
        into.add(new Step.Output(aspect, field));
    }

    private Step.Block block(
            ScriptDeclaration.Step.Block block, @Nullable Value value, FieldType target) {
        var statements = new ArrayList<Statement>();
        for (ScriptDeclaration.Statement statement : block.statements()) {
            statements.add(new Statement(steps(statement, value, target).steps));
        }
        return new Step.Block(statements, block.guarded());
    }

    private Step condition(
            ScriptDeclaration.Step.If condition, @Nullable Value value, FieldType target) {
        Compiled left = steps(condition.left(), value, target);
        Compiled right = steps(condition.right(), value, target);
        FieldType leftType = given(condition.left().at(), left.value).type();
        FieldType rightType = given(condition.right().at(), right.value).type();
        if (!ScriptTypes.areComparable(leftType, rightType)) {
            throw problem(
                    condition.right().at(),
                    "numbers are compared with numbers, texts with texts and bools with bools, but"
                            + " these are %s and %s".formatted(leftType.text(), rightType.text()));
        }
        return new Step.If(
                new Statement(left.steps),
                condition.comparison(),
                new Statement(right.steps),
                block(condition.then(), value, target),
                condition.otherwise().map(otherwise -> block(otherwise, value, target)));
    }

    private Step choice(ScriptDeclaration.Step.Switch choice, Value value, FieldType target) {
        if (!value.type().equals(Primitive.STRING)) {
            throw problem(
                    choice.at(),
                    "switch takes a string, but its input is of type %s"
                            .formatted(value.type().text()));
        }
        var cases = new LinkedHashMap<String, Statement>();
        for (ScriptDeclaration.Case each : choice.cases()) {
            Compiled compiled = steps(each.statement(), value, target);
            if (cases.put(each.choice().text(), new Statement(compiled.steps)) != null) {
                throw problem(
                        each.choice().at(),
                        "case \"" + each.choice().text() + "\" is declared twice");
            }
        }
        return new Step.Switch(
                cases,
                choice.otherwise().map(each -> new Statement(steps(each, value, target).steps)));
    }

    private Step select(ScriptDeclaration.Step.SelectInput select, FieldType target) {
        var cases = new LinkedHashMap<String, Statement>();
        for (ScriptDeclaration.Case each : select.cases()) {
            String name = each.choice().text();
            FieldType type = inputType(each.choice().at(), name);
            Compiled compiled =
                    steps(each.statement(), new Value(type, name.equals(field)), target);
            if (cases.put(name, new Statement(compiled.steps)) != null) {
                throw problem(each.choice().at(), "field '" + name + "' is declared twice");
            }
        }
        return new Step.SelectInput(cases);
    }

    private Value forEach(
            ScriptDeclaration.Step.ForEach forEach,
            Value value,
            FieldType target,
            List<Step> into) {
        FieldType element = element(forEach, value.type());
        FieldType elementTarget =
                switch (target) {
                    case ArrayOf(var inner) -> inner;
                    case WeightedSetOf(var inner) -> inner;
                    default -> target;
                };
        Compiled body = steps(forEach.body(), Value.of(element), elementTarget);
        FieldType out = given(forEach.body().at(), body.value).type();
        into.add(new Step.ForEach(new Statement(body.steps)));
        return Value.of(
                switch (value.type()) {
                    case WeightedSetOf _ -> {
                        if (!(out instanceof Primitive)) {
                            throw problem(
                                    forEach.at(),
                                    "elements of a weighted set cannot become " + out.text());
                        }
                        yield new WeightedSetOf(out);
                    }
                    case StructOf struct -> {
                        if (!out.equals(element)) {
                            throw problem(
                                    forEach.at(),
                                    "fields of a struct keep their type %s, and cannot become %s"
                                            .formatted(element.text(), out.text()));
                        }
                        yield struct;
                    }
                    default -> new ArrayOf(out);
                });
    }

    private FieldType element(ScriptDeclaration.Step.ForEach forEach, FieldType collection) {
        return switch (collection) {
            case ArrayOf(var element) -> element;
            case WeightedSetOf(var element) -> element;
            case MapOf(var key, var mapped) ->
                    new StructOf(
                            "entry of " + collection.text(),
                            List.of(
                                    new Field("$key", key, true),
                                    new Field("$value", mapped, true)));
            case StructOf(_, var fields) -> {
                var types = new HashSet<FieldType>();
                fields.forEach(each -> types.add(each.type()));
                if (types.size() != 1) {
                    throw problem(
                            forEach.at(),
                            "for_each over a struct needs fields of one type, not "
                                    + collection.text());
                }
                yield types.iterator().next();
            }
            case Primitive _, ReferenceOf _, TensorOf _ ->
                    throw problem(
                            forEach.at(),
                            "for_each takes a collection, but its input is of type %s"
                                    .formatted(collection.text()));
        };
    }

    private Reported problem(SourcePosition at, String problem) {
        return problem(SchemaStep.SCRIPTS, at, problem);
    }

    private Reported problem(SchemaStep step, SourcePosition at, String problem) {
        findings.at(step).problem(at.pointing(problem));
        return new Reported();
    }
}
