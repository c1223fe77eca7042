package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.ScriptDeclaration.Case;
import org.crabro.config.parser.ScriptDeclaration.Statement;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript.Comparison;
import org.crabro.config.schema.IndexingScript.Operator;
import org.crabro.document.FieldValue;

/**
 * Parses indexing scripts.
 *
 * <pre>
 *   script    := "{" { NL } statement { NL } { ";" { NL } [ statement { NL } ] } "}"
 *   statement := choice { "|" { NL } choice }
 *   choice    := cat { "||" cat }
 *   cat       := math { "." math }
 *   math      := value { ( "+" | "-" | "*" | "/" | "%" ) value }      the usual precedence
 *   value     := "input" [ path ] | ( "attribute" | "index" | "summary" ) [ path ]
 *              | "embed" [ name ] { name } | string | number | "true" | "false"
 *              | "if" "(" cat compare cat ")" script [ "else" ( script | if ) ]
 *              | "switch" "{" { "case" string ":" statement ";" | "default" ":" statement ";" } "}"
 *              | "select_input" "{" { path ":" statement ";" } "}"
 *              | "for_each" "{" statement "}" | "guard" script
 *              | keyword { argument } | script | "(" statement ")"
 *   compare   := "==" | "!=" | "&lt;" | "&lt;=" | ">" | ">="
 *   argument  := name | string | number                     the number depends on the keyword
 * </pre>
 *
 * <p>{@link ScriptScanner} reads names, strings and numbers. Line ends are allowed after a pipe, in
 * parentheses, and around the statements between braces. It has a method for each rule of the
 * grammar.
 */
final class IndexingParser {
    /** Each has the one before as its operand, so that they nest as deep as they are many. */
    private static final int OPERATORS_MAX = 1_000;

    private int operatorCount;

    /** The arguments of a keyword. */
    private enum Arguments {
        NONE,
        NAME,
        OPTIONAL_NAME,
        STRING,
        INTEGER,
        OPTIONAL_INTEGER,
        TWO_INTEGERS,
        OPTIONAL_NUMBER,
        /** Any number of names and numbers. */
        WORDS,
        TOKENIZE
    }

    private static final Map<String, Arguments> KEYWORDS =
            Map.ofEntries(
                    Map.entry("_", Arguments.NONE),
                    Map.entry("this", Arguments.NONE),
                    Map.entry("base64decode", Arguments.NONE),
                    Map.entry("base64encode", Arguments.NONE),
                    Map.entry("binarize", Arguments.OPTIONAL_NUMBER),
                    Map.entry("busy_wait", Arguments.OPTIONAL_NUMBER),
                    Map.entry("chunk", Arguments.WORDS),
                    Map.entry("clear_state", Arguments.NONE),
                    Map.entry("documentid", Arguments.OPTIONAL_NAME),
                    Map.entry("echo", Arguments.NONE),
                    Map.entry("exact", Arguments.NONE),
                    Map.entry("flatten", Arguments.NONE),
                    Map.entry("generate", Arguments.WORDS),
                    Map.entry("get_field", Arguments.NAME),
                    Map.entry("get_language", Arguments.NONE),
                    Map.entry("get_value", Arguments.NAME),
                    Map.entry("get_var", Arguments.NAME),
                    Map.entry("hash", Arguments.NONE),
                    Map.entry("hex_decode", Arguments.NONE),
                    Map.entry("hex_encode", Arguments.NONE),
                    Map.entry("hexdecode", Arguments.NONE),
                    Map.entry("hexencode", Arguments.NONE),
                    Map.entry("hostname", Arguments.NONE),
                    Map.entry("join", Arguments.STRING),
                    Map.entry("lowercase", Arguments.NONE),
                    Map.entry("ngram", Arguments.INTEGER),
                    Map.entry("normalize", Arguments.NONE),
                    Map.entry("now", Arguments.NONE),
                    Map.entry("optimize_predicate", Arguments.NONE),
                    Map.entry("pack_bits", Arguments.NONE),
                    Map.entry("passthrough", Arguments.OPTIONAL_NAME),
                    Map.entry("random", Arguments.OPTIONAL_INTEGER),
                    Map.entry("set_language", Arguments.NONE),
                    Map.entry("set_var", Arguments.NAME),
                    Map.entry("sleep", Arguments.OPTIONAL_NUMBER),
                    Map.entry("split", Arguments.STRING),
                    Map.entry("substring", Arguments.TWO_INTEGERS),
                    Map.entry("to_array", Arguments.NONE),
                    Map.entry("to_bool", Arguments.NONE),
                    Map.entry("to_byte", Arguments.NONE),
                    Map.entry("to_double", Arguments.NONE),
                    Map.entry("to_epoch_second", Arguments.NONE),
                    Map.entry("to_float", Arguments.NONE),
                    Map.entry("to_int", Arguments.NONE),
                    Map.entry("to_long", Arguments.NONE),
                    Map.entry("to_pos", Arguments.NONE),
                    Map.entry("to_string", Arguments.NONE),
                    Map.entry("to_uri", Arguments.NONE),
                    Map.entry("to_wset", Arguments.WORDS),
                    Map.entry("tokenize", Arguments.TOKENIZE),
                    Map.entry("trim", Arguments.NONE),
                    Map.entry("zcurve", Arguments.NONE));

