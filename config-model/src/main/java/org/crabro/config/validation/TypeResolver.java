package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration.Member;
import org.crabro.config.parser.SchemaDeclaration.Struct;
import org.crabro.config.parser.TypeDeclaration;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** Resolves declared field types and the structs of a schema. */
final class TypeResolver {
    /** The types with a value of more than one part, or of another form; all take arguments. */
    private static final Set<String> GENERIC =
            Set.of("array", "weightedset", "map", "reference", "annotationreference");

    /**
     * The maximum number of fields of a struct, including those of nested structs. Structs that
     * contain structs twice grow exponentially, so that a few of them would fill the memory.
     */
    private static final int STRUCT_SIZE_MAX = 1_000;

    /** The maximum nesting depth of structs, far below the limits of the stack and of JSON. */
    private static final int STRUCT_DEPTH_MAX = 32;

    /**
     * How deep documents can nest structs that contain themselves. The first depth counts with
     * which a struct has at most {@link #STRUCT_SIZE_MAX} fields.
     */
    private static final List<Integer> RECURSION_MAX = List.of(16, 8, 4);

    private final Findings findings;
    private final Map<String, Struct> declared = new LinkedHashMap<>();
    private final Set<String> annotations;
    private final Set<String> documents;
    private final Map<String, Optional<StructOf>> structs = new LinkedHashMap<>();
    private final Set<String> open = new LinkedHashSet<>();
    private final RecursiveStructs recursive;

    /** The structs within the outermost recursive struct, by their name and depth. */
    private final Map<Level, Optional<StructOf>> levels = new HashMap<>();

    /** The number of recursive structs around the type that is resolved. */
    private int depth;

    private int depthMax = RECURSION_MAX.getFirst();

    /** The structs of circles of parents that were reported. */
    private final Set<String> circles = new HashSet<>();

    /** Whether a recursive struct has too many fields with {@link #depthMax}. */
    private boolean isTooLarge;

    private record Level(String struct, int depth) {}

    /**
     * @param structs as declared; their problems are reported
     * @param annotations their names
     * @param documents the names of all document types
     */
    TypeResolver(
            List<Struct> structs,
            Set<String> annotations,
            Set<String> documents,
            Findings findings) {
        this.findings = findings;
        this.annotations = Set.copyOf(annotations);
        this.documents = Set.copyOf(documents);
        structs.forEach(struct -> declared.putIfAbsent(struct.name().text(), struct));
        this.recursive = new RecursiveStructs(declared);
        // Structs within recursive ones report no problems: those without any come first.
        declared.keySet().stream().filter(name -> !recursive.areIn(name)).forEach(this::struct);
        declared.keySet().forEach(this::struct);
    }

    /** Returns the types without parts, by the names that schemas have for them. */
    private static Map<String, FieldType> simpleTypes() {
        var types = new LinkedHashMap<String, FieldType>();
        for (Primitive primitive : Primitive.values()) {
            types.put(primitive.name().toLowerCase(Locale.ROOT), primitive);
        }
        types.put("position", StructOf.POSITION);
        types.put("tag", new WeightedSetOf(Primitive.STRING));
        return types;
    }

    private static final Map<String, FieldType> SIMPLE = simpleTypes();

    /** Returns whether a struct cannot be called {@code name}, since a type is. */
    static boolean isBuiltIn(String name) {
        return SIMPLE.containsKey(name) || GENERIC.contains(name) || name.equals("tensor");
    }

    /** Returns the type, or empty after a problem was reported. */
    Optional<FieldType> resolve(TypeDeclaration type) {
        if (type.tensor().isPresent()) {
            return tensor(type, type.tensor().get());
        }
        return switch (type.name()) {
            case "array" -> element(type, "array<string>").map(ArrayOf::new);
            case "weightedset" ->
                    element(type, "weightedset<string>")
                            .flatMap(element -> key(type.arguments().getFirst(), element))
                            .flatMap(element -> weighted(type.arguments().getFirst(), element))
                            .map(WeightedSetOf::new);
            case "map" -> map(type);
            case "reference" -> reference(type);
            case "annotationreference" -> annotationReference(type);
            default -> named(type);
        };
    }

