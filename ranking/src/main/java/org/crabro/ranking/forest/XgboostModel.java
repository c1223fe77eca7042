package org.crabro.ranking.forest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the model that XGBoost saves, as Universal Binary JSON or as JSON.
 *
 * <pre>
 *   model   := { "learner": learner, … }
 *   learner := { "feature_names": [ name, … ], "objective": { "name": text, … },
 *                "learner_model_param": { "base_score": text, "num_class": text, "num_target": text, … },
 *                "gradient_booster": booster, … }
 *   booster := { "name": "gbtree", "model": { "trees": [ tree, … ], "cats": categories, … } }
 *            | { "name": "dart", "gbtree": booster, "weight_drop": [ weight of a tree, … ] }
 *   tree    := { "left_children": [ n, … ], "right_children": [ n, … ], "split_indices": [ feature, … ],
 *                "split_conditions": [ threshold or leaf, … ], "default_left": [ 0 or 1, … ],
 *                "split_type": [ 0, or 1 for categories, … ],
 *                "categories_nodes": [ node, … ], "categories_segments": [ first, … ],
 *                "categories_sizes": [ n, … ], "categories": [ n, … ], … }
 * </pre>
 *
 * <p>A node is an index in the arrays of its tree, the root is 0, and a leaf has -1 for its
 * children. The base score is a result of the objective, so it is converted back to a part of the
 * sum. Rows whose category is one of those of a node go right.
 */
final class XgboostModel {
    private final ModelValues file;
    private final ForestLimits limits;
    private final List<String> names = new ArrayList<>();
    private final Map<Integer, Integer> features = new LinkedHashMap<>();
    private final List<TreeNode> trees = new ArrayList<>();
    private final XgboostCategories categories;
    private double @Nullable [] weights;
    private @Nullable String objective;
    private @Nullable String baseText;
    private @Nullable Double baseScore;
    private int nodes;

    XgboostModel(ModelValues file, ForestLimits limits, ToDoubleFunction<String> categories) {
        this.file = file;
        this.limits = limits;
        this.categories = new XgboostCategories(file, categories);
    }

    Forest read() {
        file.object(
                "a model as save_model(\"file.ubj\") writes it",
                member -> {
                    if (member.equals("learner")) {
                        learner();
                    } else {
                        file.skip();
                    }
                });
        file.requireEnd();
        if (trees.isEmpty()) {
            throw new InvalidForestException("there is no tree");
        }
        if (weights != null && weights.length != trees.size()) {
            throw new InvalidForestException(
                    "%d trees have %d weights".formatted(trees.size(), weights.length));
        }
        if (objective == null || baseScore == null) {
            throw new InvalidForestException("a model has an objective and a base_score");
        }
        Forest.Link link = link(objective);
        List<Integer> numbers = List.copyOf(features.keySet());
        var whole = new ArrayList<TreeNode>();
        whole.add(new TreeNode.Leaf(margin(link, baseScore)));
        for (int i = 0; i < trees.size(); i++) {
            double weight = weights == null ? 1 : weights[i];
            whole.add(
                    trees.get(i)
                            .with(
                                    leaf -> leaf * weight,
                                    split ->
                                            categories.values(
                                                    numbers.get(split.feature()), split.values())));
        }
        return Forest.of(numbers.stream().map(this::name).toList(), whole, link);
    }

    private void learner() {
        file.object(
                "the learner",
                member -> {
                    switch (member) {
                        case "feature_names" -> file.array("the names of features", this::name);
                        case "objective" -> file.object("the objective", this::objective);
                        case "learner_model_param" -> {
                            file.object("what the model has", this::parameter);
                            // Parsed last: with several classes there are several base scores, and
                            // the error about num_class, which follows them, is the clearer one.
                            if (baseText != null) {
                                baseScore = number("base_score", baseText);
                            }
                        }
                        case "gradient_booster" -> file.object("the booster", this::booster);
                        default -> file.skip();
                    }
                });
    }

    private void name() {
        names.add(file.text("the name of a feature"));
    }

