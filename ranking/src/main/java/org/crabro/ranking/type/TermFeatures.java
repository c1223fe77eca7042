package org.crabro.ranking.type;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.UnaryOperator;
import org.crabro.ranking.type.RankFeature.DistanceOutput;
import org.crabro.ranking.type.RankFeature.FieldInfoOutput;
import org.crabro.ranking.type.RankFeature.FieldTermOutput;
import org.crabro.ranking.type.RankFeature.GeoOutput;
import org.crabro.ranking.type.RankFeature.PathOutput;
import org.crabro.ranking.type.RankFeature.TermOutput;

/** Parses the names of features about the query's terms and their positions. */
final class TermFeatures {
    /** The forms of features without a table of their own. */
    private static final Map<String, String> FORMS =
            Map.ofEntries(
                    entry(
                            "distanceToPath",
                            "distanceToPath(field) and an output: distance, traveled or product"),
                    entry("dotProduct", "dotProduct(field, vector)"),
                    entry("fieldInfo", "fieldInfo(field) and an output"),
                    entry("fieldTermMatch", "fieldTermMatch(field, term) and an output"),
                    entry(
                            "great_circle_distance",
                            "great_circle_distance(name) or great_circle_distance(field, name), and an"
                                    + " output: km, latitude or longitude"),
                    entry("itemRawScore", "itemRawScore(label)"),
                    entry("match", "match, match.totalWeight or match.weight.field"),
                    entry("num_docs_indexed", "num_docs_indexed"),
                    entry("random", "random, random(tag), random.match or random(tag).match"),
                    entry(
                            "randomNormal",
                            "randomNormal(mean, deviation, tag), of which the last ones may be left out"),
                    entry(
                            "randomNormalStable",
                            "randomNormalStable(mean, deviation), of which the last ones may be left out"),
                    entry(
                            "term",
                            "term(number) and an output: significance, weight or connectedness"),
                    entry("termDistance", "termDistance(field, term, term) and an output"),
                    entry("termInfo", "termInfo(number).queryidx"),
                    entry("value", "value(number)"));

    private static final Set<String> NAMES = names(FORMS.keySet());

    /** Larger numbers name no term of any query. */
    private static final int TERMS_MAX = 1_000_000;

    private TermFeatures() {}

    private static Set<String> names(Set<String> others) {
        var names = new TreeSet<>(others);
        for (FieldFeature feature : FieldFeature.values()) {
            names.add(feature.text());
        }
        for (NativeFeature feature : NativeFeature.values()) {
            names.add(feature.text());
        }
        return Set.copyOf(names);
    }

    static Set<String> names() {
        return NAMES;
    }

    /**
     * Returns the feature that {@code feature} names; empty for other names.
     *
     * @throws ExpressionTypeException if its arguments or its output are not valid
     */
    static Optional<RankFeature> read(Feature feature) {
        for (FieldFeature each : FieldFeature.values()) {
            if (each.text().equals(feature.name())) {
                return Optional.of(ofField(each, feature));
            }
        }
        for (NativeFeature each : NativeFeature.values()) {
            if (each.text().equals(feature.name())) {
                List<String> fields = arguments(feature).orElse(List.of());
                boolean fits =
                        feature.output().isEmpty() && fields.size() == feature.arguments().size();
                return Optional.of(
                        required(
                                fits
                                        ? Optional.of(new RankFeature.Native(each, fields))
                                        : Optional.empty(),
                                feature,
                                each.text() + " or " + each.text() + "(field, …)"));
            }
        }
        String forms = FORMS.get(feature.name());
        if (feature.name().startsWith("randomNormal") && forms != null) {
            return Optional.of(required(randomNormal(feature), feature, forms));
        }
        return forms == null
                ? Optional.empty()
                : Optional.of(
                        required(
                                arguments(feature).flatMap(names -> other(feature, names)),
                                feature,
                                forms));
    }

    private static RankFeature required(Optional<RankFeature> read, Feature feature, String forms) {
        return read.orElseThrow(() ->
                new ExpressionTypeException(
                        feature.origin(),
                        "'%s' is not known in this form; expected %s".formatted(feature, forms)));
    }

    private static RankFeature ofField(FieldFeature each, Feature feature) {
        return required(
                arguments(feature)
                        .filter(names -> names.size() == 1)
                        .flatMap(names ->
                                each.output(feature.output())
                                        .map(output ->
                                                new RankFeature.OfField(
                                                        each, names.getFirst(), output))),
                feature,
                each.forms());
    }