    private Optional<FieldType> named(TypeDeclaration type) {
        FieldType simple = SIMPLE.get(type.name());
        boolean isStruct = simple == null && declared.containsKey(type.name());
        if ((simple != null || isStruct) && !type.arguments().isEmpty()) {
            return refuse(type, "type " + type.name() + " takes no types between < and >");
        }
        if (simple != null) {
            return Optional.of(simple);
        }
        if (isStruct) {
            if (open.size() == STRUCT_DEPTH_MAX) {
                return refuse(type, tooDeep());
            }
            return struct(type.name()).map(FieldType.class::cast);
        }
        if (documents.contains(type.name())) {
            return refuse(
                    type,
                    "fields that hold a document are not built: in JSON a document has no form within another; use a"
                            + " struct with its fields, or reference<%s>".formatted(type.name()));
        }
        var names = new TreeSet<>(SIMPLE.keySet());
        names.addAll(GENERIC);
        names.add("tensor");
        names.addAll(declared.keySet());
        return refuse(
                type, "unknown type '" + type.name() + "'" + NearestName.hint(type.name(), names));
    }

    /** Returns the type of the elements of a collection. */
    private Optional<FieldType> element(TypeDeclaration type, String example) {
        if (type.arguments().size() != 1) {
            return refuse(type, type.name() + " takes one type, as in " + example);
        }
        return inCollection(type.arguments().getFirst());
    }

    private Optional<FieldType> inCollection(TypeDeclaration type) {
        if (type.tensor().isPresent()) {
            return refuse(
                    type,
                    "a collection holds no tensors; use a tensor with a mapped dimension instead");
        }
        if (type.name().equals("predicate") || type.name().equals("reference")) {
            return refuse(type, "a collection holds no " + type.name() + "s");
        }
        return resolve(type);
    }

    private Optional<FieldType> map(TypeDeclaration type) {
        if (type.arguments().size() != 2) {
            return refuse(type, "map takes two types, as in map<string, int>");
        }
        Optional<FieldType> key = inCollection(type.arguments().getFirst());
        Optional<FieldType> value = inCollection(type.arguments().getLast());
        return key.flatMap(keyType -> key(type.arguments().getFirst(), keyType))
                .flatMap(keyType -> value.map(mapped -> new MapOf(keyType, mapped)));
    }

    private Optional<FieldType> key(TypeDeclaration at, FieldType type) {
        if (type instanceof Primitive primitive && primitive != Primitive.RAW) {
            return Optional.of(type);
        }
        return refuse(
                at,
                "keys of maps and elements of weighted sets are texts, numbers or bools, not "
                        + type.text());
    }

    private Optional<FieldType> weighted(TypeDeclaration at, FieldType type) {
        return type == Primitive.FLOAT16 || type == Primitive.FLOAT || type == Primitive.DOUBLE
                ? refuse(
                        at,
                        "elements of weighted sets are texts, whole numbers or bools, not "
                                + type.text())
                : Optional.of(type);
    }

    private Optional<FieldType> reference(TypeDeclaration type) {
        if (type.arguments().size() != 1) {
            return refuse(type, "reference takes the name of a document type");
        }
        TypeDeclaration argument = type.arguments().getFirst();
        if (!documents.contains(argument.name())) {
            return refuse(
                    argument,
                    "unknown document type '%s'%s"
                            .formatted(
                                    argument.name(), NearestName.hint(argument.name(), documents)));
        }
        return Optional.of(new ReferenceOf(argument.name()));
    }