    /** The keywords with a form of their own. */
    private static final Set<String> FORMS =
            Set.of(
                    "input",
                    "attribute",
                    "index",
                    "summary",
                    "embed",
                    "true",
                    "false",
                    "if",
                    "switch",
                    "select_input",
                    "for_each",
                    "guard");

    private static final Set<String> TOKENIZE_NUMBERS =
            Set.of("max-length", "max-occurrences", "max-token-length");

    /** Deeper than any meaningful script, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 100;

    private final SchemaCursor cursor;
    private final ScriptScanner scanner;
    private int depth;

    /** Open parentheses inside the innermost braces: line ends have no meaning in them. */
    private int parentheses;

    IndexingParser(SchemaCursor cursor, SchemaScanner.Token keyword) {
        this.cursor = cursor;
        this.scanner = new ScriptScanner(cursor.source(), keyword.end());
    }

    /**
     * Parses the script after {@code keyword}: a colon and a statement, or a script in braces.
     * Moves the cursor to its end.
     */
    static ScriptDeclaration script(SchemaCursor cursor, SchemaScanner.Token keyword) {
        return new IndexingParser(cursor, keyword).whole(cursor.at(keyword));
    }

    private ScriptDeclaration whole(SourcePosition at) {
        scanner.skipBlanks();
        var statements = new ArrayList<Statement>();
        if (scanner.at(':')) {
            scanner.skip(1);
            statements.add(statement());
            scanner.skipBlanks();
            if (!scanner.at('\n') && !scanner.at('}') && !scanner.atEnd()) {
                throw scanner.expected("'|', '||', '.' or the end of the line");
            }
        } else {
            scanner.skipBlanksAndNewlines();
            statements.addAll(block());
        }
        cursor.moveTo(scanner.offset());
        return new ScriptDeclaration(at, statements);
    }

    private List<Statement> block() {
        return braces(() -> {
            var statements = new ArrayList<Statement>();
            statements.add(statement());
            scanner.skipBlanksAndNewlines();
            while (scanner.at(';')) {
                scanner.skip(1);
                scanner.skipBlanksAndNewlines();
                if (!scanner.at('}') && !scanner.at(';')) {
                    statements.add(statement());
                    scanner.skipBlanksAndNewlines();
                }
            }
            return statements;
        });
    }

    /** Takes {@code content} in braces. */
    private <T> T braces(Supplier<T> content) {
        scanner.expect('{');
        int outside = parentheses;
        parentheses = 0;
        T inside =
                deeper(() -> {
                    scanner.skipBlanksAndNewlines();
                    return content.get();
                });
        scanner.skipBlanksAndNewlines();
        scanner.expect('}');
        parentheses = outside;
        return inside;
    }

    private <T> T deeper(Supplier<T> content) {
        if (depth == DEPTH_LIMIT) {
            throw new SchemaSyntaxException(
                    scanner.position(),
                    "more than " + DEPTH_LIMIT + " parentheses or braces are open");
        }
        depth++;
        T inside = content.get();
        depth--;
        return inside;
    }

