package org.crabro.config.validation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.schema.IndexingScript.IdPart;
import org.crabro.config.schema.IndexingScript.Operation;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.validation.ScriptCompiler.Reported;
import org.crabro.config.validation.ScriptCompiler.Value;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the steps of one indexing script that consist of a keyword and its arguments.
 *
 * <p>It has one method per keyword.
 */
final class CallCompiler {
    private static final Set<String> GIVING =
            Set.of("now", "hostname", "documentid", "get_var", "get_language", "clear_state");

    private static final Map<String, IdPart> ID_PARTS =
            Map.of(
                    "namespace", IdPart.NAMESPACE,
                    "documenttype", IdPart.DOCUMENT_TYPE,
                    "group", IdPart.GROUP,
                    "number", IdPart.NUMBER,
                    "specific", IdPart.SPECIFIC);

    private final String field;
    private final boolean inDocument;
    private final Map<String, FieldType> variables;
    private final Optional<Set<String>> generators;
    private final SchemaFindings findings;

    /**
     * @param variables the types of those that were set
     * @param generators the ids of all field generators, if available
     */
    CallCompiler(
            String field,
            boolean inDocument,
            Map<String, FieldType> variables,
            Optional<Set<String>> generators,
            SchemaFindings findings) {
        this.generators = generators;
        this.field = field;
        this.inDocument = inDocument;
        this.variables = variables;
        this.findings = findings;
    }

    /** Returns whether {@code call} needs the output of the step before it as input. */
    static boolean needsInput(ScriptDeclaration.Step.Call call) {
        boolean givesRandom = call.keyword().equals("random") && !call.arguments().isEmpty();
        return !givesRandom && !GIVING.contains(call.keyword());
    }

