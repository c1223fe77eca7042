package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.ranking.type.FeatureTypes;
import org.crabro.ranking.type.FieldFeature;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;

/** Resolves the names in the features of a rank profile to types. */
final class SchemaFeatureTypes implements FeatureTypes {
    private static final Answer SCALAR = new Answer.Typed(TensorType.SCALAR);

    private final ProfileFields fields;
    private final Map<String, Input> inputs;
    private final boolean strict;

    /**
     * @param strict whether every input has to be declared; otherwise an undeclared one is a number
     */
    SchemaFeatureTypes(ProfileFields fields, Map<String, Input> inputs, boolean strict) {
        this.fields = fields;
        this.inputs = inputs;
        this.strict = strict;
    }

    @Override
    public Answer type(RankFeature feature) {
        return switch (feature) {
            case RankFeature.Attribute(var field) -> attribute(field);
            case RankFeature.Query(var name) -> query(name);
            case RankFeature.AttributePart(var field, _, _) ->
                    field(field, SchemaCompiler::isAttribute, "has no attribute in its indexing");
            case RankFeature.Bm25(var field, _) -> text(field);
            case RankFeature.Closeness(var vector) -> vector(vector);
            case RankFeature.Distance(var vector) -> vector(vector);
            case RankFeature.Closest(var field, _) -> closest(field);
            case RankFeature.DotProduct(var field, _) ->
                    field(
                            field,
                            schemaField ->
                                    SchemaCompiler.isAttribute(schemaField)
                                            && (schemaField.field().type() instanceof WeightedSetOf
                                                    || schemaField.field().type()
                                                            instanceof ArrayOf),
                            "is no weighted set and no array with attribute in its indexing");
            case RankFeature.Geo(var field, _) -> place(field);
            case RankFeature.ToPath(var field, _) -> place(field);
            case RankFeature.FieldInfo(var field, _) -> searchable(field);
            case RankFeature.MatchOfFields(var output) -> ofAllFields(output);
            case RankFeature.OfTensor tensor -> {
                Answer answer = source(tensor);
                yield answer.equals(SCALAR) ? new Answer.Typed(tensor.type()) : answer;
            }
            case RankFeature.Freshness(var field, _) -> time(field);
            case RankFeature.Age(var field) -> time(field);
            case RankFeature.Matches(var field) -> searchable(field);
            case RankFeature.FieldTermMatch(var field, _, _) -> searchable(field);
            case RankFeature.TermDistance(var field, _, _, _) -> text(field);
            case RankFeature.OfField(var asked, var field, _) -> ofField(asked, field);
            case RankFeature.Native(_, var named) ->
                    named.stream()
                            .map(this::searchable)
                            .filter(answer -> !answer.equals(SCALAR))
                            .findFirst()
                            .orElse(SCALAR);
            case RankFeature.WithoutField _ -> SCALAR;
        };
    }

    private Answer ofField(FieldFeature feature, String field) {
        return switch (feature.need()) {
            case SEARCHABLE -> searchable(field);
            case TEXT -> text(field);
            case ONE_TEXT ->
                    field(
                            field,
                            schemaField ->
                                    schemaField.isIndexedText()
                                            && (schemaField.field().type() instanceof Primitive
                                                    || isPart(field)),
                            "is no single text with index in its indexing");
            case ATTRIBUTE ->
                    field(field, SchemaCompiler::isAttribute, "has no attribute in its indexing");
        };
    }

    private Answer text(String field) {
        return field(field, SchemaField::isIndexedText, "is no text with index in its indexing");
    }

    private Answer searchable(String field) {
        return field(
                field,
                SchemaField::isSearchable,
                "cannot be searched: its indexing has neither index nor attribute");
    }

    private Answer attribute(String name) {
        SchemaField field = fields.declared().get(name);
        if (field != null
                && SchemaCompiler.isAttribute(field)
                && field.field().type() instanceof TensorOf(var type)) {
            return new Answer.Typed(type);
        }
        if (field == null && name.endsWith(SchemaField.Z_CURVE)) {
            SchemaField place =
                    fields.declared()
                            .get(name.substring(0, name.length() - SchemaField.Z_CURVE.length()));
            if (place != null && isPlace(place)) {
                return SCALAR;
            }
        }
        return field(name, SchemaCompiler::isAttribute, "has no attribute in its indexing");
    }

    private Answer query(String name) {
        Input input = inputs.get(name);
        if (input != null) {
            return new Answer.Typed(input.type());
        }
        return strict ? new Answer.Unknown("input", name, inputs.keySet()) : SCALAR;
    }

    private Answer vector(RankFeature.Vector vector) {
        return switch (vector) {
            case RankFeature.Vector.OfField(var field) ->
                    field(
                            field,
                            schemaField -> isSearchedVector(schemaField) || isPlace(schemaField),
                            "is no vector and no position with attribute in its indexing");
            case RankFeature.Vector.OfLabel _ -> SCALAR;
        };
    }

    /**
     * Returns a tensor over the mapped dimensions, whose labels identify the vectors of a document.
     */
    private Answer closest(String name) {
        SchemaField schemaField = fields.declared().get(name);
        Answer answer =
                field(
                        name,
                        field ->
                                isSearchedVector(field)
                                        && field.field().type() instanceof TensorOf(var type)
                                        && !type.isDense(),
                        "has no mapped dimension, whose labels identify vectors");
        return answer.equals(SCALAR)
                        && schemaField != null
                        && schemaField.field().type() instanceof TensorOf(var type)
                ? new Answer.Typed(RankFeature.Closest.type(type))
                : answer;
    }

