package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.many;
import static org.crabro.perf.packages.HardTexts.nested;

/** Schemas whose indexing scripts are hard. */
final class HardScripts {
    private HardScripts() {}

    static void addTo(MadePackages into) {
        into.script("a script of blocks in blocks", nested("{ ", "input t | index", " }"));
        into.script("a script of parentheses", nested("(", "input t", ")") + " | index");
        into.script("a script of many joins", many(i -> "input t . ") + "input t | index");
        into.script("a script of many choices", many(i -> "input t || ") + "input t | index");
        into.script(
                "a script of many sums", many(i -> "input n + ") + "input n | to_string | index");
        into.script("a script of many steps", "input t" + many(i -> " | lowercase") + " | index");
        into.script(
                "a script of conditions", nested("if (input n == 1) { ", "input t | index", " }"));
        into.script(
                "a script of for_each",
                "input t | " + nested("for_each { ", "lowercase", " }") + " | index");
        into.script("a script of arrays", "input t" + many(i -> " | to_array") + " | index");
        into.script("a script of structs joined", "input n" + many(i -> " | (_ . _)") + " | index");
        into.script(
                "a script of cases",
                "input t | switch { "
                        + many(i -> "case \"%d\": index; ".formatted(i % 9_000))
                        + " }");
        into.script("a script of wrong statements", many(i -> "input u%d | index;\n".formatted(i)));
        into.script(
                "a script of wrong keywords",
                many(i -> "input t | lowercas%d | index;\n".formatted(i)));
        into.script(
                "a script of variables",
                many(i -> "input t | set_var v%d; get_var w%d | index;\n".formatted(i, i)));
        into.script(
                "a pattern that is hard",
                "input t | split \"" + nested("(", "a*", ")*") + "\" | join \",\" | index");
        into.schema(
                "scripts of unknown fields",
                "schema s { document s {\n"
                        + many(i -> "field f%d type string {}\n".formatted(i), SIZE / 2)
                        + "}\n"
                        + many(
                                i ->
                                        "field g%d type string { indexing: input f%dx | index }\n"
                                                .formatted(i, i),
                                SIZE / 2 - 2_000)
                        + "}\n");
    }
}
