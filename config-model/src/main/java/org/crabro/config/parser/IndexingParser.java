package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.ScriptDeclaration.Statement;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.config.schema.Aspect;

/**
 * Parses indexing scripts, character by character: their names hold dashes, and their dots join
 * texts, so the tokens are not those of the schema around them.
 *
 * <pre>
 *   script    := "{" { NL } statement { NL } { ";" { NL } [ statement { NL } ] } "}"
 *   statement := choice { "|" { NL } choice }
 *   choice    := cat { "||" cat }
 *   cat       := value { "." value }
 *   value     := "input" [ path ] | "embed" [ name ] | ( "attribute" | "index" | "summary" ) [ path ]
 *              | string | "(" statement ")"
 *   path      := name { "." name }               without blanks around the dots
 *   name      := ( letter | "_" ) { letter | digit | "_" | "-" } | string
 *   string    := '"' { any but '"' | "\" any } '"', or the same with "'"
 * </pre>
 */
final class IndexingParser {
    private static final Set<String> BUILT =
            Set.of("input", "embed", "attribute", "index", "summary");
    private static final Set<String> NOT_BUILT =
            Set.of(
                    "_",
                    "base64decode",
                    "base64encode",
                    "binarize",
                    "busy_wait",
                    "chunk",
                    "clear_state",
                    "create_if_non_existent",
                    "documentid",
                    "echo",
                    "exact",
                    "false",
                    "flatten",
                    "for_each",
                    "generate",
                    "get_field",
                    "get_language",
                    "get_value",
                    "get_var",
                    "guard",
                    "hash",
                    "hex_decode",
                    "hex_encode",
                    "hexdecode",
                    "hexencode",
                    "hostname",
                    "if",
                    "join",
                    "lowercase",
                    "ngram",
                    "normalize",
                    "now",
                    "optimize_predicate",
                    "pack_bits",
                    "passthrough",
                    "random",
                    "select_input",
                    "set_language",
                    "set_var",
                    "sleep",
                    "split",
                    "substring",
                    "switch",
                    "this",
                    "to_array",
                    "to_bool",
                    "to_byte",
                    "to_double",
                    "to_epoch_second",
                    "to_float",
                    "to_int",
                    "to_long",
                    "to_pos",
                    "to_string",
                    "to_uri",
                    "to_wset",
                    "tokenize",
                    "trim",
                    "true",
                    "zcurve");

    /** More open parentheses than any script needs, and less than the stack bears. */
    private static final int PARENTHESES_LIMIT = 100;

    private final SchemaCursor cursor;
    private final SourceText source;
    private final String text;
    private int offset;
    private int parentheses;

    IndexingParser(SchemaCursor cursor) {
        this.cursor = cursor;
        this.source = cursor.source();
        this.text = source.text();
    }

    /**
     * Parses what stands behind {@code keyword}, a statement behind a colon or a script between
     * braces, and moves the cursor behind it.
     */
    ScriptDeclaration script(SchemaScanner.Token keyword) {
        offset = keyword.end();
        skipBlanks();
        var statements = new ArrayList<Statement>();
        if (at(':')) {
            offset++;
            statements.add(statement());
            skipBlanks();
            if (!at('\n') && !at('}') && offset < text.length()) {
                throw expected("'|', '||', '.' or the end of the line");
            }
        } else {
            skipBlanksAndNewlines();
            expect('{');
            statements.addAll(statements());
            expect('}');
        }
        cursor.moveTo(offset);
        return new ScriptDeclaration(cursor.at(keyword), statements);
    }

    private List<Statement> statements() {
        var statements = new ArrayList<Statement>();
        skipBlanksAndNewlines();
        statements.add(statement());
        skipBlanksAndNewlines();
        while (at(';')) {
            offset++;
            skipBlanksAndNewlines();
            if (!at('}') && !at(';')) {
                statements.add(statement());
                skipBlanksAndNewlines();
            }
        }
        return statements;
    }

    private Statement statement() {
        skip();
        int start = offset;
        var steps = new ArrayList<>(choice().steps());
        skip();
        while (at('|') && !at("||")) {
            offset++;
            skipBlanksAndNewlines();
            steps.addAll(choice().steps());
            skip();
        }
        return new Statement(source.at(start), steps);
    }

    private Statement choice() {
        int start = offset;
        var alternatives = new ArrayList<Statement>();
        alternatives.add(cat());
        skip();
        while (at("||")) {
            offset += 2;
            skip();
            alternatives.add(cat());
            skip();
        }
        return alternatives.size() == 1
                ? alternatives.getFirst()
                : alone(new Step.FirstOf(source.at(start), alternatives));
    }

    private Statement cat() {
        int start = offset;
        var parts = new ArrayList<Statement>();
        parts.add(value());
        skip();
        while (at('.')) {
            offset++;
            skip();
            parts.add(value());
            skip();
        }
        if (offset < text.length() && "+-*/%".indexOf(text.charAt(offset)) >= 0) {
            throw cursor.notBuilt(source.at(offset), "arithmetic in an indexing script");
        }
        return parts.size() == 1
                ? parts.getFirst()
                : alone(new Step.Concatenation(source.at(start), parts));
    }

