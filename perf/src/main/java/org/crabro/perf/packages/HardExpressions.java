package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.commas;
import static org.crabro.perf.packages.HardTexts.many;
import static org.crabro.perf.packages.HardTexts.nested;

/** Schemas with rank expressions that are slow to compile. */
final class HardExpressions {
    private HardExpressions() {}

    static void addTo(MadePackages into) {
        into.expression("parentheses", nested("(", "1", ")"));
        into.expression("minus signs", "-".repeat(SIZE - 2_000) + "1");
        into.expression("nots", "!".repeat(SIZE - 2_000) + "1");
        into.expression("conditions", nested("if(1, ", "2", ", 3)"));
        into.expression("calls", nested("abs(", "1", ")"));
        into.expression("a sum", many(i -> "attribute(n) + ") + "1");
        into.expression("powers", many(i -> "2^") + "1");
        into.expression("products and sums", many(i -> "2*3+") + "1");
        into.expression("unknown features", many(i -> "feature%d(a) + ".formatted(i)) + "1");
        into.expression("features nearly known", many(i -> "atribute(n%d) + ".formatted(i)) + "1");
        into.expression("unknown fields", many(i -> "attribute(n%d) + ".formatted(i)) + "1");
        into.expression("arguments", "max(" + commas(i -> "1", SIZE - 2_000) + ")");
        into.expression("comparisons", many(i -> "1 == ") + "1");
        into.expression(
                "memberships", "attribute(n) in [" + commas(i -> "" + i, SIZE - 2_000) + "]");
        into.expression(
                "a tensor literal",
                "sum(tensor<float>(x[4]):[" + commas(i -> "" + i, SIZE - 2_000) + "])");
        into.expression(
                "a mapped tensor literal",
                "sum(tensor<float>(x{}):{" + commas(i -> "a" + i + ":1", SIZE - 2_000) + "})");
        into.expression(
                "a generated tensor",
                "sum(" + nested("tensor(x[9])(", "x", " + sum(attribute(v)))") + ")");
        into.expression(
                "reductions", "sum(" + nested("map(", "attribute(v)", ", f(x)(x + 1))") + ")");
        into.expression(
                "joins",
                "sum(" + nested("join(attribute(v), ", "attribute(v)", ", f(x,y)(x * y))") + ")");
        into.expression(
                "renamed dimensions", "sum(" + nested("rename(", "attribute(v)", ", x, x)") + ")");
        into.expression(
                "strings", "if (attribute(n) == \"" + "a".repeat(SIZE - 2_000) + "\", 1, 2)");
        into.schema(
                "an expression in a file",
                MadePackages.SCHEMA.replace("expression: attribute(n)", "expression: file: hard"),
                "schemas/hard.expression",
                many(i -> "query(q%d) * closest(v) + ".formatted(i)) + "1");
    }
}