    /**
     * Appends the operation of {@code call}, if it has one, to {@code into} and returns the output
     * value of the call.
     *
     * @param target the type that the statement converts the value to in the end
     */
    @Nullable Value compile(
            ScriptDeclaration.Step.Call call,
            @Nullable Value value,
            FieldType target,
            List<Step> into) {
        if (!needsInput(call)) {
            return giving(call, into);
        }
        Value in = given(call.at(), value);
        return switch (call.keyword()) {
            case "_", "this", "echo" -> in;
            case "flatten" -> {
                findings.at(SchemaStep.SCRIPTS)
                        .warn(call.at() + ": flatten is obsolete and has no effect");
                yield in;
            }
            case "sleep", "busy_wait" -> {
                findings.at(SchemaStep.SCRIPTS)
                        .warn(call.at() + ": " + call.keyword() + " has no effect: no time passes");
                yield in;
            }
            case "tokenize", "exact", "ngram" -> {
                // How words are cut is decided by match when documents are searched.
                text(call, in);
                yield in;
            }
            case "optimize_predicate" -> {
                require(call, in, in.type() == Primitive.PREDICATE, "a predicate");
                yield in;
            }
            case "set_language" -> {
                text(call, in);
                into.add(new Step.SetLanguage());
                yield in;
            }
            case "passthrough" -> passthrough(call, in, into);
            case "set_var" -> {
                setVariable(call.arguments().getFirst(), in.type());
                into.add(new Step.SetVariable(call.arguments().getFirst().text()));
                yield in;
            }
            case "lowercase" -> text(call, in, Operation.LOWERCASE, Primitive.STRING, into);
            case "trim" -> text(call, in, Operation.TRIM, Primitive.STRING, into);
            case "normalize" -> text(call, in, Operation.NORMALIZE, Primitive.STRING, into);
            case "to_pos" -> text(call, in, Operation.TO_POSITION, StructOf.POSITION, into);
            case "to_epoch_second" -> text(call, in, Operation.EPOCH_SECOND, Primitive.LONG, into);
            case "base64decode" -> text(call, in, Operation.BASE64_DECODE, Primitive.LONG, into);
            case "hexdecode", "hex_decode" ->
                    text(call, in, Operation.HEX_DECODE, Primitive.LONG, into);
            case "hash" ->
                    target == Primitive.INT
                            ? text(call, in, Operation.HASH_INT, Primitive.INT, into)
                            : text(call, in, Operation.HASH_LONG, Primitive.LONG, into);
            case "base64encode" -> whole(call, in, Operation.BASE64_ENCODE, into);
            case "hexencode", "hex_encode" -> whole(call, in, Operation.HEX_ENCODE, into);
            case "zcurve" -> {
                require(call, in, in.type().equals(StructOf.POSITION), "a position");
                into.add(new Step.Apply(Operation.Z_CURVE));
                yield Value.of(Primitive.LONG);
            }
            case "to_int" -> convert(call, in, Primitive.INT, into);
            case "to_long" -> convert(call, in, Primitive.LONG, into);
            case "to_float" -> convert(call, in, Primitive.FLOAT, into);
            case "to_double" -> convert(call, in, Primitive.DOUBLE, into);
            case "to_byte" -> convert(call, in, Primitive.BYTE, into);
            case "to_string" -> convert(call, in, Primitive.STRING, into);
            case "to_bool" -> convert(call, in, Primitive.BOOL, into);
            case "to_uri" -> convert(call, in, Primitive.URI, into);
            case "to_array" -> {
                require(call, in, !(in.type() instanceof TensorOf), "anything but a tensor");
                into.add(new Step.Apply(Operation.TO_ARRAY));
                yield Value.of(new ArrayOf(in.type()));
            }
            case "to_wset" -> weightedSet(call, in, into);
            case "substring" -> substring(call, in, into);
            case "split" -> split(call, in, into);
            case "join" -> {
                boolean joins =
                        in.type() instanceof ArrayOf(var element) && element instanceof Primitive;
                require(call, in, joins, "an array of texts or numbers");
                into.add(new Step.Join(call.arguments().getFirst().text()));
                yield Value.of(Primitive.STRING);
            }
            case "get_field" -> {
                Name name = call.arguments().getFirst();
                into.add(new Step.Member(name.text()));
                yield Value.of(member(name.at(), in.type(), name.text()));
            }
            case "get_value" -> mapValue(call, in, into);
            case "random" -> {
                require(call, in, isWhole(in.type()), "a whole number");
                into.add(new Step.Random(OptionalInt.empty()));
                yield Value.of(Primitive.INT);
            }
            case "binarize" -> {
                require(call, in, in.type() instanceof TensorOf, "a tensor");
                into.add(new Step.Binarize(threshold(call)));
                yield Value.of(in.type());
            }
            case "pack_bits" -> packBits(call, in, into);
            case "chunk" -> chunk(call, in, into);
            case "generate" -> {
                text(call, in);
                FieldType type = isGenerated(target) ? target : Primitive.STRING;
                into.add(new Step.Generate(generator(call), type));
                yield Value.of(type);
            }
            default -> throw new IllegalStateException("the parser let through " + call.keyword());
        };
    }

    /** Returns whether a language model can generate values of a type. */
    private static boolean isGenerated(FieldType type) {
        FieldType element = type instanceof ArrayOf(var each) ? each : type;
        return element instanceof Primitive primitive
                && (primitive == Primitive.STRING
                        || primitive == Primitive.BOOL
                        || primitive.isNumber());
    }

    private String generator(ScriptDeclaration.Step.Call call) {
        Optional<Name> named = call.arguments().stream().findFirst();
        if (call.arguments().size() > 1) {
            throw problem(
                    call.arguments().get(1).at(), "generate takes the id of one field generator");
        }
        if (generators.isEmpty()) {
            return named.map(Name::text).orElse("");
        }
        var ids = new TreeSet<>(generators.get());
        if (ids.isEmpty()) {
            throw problem(
                    call.at(),
                    "there is no field generator; add a component of class"
                            + " ai.vespa.llm.generation.LanguageModelFieldGenerator to a"
                            + " container in services.xml");
        }
        if (named.isEmpty()) {
            if (ids.size() > 1) {
                throw problem(
                        call.at(),
                        "there are several field generators; write generate and one of "
                                + String.join(", ", ids));
            }
            return ids.getFirst();
        }
        Name id = named.get();
        if (!ids.contains(id.text())) {
            throw problem(
                    id.at(),
                    "there is no field generator '%s', only %s%s"
                            .formatted(
                                    id.text(),
                                    String.join(", ", ids),
                                    NearestName.hint(id.text(), ids)));
        }
        return id.text();
    }

