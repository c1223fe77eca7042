package org.crabro.config.schema;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;

/**
 * A searched part of a field, such as {@code people.name} or {@code links.value}, as a field of its
 * own. If its path leads through an array or a map, its values are the array of all parts in the
 * order of the elements.
 *
 * @param whole the field that contains the part
 * @param steps the names from the field to the part: members of structs, and {@code key} and {@code
 *     value} of maps
 * @param field the part; its name is the whole path
 */
public record FieldPart(Field whole, List<String> steps, SchemaField field) {
    public FieldPart {
        steps = List.copyOf(steps);
    }

    /**
     * Returns the part with a path; empty if there is none, or it is not searched.
     *
     * @param fields by name
     */
    public static Optional<FieldPart> of(String path, Map<String, SchemaField> fields) {
        int dot = path.indexOf('.');
        SchemaField whole = dot < 0 ? null : fields.get(path.substring(0, dot));
        if (whole == null || fields.containsKey(path)) {
            return Optional.empty();
        }
        String inside = path.substring(dot + 1);
        List<String> steps = List.of(inside.split("\\.", -1));
        Optional<FieldType> type = type(whole.field().type(), steps, false);
        Set<Aspect> aspects =
                type.isEmpty() ? Set.of() : aspects(whole, inside, type.get().isText());
        return aspects.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new FieldPart(
                                whole.field(),
                                steps,
                                new SchemaField(
                                        new Field(
                                                path,
                                                type.orElseThrow(),
                                                whole.field().inDocument()),
                                        aspects,
                                        new MatchRules(whole.matching().of(inside)),
                                        new IndexingScript(List.of()),
                                        whole.values().part(steps),
                                        whole.matching().ranking(inside))));
    }

    /**
     * Returns the aspects of a part. Without a script it has those of the field around it. Numbers
     * have no words: an index of them is an attribute.
     */
    private static Set<Aspect> aspects(SchemaField whole, String inside, boolean isText) {
        Set<Aspect> written = whole.matching().aspects(inside).orElse(whole.aspects());
        Set<Aspect> aspects = EnumSet.noneOf(Aspect.class);
        if (written.contains(Aspect.ATTRIBUTE) || (written.contains(Aspect.INDEX) && !isText)) {
            aspects.add(Aspect.ATTRIBUTE);
        }
        if (written.contains(Aspect.INDEX) && isText) {
            aspects.add(Aspect.INDEX);
        }
        return aspects;
    }

    /**
     * Returns the type of the values at the end of a path; empty if they are no simple values.
     *
     * @param isMany whether an array or a map was passed
     */
    private static Optional<FieldType> type(FieldType from, List<String> steps, boolean isMany) {
        if (steps.isEmpty()) {
            return end(from, isMany);
        }
        return switch (from) {
            case ArrayOf(var element) -> type(element, steps, true);
            case MapOf(var key, var value) ->
                    switch (steps.getFirst()) {
                        case "key" -> type(key, steps.subList(1, steps.size()), true);
                        case "value" -> type(value, steps.subList(1, steps.size()), true);
                        default -> Optional.empty();
                    };
            case StructOf struct ->
                    struct.field(steps.getFirst())
                            .flatMap(member ->
                                    type(member.type(), steps.subList(1, steps.size()), isMany));
            case Primitive _, WeightedSetOf _, ReferenceOf _, TensorOf _ -> Optional.empty();
        };
    }

    private static Optional<FieldType> end(FieldType type, boolean isMany) {
        return switch (type) {
            case Primitive _, ReferenceOf _ -> Optional.of(isMany ? new ArrayOf(type) : type);
            case ArrayOf(var element) ->
                    element instanceof Primitive ? Optional.of(type) : Optional.empty();
            case WeightedSetOf _ -> isMany ? Optional.empty() : Optional.of(type);
            case MapOf _, StructOf _, TensorOf _ -> Optional.empty();
        };
    }
}