    /** Returns the type of the source of a tensor. */
    private Answer source(RankFeature.OfTensor tensor) {
        return switch (tensor) {
            case RankFeature.FromElements(var field, _, _) -> elements(field);
            case RankFeature.FromOffsets(var field, _, _) -> elements(field);
            case RankFeature.FromProperty _ -> SCALAR;
            case RankFeature.FromStructs structs -> structs(structs);
            case RankFeature.Bm25ByLabel(var field) -> text(field);
            case RankFeature.Bm25ByElement(var field, _, _) -> text(field);
            case RankFeature.FrequencyByTerm(var field) -> text(field);
        };
    }

    /** Returns the reason why the tensor {@code feature} has no cells for any document, if so. */
    Optional<String> emptiness(RankFeature.OfTensor feature) {
        if (!(type(feature) instanceof Answer.Typed)) {
            return Optional.empty();
        }
        return switch (feature) {
            case RankFeature.FromElements(var field, _, var weighted) when weighted ->
                    type(field)
                            .filter(type -> !(type instanceof WeightedSetOf))
                            .map(type ->
                                    "field '%s' is of type %s and no weighted set"
                                            .formatted(field, type.text()));
            case RankFeature.FromElements(var field, _, _) -> unlabelled(field);
            case RankFeature.FromOffsets(var field, _, _) -> unlabelled(field);
            default -> Optional.empty();
        };
    }

    private Optional<String> unlabelled(String field) {
        return type(field)
                .filter(type -> !isLabel(type instanceof ArrayOf(var element) ? element : type))
                .map(type ->
                        "field '%s' is of type %s, and labels are texts and whole numbers"
                                .formatted(field, type.text()));
    }

    private Optional<FieldType> type(String field) {
        return fields.fieldOrPart(field).map(schemaField -> schemaField.field().type());
    }

    private static boolean isLabel(FieldType type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case STRING, URI, BOOL, BYTE, INT, LONG -> true;
                    case FLOAT16, FLOAT, DOUBLE, RAW, PREDICATE -> false;
                };
    }

    private Answer elements(String field) {
        return field(field, SchemaCompiler::isAttribute, "has no attribute in its indexing");
    }

    private Answer structs(RankFeature.FromStructs wanted) {
        Answer answer =
                field(
                        wanted.field(),
                        field -> structOf(field).isPresent(),
                        "is no array of structs");
        SchemaField field = fields.declared().get(wanted.field());
        Optional<StructOf> struct =
                field == null ? Optional.empty() : SchemaFeatureTypes.structOf(field);
        if (!answer.equals(SCALAR) || struct.isEmpty()) {
            return answer;
        }
        for (String key : wanted.keys()) {
            if (!isPart(struct.get(), key, false)) {
                return unfit(wanted.field(), key, "string or whole number");
            }
        }
        return isPart(struct.get(), wanted.value(), true)
                ? SCALAR
                : unfit(wanted.field(), wanted.value(), "number");
    }

    private static Answer unfit(String field, String part, String kind) {
        return new Answer.Unfit("structs of '%s' have no %s '%s'".formatted(field, kind, part));
    }

    private static Optional<StructOf> structOf(SchemaField field) {
        return field.field().type() instanceof ArrayOf(var element)
                        && element instanceof StructOf struct
                        && !struct.equals(StructOf.POSITION)
                ? Optional.of(struct)
                : Optional.empty();
    }

    private static boolean isPart(StructOf struct, String name, boolean isNumber) {
        return struct.field(name)
                .filter(part ->
                        part.type() instanceof Primitive primitive
                                && (isNumber
                                        ? primitive.isNumber()
                                        : primitive.isText()
                                                || primitive == Primitive.INT
                                                || primitive == Primitive.LONG
                                                || primitive == Primitive.BYTE))
                .isPresent();
    }

    private Answer place(String field) {
        return field(field, SchemaFeatureTypes::isPlace, "is no position, which has places");
    }

    /** The weight of a field has the name of the field in its output. */
    private Answer ofAllFields(String output) {
        return output.startsWith(RankFeature.MatchOfFields.WEIGHT)
                ? searchable(output.substring(RankFeature.MatchOfFields.WEIGHT.length()))
                : SCALAR;
    }

    private Answer time(String name) {
        return field(
                name,
                field -> SchemaCompiler.isAttribute(field) && isNumber(field),
                "is no number with attribute in its indexing");
    }

    private Answer field(String name, Predicate<SchemaField> fits, String otherwise) {
        Optional<SchemaField> field = fields.fieldOrPart(name);
        if (field.isEmpty() && fields.isBroken(name)) {
            return SCALAR;
        }
        if (field.isEmpty()) {
            return new Answer.Unknown("field", name, fields.names(fits));
        }
        return fits.test(field.get())
                ? SCALAR
                : new Answer.Unfit("field '" + name + "' " + otherwise);
    }

    /** Texts of parts count over all elements, so they need not be single. */
    private boolean isPart(String name) {
        return !fields.declared().containsKey(name);
    }

    /** Returns whether words of {@code field} are searched one by one. */
    private static boolean isSearchedVector(SchemaField field) {
        return field.isSearchable()
                && field.field().type() instanceof TensorOf(var type)
                && TypeContents.isVector(type);
    }

    /** Returns whether {@code field} contains geographic positions. */
    private static boolean isPlace(SchemaField field) {
        return SchemaCompiler.isAttribute(field)
                && (field.field().type().equals(StructOf.POSITION)
                        || field.field().type().equals(new ArrayOf(StructOf.POSITION)));
    }

    /** Of an array the first number counts. */
    private static boolean isNumber(SchemaField field) {
        return switch (field.field().type()) {
            case Primitive primitive -> primitive.isNumber();
            case ArrayOf(var element) ->
                    element instanceof Primitive primitive && primitive.isNumber();
            default -> false;
        };
    }
}