    private Statement statement() {
        skip();
        SourcePosition start = scanner.position();
        var steps = new ArrayList<>(choice().steps());
        skip();
        while (scanner.at('|') && !scanner.at("||")) {
            scanner.skip(1);
            scanner.skipBlanksAndNewlines();
            steps.addAll(choice().steps());
            skip();
        }
        return new Statement(start, steps);
    }

    private Statement choice() {
        SourcePosition start = scanner.position();
        var alternatives = new ArrayList<Statement>();
        alternatives.add(cat());
        skip();
        while (scanner.at("||")) {
            scanner.skip(2);
            skip();
            alternatives.add(cat());
            skip();
        }
        return alternatives.size() == 1
                ? alternatives.getFirst()
                : alone(new Step.FirstOf(start, alternatives));
    }

    private Statement cat() {
        SourcePosition start = scanner.position();
        var parts = new ArrayList<Statement>();
        parts.add(sum());
        skip();
        while (scanner.at('.')) {
            scanner.skip(1);
            skip();
            parts.add(sum());
            skip();
        }
        return parts.size() == 1 ? parts.getFirst() : alone(new Step.Concatenation(start, parts));
    }

    private Statement sum() {
        return operands("+-", this::product);
    }

    private Statement product() {
        return operands("*/%", this::value);
    }

    private Statement operands(String operators, Supplier<Statement> operand) {
        SourcePosition start = scanner.position();
        Statement left = operand.get();
        int end = scanner.offset();
        skip();
        while (scanner.atOneOf(operators)) {
            if (++operatorCount > OPERATORS_MAX) {
                throw scanner.expected(
                        "at most %,d operators in a script".formatted(OPERATORS_MAX));
            }
            Operator operator = operator();
            skip();
            left = alone(new Step.Arithmetic(start, operator, left, operand.get()));
            end = scanner.offset();
            skip();
        }
        // Do not skip blanks after the last operand: a line end there may end the statement.
        scanner.moveTo(end);
        return left;
    }

    private Operator operator() {
        for (Operator operator : Operator.values()) {
            if (scanner.at(operator.symbol())) {
                scanner.skip(1);
                return operator;
            }
        }
        throw scanner.expected("an operator");
    }

    private Statement value() {
        cursor.countScriptExpression();
        SourcePosition at = scanner.position();
        if (scanner.atQuote()) {
            return alone(new Step.Literal(at, new FieldValue.StringValue(scanner.string())));
        }
        if (scanner.at('(')) {
            return parenthesized();
        }
        if (scanner.at('{')) {
            return alone(new Step.Block(at, block(), false));
        }
        if (scanner.atNumber()) {
            return alone(new Step.Literal(at, number(at, scanner.number())));
        }
        if (!scanner.atName()) {
            throw scanner.expected("an indexing expression such as input, embed or a string");
        }
        return alone(keyword());
    }

    private static Statement alone(Step step) {
        return new Statement(step.at(), List.of(step));
    }

    private static FieldValue number(SourcePosition at, String text) {
        try {
            String sign = text.startsWith("-") ? "-" : "";
            String plain = text.replaceFirst("^[+-]", "");
            if (plain.matches("0x[0-9a-fA-F]+L?")) {
                boolean wide = plain.endsWith("L");
                long number = Long.parseLong(sign + plain.substring(2).replace("L", ""), 16);
                return wide ? new FieldValue.LongValue(number) : integer(number);
            }
            if (plain.matches("[0-9]+L")) {
                return new FieldValue.LongValue(
                        Long.parseLong(sign + plain.substring(0, plain.length() - 1)));
            }
            if (plain.matches("[0-9]+")) {
                return integer(Long.parseLong(sign + plain));
            }
            if (plain.matches("[0-9]+\\.[0-9]+f") || plain.matches("[0-9]+f")) {
                return new FieldValue.FloatValue(Float.parseFloat(sign + plain));
            }
            if (plain.matches("[0-9]+\\.[0-9]+")) {
                return new FieldValue.DoubleValue(Double.parseDouble(sign + plain));
            }
        } catch (NumberFormatException _) {
            // Reported below, like text that is not a number at all.
        }
        throw new SchemaSyntaxException(
                at, "'" + text + "' is no number; write 5, 5L for a long, 1.5, 1.5f or 0xff");
    }