    private void objective(String member) {
        if (member.equals("name")) {
            objective = file.text("the objective");
        } else {
            file.skip();
        }
    }

    private void parameter(String member) {
        switch (member) {
            case "num_class" ->
                    requireAtMostOne(member, "a model of several classes has no one score");
            case "num_target" ->
                    requireAtMostOne(member, "a model of several targets has no one score");
            case "base_score" ->
                    baseText = file.text("the base score").replaceFirst("^\\[(.*)]$", "$1");
            default -> file.skip();
        }
    }

    private void requireAtMostOne(String member, String problem) {
        if (number(member, file.text(member)) > 1) {
            throw file.problem(problem);
        }
    }

    private double number(String member, String text) {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException _) {
            number = Double.NaN;
        }
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw file.problem(
                    "expected %s, a finite number, but found '%s'".formatted(member, text));
        }
        return number;
    }

    private void booster(String member) {
        switch (member) {
            case "name" -> {
                String name = file.text("the kind of booster");
                if (!name.equals("gbtree") && !name.equals("dart")) {
                    throw file.problem(
                            "expected a model of gbtree or dart, but found one of '" + name + "'");
                }
            }
            case "gbtree" -> file.object("the booster's trees", this::booster);
            case "weight_drop" -> weights();
            case "model" ->
                    file.object(
                            "the booster's model",
                            part -> {
                                switch (part) {
                                    case "trees" -> file.array("the trees", this::tree);
                                    case "cats" -> categories.read();
                                    default -> file.skip();
                                }
                            });
            default -> file.skip();
        }
    }

    private void weights() {
        weights = file.numbers("weight_drop");
        for (double weight : weights) {
            if (Double.isNaN(weight) || Double.isInfinite(weight)) {
                throw file.problem(
                        "expected the weight of a tree, a finite number, but found " + weight);
            }
        }
    }

    /** The arrays of one tree. */
    private static final class Read {
        private double[] left = {};
        private double[] right = {};
        private double[] feature = {};
        private double[] value = {};
        private double[] defaultLeft = {};
        private double[] kind = {};
        private double[] categoryNodes = {};
        private double[] categoryFirsts = {};
        private double[] categoryCounts = {};
        private double[] categories = {};

        /** How many of the categories belong to nodes that were gone through. */
        private double taken;
    }

    private void tree() {
        var read = new Read();
        file.object(
                "a tree",
                member -> {
                    switch (member) {
                        case "left_children" -> read.left = file.numbers("left_children");
                        case "right_children" -> read.right = file.numbers("right_children");
                        case "split_indices" -> read.feature = file.numbers("split_indices");
                        case "split_conditions" -> read.value = file.numbers("split_conditions");
                        case "default_left" -> read.defaultLeft = file.numbers("default_left");
                        case "split_type" -> read.kind = file.numbers("split_type");
                        case "categories_nodes" -> read.categoryNodes = file.numbers(member);
                        case "categories_segments" -> read.categoryFirsts = file.numbers(member);
                        case "categories_sizes" -> read.categoryCounts = file.numbers(member);
                        case "categories" -> read.categories = file.numbers(member);
                        case "tree_param" ->
                                file.object(
                                        "what a tree has",
                                        parameter -> {
                                            if (parameter.equals("size_leaf_vector")) {
                                                requireAtMostOne(
                                                        parameter,
                                                        "leaves of several numbers are not read");
                                            } else {
                                                file.skip();
                                            }
                                        });
                        default -> file.skip();
                    }
                });
        int count = read.left.length;
        if (count == 0
                || read.right.length != count
                || read.feature.length != count
                || read.value.length != count
                || read.defaultLeft.length != count) {
            throw file.problem("a tree has nodes, and all of its arrays have one element for each");
        }
        trees.add(node(read, 0, 1));
    }

    private TreeNode node(Read read, int at, int depth) {
        if (++nodes > limits.nodes()) {
            throw file.problem("more than %,d nodes".formatted(limits.nodes()));
        }
        if (depth > limits.depth()) {
            throw file.problem("a tree deeper than %,d nodes".formatted(limits.depth()));
        }
        boolean isLeaf = read.left[at] == -1 && read.right[at] == -1;
        boolean isByCategories = !isLeaf && at < read.kind.length && read.kind[at] != 0;
        // JSON contains the shortest text of a float, which as a double may be on its other side.
        double value = (float) read.value[at];
        if (!isByCategories && (Double.isNaN(value) || Double.isInfinite(value))) {
            throw file.problem(
                    "expected a threshold or a leaf, a finite number, but found " + value);
        }
        if (isLeaf) {
            return new TreeNode.Leaf(value);
        }
        int feature = whole("the feature of a split", read.feature[at]);
        if (feature < 0 || (!names.isEmpty() && feature >= names.size())) {
            throw unnamed(feature);
        }
        int input = features.computeIfAbsent(feature, _ -> features.size());
        boolean missingIsLeft = read.defaultLeft[at] != 0;
        TreeNode left = node(read, child(read.left, at), depth + 1);
        TreeNode right = node(read, child(read.right, at), depth + 1);
        return isByCategories
                ? new TreeNode.OneOf(input, categories(read, at), !missingIsLeft, right, left)
                : new TreeNode.Below(input, value, missingIsLeft, left, right);
    }

    /** Returns the numbers of the categories that a node splits by. */
    private List<Double> categories(Read read, int at) {
        int i = Arrays.binarySearch(read.categoryNodes, at);
        if (i >= 0 && i < read.categoryFirsts.length && i < read.categoryCounts.length) {
            double first = read.categoryFirsts[i];
            double end = first + read.categoryCounts[i];
            read.taken += read.categoryCounts[i];
            // Nodes do not share categories, so the total is limited: otherwise a few bytes could
            // describe millions.
            if (first >= 0
                    && end >= first
                    && end <= read.categories.length
                    && read.taken <= read.categories.length) {
                return Arrays.stream(read.categories, (int) first, (int) end).boxed().toList();
            }
        }
        throw file.problem("a node splits by categories that its tree does not list");
    }

    private InvalidForestException unnamed(int feature) {
        return file.problem("a split names the feature %d of %d".formatted(feature, names.size()));
    }

    private int child(double[] children, int at) {
        int child = whole("the child of a node", children[at]);
        if (child < 0 || child >= children.length) {
            throw file.problem(
                    "a node has the child %d, and its tree %d nodes"
                            .formatted(child, children.length));
        }
        return child;
    }

    private int whole(String what, double number) {
        if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
            throw file.problem("expected %s, a whole number, but found %s".formatted(what, number));
        }
        return (int) number;
    }

    private String name(int feature) {
        if (!names.isEmpty() && feature >= names.size()) {
            // Names can follow the trees.
            throw unnamed(feature);
        }
        String name = names.isEmpty() ? Integer.toString(feature) : names.get(feature);
        return XgboostTrees.input(name);
    }

    private static Forest.Link link(String objective) {
        return switch (objective) {
            case "binary:logistic", "reg:logistic" -> Forest.Link.SIGMOID;
            case "count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft" ->
                    Forest.Link.EXP;
            case "reg:squarederror",
                    "reg:squaredlogerror",
                    "reg:absoluteerror",
                    "reg:pseudohubererror",
                    "reg:quantileerror",
                    "binary:logitraw",
                    "rank:pairwise",
                    "rank:ndcg",
                    "rank:map" ->
                    Forest.Link.SUM;
            default ->
                    throw new InvalidForestException(
                            "models of the objective '" + objective + "' are not read");
        };
    }

    /** Returns the link of the base score. */
    private static double margin(Forest.Link link, double base) {
        double margin =
                switch (link) {
                    case SIGMOID -> -Math.log(1 / base - 1);
                    case EXP -> Math.log(base);
                    case SUM, SOFTPLUS, SQUARE -> base;
                };
        if (Double.isNaN(margin) || Double.isInfinite(margin)) {
            throw new InvalidForestException(
                    "no sum of leaves gives the base_score %s of this objective".formatted(base));
        }
        return margin;
    }
}