    private Optional<FieldType> annotationReference(TypeDeclaration type) {
        if (type.arguments().size() != 1) {
            return refuse(type, "annotationreference takes the name of an annotation");
        }
        TypeDeclaration argument = type.arguments().getFirst();
        if (!annotations.contains(argument.name())) {
            return refuse(
                    argument,
                    "unknown annotation '%s'%s"
                            .formatted(
                                    argument.name(),
                                    NearestName.hint(argument.name(), annotations)));
        }
        if (!isRepeated()) {
            findings.warn(
                    type.at()
                            + ": annotationreference is an old type: its fields never have a value");
        }
        return Optional.of(new StructOf("annotationreference<" + argument.name() + ">", List.of()));
    }

    private Optional<FieldType> tensor(TypeDeclaration declaration, TensorType type) {
        if (type.dimensions().isEmpty()) {
            return refuse(declaration, "a field's tensor needs a dimension; use type double");
        }
        if (type.subspaceSize() > DenseTensor.CELL_COUNT_MAX) {
            return refuse(
                    declaration,
                    "%s has %,d cells, more than the limit of %,d"
                            .formatted(type, type.subspaceSize(), DenseTensor.CELL_COUNT_MAX));
        }
        return Optional.of(new TensorOf(type));
    }

    /** Returns the struct called {@code name}, or empty after its problem was reported. */
    private Optional<StructOf> struct(String name) {
        if (recursive.areIn(name) && depth > 0) {
            return inner(name);
        }
        Optional<StructOf> declared = structs.get(name);
        if (declared == null) {
            declared = recursive.contains(name) ? outermost(name) : opened(name);
            structs.put(name, declared);
        }
        return declared;
    }

    private Optional<StructOf> opened(String name) {
        boolean isFirst = open.add(name);
        Optional<StructOf> struct = compile(Objects.requireNonNull(declared.get(name)));
        if (isFirst) {
            open.remove(name);
        }
        return struct;
    }

    /** Returns a recursive struct whose innermost structs lack the members with such structs. */
    private Optional<StructOf> outermost(String name) {
        Name at = Objects.requireNonNull(declared.get(name)).name();
        Optional<StructOf> outermost = Optional.empty();
        int allowed = 0;
        for (int each : RECURSION_MAX) {
            allowed = each;
            depthMax = each;
            isTooLarge = false;
            levels.clear();
            depth = 1;
            outermost = opened(name);
            depth = 0;
            if (!isTooLarge) {
                break;
            }
        }
        depthMax = RECURSION_MAX.getFirst();
        if (isTooLarge) {
            problem(
                    at,
                    "struct '%s' contains itself: nested %d deep, it has more than %,d fields"
                            .formatted(name, allowed, STRUCT_SIZE_MAX));
        } else if (outermost.isPresent()) {
            findings.warn(
                    "%s: struct '%s' contains itself: documents can nest it %d deep"
                            .formatted(at.at(), name, allowed));
        }
        return outermost;
    }

    private Optional<StructOf> inner(String name) {
        var level = new Level(name, depth);
        Optional<StructOf> struct = levels.get(level);
        if (struct == null) {
            depth++;
            struct = isTooLarge ? Optional.empty() : opened(name);
            depth--;
            levels.put(level, struct);
        }
        return struct;
    }

    /** Returns whether problems were reported already, for the same struct further out. */
    private boolean isRepeated() {
        return depth > 1 || depthMax < RECURSION_MAX.getFirst();
    }

