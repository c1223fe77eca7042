package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.TypeDeclaration;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** Finds the field types that declarations name. */
final class TypeResolver {
    private static final Map<String, Primitive> PRIMITIVES =
            Map.of(
                    "string", Primitive.STRING,
                    "bool", Primitive.BOOL,
                    "int", Primitive.INT,
                    "long", Primitive.LONG,
                    "float", Primitive.FLOAT,
                    "double", Primitive.DOUBLE);
    private static final Set<String> NOT_BUILT =
            Set.of(
                    "byte",
                    "float16",
                    "uri",
                    "raw",
                    "predicate",
                    "position",
                    "tag",
                    "weightedset",
                    "map",
                    "reference",
                    "annotationreference");

    private final Findings findings;

    TypeResolver(Findings findings) {
        this.findings = findings;
    }

    /** Returns the type, or nothing after it was reported. */
    Optional<FieldType> resolve(TypeDeclaration type) {
        if (type.tensor().isPresent()) {
            return tensor(type, type.tensor().get());
        }
        if (type.name().equals("array")) {
            return array(type);
        }
        if (NOT_BUILT.contains(type.name())) {
            return refuse(type, "type " + text(type) + " is not built yet");
        }
        Primitive primitive = PRIMITIVES.get(type.name());
        if (primitive == null) {
            var known = new TreeSet<>(PRIMITIVES.keySet());
            known.add("array");
            known.add("tensor");
            return refuse(
                    type,
                    "unknown type '" + type.name() + "'" + NearestName.hint(type.name(), known));
        }
        if (!type.arguments().isEmpty()) {
            return refuse(type, "type " + type.name() + " takes no types between < and >");
        }
        return Optional.of(primitive);
    }

    private Optional<FieldType> array(TypeDeclaration type) {
        if (type.arguments().size() != 1) {
            return refuse(type, "array takes one type, as in array<string>");
        }
        TypeDeclaration element = type.arguments().getFirst();
        if (element.tensor().isPresent()) {
            return refuse(
                    element,
                    "a collection holds no tensors; use a tensor with a mapped dimension instead");
        }
        return resolve(element)
                .flatMap(resolved ->
                        resolved.equals(Primitive.STRING)
                                ? Optional.of(new ArrayOf(resolved))
                                : refuse(type, "type " + text(type) + " is not built yet"));
    }

    private Optional<FieldType> tensor(TypeDeclaration declaration, TensorType type) {
        if (type.dimensions().isEmpty()) {
            return refuse(declaration, "a field's tensor needs a dimension; use type double");
        }
        if (!type.isDense()) {
            return refuse(declaration, "a tensor with mapped dimensions is not built yet");
        }
        if (type.cellCount() > DenseTensor.CELL_COUNT_MAX) {
            return refuse(
                    declaration,
                    "%s has %,d cells, more than the limit of %,d"
                            .formatted(type, type.cellCount(), DenseTensor.CELL_COUNT_MAX));
        }
        return Optional.of(new TensorOf(type));
    }

    private Optional<FieldType> refuse(TypeDeclaration type, String problem) {
        findings.problem(type.at().pointing(problem));
        return Optional.empty();
    }

    private static String text(TypeDeclaration type) {
        if (type.arguments().isEmpty()) {
            return type.name();
        }
        var text = new StringBuilder(type.name()).append('<');
        for (TypeDeclaration argument : type.arguments()) {
            text.append(text.charAt(text.length() - 1) == '<' ? "" : ",").append(text(argument));
        }
        return text.append('>').toString();
    }
}