    private static FieldValue integer(long number) {
        int narrow = (int) number;
        if (narrow != number) {
            throw new NumberFormatException("no int: " + number);
        }
        return new FieldValue.IntValue(narrow);
    }

    private Step keyword() {
        SourcePosition at = scanner.position();
        String word = scanner.word();
        return switch (word) {
            case "input" -> new Step.Input(at, path());
            case "attribute", "index", "summary" ->
                    new Step.Output(at, Aspect.valueOf(word.toUpperCase(Locale.ROOT)), path());
            case "embed" -> new Step.Embed(at, path(), words());
            case "true", "false" ->
                    new Step.Literal(at, new FieldValue.BoolValue(word.equals("true")));
            case "if" -> ifElse(at);
            case "switch" -> switchCases(at);
            case "select_input" -> {
                scanner.skipBlanksAndNewlines();
                yield new Step.SelectInput(at, braces(this::inputCases));
            }
            case "for_each" -> {
                scanner.skipBlanksAndNewlines();
                yield new Step.ForEach(at, braces(this::statement));
            }
            case "guard" -> {
                scanner.skipBlanksAndNewlines();
                yield new Step.Block(at, block(), true);
            }
            default -> call(at, word);
        };
    }

    private Step.Call call(SourcePosition at, String word) {
        Arguments arguments = KEYWORDS.get(word);
        if (arguments == null) {
            var names = new TreeSet<>(KEYWORDS.keySet());
            names.addAll(FORMS);
            throw new SchemaSyntaxException(
                    at,
                    "expected an indexing expression but found '"
                            + word
                            + "'"
                            + NearestName.hint(word, names));
        }
        return new Step.Call(at, word, arguments(word, arguments));
    }

    private List<Name> arguments(String word, Arguments arguments) {
        return switch (arguments) {
            case NONE -> List.of();
            case NAME ->
                    List.of(path().orElseThrow(() -> scanner.expected("a name after " + word)));
            case OPTIONAL_NAME -> path().stream().toList();
            case STRING -> {
                skip();
                if (!scanner.atQuote()) {
                    throw scanner.expected("a string after " + word);
                }
                yield List.of(new Name(scanner.position(), scanner.string()));
            }
            case INTEGER -> List.of(integer(word));
            case TWO_INTEGERS -> List.of(integer(word), integer(word));
            case OPTIONAL_INTEGER -> {
                skip();
                yield scanner.atNumber() ? List.of(integer(word)) : List.of();
            }
            case OPTIONAL_NUMBER -> {
                skip();
                yield scanner.atNumber()
                        ? List.of(new Name(scanner.position(), scanner.number()))
                        : List.of();
            }
            case WORDS -> words();
            case TOKENIZE -> tokenizeOptions();
        };
    }

    private Name integer(String word) {
        skip();
        SourcePosition at = scanner.position();
        String number = scanner.atNumber() ? scanner.number() : "";
        if (!number.matches("-?[0-9]{1,9}")) {
            scanner.moveTo(at.offset());
            throw scanner.expected("an integer after " + word);
        }
        return new Name(at, number);
    }

    private List<Name> words() {
        var words = new ArrayList<Name>();
        skip();
        while (scanner.atName() || scanner.atQuote() || scanner.atNumber()) {
            SourcePosition at = scanner.position();
            words.add(new Name(at, scanner.atNumber() ? scanner.number() : scanner.name()));
            skip();
        }
        return words;
    }