    private Optional<StructOf> compile(Struct struct) {
        String name = struct.name().text();
        var fields = new LinkedHashMap<String, Field>();
        boolean whole = true;
        for (Name parent : struct.parents()) {
            whole &= inherit(struct, parent, fields);
        }
        var own = new HashSet<String>();
        for (Member member : struct.members()) {
            String field = member.name().text();
            if (fields.containsKey(field)) {
                problem(
                        member.name(),
                        own.contains(field)
                                ? "struct '%s' has the field '%s' twice".formatted(name, field)
                                : "struct '%s' inherits a field '%s' and cannot declare it again"
                                        .formatted(name, field));
                whole = false;
            }
            own.add(field);
            if (depth >= depthMax && recursive.areIn(member.type())) {
                continue;
            }
            Optional<FieldType> type =
                    member.type().name().equals("reference")
                            ? refuse(member.type(), "a struct holds no references")
                            : resolve(member.type());
            whole &= type.isPresent();
            type.ifPresent(
                    fieldType -> fields.putIfAbsent(field, new Field(field, fieldType, true)));
        }
        long size = fields.values().stream().mapToLong(field -> size(field.type())).sum();
        if (size > STRUCT_SIZE_MAX && recursive.contains(name)) {
            isTooLarge = true;
            return Optional.empty();
        }
        if (size > STRUCT_SIZE_MAX) {
            problem(
                    struct.name(),
                    "struct '%s' has %d fields with those of the structs in it, more than %d"
                            .formatted(name, size, STRUCT_SIZE_MAX));
            return Optional.empty();
        }
        if (fields.values().stream().anyMatch(field -> depth(field.type()) >= STRUCT_DEPTH_MAX)) {
            problem(struct.name(), tooDeep());
            return Optional.empty();
        }
        return whole
                ? Optional.of(new StructOf(name, new ArrayList<>(fields.values())))
                : Optional.empty();
    }

    private boolean inherit(Struct struct, Name parent, Map<String, Field> into) {
        String child = struct.name().text();
        if (open.contains(parent.text())) {
            if (!circles.contains(parent.text())) {
                circles.addAll(open);
                findings.problem(
                        parent.at()
                                .pointing(
                                        "struct '%s' inherits itself: %s inherits %s"
                                                .formatted(
                                                        child,
                                                        String.join(" inherits ", open),
                                                        parent.text())));
            }
            return false;
        }
        if (!declared.containsKey(parent.text())) {
            problem(
                    parent,
                    "struct '%s' inherits '%s', which does not exist%s"
                            .formatted(
                                    child,
                                    parent.text(),
                                    NearestName.hint(parent.text(), declared.keySet())));
            return false;
        }
        if (open.size() == STRUCT_DEPTH_MAX) {
            problem(parent, tooDeep());
            return false;
        }
        Optional<StructOf> parentStruct = struct(parent.text());
        boolean whole = parentStruct.isPresent();
        for (Field field : parentStruct.map(StructOf::fields).orElse(List.of())) {
            if (into.putIfAbsent(field.name(), field) != null) {
                problem(
                        parent,
                        "struct '%s' inherits two fields called '%s'"
                                .formatted(child, field.name()));
                whole = false;
            }
        }
        return whole;
    }

    private static String tooDeep() {
        return "structs hold or inherit structs more than %d deep".formatted(STRUCT_DEPTH_MAX);
    }

    /** Returns the nesting depth of structs in values of {@code type}. */
    private static int depth(FieldType type) {
        return switch (type) {
            case Primitive _, ReferenceOf _, TensorOf _ -> 0;
            case ArrayOf(var element) -> depth(element);
            case WeightedSetOf(var element) -> depth(element);
            case MapOf(var key, var value) -> Math.max(depth(key), depth(value));
            case StructOf(_, var fields) ->
                    1 + fields.stream().mapToInt(field -> depth(field.type())).max().orElse(0);
        };
    }

    private static long size(FieldType type) {
        return switch (type) {
            case Primitive _, ReferenceOf _, TensorOf _ -> 1;
            case ArrayOf(var element) -> size(element);
            case WeightedSetOf(var element) -> size(element);
            case MapOf(var key, var value) -> size(key) + size(value);
            case StructOf(_, var fields) ->
                    1 + fields.stream().mapToLong(field -> size(field.type())).sum();
        };
    }

    private Optional<FieldType> refuse(TypeDeclaration type, String problem) {
        if (!isRepeated()) {
            findings.problem(type.at().pointing(problem));
        }
        return Optional.empty();
    }

    private void problem(Name at, String problem) {
        if (!isRepeated()) {
            findings.problem(at.at().pointing(problem));
        }
    }
}
