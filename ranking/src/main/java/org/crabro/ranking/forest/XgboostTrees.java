package org.crabro.ranking.forest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the trees that XGBoost dumps.
 *
 * <pre>
 *   model := [ node, … ]
 *   node  := { "nodeid": n, "leaf": value }
 *          | { "nodeid": n, "split": feature, "split_condition": threshold | [ category, … ],
 *              "yes": n, "no": n, "missing": n, "children": [ node, node ] }
 * </pre>
 *
 * <p>A split is true if the feature is below the threshold, rounded to {@code float} as in XGBoost,
 * or is one of the categories. {@code missing} is the node for a missing value.
 */
final class XgboostTrees {
    /** The name of a feature that the file identifies by its number only. */
    private static final String NUMBERED = "xgboost_input_";

    private final ModelJson json;
    private final Map<String, Integer> features = new LinkedHashMap<>();

    XgboostTrees(ModelJson json) {
        this.json = json;
    }

    /** The members of a node that were read so far; they can be in any order. */
    private static final class Read {
        private @Nullable Integer id;
        private @Nullable String split;
        private @Nullable Double threshold;
        private @Nullable List<Double> categories;
        private @Nullable Double leaf;
        private @Nullable Integer yes;
        private @Nullable Integer no;
        private @Nullable Integer missing;
        private final List<Integer> childIds = new ArrayList<>();
        private final List<TreeNode> children = new ArrayList<>();
    }

    private record Numbered(int id, TreeNode node) {}

    Forest read() {
        json.requireArray("the trees");
        var trees = new ArrayList<TreeNode>();
        while (json.nextElement()) {
            trees.add(node(1).node);
        }
        if (trees.isEmpty()) {
            throw json.problem("there is no tree");
        }
        json.requireEnd();
        return Forest.of(List.copyOf(features.keySet()), trees, Forest.Link.SUM);
    }

    private Numbered node(int depth) {
        json.node(depth);
        String place = json.place();
        var read = new Read();
        while (json.nextMember()) {
            switch (json.member()) {
                case "nodeid" -> read.id = json.integer("the node's id");
                case "split" -> read.split = feature();
                case "split_condition" -> condition(read);
                case "leaf" -> read.leaf = json.number("the value of a leaf");
                case "yes" -> read.yes = json.integer("the id of a node");
                case "no" -> read.no = json.integer("the id of a node");
                case "missing" -> read.missing = json.integer("the id of a node");
                case "children" -> children(read, depth);
                default -> json.skip();
            }
        }
        return new Numbered(read.id == null ? -1 : read.id, node(read, place));
    }

    private void children(Read into, int depth) {
        json.requireArray("the children of a node");
        while (json.nextElement()) {
            Numbered child = node(depth + 1);
            into.childIds.add(child.id);
            into.children.add(child.node);
        }
    }

    private String feature() {
        return input(json.text("the feature of a split"));
    }

    /** Returns the name of a split's feature in expressions. */
    static String input(String name) {
        return name.matches("[0-9]+") ? NUMBERED + name : name;
    }

    private void condition(Read into) {
        if (json.isArray()) {
            var categories = new ArrayList<Double>();
            while (json.nextElement()) {
                categories.add((double) json.integer("the number of a category"));
            }
            into.categories = categories;
        } else {
            into.threshold = threshold();
        }
    }

    private double threshold() {
        double threshold = (float) json.number("the threshold of a split");
        if (Double.isInfinite(threshold)) {
            throw json.problem("expected the threshold of a split, a finite float");
        }
        return threshold;
    }

    private TreeNode node(Read read, String place) {
        if (read.leaf != null) {
            return new TreeNode.Leaf(read.leaf);
        }
        if (read.split == null || (read.threshold == null && read.categories == null)) {
            throw new InvalidForestException(
                    place + "a node has a leaf, or a split and its split_condition");
        }
        int yes = child(read, read.yes, "yes", place);
        int no = child(read, read.no, "no", place);
        if (read.children.size() != 2 || yes == no) {
            throw new InvalidForestException(place + "a split has two children, yes and no");
        }
        int feature = features.computeIfAbsent(read.split, _ -> features.size());
        boolean missingIsYes = read.missing != null && read.missing.equals(read.yes);
        TreeNode whereYes = read.children.get(yes);
        TreeNode whereNo = read.children.get(no);
        return read.threshold == null
                ? new TreeNode.OneOf(
                        feature,
                        Objects.requireNonNull(read.categories),
                        missingIsYes,
                        whereYes,
                        whereNo)
                : new TreeNode.Below(feature, read.threshold, missingIsYes, whereYes, whereNo);
    }

    private static int child(Read read, @Nullable Integer id, String member, String place) {
        int index = id == null ? -1 : read.childIds.indexOf(id);
        if (index < 0) {
            throw new InvalidForestException(
                    place + "'" + member + "' has to name one of the node's children");
        }
        return index;
    }
}
