package org.crabro.ranking.forest;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the model that LightGBM dumps.
 *
 * <pre>
 *   model := { "objective": text, "feature_names": [ name, … ], "feature_infos": { name: { "values": [ … ] } },
 *              "tree_info": [ { "tree_structure": node }, … ], "pandas_categorical": [ [ category, … ], … ] }
 *   node  := { "leaf_value": value }
 *          | { "split_feature": index, "threshold": threshold, "decision_type": "&lt;=" | "==",
 *              "default_left": truth, "left_child": node, "right_child": node }
 * </pre>
 *
 * <p>A row goes to the left child if the feature is below the threshold. For {@code ==} the
 * threshold is a list of categories, {@code 0||3}. LightGBM itself also goes left if feature and
 * threshold are equal; ranking does not, like Vespa. {@code default_left} determines the child for
 * a missing value. If the model has {@code pandas_categorical}, one list for each categorical
 * feature, a category is the index in its list. Trees with {@code average_output}, such as random
 * forests, are averaged.
 */
final class LightgbmTrees {
    private static final String STEEPNESS = "sigmoid:";

    private final ModelJson json;
    private final ToDoubleFunction<String> categories;
    private final List<TreeNode> trees = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** The names of features whose values are categories. */
    private final TreeSet<String> categorical = new TreeSet<>();

    /** The numbers of the categorical features. */
    private final TreeSet<Integer> compared = new TreeSet<>();

    private List<List<Double>> values = List.of();
    private int largestFeature = -1;
    private Forest.Link link = Forest.Link.SUM;
    private boolean isAverage;

    /** The factor of a sum before it becomes a probability. */
    private double steepness = 1;

    LightgbmTrees(ModelJson json, ToDoubleFunction<String> categories) {
        this.json = json;
        this.categories = categories;
    }

    Forest read() {
        json.next();
        json.requireObject("a model as dump_model() gives it");
        while (json.nextMember()) {
            switch (json.member()) {
                case "objective" -> objective(json.text("the objective"));
                case "num_tree_per_iteration" -> requireOneClass();
                case "average_output" -> isAverage = json.truth("whether trees are averaged");
                case "feature_names" -> names();
                case "feature_infos" -> infos();
                case "tree_info" -> trees();
                case "pandas_categorical" -> values = json.isNull() ? List.of() : categories();
                default -> json.skip();
            }
        }
        if (trees.isEmpty()) {
            throw json.problem("there is no tree: expected tree_info, an array of trees");
        }
        if (largestFeature >= names.size()) {
            throw json.problem(
                    "a split names the feature %d of %d in feature_names"
                            .formatted(largestFeature, names.size()));
        }
        List<TreeNode> whole = values.isEmpty() ? trees : withCategories();
        json.requireEnd();
        double factor = isAverage ? steepness / whole.size() : steepness;
        return Forest.of(names, whole.stream().map(tree -> tree.times(factor)).toList(), link);
    }

    /** Reads an objective with its settings, such as {@code binary sigmoid:1}. */
    private void objective(String objective) {
        String[] words = objective.strip().split("\\s+", -1);
        link =
                switch (words[0]) {
                    case "poisson", "gamma", "tweedie" -> Forest.Link.EXP;
                    case "cross_entropy" -> Forest.Link.SIGMOID;
                    case "cross_entropy_lambda" -> Forest.Link.SOFTPLUS;
                    default ->
                            words[0].startsWith("binary") ? Forest.Link.SIGMOID : Forest.Link.SUM;
                };
        for (String setting : List.of(words).subList(1, words.length)) {
            if (setting.equals("sqrt")) {
                link = Forest.Link.SQUARE;
            } else if (setting.startsWith(STEEPNESS) && link == Forest.Link.SIGMOID) {
                steepness = steepness(setting.substring(STEEPNESS.length()));
            }
        }
    }

