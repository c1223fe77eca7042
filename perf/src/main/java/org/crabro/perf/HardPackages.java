package org.crabro.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Packages that somebody made to take long to compile: in each one file of up to 100 KB is deep,
 * doubles, refers in circles, or is wrong in thousands of places.
 */
final class HardPackages {
    /** No file is larger. */
    static final int SIZE = 100 << 10;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="store" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="s" mode="index"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema s {
              document s {
                field t type string { indexing: index | summary }
                field n type int { indexing: attribute }
                field v type tensor<float>(x[4]) { indexing: attribute }
              }
              rank-profile p {
                first-phase { expression: attribute(n) }
              }
            }
            """;

    private static final List<String> WORDS =
            List.of(
                    "schema",
                    "document",
                    "field",
                    "struct",
                    "type",
                    "string",
                    "array",
                    "map",
                    "indexing",
                    ":",
                    "|",
                    "{",
                    "}",
                    "(",
                    ")",
                    "<",
                    ">",
                    ",",
                    ".",
                    "\n",
                    " ",
                    "#",
                    "input",
                    "index",
                    "attribute",
                    "summary",
                    "if",
                    "else",
                    "for_each",
                    "rank",
                    "rank-profile",
                    "first-phase",
                    "expression",
                    "function",
                    "inputs",
                    "query",
                    "tensor",
                    "x",
                    "s",
                    "t",
                    "n",
                    "1",
                    "0.5",
                    "\"",
                    "'",
                    "\\",
                    "inherits",
                    "fieldset",
                    "fields",
                    "match",
                    "constants",
                    "rank-properties",
                    "file",
                    "$",
                    "match-features",
                    "onnx-model",
                    "import",
                    "as",
                    "+",
                    "*",
                    "-",
                    "==",
                    "&&",
                    "[",
                    "]");

    private final Map<String, Map<String, String>> packages = new LinkedHashMap<>();

    private HardPackages() {}

    /**
     * Returns the packages by what is hard in them, each a map of paths to texts.
     *
     * @param seed of the packages without a meaning
     */
    static Map<String, Map<String, String>> all(long seed) {
        var made = new HardPackages();
        made.declarations();
        made.scripts();
        made.expressions();
        made.profiles();
        made.services();
        made.queryProfiles();
        made.soups(new Random(seed));
        return made.packages;
    }

    /** Writes a package into {@code folder}. */
    static void write(Map<String, String> files, Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.getValue());
        }
    }

    private void declarations() {
        schema(
                "fields of types nested deep",
                inDocument("field f type " + nested("array<", "string", ">") + " {}"));
        schema(
                "structs that hold the one before twice",
                inDocument(
                        "struct a0 { field a type string {} field b type string {} }\n"
                                + many(i ->
                                        "struct a%d { field a type a%d {} field b type a%d {} }\n"
                                                .formatted(i + 1, i, i))
                                + "field f type a20 { indexing: summary }\n"));
        schema(
                "structs that hold the one before twice, each used",
                inDocument(
                        "struct a0 { field a type string {} }\n"
                                + many(i ->
                                        "struct a%1$d { field a type a%2$d {} field b type a%2$d {} } field f%1$d type a%1$d {}\n"
                                                .formatted(i + 1, i))));
        schema(
                "structs that inherit the one before",
                inDocument(
                        "struct a0 { field m type string {} }\n"
                                + many(i ->
                                        "struct a%d inherits a%d { field m%d type string {} }\n"
                                                .formatted(i + 1, i, i))));
        schema(
                "structs that inherit in a circle",
                inDocument(many(i -> "struct a%d inherits a%d {}\n".formatted(i, (i + 1) % 2000))));
        schema(
                "structs that inherit all",
                inDocument(
                        many(i -> "struct a%d { field m type int {} }\n".formatted(i), SIZE / 2)
                                + "struct all inherits "
                                + commas(i -> "a" + i, SIZE / 2 - 2_000)
                                + " {}\n"));
        schema(
                "fields of unknown types",
                inDocument(many(i -> "field f%d type strin%d {}\n".formatted(i, i))));
        schema(
                "fields of unknown types that are nearly known",
                inDocument(
                        many(i -> "struct type%dofstructs {}\n".formatted(i), SIZE / 2)
                                + many(
                                        i -> "field f%d type type%dofstruct {}\n".formatted(i, i),
                                        SIZE / 2 - 2_000)));
        schema("one field again and again", inDocument(many(i -> "field f type string {}\n")));
        schema(
                "fields with all that is refused",
                inDocument(
                        many(i ->
                                "field f%d type int { match: gram attribute: paged bolding: on rank: filter index: hnsw }\n"
                                        .formatted(i))));
        schema(
                "a fieldset of names that are not there",
                SCHEMA.replace(
                        "rank-profile",
                        "fieldset f { fields: "
                                + commas(i -> "field" + i, SIZE - 2_000)
                                + " }\n  rank-profile"));
        schema(
                "a fieldset of names nearly there",
                "schema s { document s {\n"
                        + many(i -> "field name%dofafield type int {}\n".formatted(i), SIZE / 2)
                        + "}\nfieldset f { fields: "
                        + commas(i -> "name" + i + "offield", SIZE / 2 - 2_000)
                        + " }\n}\n");
        schema(
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
        schema(
                "words without an end",
                inDocument("field " + "a".repeat(SIZE - 1_000) + " type string {}"));
        schema(
                "blocks without an end",
                "schema s { document s { " + "struct a { field a type map<string, ".repeat(2_700));
        schema("braces", "schema s " + "{".repeat(SIZE - 100));
        schema("blanks", "schema s {" + " \t".repeat(SIZE / 2 - 100));
        schema("lines", "schema s {" + "\n".repeat(SIZE - 100));
        schema("signs that mean nothing", inDocument("@ ".repeat(SIZE / 2 - 100)));
        schema("strings without an end", inDocument("\"".repeat(SIZE - 1_000)));
        schema(
                "one long line of mistakes",
                inDocument(many(i -> "field f%d typ string {} ".formatted(i))));
        schema(
                "summaries that inherit the one before",
                SCHEMA.replace(
                        "rank-profile",
                        "document-summary c0 { summary t {} }\n"
                                + many(i ->
                                        "document-summary c%d inherits c%d { summary t%d { source: t } }\n"
                                                .formatted(i + 1, i, i))
                                + "rank-profile"));
        schema(
                "summaries that inherit the next",
                SCHEMA.replace(
                        "rank-profile",
                        many(i -> "document-summary c%d inherits c%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        schema(
                "summaries that inherit a large one",
                SCHEMA.replace(
                        "rank-profile",
                        "document-summary c {\n"
                                + many(i -> "summary a%d { source: t }\n".formatted(i), SIZE / 2)
                                + "}\n"
                                + many(
                                        i -> "document-summary c%d inherits c {}\n".formatted(i),
                                        SIZE / 2 - 2_000)
                                + "rank-profile"));
        schema(
                "structs that inherit the next",
                inDocument(many(i -> "struct a%d inherits a%d {}\n".formatted(i, i + 1))));
        schema(
                "documents of a large one",
                "document s {\n"
                        + many(i -> "field f%d type int {}\n".formatted(i), SIZE / 2)
                        + "}\n"
                        + many(i -> "document d%d inherits s {}\n".formatted(i), SIZE / 2 - 2_000));
        schema(
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
        schema(
                "summaries that inherit many",
                SCHEMA.replace(
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
        schema(
                "summaries with sources in a circle",
                SCHEMA.replace(
                        "rank-profile",
                        "document-summary c {\n"
                                + many(i ->
                                        "summary a%d { source: a%d }\n"
                                                .formatted(i, (i + 1) % 2000))
                                + "}\nrank-profile"));
        schema(
                "fields shown in many classes",
                inDocument(
                        many(i ->
                                "field f%d type string { indexing: summary\n summary-to: %s\n }\n"
                                        .formatted(
                                                i,
                                                IntStream.range(0, 10)
                                                        .mapToObj(n -> "c" + (i * 10 + n))
                                                        .collect(Collectors.joining(", "))))));
        schema(
                "aliases of one name",
                inDocument(
                        many(i ->
                                "field f%d type string { indexing: index\n alias: a\n alias: f%d\n }\n"
                                        .formatted(i, i + 1))));
        schema(
                "parts of parts",
                inDocument(
                        "struct a { field a type string {} }\nfield f type map<string, a> {\n"
                                + many(i ->
                                        "struct-field value.a { struct-field a%d { indexing: attribute } }\n"
                                                .formatted(i))
                                + "}\n"));
        schema(
                "imports",
                SCHEMA.replace(
                        "rank-profile",
                        many(i -> "import field t.a%d as b%d {}\n".formatted(i, i))
                                + "rank-profile"));
        schema(
                "a tensor of many dimensions",
                inDocument(
                        "field f type tensor<float>("
                                + commas(i -> "d%d[2]".formatted(i), SIZE - 1_000)
                                + ") {}"));
        schema(
                "documents",
                many(i ->
                        "document d%d inherits d%d { field f%d type string {} }\n"
                                .formatted(i, i + 1, i)));
        schema(
                "documents in a row",
                "document s { field f type string {} }\ndocument d0 inherits s { }\n"
                        + many(i ->
                                "document d%d inherits d%d { field f%d type string {} }\n"
                                        .formatted(i + 1, i, i)));
    }

    private void scripts() {
        script("a script of blocks in blocks", nested("{ ", "input t | index", " }"));
        script("a script of parentheses", nested("(", "input t", ")") + " | index");
        script("a script of many joins", many(i -> "input t . ") + "input t | index");
        script("a script of many choices", many(i -> "input t || ") + "input t | index");
        script("a script of many sums", many(i -> "input n + ") + "input n | to_string | index");
        script("a script of many steps", "input t" + many(i -> " | lowercase") + " | index");
        script("a script of conditions", nested("if (input n == 1) { ", "input t | index", " }"));
        script(
                "a script of for_each",
                "input t | " + nested("for_each { ", "lowercase", " }") + " | index");
        script("a script of arrays", "input t" + many(i -> " | to_array") + " | index");
        script("a script of structs joined", "input n" + many(i -> " | (_ . _)") + " | index");
        script(
                "a script of cases",
                "input t | switch { "
                        + many(i -> "case \"%d\": index; ".formatted(i % 9_000))
                        + " }");
        script("a script of wrong statements", many(i -> "input u%d | index;\n".formatted(i)));
        script(
                "a script of wrong keywords",
                many(i -> "input t | lowercas%d | index;\n".formatted(i)));
        script(
                "a script of variables",
                many(i -> "input t | set_var v%d; get_var w%d | index;\n".formatted(i, i)));
        script(
                "a pattern that is hard",
                "input t | split \"" + nested("(", "a*", ")*") + "\" | join \",\" | index");
        schema(
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

    private void expressions() {
        expression("parentheses", nested("(", "1", ")"));
        expression("minus signs", "-".repeat(SIZE - 2_000) + "1");
        expression("nots", "!".repeat(SIZE - 2_000) + "1");
        expression("conditions", nested("if(1, ", "2", ", 3)"));
        expression("calls", nested("abs(", "1", ")"));
        expression("a sum", many(i -> "attribute(n) + ") + "1");
        expression("powers", many(i -> "2^") + "1");
        expression("products and sums", many(i -> "2*3+") + "1");
        expression("unknown features", many(i -> "feature%d(a) + ".formatted(i)) + "1");
        expression("features nearly known", many(i -> "atribute(n%d) + ".formatted(i)) + "1");
        expression("unknown fields", many(i -> "attribute(n%d) + ".formatted(i)) + "1");
        expression("arguments", "max(" + commas(i -> "1", SIZE - 2_000) + ")");
        expression("comparisons", many(i -> "1 == ") + "1");
        expression("memberships", "attribute(n) in [" + commas(i -> "" + i, SIZE - 2_000) + "]");
        expression(
                "a tensor literal",
                "sum(tensor<float>(x[4]):[" + commas(i -> "" + i, SIZE - 2_000) + "])");
        expression(
                "a mapped tensor literal",
                "sum(tensor<float>(x{}):{" + commas(i -> "a" + i + ":1", SIZE - 2_000) + "})");
        expression(
                "a generated tensor",
                "sum(" + nested("tensor(x[9])(", "x", " + sum(attribute(v)))") + ")");
        expression("reductions", "sum(" + nested("map(", "attribute(v)", ", f(x)(x + 1))") + ")");
        expression(
                "joins",
                "sum(" + nested("join(attribute(v), ", "attribute(v)", ", f(x,y)(x * y))") + ")");
        expression(
                "renamed dimensions", "sum(" + nested("rename(", "attribute(v)", ", x, x)") + ")");
        expression("strings", "if (attribute(n) == \"" + "a".repeat(SIZE - 2_000) + "\", 1, 2)");
        schema(
                "an expression in a file",
                SCHEMA.replace("expression: attribute(n)", "expression: file: hard"),
                "schemas/hard.expression",
                many(i -> "query(q%d) * closest(v) + ".formatted(i)) + "1");
    }

    private void profiles() {
        profile(
                "functions that call the one before twice",
                "function f0() { expression: 1 }\n"
                        + many(i ->
                                "function f%1$d() { expression: f%2$d + f%2$d }\n"
                                        .formatted(i + 1, i)));
        profile(
                "functions that call the one before",
                "function f0(a) { expression: a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a + 1) }\n"
                                        .formatted(i + 1, i)));
        profile(
                "functions that pass what doubles",
                "function f0(a) { expression: a + a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a + a) }\n"
                                        .formatted(i + 1, i)));
        profile(
                "functions in a circle",
                many(i -> "function f%d() { expression: f%d }\n".formatted(i, (i + 1) % 2000)));
        profile(
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
        profile(
                "functions that call the next",
                many(i -> "function f%d() { expression: f%d }\n".formatted(i, i + 1))
                        + "function f9999() { expression: 1 }\n");
        profile(
                "functions of calls",
                "function f0() { expression: 1 }\n"
                        + many(i ->
                                "function f%d() { expression: %sf%d%s }\n"
                                        .formatted(i + 1, "abs(".repeat(190), i, ")".repeat(190))));
        profile(
                "functions that hand on",
                "function f0(a) { expression: a }\n"
                        + many(i ->
                                "function f%d(a) { expression: f%d(a) }\n".formatted(i + 1, i)));
        profile(
                "functions that hand over what doubles",
                "function f0(a) { expression: bm25(a) }\n"
                        + many(
                                i ->
                                        "function f%d(a) { expression: f%d(g(a,a)) }\n"
                                                .formatted(i + 1, i),
                                2_000)
                        + "function g9() { expression: f39(t) }\n");
        profile(
                "functions that are wrong",
                many(i -> "function f%d() { expression: g%d + }\n".formatted(i, i)));
        profile(
                "functions of unknown names",
                many(i -> "function func%d() { expression: fun%d }\n".formatted(i, i))
                        + "match-features: func1\n");
        profile(
                "features that are not there",
                "match-features: " + many(i -> "feature%d ".formatted(i)) + "\n");
        profile(
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
        profile(
                "inputs",
                "inputs {\n"
                        + many(i -> "query(q%d) tensor<float>(x[2]): [1, %d]\n".formatted(i, i))
                        + "}\n");
        profile(
                "inputs of wrong types",
                "inputs {\n" + many(i -> "query(q%d) tensr(x[2])\n".formatted(i)) + "}\n");
        profile(
                "properties",
                "rank-properties {\n"
                        + many(i -> "prop%d.of.feature(%d): \"%d\"\n".formatted(i, i, i))
                        + "}\n");
        profile("constants", "constants {\n" + many(i -> "k%d: %d.0\n".formatted(i, i)) + "}\n");
        profile(
                "a constant of many cells",
                "constants { k tensor<float>(x{}): {"
                        + commas(i -> "a%d: 1".formatted(i), SIZE - 2_000)
                        + "} }\n");
        profile("weights", many(i -> "weight f%d: 3\n".formatted(i)));
        schema(
                "profiles that inherit the one before",
                SCHEMA.replace(
                        "rank-profile",
                        "rank-profile p0 { function f() { expression: 1 } }\n"
                                + many(i ->
                                        "rank-profile p%d inherits p%d { function f%d() { expression: f } }\n"
                                                .formatted(i + 1, i, i))
                                + "rank-profile"));
        schema(
                "profiles that inherit the next",
                SCHEMA.replace(
                        "rank-profile",
                        many(i -> "rank-profile p%d inherits p%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        schema(
                "profiles in one that inherit the next",
                SCHEMA.replace(
                        "rank-profile",
                        "rank-profile a { rank-profile b inherits p0 {} }\n"
                                + many(i ->
                                        "rank-profile p%d inherits p%d {}\n".formatted(i, i + 1))
                                + "rank-profile"));
        inherited(
                "inputs",
                "inputs {\n" + many(i -> "query(q%d): 1\n".formatted(i), SIZE / 2) + "}\n");
        inherited(
                "properties",
                "rank-properties {\n" + many(i -> "prop%d: 1\n".formatted(i), SIZE / 2) + "}\n");
        inherited(
                "constants",
                "constants {\n" + many(i -> "k%d: 1\n".formatted(i), SIZE / 2) + "}\n");
        inherited(
                "functions",
                many(i -> "function f%d() { expression: 1 }\n".formatted(i), SIZE / 2));
        inherited(
                "features",
                "match-features { " + many(i -> "query(q%d) ".formatted(i), SIZE / 2) + "}\n");
        inherited(
                "a long expression",
                "first-phase { expression: 1" + many(i -> "+max(1, 2)", SIZE / 8) + "\n}\n");
        schema(
                "profiles that inherit in a circle",
                SCHEMA.replace(
                        "rank-profile",
                        many(i ->
                                "rank-profile p%d inherits p%d {}\n".formatted(i, (i + 1) % 2_000))
                                + "rank-profile"));
        schema(
                "profiles that inherit many",
                SCHEMA.replace(
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
        schema(
                "profiles that inherit functions of one",
                SCHEMA.replace(
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
        schema(
                "profiles in profiles",
                SCHEMA.replace(
                        "rank-profile",
                        nested("rank-profile a inherits a {", "", "}") + "rank-profile"));
        schema(
                "profiles of unknown parents",
                SCHEMA.replace(
                        "rank-profile",
                        many(i -> "rank-profile p%d inherits q%d {}\n".formatted(i, i))
                                + "rank-profile"));
        schema(
                "a profile in a file",
                SCHEMA,
                "schemas/s/hard.profile",
                "rank-profile hard {\n"
                        + many(i -> "function f%d() { expression: g%d( }\n".formatted(i, i))
                        + "}\n");
    }

    private void services() {
        other("elements in elements", "services.xml", nested("<services>", "", "</services>"));
        other(
                "unknown elements",
                "services.xml",
                "<services>" + many(i -> "<element%d a='b'/>".formatted(i)) + "</services>");
        other(
                "attributes",
                "services.xml",
                "<services " + many(i -> "a%d='b' ".formatted(i)) + "/>");
        other(
                "components",
                "services.xml",
                "<services><container id='c' version='1.0'>"
                        + many(i -> "<component id='c%d' class='C%d'/>".formatted(i, i))
                        + "</container></services>");
        other(
                "containers",
                "services.xml",
                "<services>"
                        + many(i ->
                                "<container id='c%d' version='1.0'><search/></container>"
                                        .formatted(i))
                        + "</services>");
        other(
                "types without schemas",
                "services.xml",
                SERVICES.replace(
                        "<documents>",
                        "<documents>"
                                + many(i -> "<document type='t%d' mode='index'/>".formatted(i))));
        other(
                "nodes",
                "services.xml",
                SERVICES.replace(
                        "<documents>",
                        "<group>"
                                + many(i ->
                                        "<node hostalias='n%d' distribution-key='%d'/>"
                                                .formatted(i, i))
                                + "</group><documents>"));
        other(
                "groups in groups",
                "services.xml",
                SERVICES.replace("<documents>", nested("<group>", "", "</group>") + "<documents>"));
        other(
                "chains that inherit the one before",
                "services.xml",
                SERVICES.replace(
                        "<search/>",
                        "<search>"
                                + many(i -> "<chain id='c%d' inherits='c%d'/>".formatted(i, i + 1))
                                + "</search>"));
        other(
                "phases in a circle",
                "services.xml",
                SERVICES.replace(
                        "<search/>",
                        "<search><chain id='c'>"
                                + many(i ->
                                        "<phase id='p%d' before='p%d'/>"
                                                .formatted(i, (i + 1) % 1_000))
                                + "</chain></search>"));
        other(
                "properties that are not there",
                "services.xml",
                SERVICES.replace("<services", "<services xmlns:preprocess='properties'")
                        .replace(
                                "<documents>",
                                "<documents a='" + many(i -> "${a%d}".formatted(i)) + "'>"));
        other(
                "properties",
                "services.xml",
                SERVICES.replace(
                        "<services version=\"1.0\">",
                        "<services xmlns:preprocess='properties' version='1.0'><preprocess:properties>"
                                + many(i -> "<p%1$d>${p%1$d}</p%1$d>".formatted(i))
                                + "</preprocess:properties>"));
        other(
                "an include of itself",
                "services.xml",
                SERVICES.replace(
                        "<services version=\"1.0\">",
                        "<services xmlns:preprocess='properties' version='1.0'>"
                                + many(i -> "<preprocess:include file='services.xml'/>")));
        other(
                "overrides",
                "services.xml",
                SERVICES.replace("<services", "<services xmlns:deploy='vespa'")
                        .replace(
                                "<documents>",
                                "<documents>"
                                        + many(i ->
                                                "<document deploy:environment='dev' deploy:region='r%d' type='s' mode='index'/>"
                                                        .formatted(i))));
        other(
                "entities",
                "services.xml",
                "<!DOCTYPE a [<!ENTITY a0 'a'>"
                        + many(i -> "<!ENTITY a%1$d '&a%2$d;&a%2$d;'>".formatted(i + 1, i))
                        + "]><services>&a99;</services>");
        other(
                "a selection",
                "services.xml",
                SERVICES.replace(
                        "<documents>",
                        "<documents selection='" + nested("(", "s.n == 1", ")") + "'>"));
        other(
                "a selection of many parts",
                "services.xml",
                SERVICES.replace(
                        "<documents>",
                        "<documents selection='"
                                + many(i -> "s.n == %d or ".formatted(i))
                                + "s.n == 1'>"));
        other(
                "configs",
                "services.xml",
                SERVICES.replace(
                        "<search/>",
                        "<search/>"
                                + many(i -> "<config name='a.b%d'><c/></config>".formatted(i))));
        other(
                "a config in itself",
                "services.xml",
                SERVICES.replace(
                        "<search/>",
                        "<search/><config name='a.b'>" + nested("<c>", "", "</c>") + "</config>"));
        other(
                "hosts",
                "hosts.xml",
                "<hosts>"
                        + many(i -> "<host name='h%d'><alias>a</alias></host>".formatted(i))
                        + "</hosts>");
        other("hosts without names", "hosts.xml", "<hosts>" + many(i -> "<host/>") + "</hosts>");
        other(
                "allowances",
                "validation-overrides.xml",
                "<validation-overrides>"
                        + many(i -> "<allow until='2026-13-01'>id%d</allow>".formatted(i))
                        + "</validation-overrides>");
        other(
                "definitions",
                "configdefinitions/a.def",
                "namespace=a\n" + many(i -> "v%d.w[].x{} int default=%d\n".formatted(i, i)));
        other(
                "definitions that are wrong",
                "configdefinitions/a.def",
                "namespace=a\n" + many(i -> "v%d strin default=x\n".formatted(i)));
    }

    private void queryProfiles() {
        String path = "search/query-profiles/p.xml";
        other(
                "fields of a query profile",
                path,
                "<query-profile id='p'>"
                        + many(i -> "<field name='a%d.b.c'>%d</field>".formatted(i, i))
                        + "</query-profile>");
        other(
                "a query profile that is deep",
                path,
                "<query-profile id='p'><field name='"
                        + many(i -> "a.")
                        + "a'>1</field></query-profile>");
        other(
                "substitutions",
                path,
                "<query-profile id='p'><field name='a'>"
                        + many(i -> "%{a}")
                        + "</field></query-profile>");
        other(
                "substitutions that double",
                path,
                "<query-profile id='p'><field name='a0'>x</field>"
                        + many(i ->
                                "<field name='a%1$d'>%%{a%2$d}%%{a%2$d}</field>"
                                        .formatted(i + 1, i))
                        + "</query-profile>");
        other(
                "variants",
                path,
                "<query-profile id='p'><dimensions>a, b, c</dimensions>"
                        + many(i ->
                                "<query-profile for='%d, *, %d'><field name='x'>%d</field></query-profile>"
                                        .formatted(i % 100, i / 100, i))
                        + "</query-profile>");
        other(
                "variants that inherit",
                path,
                "<query-profile id='p'><dimensions>"
                        + commas(i -> "d" + i, 20_000)
                        + "</dimensions>"
                        + many(i -> "<query-profile for='%d' inherits='p'/>".formatted(i), SIZE / 2)
                        + "</query-profile>");
        other(
                "references",
                path,
                "<query-profile id='p'>"
                        + many(i -> "<field name='a%d'><ref>p%d</ref></field>".formatted(i, i))
                        + "</query-profile>");
        other(
                "fields of a type",
                "search/query-profiles/types/t.xml",
                "<query-profile-type id='t'>"
                        + many(i -> "<field name='a%d' type='intege' alias='a b c'/>".formatted(i))
                        + "</query-profile-type>");
        var circle = new HashMap<String, String>();
        for (int i = 0; i < 200; i++) {
            circle.put(
                    "search/query-profiles/p" + i + ".xml",
                    "<query-profile id='p%d' inherits='p%d'><field name='a'><ref>p%d</ref></field></query-profile>"
                            .formatted(i, (i + 1) % 200, (i + 7) % 200));
        }
        add("query profiles in a circle", circle);
        var doubling = new HashMap<String, String>();
        doubling.put(
                "search/query-profiles/p0.xml",
                "<query-profile id='p0'><field name='a'>1</field></query-profile>");
        for (int i = 1; i < 200; i++) {
            doubling.put(
                    "search/query-profiles/p" + i + ".xml",
                    "<query-profile id='p%1$d' inherits='p%2$d'><field name='a%1$d'><ref>p%2$d</ref></field><field name='b%1$d'><ref>p%2$d</ref></field></query-profile>"
                            .formatted(i, i - 1));
        }
        add("query profiles that hold the one before twice", doubling);
    }

    /** Texts of words in any order, which are wrong in many places. */
    private void soups(Random random) {
        for (int i = 0; i < 10; i++) {
            var words = new StringBuilder();
            while (words.length() < SIZE - 2_000) {
                words.append(WORDS.get(random.nextInt(WORDS.size())))
                        .append(random.nextInt(4) == 0 ? "" : " ");
            }
            schema(
                    "words, " + i,
                    i % 2 == 0 ? "schema s { " + words : inDocument(words.toString()));
            expression("words, " + i, words.toString().replaceAll("[{}\n#]", " "));
        }
    }

    /** A profile with {@code items}, which many inherit. */
    private void inherited(String name, String items) {
        schema(
                "profiles that inherit " + name,
                SCHEMA.replace(
                        "rank-profile",
                        "rank-profile base {\n%s}\n".formatted(items)
                                + many(
                                        i -> "rank-profile p%d inherits base {}\n".formatted(i),
                                        SIZE / 2 - 2_000)
                                + "rank-profile"));
    }

    private static String inDocument(String items) {
        return "schema s {\n  document s {\n" + items + "\n  }\n}\n";
    }

    private void script(String name, String script) {
        schema(
                name,
                SCHEMA.replace(
                        "rank-profile",
                        "field e type string { indexing {\n%s\n} }\n  rank-profile"
                                .formatted(script)));
    }

    private void expression(String name, String expression) {
        schema(
                "an expression: " + name,
                SCHEMA.replace("expression: attribute(n)", "expression { " + expression + " }"));
    }

    private void profile(String name, String items) {
        schema("a profile: " + name, SCHEMA.replace("first-phase", items + "    first-phase"));
    }

    private void schema(String name, String text) {
        schema(name, text, "schemas/s.sd", text);
    }

    private void schema(String name, String text, String path, String hard) {
        var files = new HashMap<String, String>();
        files.put("schemas/s.sd", text);
        files.put(path, hard);
        add(name, files);
    }

    private void other(String name, String path, String text) {
        add(path + ": " + name, Map.of(path, text));
    }

    private void add(String name, Map<String, String> files) {
        var whole = new HashMap<>(Map.of("services.xml", SERVICES, "schemas/s.sd", SCHEMA));
        whole.putAll(files);
        files.forEach((path, text) -> {
            if (text.length() > SIZE) {
                throw new IllegalStateException(
                        "%s: %s has %d characters".formatted(name, path, text.length()));
            }
        });
        if (packages.put(name, whole) != null) {
            throw new IllegalStateException(name + " is there twice");
        }
    }

    private static String many(IntFunction<String> part) {
        return many(part, SIZE - 2_000);
    }

    private static String many(IntFunction<String> part, int size) {
        var text = new StringBuilder();
        for (int i = 0; ; i++) {
            String next = part.apply(i);
            if (text.length() + next.length() > size) {
                return text.toString();
            }
            text.append(next);
        }
    }

    private static String commas(IntFunction<String> part, int size) {
        var parts = new ArrayList<String>();
        for (int i = 0, length = 0; length < size; i++) {
            parts.add(part.apply(i));
            length += parts.getLast().length() + 2;
        }
        return String.join(", ", parts.subList(0, parts.size() - 1));
    }

    private static String nested(String open, String middle, String close) {
        int depth = (SIZE - 2_000 - middle.length()) / (open.length() + close.length());
        return open.repeat(depth) + middle + close.repeat(depth);
    }
}