    private @Nullable Value giving(ScriptDeclaration.Step.Call call, List<Step> into) {
        return switch (call.keyword()) {
            case "now" -> {
                into.add(new Step.Now());
                yield Value.of(Primitive.LONG);
            }
            case "hostname" -> {
                into.add(new Step.Hostname());
                yield Value.of(Primitive.STRING);
            }
            case "documentid" -> {
                into.add(new Step.Id(idPart(call)));
                yield Value.of(Primitive.STRING);
            }
            case "get_language" -> {
                into.add(new Step.GetLanguage());
                yield Value.of(Primitive.STRING);
            }
            case "get_var" -> {
                Name name = call.arguments().getFirst();
                FieldType type = variables.get(name.text());
                if (type == null) {
                    throw problem(
                            name.at(),
                            "variable '%s' is not set before%s"
                                    .formatted(
                                            name.text(),
                                            NearestName.hint(name.text(), variables.keySet())));
                }
                into.add(new Step.GetVariable(name.text()));
                yield Value.of(type);
            }
            case "clear_state" -> {
                variables.clear();
                into.add(new Step.ClearState());
                yield null;
            }
            case "random" -> {
                Name max = call.arguments().getFirst();
                int bound = Integer.parseInt(max.text());
                if (bound < 1) {
                    throw problem(max.at(), "random needs a number of at least 1");
                }
                into.add(new Step.Random(OptionalInt.of(bound)));
                yield Value.of(Primitive.INT);
            }
            default -> throw new IllegalStateException("the parser let through " + call.keyword());
        };
    }

    /**
     * Returns {@code value}.
     *
     * @throws ScriptCompiler.Reported if it is null, after a problem was reported at {@code at}
     */
    Value given(SourcePosition at, @Nullable Value value) {
        if (value == null) {
            throw problem(at, "this step has no input; expected input before it");
        }
        return value;
    }

    static FieldType typeOf(FieldValue literal) {
        return switch (literal) {
            case FieldValue.StringValue _ -> Primitive.STRING;
            case FieldValue.BoolValue _ -> Primitive.BOOL;
            case FieldValue.IntValue _ -> Primitive.INT;
            case FieldValue.LongValue _ -> Primitive.LONG;
            case FieldValue.FloatValue _ -> Primitive.FLOAT;
            case FieldValue.DoubleValue _ -> Primitive.DOUBLE;
            case FieldValue.Composite _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new IllegalArgumentException("no script has a literal " + literal);
        };
    }

    static String changes(String field) {
        return "the script of document field '%s' changes its value; use a field outside the"
                        .formatted(field)
                + " document for the computed value";
    }

    /** Returns the type of a field of a struct. */
    FieldType member(SourcePosition at, FieldType type, String name) {
        if (!(type instanceof StructOf struct)) {
            throw problem(
                    at,
                    "'%s' would be a field of a struct, but this is of type %s"
                            .formatted(name, type.text()));
        }
        return struct.field(name)
                .map(Field::type)
                .orElseThrow(() -> {
                    List<String> names = struct.fields().stream().map(Field::name).toList();
                    return problem(
                            at,
                            "%s has no field '%s'%s"
                                    .formatted(type.text(), name, NearestName.hint(name, names)));
                });
    }

    private void text(ScriptDeclaration.Step.Call call, Value in) {
        boolean isText = in.type() instanceof Primitive primitive && primitive.isText();
        boolean inArray = !isText && in.type().isText();
        require(
                call,
                in,
                isText,
                inArray
                        ? "a string (write for_each { %s })".formatted(call.keyword())
                        : "a string");
    }

    private Value text(
            ScriptDeclaration.Step.Call call,
            Value in,
            Operation operation,
            FieldType out,
            List<Step> into) {
        text(call, in);
        into.add(new Step.Apply(operation));
        return Value.of(out);
    }

