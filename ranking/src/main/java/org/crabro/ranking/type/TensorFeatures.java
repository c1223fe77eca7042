package org.crabro.ranking.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.tensor.CellType;

/** Reads the names of features that are tensors. */
final class TensorFeatures {
    private static final Map<String, String> FORMS =
            Map.of(
                    "bm25_for_labels",
                    "bm25_for_labels(field)",
                    "elementwise",
                    "elementwise(bm25(field), dimension) or with a cell type as its third argument",
                    "queryTermDocumentFrequency",
                    "queryTermDocumentFrequency(field)",
                    "tensorFromLabels",
                    "tensorFromLabels(attribute(field), dimension) or of query(property)",
                    "tensorFromLabelsWithOffset",
                    "tensorFromLabelsWithOffset(attribute(field), dimension, offset)",
                    "tensorFromStructs",
                    "tensorFromStructs(attribute(field), key, value, celltype) with one to five keys",
                    "tensorFromWeightedSet",
                    "tensorFromWeightedSet(attribute(field), dimension) or of query(property)");

    /** The maximum number of parts of a tensor label. */
    private static final int KEYS_MAX = 5;

    private TensorFeatures() {}

    static Set<String> names() {
        return FORMS.keySet();
    }

    /**
     * Returns the feature that {@code feature} names; empty for other names.
     *
     * @throws ExpressionTypeException if its arguments or its output are not valid
     */
    static Optional<RankFeature> read(Feature feature) {
        String forms = FORMS.get(feature.name());
        if (forms == null) {
            return Optional.empty();
        }
        Optional<? extends RankFeature> read =
                feature.arguments().isEmpty() || !feature.output().isEmpty()
                        ? Optional.empty()
                        : feature(feature);
        return Optional.of(
                read.orElseThrow(() ->
                        new ExpressionTypeException(
                                feature.origin(),
                                "'%s' is not known in this form; expected %s"
                                        .formatted(feature, forms))));
    }

    private static Optional<? extends RankFeature> feature(Feature feature) {
        return switch (feature.name()) {
            case "bm25_for_labels" -> field(feature).map(RankFeature.Bm25ByLabel::new);
            case "queryTermDocumentFrequency" ->
                    field(feature).map(RankFeature.FrequencyByTerm::new);
            case "elementwise" -> elementwise(feature);
            case "tensorFromLabels" -> fromElements(feature, false);
            case "tensorFromWeightedSet" -> fromElements(feature, true);
            case "tensorFromLabelsWithOffset" ->
                    source(feature, "attribute")
                            .flatMap(field ->
                                    tail(feature)
                                            .filter(names -> names.size() == 2)
                                            .filter(TensorFeatures::areDistinct)
                                            .map(names ->
                                                    new RankFeature.FromOffsets(
                                                            field,
                                                            names.getFirst(),
                                                            names.getLast())));
            default -> source(feature, "attribute").flatMap(field -> fromStructs(field, feature));
        };
    }

    private static Optional<String> field(Feature feature) {
        return TermFeatures.arguments(feature)
                .filter(names -> names.size() == 1)
                .map(List::getFirst);
    }

    private static Optional<RankFeature> elementwise(Feature feature) {
        Optional<String> field = source(feature, "bm25");
        Optional<List<String>> further = tail(feature);
        if (field.isEmpty()
                || further.isEmpty()
                || further.get().isEmpty()
                || further.get().size() > 2) {
            return Optional.empty();
        }
        List<String> names = further.get();
        Optional<CellType> cells =
                names.size() == 1 ? Optional.of(CellType.DOUBLE) : cellType(names.getLast());
        return cells.map(
                type -> new RankFeature.Bm25ByElement(field.get(), names.getFirst(), type));
    }

    private static Optional<RankFeature> fromElements(Feature feature, boolean weighted) {
        Optional<List<String>> further = tail(feature).filter(names -> names.size() < 2);
        if (further.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> field = source(feature, "attribute");
        if (field.isPresent()) {
            String dimension = further.get().isEmpty() ? field.get() : further.get().getFirst();
            return Optional.of(new RankFeature.FromElements(field.get(), dimension, weighted));
        }
        return source(feature, "query")
                .map(property ->
                        new RankFeature.FromProperty(
                                property,
                                further.get().isEmpty() ? property : further.get().getFirst(),
                                weighted));
    }

    private static Optional<RankFeature> fromStructs(String field, Feature feature) {
        List<String> names = tail(feature).orElse(List.of());
        if (names.size() < 3 || names.size() > KEYS_MAX + 2) {
            return Optional.empty();
        }
        List<String> keys = names.subList(0, names.size() - 2);
        return areDistinct(keys)
                ? cellType(names.getLast())
                        .map(cells ->
                                new RankFeature.FromStructs(
                                        field, keys, names.get(keys.size()), cells))
                : Optional.empty();
    }

    private static boolean areDistinct(List<String> names) {
        return names.stream().distinct().count() == names.size();
    }

    /** Returns the only name in {@code kind(name)}, which must be the first argument. */
    private static Optional<String> source(Feature feature, String kind) {
        return feature.arguments().getFirst() instanceof Feature source
                        && source.name().equals(kind)
                        && source.output().isEmpty()
                ? field(source)
                : Optional.empty();
    }

    private static Optional<List<String>> tail(Feature feature) {
        var names = new ArrayList<Expression>(feature.arguments());
        names.removeFirst();
        return TermFeatures.arguments(new Feature(feature.name(), names, "", feature.origin()));
    }

    private static Optional<CellType> cellType(String name) {
        for (CellType type : CellType.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
