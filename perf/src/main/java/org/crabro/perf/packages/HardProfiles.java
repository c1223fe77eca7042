package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.commas;
import static org.crabro.perf.packages.HardTexts.many;
import static org.crabro.perf.packages.HardTexts.nested;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Schemas whose rank profiles are hard. */
final class HardProfiles {
    private HardProfiles() {}

    static void addTo(MadePackages into) {
        into.profile(
                "functions that call the one before twice",
                "function f0() { expression: 1 }\n"
                        + many(i ->
                                "function f%1$d() { expression: f%2$d + f%2$d }\n"
                                        .formatted(i + 1, i)));
        into.profile(
                "functions that call the one before",
                "function f0(a) { expression: a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a + 1) }\n"
                                        .formatted(i + 1, i)));
        into.profile(
                "functions that pass what doubles",
                "function f0(a) { expression: a + a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a + a) }\n"
                                        .formatted(i + 1, i)));
        into.profile(
                "functions in a circle",
                many(i -> "function f%d() { expression: f%d }\n".formatted(i, (i + 1) % 2000)));
        into.profile(
                "functions of all functions",
                many(i ->
                        "function f%d() { expression: %s }\n"
                                .formatted(
                                        i,
                                        IntStream.range(Math.max(0, i - 20), i)
                                                .mapToObj(n -> "f" + n)
                                                .collect(
                                                        Collectors.joining(
                                                                " + ", "", i == 0 ? "1" : "")))));
        into.profile(
                "functions that call the next",
                many(i -> "function f%d() { expression: f%d }\n".formatted(i, i + 1))
                        + "function f9999() { expression: 1 }\n");
        into.profile(
                "functions of calls",
                "function f0() { expression: 1 }\n"
                        + many(i ->
                                "function f%d() { expression: %sf%d%s }\n"
                                        .formatted(i + 1, "abs(".repeat(190), i, ")".repeat(190))));
        into.profile(
                "functions that hand on",
                "function f0(a) { expression: a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a) }\n".formatted(i + 1, i)));
        into.profile(
                "functions that hand over what doubles",
                "function f0(a) { expression: bm25(a) }\n"
                        + many(
                                i ->
                                        "function f%d(a) { expression: f%d(g(a,a)) }\n"
                                                .formatted(i + 1, i),
                                2_000)
                        + "function g9() { expression: f39(t) }\n");
        into.profile(
                "functions that are wrong",
                many(i -> "function f%d() { expression: g%d + }\n".formatted(i, i)));
        into.profile(
                "functions of unknown names",
                many(i -> "function func%d() { expression: fun%d }\n".formatted(i, i))
                        + "match-features: func1\n");
        into.profile(
                "features that are not there",
                "match-features: " + many(i -> "feature%d ".formatted(i)) + "\n");
        into.profile(
                "features that are functions",
                "function f0() { expression: 1 }\n"
                        + many(
                                i ->
                                        "function f%1$d() { expression: f%2$d + 1 }\n"
                                                .formatted(i + 1, i),
                                SIZE / 2)
                        + "match-features { "
                        + many(i -> "f%d ".formatted(i % 900), SIZE / 2 - 3_000)
                        + "}\n");
        into.profile(
                "inputs",
                "inputs {\n"
                        + many(i -> "query(q%d) tensor<float>(x[2]): [1, %d]\n".formatted(i, i))
                        + "}\n");
        into.profile(
                "inputs of wrong types",
                "inputs {\n" + many(i -> "query(q%d) tensr(x[2])\n".formatted(i)) + "}\n");
        into.profile(
                "properties",
                "rank-properties {\n"
                        + many(i -> "prop%d.of.feature(%d): \"%d\"\n".formatted(i, i, i))
                        + "}\n");
        into.profile(
                "constants", "constants {\n" + many(i -> "k%d: %d.0\n".formatted(i, i)) + "}\n");
        into.profile(
                "a constant of many cells",
                "constants { k tensor<float>(x{}): {"
                        + commas(i -> "a%d: 1".formatted(i), SIZE - 2_000)
                        + "} }\n");
        into.profile("weights", many(i -> "weight f%d: 3\n".formatted(i)));
        into.schema(
                "profiles that inherit the one before",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "rank-profile p0 { function f() { expression: 1 } }\n"
                                + many(i ->
                                        "rank-profile p%d inherits p%d { function f%d() { expression: f } }\n"
                                                .formatted(i + 1, i, i))
                                + "rank-profile"));
        into.schema(
                "profiles that inherit the next",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i -> "rank-profile p%d inherits p%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        into.schema(
                "profiles in one that inherit the next",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "rank-profile a { rank-profile b inherits p0 {} }\n"
                                + many(i ->
                                        "rank-profile p%d inherits p%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        into.inherited(
                "inputs",
                "inputs {\n" + many(i -> "query(q%d): 1\n".formatted(i), SIZE / 2) + "}\n");
        into.inherited(
                "properties",
                "rank-properties {\n" + many(i -> "prop%d: 1\n".formatted(i), SIZE / 2) + "}\n");
        into.inherited(
                "constants",
                "constants {\n" + many(i -> "k%d: 1\n".formatted(i), SIZE / 2) + "}\n");
        into.inherited(
                "functions",
                many(i -> "function f%d() { expression: 1 }\n".formatted(i), SIZE / 2));
        into.inherited(
                "features",
                "match-features { " + many(i -> "query(q%d) ".formatted(i), SIZE / 2) + "}\n");
        into.inherited(
                "a long expression",
                "first-phase { expression: 1" + many(i -> "+max(1, 2)", SIZE / 8) + "\n}\n");
        into.schema(
                "profiles that inherit in a circle",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i ->
                                "rank-profile p%d inherits p%d {}\n".formatted(i, (i + 1) % 2_000))
                                + "rank-profile"));
        into.schema(
                "profiles that inherit many",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i ->
                                "rank-profile p%d %s {}\n"
                                        .formatted(
                                                i,
                                                i == 0
                                                        ? ""
                                                        : "inherits "
                                                                + IntStream.range(
                                                                                Math.max(0, i - 10),
                                                                                i)
                                                                        .mapToObj(n -> "p" + n)
                                                                        .collect(
                                                                                Collectors.joining(
                                                                                        ", "))))
                                + "rank-profile"));
        into.schema(
                "profiles that inherit functions of one",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "rank-profile base {\n"
                                + many(
                                        i ->
                                                "function f%1$d() { expression: %2$s }\n"
                                                        .formatted(
                                                                i,
                                                                i == 0
                                                                        ? "1"
                                                                        : "f" + (i - 1) + " + 1"),
                                        SIZE / 4)
                                + "}\n"
                                + many(
                                        i ->
                                                "rank-profile p%d inherits base { first-phase { expression: f%d } }\n"
                                                        .formatted(i, i % 300),
                                        SIZE / 2)
                                + "rank-profile"));
        into.schema(
                "profiles in profiles",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        nested("rank-profile a inherits a {", "", "}") + "rank-profile"));
        into.schema(
                "profiles of unknown parents",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i -> "rank-profile p%d inherits q%d {}\n".formatted(i, i))
                                + "rank-profile"));
        into.schema(
                "a profile in a file",
                MadePackages.SCHEMA,
                "schemas/s/hard.profile",
                "rank-profile hard {\n"
                        + many(i -> "function f%d() { expression: g%d( }\n".formatted(i, i))
                        + "}\n");
    }
}