    private Statement value() {
        if (at('"') || at('\'')) {
            int start = offset;
            return alone(new Step.Literal(source.at(start), string()));
        }
        if (at('(')) {
            return parenthesized();
        }
        if (at('{')) {
            throw cursor.notBuilt(source.at(offset), "a script inside an indexing script");
        }
        if (offset < text.length() && (isDigit(text.charAt(offset)) || at('-') || at('+'))) {
            throw cursor.notBuilt(source.at(offset), "a number in an indexing script");
        }
        if (!atName()) {
            throw expected("an indexing expression such as input, embed or a string");
        }
        return alone(keyword());
    }

    private static Statement alone(Step step) {
        return new Statement(step.at(), List.of(step));
    }

    private Step keyword() {
        SourcePosition at = source.at(offset);
        String word = word();
        return switch (word) {
            case "input" -> new Step.Input(at, path());
            case "attribute" -> new Step.Output(at, Aspect.ATTRIBUTE, path());
            case "index" -> new Step.Output(at, Aspect.INDEX, path());
            case "summary" -> new Step.Output(at, Aspect.SUMMARY, path());
            case "embed" -> embed(at);
            default -> {
                if (NOT_BUILT.contains(word)) {
                    throw cursor.notBuilt(at, word + " in an indexing script");
                }
                throw new SchemaSyntaxException(
                        at,
                        "expected an indexing expression but found '"
                                + word
                                + "'"
                                + NearestName.hint(word, BUILT));
            }
        };
    }

    private Step embed(SourcePosition at) {
        Optional<Name> embedder = path();
        skip();
        if (atName()) {
            throw cursor.notBuilt(source.at(offset), "embed with an argument");
        }
        return new Step.Embed(at, embedder);
    }

    private Statement parenthesized() {
        if (parentheses == PARENTHESES_LIMIT) {
            throw new SchemaSyntaxException(
                    source.at(offset), "more than " + PARENTHESES_LIMIT + " parentheses are open");
        }
        expect('(');
        parentheses++;
        Statement statement = statement();
        expect(')');
        parentheses--;
        return statement;
    }

    private Optional<Name> path() {
        skip();
        int start = offset;
        if (!atName() && !at('"') && !at('\'')) {
            return Optional.empty();
        }
        var path = new StringBuilder(name());
        while (at('.') && offset + 1 < text.length() && isNameStart(text.charAt(offset + 1))) {
            offset++;
            path.append('.').append(name());
        }
        return Optional.of(new Name(source.at(start), path.toString()));
    }

    private String name() {
        return at('"') || at('\'') ? string() : word();
    }

    private String word() {
        int start = offset;
        while (offset < text.length()
                && (isNameStart(text.charAt(offset)) || isDigit(text.charAt(offset)) || at('-'))) {
            offset++;
        }
        return text.substring(start, offset);
    }

    private String string() {
        int start = offset;
        char quote = text.charAt(offset++);
        var value = new StringBuilder();
        while (offset < text.length() && text.charAt(offset) != '\n') {
            char c = text.charAt(offset++);
            if (c == quote) {
                return value.toString();
            }
            value.append(c == '\\' ? escaped() : c);
        }
        throw new SchemaSyntaxException(
                source.at(start), "expected a closing " + quote + " on the same line");
    }

    private char escaped() {
        int start = offset - 1;
        char c = offset < text.length() ? text.charAt(offset++) : '\n';
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'b' -> '\b';
            case '\\', '"', '\'' -> c;
            case 'u' -> unicode(start);
            default ->
                    throw new SchemaSyntaxException(
                            source.at(start),
                            "expected one of \\n \\t \\r \\f \\b \\\\ \\\" \\' \\uXXXX");
        };
    }

    private char unicode(int start) {
        int end = Math.min(offset + 4, text.length());
        String digits = text.substring(offset, end);
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw new SchemaSyntaxException(
                    source.at(start), "expected four hexadecimal digits behind \\u");
        }
        offset = end;
        return (char) Integer.parseInt(digits, 16);
    }

    private void expect(char c) {
        if (!at(c)) {
            throw expected("'" + c + "'");
        }
        offset++;
    }

    private boolean at(char c) {
        return offset < text.length() && text.charAt(offset) == c;
    }

    private boolean at(String string) {
        return text.startsWith(string, offset);
    }

    private boolean atName() {
        return offset < text.length() && isNameStart(text.charAt(offset));
    }

    private void skip() {
        if (parentheses > 0) {
            skipBlanksAndNewlines();
        } else {
            skipBlanks();
        }
    }

    private void skipBlanksAndNewlines() {
        skipBlanks();
        while (at('\n')) {
            offset++;
            skipBlanks();
        }
    }

    private void skipBlanks() {
        while (at(' ') || at('\t') || at('\r') || at('\f')) {
            offset++;
        }
        if (at('#')) {
            int end = text.indexOf('\n', offset);
            offset = end < 0 ? text.length() : end;
        }
    }

    private SchemaSyntaxException expected(String what) {
        String found;
        if (offset == text.length()) {
            found = "the end of the file";
        } else if (at('\n')) {
            found = "the end of the line";
        } else if (atName()) {
            int start = offset;
            found = "'" + word() + "'";
            offset = start;
        } else {
            found = "'" + Character.toString(text.codePointAt(offset)) + "'";
        }
        return new SchemaSyntaxException(
                source.at(offset), "expected " + what + " but found " + found);
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
