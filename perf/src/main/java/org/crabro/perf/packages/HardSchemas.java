package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.commas;
import static org.crabro.perf.packages.HardTexts.many;
import static org.crabro.perf.packages.HardTexts.nested;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Schemas whose declarations are hard: deep, many, or in circles. */
final class HardSchemas {
    private HardSchemas() {}

    static void addTo(MadePackages into) {
        into.schema(
                "fields of types nested deep",
                MadePackages.inDocument("field f type " + nested("array<", "string", ">") + " {}"));
        into.schema(
                "structs that hold the one before twice",
                MadePackages.inDocument(
                        "struct a0 { field a type string {} field b type string {} }\n"
                                + many(i ->
                                        "struct a%d { field a type a%d {} field b type a%d {} }\n"
                                                .formatted(i + 1, i, i))
                                + "field f type a20 { indexing: summary }\n"));
        into.schema(
                "structs that hold the one before twice, each used",
                MadePackages.inDocument(
                        "struct a0 { field a type string {} }\n"
                                + many(i ->
                                        "struct a%1$d { field a type a%2$d {} field b type a%2$d {} } field f%1$d type a%1$d {}\n"
                                                .formatted(i + 1, i))));
        into.schema(
                "structs that inherit the one before",
                MadePackages.inDocument(
                        "struct a0 { field m type string {} }\n"
                                + many(i ->
                                        "struct a%d inherits a%d { field m%d type string {} }\n"
                                                .formatted(i + 1, i, i))));
        into.schema(
                "structs that inherit in a circle",
                MadePackages.inDocument(
                        many(i -> "struct a%d inherits a%d {}\n".formatted(i, (i + 1) % 2000))));
        into.schema(
                "structs that inherit all",
                MadePackages.inDocument(
                        many(i -> "struct a%d { field m type int {} }\n".formatted(i), SIZE / 2)
                                + "struct all inherits "
                                + commas(i -> "a" + i, SIZE / 2 - 2_000)
                                + " {}\n"));
        into.schema(
                "fields of unknown types",
                MadePackages.inDocument(many(i -> "field f%d type strin%d {}\n".formatted(i, i))));
        into.schema(
                "fields of unknown types that are nearly known",
                MadePackages.inDocument(
                        many(i -> "struct type%dofstructs {}\n".formatted(i), SIZE / 2)
                                + many(
                                        i -> "field f%d type type%dofstruct {}\n".formatted(i, i),
                                        SIZE / 2 - 2_000)));
        into.schema(
                "one field again and again",
                MadePackages.inDocument(many(i -> "field f type string {}\n")));
        into.schema(
                "fields with all that is refused",
                MadePackages.inDocument(
                        many(i ->
                                "field f%d type int { match: gram attribute: paged bolding: on rank: filter index: hnsw }\n"
                                        .formatted(i))));
        into.schema(
                "a fieldset of names that are not there",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "fieldset f { fields: "
                                + commas(i -> "field" + i, SIZE - 2_000)
                                + " }\n  rank-profile"));
        into.schema(
                "a fieldset of names nearly there",
                "schema s { document s {\n"
                        + many(i -> "field name%dofafield type int {}\n".formatted(i), SIZE / 2)
                        + "}\nfieldset f { fields: "
                        + commas(i -> "name" + i + "offield", SIZE / 2 - 2_000)
                        + " }\n}\n");
        into.schema(
                "fieldsets of all fields",
                "schema s { document s {\n"
                        + many(
                                i -> "field f%d type string { indexing: index }\n".formatted(i),
                                SIZE / 4)
                        + "}\n"
                        + many(
                                i ->
                                        "fieldset s%d { fields: %s }\n"
                                                .formatted(
                                                        i,
                                                        IntStream.range(0, 500)
                                                                .mapToObj(n -> "f" + n)
                                                                .collect(Collectors.joining(", "))),
                                SIZE / 2)
                        + "}\n");
        into.schema(
                "words without an end",
                MadePackages.inDocument("field " + "a".repeat(SIZE - 1_000) + " type string {}"));
        into.schema(
                "blocks without an end",
                "schema s { document s { " + "struct a { field a type map<string, ".repeat(2_700));
        into.schema("braces", "schema s " + "{".repeat(SIZE - 100));
        into.schema("blanks", "schema s {" + " \t".repeat(SIZE / 2 - 100));
        into.schema("lines", "schema s {" + "\n".repeat(SIZE - 100));
        into.schema(
                "signs that mean nothing", MadePackages.inDocument("@ ".repeat(SIZE / 2 - 100)));
        into.schema("strings without an end", MadePackages.inDocument("\"".repeat(SIZE - 1_000)));
        into.schema(
                "one long line of mistakes",
                MadePackages.inDocument(many(i -> "field f%d typ string {} ".formatted(i))));
        into.schema(
                "summaries that inherit the one before",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "document-summary c0 { summary t {} }\n"
                                + many(i ->
                                        "document-summary c%d inherits c%d { summary t%d { source: t } }\n"
                                                .formatted(i + 1, i, i))
                                + "rank-profile"));
        into.schema(
                "summaries that inherit the next",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i -> "document-summary c%d inherits c%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        into.schema(
                "summaries that inherit a large one",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "document-summary c {\n"
                                + many(i -> "summary a%d { source: t }\n".formatted(i), SIZE / 2)
                                + "}\n"
                                + many(
                                        i -> "document-summary c%d inherits c {}\n".formatted(i),
                                        SIZE / 2 - 2_000)
                                + "rank-profile"));
        into.schema(
                "structs that inherit the next",
                MadePackages.inDocument(
                        many(i -> "struct a%d inherits a%d {}\n".formatted(i, i + 1))));
        into.schema(
                "documents of a large one",
                "document s {\n"
                        + many(i -> "field f%d type int {}\n".formatted(i), SIZE / 2)
                        + "}\n"
                        + many(i -> "document d%d inherits s {}\n".formatted(i), SIZE / 2 - 2_000));
        into.schema(
                "documents that inherit many",
                "document s { field f type int {} }\n"
                        + many(i ->
                                "document d%d inherits s%s { field f%d type int {} }\n"
                                        .formatted(
                                                i,
                                                IntStream.range(Math.max(0, i - 10), i)
                                                        .mapToObj(n -> ", d" + n)
                                                        .collect(Collectors.joining()),
                                                i)));
        into.schema(
                "summaries that inherit many",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i ->
                                "document-summary c%d %s { summary t%d { source: t } }\n"
                                        .formatted(
                                                i,
                                                i == 0
                                                        ? ""
                                                        : "inherits "
                                                                + IntStream.range(
                                                                                Math.max(0, i - 10),
                                                                                i)
                                                                        .mapToObj(n -> "c" + n)
                                                                        .collect(
                                                                                Collectors.joining(
                                                                                        ", ")),
                                                i))
                                + "rank-profile"));
        into.schema(
                "summaries with sources in a circle",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        "document-summary c {\n"
                                + many(i ->
                                        "summary a%d { source: a%d }\n"
                                                .formatted(i, (i + 1) % 2000))
                                + "}\nrank-profile"));
        into.schema(
                "fields shown in many classes",
                MadePackages.inDocument(
                        many(i ->
                                "field f%d type string { indexing: summary\n summary-to: %s\n }\n"
                                        .formatted(
                                                i,
                                                IntStream.range(0, 10)
                                                        .mapToObj(n -> "c" + (i * 10 + n))
                                                        .collect(Collectors.joining(", "))))));
        into.schema(
                "aliases of one name",
                MadePackages.inDocument(
                        many(i ->
                                "field f%d type string { indexing: index\n alias: a\n alias: f%d\n }\n"
                                        .formatted(i, i + 1))));
        into.schema(
                "parts of parts",
                MadePackages.inDocument(
                        "struct a { field a type string {} }\nfield f type map<string, a> {\n"
                                + many(i ->
                                        "struct-field value.a { struct-field a%d { indexing: attribute } }\n"
                                                .formatted(i))
                                + "}\n"));
        into.schema(
                "imports",
                MadePackages.SCHEMA.replace(
                        "rank-profile",
                        many(i -> "import field t.a%d as b%d {}\n".formatted(i, i))
                                + "rank-profile"));
        into.schema(
                "a tensor of many dimensions",
                MadePackages.inDocument(
                        "field f type tensor<float>("
                                + commas(i -> "d%d[2]".formatted(i), SIZE - 1_000)
                                + ") {}"));
        into.schema(
                "documents",
                many(i ->
                        "document d%d inherits d%d { field f%d type string {} }\n"
                                .formatted(i, i + 1, i)));
        into.schema(
                "documents in a row",
                "document s { field f type string {} }\ndocument d0 inherits s { }\n"
                        + many(i ->
                                "document d%d inherits d%d { field f%d type string {} }\n"
                                        .formatted(i + 1, i, i)));
    }
}