    private double steepness(String text) {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException _) {
            number = Double.NaN;
        }
        if (!(number > 0 && number < Double.POSITIVE_INFINITY)) {
            throw json.problem("expected a number above 0 after " + STEEPNESS);
        }
        return number;
    }

    private void requireOneClass() {
        if (json.integer("the trees of an iteration") != 1) {
            throw json.problem("a model of several classes has no one score");
        }
    }

    private void names() {
        json.requireArray("the names of features");
        names.clear();
        while (json.nextElement()) {
            names.add(json.text("the name of a feature"));
        }
    }

    private void infos() {
        json.requireObject("the information on features");
        while (json.nextMember()) {
            String feature = json.member();
            json.requireObject("the information on a feature");
            while (json.nextMember()) {
                if (json.member().equals("values") && json.isArray()) {
                    while (json.nextElement()) {
                        categorical.add(feature);
                        json.skip();
                    }
                } else {
                    json.skip();
                }
            }
        }
    }

    private void trees() {
        json.requireArray("the trees");
        while (json.nextElement()) {
            json.requireObject("a tree");
            boolean isPresent = false;
            while (json.nextMember()) {
                if (json.member().equals("tree_structure")) {
                    trees.add(node(1));
                    isPresent = true;
                } else {
                    json.skip();
                }
            }
            if (!isPresent) {
                throw json.problem("a tree has no tree_structure");
            }
        }
    }

    private List<List<Double>> categories() {
        json.requireArray("the categories of features");
        var all = new ArrayList<List<Double>>();
        while (json.nextElement()) {
            json.requireArray("the categories of a feature");
            var one = new ArrayList<Double>();
            while (json.nextElement()) {
                one.add(
                        json.isText()
                                ? categories.applyAsDouble(json.text("a category"))
                                : json.number("a category"));
            }
            all.add(one);
        }
        return all;
    }

    /** The members of a node that were read so far; they can be in any order. */
    private static final class Read {
        private @Nullable Integer feature;
        private @Nullable Double threshold;
        private @Nullable List<Double> oneOf;
        private String decision = "<=";
        private boolean defaultLeft;
        private @Nullable Double leaf;
        private @Nullable TreeNode left;
        private @Nullable TreeNode right;
    }

    private TreeNode node(int depth) {
        json.node(depth);
        String place = json.place();
        var read = new Read();
        while (json.nextMember()) {
            switch (json.member()) {
                case "split_feature" -> read.feature = json.integer("the feature of a split");
                case "threshold" -> threshold(read);
                case "decision_type" -> read.decision = decision();
                case "default_left" -> read.defaultLeft = json.truth("where missing values go");
                case "leaf_value" -> read.leaf = json.number("the value of a leaf");
                case "leaf_coeff" -> throw json.problem("linear trees are not read");
                case "left_child" -> read.left = node(depth + 1);
                case "right_child" -> read.right = node(depth + 1);
                default -> json.skip();
            }
        }
        return node(read, place);
    }

    private String decision() {
        String decision = json.text("the decision of a split");
        if (!decision.equals("<=") && !decision.equals("==")) {
            throw json.problem("expected a decision '<=' or '==', but found '" + decision + "'");
        }
        return decision;
    }

    /** A row of categories, or a number that may be meant as the only one of them. */
    private void threshold(Read into) {
        if (json.isText()) {
            var some = new ArrayList<Double>();
            for (String part : json.text("categories").split("\\|\\|", -1)) {
                try {
                    some.add((double) Integer.parseInt(part));
                } catch (NumberFormatException _) {
                    throw json.problem("expected categories, such as \"0||3\"");
                }
            }
            into.oneOf = some;
        } else {
            into.threshold = json.number("the threshold of a split");
        }
    }

    private TreeNode node(Read read, String place) {
        if (read.leaf != null) {
            return new TreeNode.Leaf(read.leaf);
        }
        if (read.feature == null || read.left == null || read.right == null) {
            throw new InvalidForestException(
                    place
                            + "a node has a leaf_value, or a split_feature, a left_child and a"
                            + " right_child");
        }
        if (read.feature < 0) {
            throw new InvalidForestException(place + "a split_feature is 0 or more");
        }
        largestFeature = Math.max(largestFeature, read.feature);
        if (read.decision.equals("==")) {
            List<Double> some =
                    read.oneOf == null && read.threshold != null
                            ? List.of(read.threshold)
                            : read.oneOf;
            if (some == null) {
                throw new InvalidForestException(place + "a split has a threshold");
            }
            compared.add(read.feature);
            return new TreeNode.OneOf(read.feature, some, read.defaultLeft, read.left, read.right);
        }
        if (read.threshold == null) {
            throw new InvalidForestException(
                    place + "a split by '<=' has a threshold that is a number");
        }
        return new TreeNode.Below(
                read.feature, read.threshold, read.defaultLeft, read.left, read.right);
    }

    /** Returns the trees with categories in the place of their indexes. */
    private List<TreeNode> withCategories() {
        var features = new ArrayList<Integer>();
        for (int i = 0; i < names.size(); i++) {
            if (compared.contains(i) || categorical.contains(names.get(i))) {
                features.add(i);
            }
        }
        if (features.size() != values.size()) {
            throw json.problem(
                    "%d features have categories, but pandas_categorical has %d lists"
                            .formatted(features.size(), values.size()));
        }
        return trees.stream()
                .map(tree -> tree.with(leaf -> leaf, split -> categories(split, features)))
                .toList();
    }

    private List<Double> categories(TreeNode.OneOf split, List<Integer> features) {
        List<Double> categories = values.get(features.indexOf(split.feature()));
        var some = new ArrayList<Double>();
        for (double index : split.values()) {
            if (index < 0 || index >= categories.size()) {
                throw json.problem(
                        "a split names the category %.0f of '%s', which has %d"
                                .formatted(index, names.get(split.feature()), categories.size()));
            }
            some.add(categories.get((int) index));
        }
        return some;
    }
}