    /** Takes the options of {@code tokenize}, which have no effect in a scan. */
    private List<Name> tokenizeOptions() {
        skip();
        while (scanner.atName()) {
            SourcePosition at = scanner.position();
            String option = scanner.word();
            boolean stem = option.equals("stem");
            if (TOKENIZE_NUMBERS.contains(option)) {
                scanner.expect(':');
                integer(option);
            } else if (option.equals("profile") || (stem && scanner.at(':'))) {
                scanner.expect(':');
                if (!scanner.atQuote()) {
                    throw scanner.expected("a string after " + option);
                }
                scanner.string();
            } else if (!stem && !option.equals("normalize") && !option.equals("keep-case")) {
                throw new SchemaSyntaxException(
                        at,
                        "expected one of keep-case, max-length, max-occurrences, max-token-length,"
                                + " normalize, profile, stem but found '"
                                + option
                                + "'");
            }
            skip();
        }
        return List.of();
    }

    private Step.If ifElse(SourcePosition at) {
        skip();
        scanner.expect('(');
        parentheses++;
        skip();
        Statement left = deeper(this::cat);
        skip();
        Comparison comparison = comparison();
        skip();
        Statement right = deeper(this::cat);
        skip();
        scanner.expect(')');
        parentheses--;
        scanner.skipBlanksAndNewlines();
        var then = new Step.Block(scanner.position(), block(), false);
        int end = scanner.offset();
        scanner.skipBlanks();
        if (!scanner.atWord("else")) {
            scanner.moveTo(end);
            return new Step.If(at, left, comparison, right, then, Optional.empty());
        }
        scanner.word();
        scanner.skipBlanksAndNewlines();
        SourcePosition elseAt = scanner.position();
        List<Statement> otherwise;
        if (scanner.atWord("if")) {
            scanner.word();
            otherwise = List.of(alone(deeper(() -> ifElse(elseAt))));
        } else {
            otherwise = block();
        }
        return new Step.If(
                at,
                left,
                comparison,
                right,
                then,
                Optional.of(new Step.Block(elseAt, otherwise, false)));
    }

    private Comparison comparison() {
        Comparison parsed = null;
        for (Comparison comparison : Comparison.values()) {
            boolean longer =
                    parsed == null || comparison.symbol().length() > parsed.symbol().length();
            if (scanner.at(comparison.symbol()) && longer) {
                parsed = comparison;
            }
        }
        if (parsed == null) {
            throw scanner.expected("one of == != < <= > >=");
        }
        scanner.skip(parsed.symbol().length());
        return parsed;
    }

    private Step.Switch switchCases(SourcePosition at) {
        var cases = new ArrayList<Case>();
        var otherwise = new ArrayList<Statement>();
        scanner.skipBlanksAndNewlines();
        braces(() -> {
            while (!scanner.at('}')) {
                if (scanner.atWord("case")) {
                    scanner.word();
                    skip();
                    SourcePosition place = scanner.position();
                    if (!scanner.atQuote()) {
                        throw scanner.expected("a string after case");
                    }
                    var choice = new Name(place, scanner.string());
                    cases.add(new Case(choice, behindColon()));
                } else if (scanner.atWord("default") && otherwise.isEmpty()) {
                    scanner.word();
                    otherwise.add(behindColon());
                } else {
                    throw scanner.expected(otherwise.isEmpty() ? "case or default" : "case or '}'");
                }
            }
            return cases;
        });
        return new Step.Switch(at, cases, otherwise.stream().findFirst());
    }

    private List<Case> inputCases() {
        var cases = new ArrayList<Case>();
        while (!scanner.at('}')) {
            Name field = path().orElseThrow(() -> scanner.expected("a field's name"));
            cases.add(new Case(field, behindColon()));
        }
        return cases;
    }

    private Statement behindColon() {
        skip();
        scanner.expect(':');
        scanner.skipBlanksAndNewlines();
        Statement statement = statement();
        scanner.skipBlanksAndNewlines();
        if (!scanner.at('}')) {
            scanner.expect(';');
            scanner.skipBlanksAndNewlines();
        }
        return statement;
    }

    private Statement parenthesized() {
        scanner.expect('(');
        parentheses++;
        Statement statement = deeper(this::statement);
        skip();
        scanner.expect(')');
        parentheses--;
        return statement;
    }

    private Optional<Name> path() {
        skip();
        return scanner.path();
    }

    private void skip() {
        if (parentheses > 0) {
            scanner.skipBlanksAndNewlines();
        } else {
            scanner.skipBlanks();
        }
    }
}