    private static Optional<RankFeature> other(Feature feature, List<String> names) {
        String output = feature.output();
        boolean plain = output.isEmpty();
        return switch (feature.name()) {
            case "fieldTermMatch" ->
                    names.size() != 2
                            ? Optional.empty()
                            : number(names.get(1))
                                    .flatMap(term ->
                                            output(
                                                            FieldTermOutput.class,
                                                            plain ? "firstPosition" : output)
                                                    .filter(each -> each != FieldTermOutput.MATCHES)
                                                    .map(each ->
                                                            new RankFeature.FieldTermMatch(
                                                                    names.getFirst(), term, each)));
            case "distanceToPath" ->
                    names.size() != 1
                            ? Optional.empty()
                            : output(PathOutput.class, output)
                                    .map(each -> new RankFeature.ToPath(names.getFirst(), each));
            case "fieldInfo" ->
                    names.size() != 1
                            ? Optional.empty()
                            : output(FieldInfoOutput.class, output)
                                    .map(each -> new RankFeature.FieldInfo(names.getFirst(), each));
            case "great_circle_distance" ->
                    names.size() != 1 && !(names.size() == 2 && names.getFirst().equals("field"))
                            ? Optional.empty()
                            : GeoOutput.ofDistance(plain ? "km" : output)
                                    .filter(each -> each != GeoOutput.INDEX)
                                    .map(each -> new RankFeature.Geo(names.getLast(), each));
            case "match" -> names.isEmpty() ? ofAllFields(output) : Optional.empty();
            case "termInfo" ->
                    names.size() == 1 && (plain || output.equals("queryidx"))
                            ? number(names.getFirst()).map(RankFeature.TermInfo::new)
                            : Optional.empty();
            case "term" ->
                    names.size() != 1
                            ? Optional.empty()
                            : number(names.getFirst())
                                    .flatMap(term ->
                                            output(TermOutput.class, output)
                                                    .map(each ->
                                                            new RankFeature.OfTerm(term, each)));
            case "termDistance" -> names.size() != 3 ? Optional.empty() : distance(names, output);
            case "dotProduct" ->
                    names.size() == 2 && plain
                            ? Optional.of(
                                    new RankFeature.DotProduct(names.getFirst(), names.get(1)))
                            : Optional.empty();
            case "itemRawScore" ->
                    names.size() == 1 && plain
                            ? Optional.of(new RankFeature.ItemRawScore(names.getFirst()))
                            : Optional.empty();
            case "num_docs_indexed" ->
                    names.isEmpty() && plain
                            ? Optional.of(new RankFeature.DocumentCount())
                            : Optional.empty();
            case "random" ->
                    names.size() <= 1 && (plain || output.equals("match"))
                            ? Optional.of(
                                    new RankFeature.Random(
                                            names.isEmpty() ? "" : names.getFirst(), !plain))
                            : Optional.empty();
            case "value" ->
                    names.size() == 1 && (plain || output.equals("0"))
                            ? decimal(names.getFirst()).map(RankFeature.Value::new)
                            : Optional.empty();
            default -> throw new IllegalStateException(feature.name());
        };
    }

    private static Optional<RankFeature> ofAllFields(String output) {
        boolean isKnown =
                List.of("", "score", "totalWeight").contains(output)
                        || output.startsWith(RankFeature.MatchOfFields.WEIGHT);
        return isKnown
                ? Optional.of(new RankFeature.MatchOfFields(output.isEmpty() ? "score" : output))
                : Optional.empty();
    }

    private static Optional<RankFeature> randomNormal(Feature feature) {
        List<Expression> given = feature.arguments();
        boolean isStable = feature.name().endsWith("Stable");
        if (given.size() > (isStable ? 2 : 3) || !feature.output().isEmpty()) {
            return Optional.empty();
        }
        Optional<List<String>> tag =
                arguments(
                        new Feature(
                                feature.name(),
                                given.subList(Math.min(2, given.size()), given.size()),
                                "",
                                feature.origin()));
        Expression givenMean = given.isEmpty() ? new Constant(0) : given.getFirst();
        Expression givenDeviation = given.size() < 2 ? new Constant(1) : given.get(1);
        return signed(givenMean)
                .flatMap(mean ->
                        signed(givenDeviation)
                                .flatMap(deviation ->
                                        tag.map(tags ->
                                                new RankFeature.RandomNormal(
                                                        mean,
                                                        deviation,
                                                        tags.isEmpty() ? "" : tags.getFirst(),
                                                        isStable))));
    }

    private static Optional<Double> signed(Expression argument) {
        if (argument instanceof Constant(double value)) {
            return Optional.of(value);
        }
        return argument instanceof Expression.Unary(var operator, Constant(double value))
                        && operator == UnaryOperator.MINUS
                ? Optional.of(-value)
                : Optional.empty();
    }

    private static Optional<RankFeature> distance(List<String> names, String output) {
        Optional<Integer> first = number(names.get(1));
        Optional<Integer> second = number(names.get(2));
        return first.isEmpty() || second.isEmpty()
                ? Optional.empty()
                : output(DistanceOutput.class, output)
                        .map(each ->
                                new RankFeature.TermDistance(
                                        names.getFirst(), first.get(), second.get(), each));
    }

    /** Returns the output of a name, {@code firstPosition} for {@code FIRST_POSITION}. */
    private static <T extends Enum<T>> Optional<T> output(Class<T> type, String name) {
        String first = name.isEmpty() ? type.getEnumConstants()[0].name() : "";
        for (T each : type.getEnumConstants()) {
            if (each.name().equals(first) || camel(each.name()).equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static String camel(String constant) {
        var name = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(
                    name.isEmpty()
                            ? word
                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }

    /** Returns the number of a term. */
    static Optional<Integer> number(String text) {
        return decimal(text)
                .filter(value -> value >= 0 && value < TERMS_MAX && value == Math.rint(value))
                .map(Double::intValue);
    }

    private static Optional<Double> decimal(String text) {
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /** Returns the arguments as names; empty if one of them is not a plain name. */
    static Optional<List<String>> arguments(Feature feature) {
        var names = new ArrayList<String>();
        for (Expression argument : feature.arguments()) {
            switch (argument) {
                case Feature inner when inner.arguments().isEmpty() -> names.add(inner.toString());
                case Text(String text) -> names.add(text);
                case TensorExpression.Variable(String name) -> names.add(name);
                case Constant(double value) -> names.add(text(value));
                case Expression.Unary(UnaryOperator operator, Constant(double value))
                        when operator == UnaryOperator.MINUS ->
                        names.add(text(-value));
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(names);
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