    private Value whole(
            ScriptDeclaration.Step.Call call, Value in, Operation operation, List<Step> into) {
        require(call, in, isWhole(in.type()), "a whole number");
        into.add(new Step.Convert(Primitive.LONG));
        into.add(new Step.Apply(operation));
        return Value.of(Primitive.STRING);
    }

    private static boolean isWhole(FieldType type) {
        return type == Primitive.BYTE || type == Primitive.INT || type == Primitive.LONG;
    }

    private Value convert(
            ScriptDeclaration.Step.Call call, Value in, Primitive out, List<Step> into) {
        boolean fits =
                in.type() instanceof Primitive primitive
                        && primitive != Primitive.RAW
                        && primitive != Primitive.PREDICATE;
        require(call, in, fits, "a text, a number or a bool");
        into.add(new Step.Convert(out));
        return Value.of(out);
    }

    private Value passthrough(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        String name = call.arguments().stream().findFirst().map(Name::text).orElse(field);
        if (!name.equals(field)) {
            throw problem(
                    SchemaStep.OUTPUTS,
                    call.arguments().getFirst().at(),
                    "the script of field '%s' writes field '%s', but may write its own alone"
                            .formatted(field, name));
        }
        if (inDocument && !in.own()) {
            throw problem(SchemaStep.OUTPUTS, call.at(), changes(field));
        }
        if (!inDocument) {
            into.add(new Step.Store(field));
        }
        return in;
    }

    private void setVariable(Name name, FieldType type) {
        FieldType before = variables.putIfAbsent(name.text(), type);
        if (before != null && !before.equals(type)) {
            throw problem(
                    name.at(),
                    "variable '%s' is of type %s elsewhere, and of type %s here"
                            .formatted(name.text(), before.text(), type.text()));
        }
    }

    private Value weightedSet(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        for (Name flag : call.arguments()) {
            Set<String> flags = Set.of("create_if_non_existent", "remove_if_zero");
            if (!flags.contains(flag.text())) {
                throw problem(
                        flag.at(),
                        "expected create_if_non_existent or remove_if_zero but found '%s'%s"
                                .formatted(flag.text(), NearestName.hint(flag.text(), flags)));
            }
        }
        require(call, in, in.type() instanceof Primitive, "a text, a number or a bool");
        into.add(new Step.Apply(Operation.TO_WEIGHTED_SET));
        return Value.of(new WeightedSetOf(in.type()));
    }

    private Value substring(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        text(call, in);
        Name from = call.arguments().getFirst();
        int start = Integer.parseInt(from.text());
        int end = Integer.parseInt(call.arguments().getLast().text());
        if (start < 0 || end < start) {
            throw problem(from.at(), "substring needs two numbers from 0 on that do not fall");
        }
        into.add(new Step.Substring(start, end));
        return Value.of(Primitive.STRING);
    }

    private Value split(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        text(call, in);
        Name pattern = call.arguments().getFirst();
        try {
            into.add(new Step.Split(Pattern.compile(pattern.text()).pattern()));
        } catch (PatternSyntaxException e) {
            throw problem(
                    pattern.at(),
                    "\"%s\" is no regular expression: %s"
                            .formatted(pattern.text(), e.getDescription()));
        }
        return Value.of(new ArrayOf(Primitive.STRING));
    }

    private Value mapValue(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        if (!(in.type() instanceof MapOf(var keyType, var valueType))) {
            throw unfit(call, in, "a map");
        }
        Name key = call.arguments().getFirst();
        into.add(new Step.MapValue(key(key, keyType)));
        return Value.of(valueType);
    }

