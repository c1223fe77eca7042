package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;

import java.util.List;
import java.util.Random;

/** Texts of words in any order, which are wrong in many places. */
final class WordSoups {
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

    private WordSoups() {}

    static void addTo(MadePackages into, Random random) {
        for (int i = 0; i < 10; i++) {
            var words = new StringBuilder();
            while (words.length() < SIZE - 2_000) {
                words.append(WORDS.get(random.nextInt(WORDS.size())))
                        .append(random.nextInt(4) == 0 ? "" : " ");
            }
            into.schema(
                    "words, " + i,
                    i % 2 == 0 ? "schema s { " + words : MadePackages.inDocument(words.toString()));
            into.expression("words, " + i, words.toString().replaceAll("[{}\n#]", " "));
        }
    }
}