    private FieldValue key(Name key, FieldType type) {
        try {
            return switch (((Primitive) type).stored()) {
                case INT -> new FieldValue.IntValue(Integer.parseInt(key.text()));
                case LONG -> new FieldValue.LongValue(Long.parseLong(key.text()));
                case FLOAT -> new FieldValue.FloatValue(Float.parseFloat(key.text()));
                case DOUBLE -> new FieldValue.DoubleValue(Double.parseDouble(key.text()));
                case BOOL -> new FieldValue.BoolValue(Boolean.parseBoolean(key.text()));
                case STRING, BYTE, FLOAT16, URI, RAW, PREDICATE ->
                        new FieldValue.StringValue(key.text());
            };
        } catch (NumberFormatException _) {
            throw problem(
                    key.at(),
                    "the keys of the map are of type %s, which '%s' is not"
                            .formatted(type.text(), key.text()));
        }
    }

    private double threshold(ScriptDeclaration.Step.Call call) {
        if (call.arguments().isEmpty()) {
            return 0;
        }
        Name number = call.arguments().getFirst();
        try {
            return Double.parseDouble(number.text());
        } catch (NumberFormatException _) {
            throw problem(number.at(), "'" + number.text() + "' is no number");
        }
    }

    private Value packBits(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        if (!(in.type() instanceof TensorOf(var tensor))
                || tensor.subspaceType().dimensions().size() != 1) {
            throw unfit(call, in, "a tensor with one indexed dimension");
        }
        List<Dimension> packed =
                tensor.dimensions().stream()
                        .map(dimension ->
                                dimension instanceof Dimension.Indexed(var name, int size)
                                        ? new Dimension.Indexed(name, (size + 7) / 8)
                                        : dimension)
                        .toList();
        into.add(new Step.Apply(Operation.PACK_BITS));
        return Value.of(new TensorOf(new TensorType(CellType.INT8, packed)));
    }

    private Value chunk(ScriptDeclaration.Step.Call call, Value in, List<Step> into) {
        text(call, in);
        String id = call.arguments().stream().findFirst().map(Name::text).orElse("");
        switch (id) {
            case "sentence" -> into.add(new Step.Chunk(OptionalInt.empty()));
            case "fixed-length" -> into.add(new Step.Chunk(OptionalInt.of(chunkLength(call))));
            default ->
                    throw problem(
                            call.arguments().stream().findFirst().map(Name::at).orElse(call.at()),
                            "expected chunk sentence or chunk fixed-length and a number%s; chunkers"
                                            .formatted(
                                                    id.isEmpty() ? "" : " but found '" + id + "'")
                                    + " of the application are not built; a document processor of the application"
                                    + " can cut texts");
        }
        return Value.of(new ArrayOf(Primitive.STRING));
    }

    private int chunkLength(ScriptDeclaration.Step.Call call) {
        String number = call.arguments().size() == 2 ? call.arguments().getLast().text() : "";
        if (!number.matches("[1-9][0-9]{0,8}")) {
            throw problem(
                    call.arguments().getLast().at(),
                    "chunk fixed-length needs a number of at least 1, as in chunk fixed-length 1000");
        }
        return Integer.parseInt(number);
    }

    private IdPart idPart(ScriptDeclaration.Step.Call call) {
        if (call.arguments().isEmpty()) {
            return IdPart.WHOLE;
        }
        Name name = call.arguments().getFirst();
        IdPart part = ID_PARTS.get(name.text());
        if (part == null) {
            throw problem(
                    name.at(),
                    "an id has the parts documenttype, group, namespace, number and specific, not"
                            + " '%s'%s"
                                    .formatted(
                                            name.text(),
                                            NearestName.hint(name.text(), ID_PARTS.keySet())));
        }
        return part;
    }

    private void require(
            ScriptDeclaration.Step.Call call, Value in, boolean fits, String expected) {
        if (!fits) {
            throw unfit(call, in, expected);
        }
    }

    private Reported unfit(ScriptDeclaration.Step.Call call, Value in, String expected) {
        return problem(
                call.at(),
                "%s takes %s, but its input is of type %s"
                        .formatted(call.keyword(), expected, in.type().text()));
    }

    private Reported problem(SourcePosition at, String problem) {
        return problem(SchemaStep.SCRIPTS, at, problem);
    }

    private Reported problem(SchemaStep step, SourcePosition at, String problem) {
        findings.at(step).problem(at.pointing(problem));
        return new Reported();
    }
}
