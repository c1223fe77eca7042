package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.SchemaScanner.Kind;
import org.crabro.config.parser.SchemaScanner.Token;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * The position of the parsers in a schema file, and their shared operations: expecting tokens,
 * rejecting others, and continuing after an error.
 */
final class SchemaCursor {
    /** Parsing stops after this many errors: such a file is probably no schema. */
    private static final int ERROR_LIMIT = 50;

    /** The maximum number of tokens of a file, without those of scripts and expressions. */
    static final int TOKENS_MAX = 500_000;

    /** The maximum number of items in braces, such as fields and their settings. */
    static final int ITEMS_MAX = 50_000;

    /** The maximum number of expressions in the indexing scripts of a file. */
    static final int SCRIPT_EXPRESSIONS_MAX = 100_000;

    private final SourceText source;
    private final SchemaScanner scanner;
    private final List<SchemaSyntaxException> errors = new ArrayList<>();
    private final List<IgnoredElement> ignored = new ArrayList<>();
    private int tokens;
    private int items;
    private int scriptExpressions;

    /** Whether a limit of the file is exceeded, so that reading ends. */
    private boolean isTooLarge;

    SchemaCursor(SourceText source) {
        this.source = source;
        this.scanner = new SchemaScanner(source.text());
    }

    /** Returns the errors after which parsing continued. */
    List<SchemaSyntaxException> errors() {
        return errors;
    }

    /** Returns how many tokens were taken. */
    int tokens() {
        return tokens;
    }

    List<IgnoredElement> ignored() {
        return ignored;
    }

    SourceText source() {
        return source;
    }

    Token peek() {
        return scanner.peek();
    }

    Token next() {
        if (++tokens > TOKENS_MAX) {
            throw tooMany("%,d words and signs", TOKENS_MAX);
        }
        return scanner.next();
    }

    /** Counts an expression of an indexing script. */
    void countScriptExpression() {
        if (++scriptExpressions > SCRIPT_EXPRESSIONS_MAX) {
            throw tooMany("%,d expressions in indexing scripts", SCRIPT_EXPRESSIONS_MAX);
        }
    }

    private void countItem() {
        if (++items > ITEMS_MAX) {
            throw tooMany("%,d items in braces", ITEMS_MAX);
        }
    }

    /** Stops reading: a limit is exceeded at the next token. */
    private SchemaSyntaxException tooMany(String what, int limit) {
        isTooLarge = true;
        return new SchemaSyntaxException(
                at(scanner.peek()), "the file has more than " + what.formatted(limit));
    }

    /** Continues at {@code offset}, the end of the text that another parser read. */
    void moveTo(int offset) {
        scanner.moveTo(offset);
    }

    SourcePosition at(Token token) {
        return source.at(token.start());
    }

    Name name(Token token) {
        return new Name(at(token), token.text());
    }

    boolean accept(String text) {
        if (peek().is(text)) {
            next();
            return true;
        }
        return false;
    }

    void expect(String text) {
        Token token = peek();
        if (!token.is(text)) {
            throw expected(token, "'" + text + "'");
        }
        next();
    }

    void skipNewlines() {
        while (peek().kind() == Kind.NEWLINE) {
            next();
        }
    }

    /** Takes a name: letters, digits, underscores and dots. */
    Name id(String what) {
        Token token = peek();
        if (token.kind() != Kind.WORD || token.text().startsWith("-")) {
            throw expected(token, what);
        }
        if (token.text().indexOf('-') >= 0) {
            throw new SchemaSyntaxException(
                    at(token),
                    "expected "
                            + what
                            + " without dashes but found '"
                            + token.text()
                            + "'; write '"
                            + token.text().replace('-', '_')
                            + "'");
        }
        return name(next());
    }

    /** Takes a name that may contain dashes. */
    Name dashedId(String what) {
        Token token = peek();
        if (token.kind() != Kind.WORD || token.text().startsWith("-")) {
            throw expected(token, what);
        }
        return name(next());
    }

    List<Name> ids(String what) {
        var names = new ArrayList<Name>();
        do {
            names.add(id(what));
        } while (accept(","));
        return names;
    }

    List<Name> dashedIds(String what) {
        var names = new ArrayList<Name>();
        do {
            names.add(dashedId(what));
        } while (accept(","));
        return names;
    }

    /** Takes a name after a colon. */
    Name idBehindColon(String what) {
        expect(":");
        return id(what);
    }

    Name dashedIdBehindColon(String what) {
        expect(":");
        return dashedId(what);
    }

    /** Takes one of {@code words}. */
    Name oneOf(Set<String> words) {
        Token token = peek();
        if (token.kind() != Kind.WORD || !words.contains(token.text())) {
            throw unknown(token, words);
        }
        return name(next());
    }

    Name oneOfBehindColon(Set<String> words) {
        expect(":");
        return oneOf(words);
    }

    /** Takes an integer of 32 bits. */
    int integerBehindColon() {
        return integerBehindColon(Integer.MIN_VALUE);
    }

    /** Takes an integer of at least {@code min}. */
    int integerBehindColon(int min) {
        expect(":");
        Token token = peek();
        if (token.kind() != Kind.WORD || !token.text().matches("-?[0-9]+")) {
            throw expected(token, "an integer");
        }
        next();
        return (int) integer(token, token.text(), min, Integer.MAX_VALUE);
    }

    /** Takes a 64-bit integer with an optional suffix L. */
    long longBehindColon() {
        expect(":");
        Token token = peek();
        if (token.kind() != Kind.WORD || !token.text().matches("-?[0-9]+L?")) {
            throw expected(token, "an integer");
        }
        next();
        return integer(token, token.text().replace("L", ""), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long integer(Token token, String digits, long min, long max) {
        try {
            long number = Long.parseLong(digits);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below: it is too large for 64 bits.
        }
        throw new SchemaSyntaxException(
                at(token),
                "expected an integer from %d to %d but found '%s'"
                        .formatted(min, max, token.text()));
    }

    /** Takes a number with a decimal point, the required form of thresholds. */
    double decimalBehindColon() {
        expect(":");
        return decimal(peek());
    }

    private double decimal(Token token) {
        if (token.kind() == Kind.WORD && token.text().matches("-?[0-9]+")) {
            throw new SchemaSyntaxException(
                    at(token),
                    "expected a number with a decimal point but found '%s'; write %s.0"
                            .formatted(token.text(), token.text()));
        }
        if (token.kind() != Kind.WORD || !token.text().matches("-?[0-9]+\\.[0-9]+")) {
            throw expected(token, "a number with a decimal point");
        }
        next();
        return Double.parseDouble(token.text());
    }

    /** Takes a number from {@code min} to {@code max} with a decimal point. */
    double decimalBehindColon(double min, double max) {
        expect(":");
        Token token = peek();
        double number = decimal(token);
        if (number < min || number > max) {
            throw new SchemaSyntaxException(
                    at(token),
                    max == Double.MAX_VALUE
                            ? "expected a number of at least %s but found '%s'"
                                    .formatted(min, token.text())
                            : "expected a number from %s to %s but found '%s'"
                                    .formatted(min, max, token.text()));
        }
        return number;
    }

    /** Takes {@code : true} or a similar word, and returns its value. */
    boolean booleanBehindColon() {
        String word = oneOfBehindColon(Set.of("true", "on", "false", "off")).text();
        return word.equals("true") || word.equals("on");
    }

    /** Parses items between braces; the first error ends the block. */
    void block(Runnable item) {
        Token open = open();
        while (!closed(open)) {
            countItem();
            item.run();
        }
    }

    /** Parses items between braces; after an error, continues with the next item. */
    void recoveringBlock(Runnable item) {
        Token open = open();
        while (!closed(open)) {
            int start = peek().start();
            try {
                countItem();
                item.run();
            } catch (SchemaSyntaxException e) {
                if (errors.size() == ERROR_LIMIT || isTooLarge) {
                    throw e;
                }
                errors.add(e);
                skipItem(start);
            }
        }
    }

    /** Parses {@code : item} or items between braces. */
    void itemOrBlock(Runnable item) {
        if (accept(":")) {
            item.run();
        } else if (peek().is("{") || peek().kind() == Kind.NEWLINE) {
            block(item);
        } else {
            throw expected(peek(), "':' or '{'");
        }
    }

    /** Skips a block whose content is ignored. */
    void skipBlock() {
        Token open = open();
        int depth = 1;
        while (depth > 0) {
            Token token = next();
            if (token.kind() == Kind.END) {
                throw unclosed(token, open);
            }
            if (token.is("{")) {
                depth++;
            } else if (token.is("}")) {
                depth--;
            }
        }
    }

    private Token open() {
        Token token = peek();
        skipNewlines();
        if (!peek().is("{")) {
            throw expected(token, "'{'");
        }
        return next();
    }

    private boolean closed(Token open) {
        skipNewlines();
        if (peek().kind() == Kind.END) {
            throw unclosed(peek(), open);
        }
        return accept("}");
    }

    private SchemaSyntaxException unclosed(Token end, Token open) {
        return expected(end, "the '}' for the '{' at line " + at(open).line());
    }

    /**
     * Moves to the end of the item that starts at {@code start}: to the end of its block, or of its
     * line if it has no block.
     */
    private void skipItem(int start) {
        scanner.moveTo(start);
        int depth = 0;
        boolean some = false;
        while (peek().kind() != Kind.END) {
            if (depth == 0 && some && peek().kind() == Kind.NEWLINE) {
                skipNewlines();
                if (!peek().is("{")) {
                    return;
                }
            }
            if (peek().is("(")) {
                skipParentheses();
            } else if (peek().is("}")) {
                if (depth == 0) {
                    return;
                }
                next();
                if (--depth == 0) {
                    return;
                }
            } else if (next().is("{")) {
                depth++;
            }
            some = true;
        }
    }

    /** Braces of dimensions open no block; parentheses that are not closed end with their line. */
    private void skipParentheses() {
        while (peek().kind() != Kind.END && peek().kind() != Kind.NEWLINE) {
            if (next().is(")")) {
                return;
            }
        }
    }

    /**
     * Takes the raw text after a colon, up to the end of the line or an unmatched closing brace. Or
     * takes the raw text between braces, which may contain balanced braces.
     */
    RawText rawBehindColonOrInBraces(String what) {
        Token token = peek();
        if (token.is(":")) {
            int end = rawEnd(token.end(), true);
            return raw(token.end(), end, end, what);
        }
        skipNewlines();
        token = peek();
        if (!token.is("{")) {
            throw expected(token, "':' or '{'");
        }
        int end = rawEnd(token.end(), false);
        if (end == source.text().length()) {
            throw unclosed(new Token(Kind.END, "", end, end), token);
        }
        return raw(token.end(), end, end + 1, what);
    }

    private int rawEnd(int start, boolean endsWithLine) {
        String text = source.text();
        int depth = 0;
        int at = start;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (depth == 0 && (c == '}' || (c == '\n' && endsWithLine))) {
                return at;
            }
            if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            }
            at++;
        }
        return at;
    }

    /** Takes a number, or text in balanced brackets, with an optional tensor type before it. */
    RawText rawValue() {
        Token token = peek();
        if (!token.is("tensor")) {
            return bareValue();
        }
        tensorType();
        int end = peek().start();
        expect(":");
        String type = source.text().substring(token.start(), end);
        return new RawText(at(token), type + ":" + bareValue().text());
    }

    private RawText bareValue() {
        String text = source.text();
        Token token = peek();
        if (!token.is("[") && !token.is("{")) {
            if (token.kind() != Kind.WORD) {
                throw expected(token, "a number or a tensor");
            }
            next();
            boolean isLong = token.text().matches("-?[0-9]+L");
            return new RawText(at(token), isLong ? token.text().replace("L", "") : token.text());
        }
        int depth = 0;
        for (int at = token.start(); at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '[' || c == '{') {
                depth++;
            } else if ((c == ']' || c == '}') && --depth == 0) {
                scanner.moveTo(at + 1);
                return raw(token.start(), at + 1, at + 1, "a tensor");
            }
        }
        throw unclosed(new Token(Kind.END, "", text.length(), text.length()), token);
    }

    /**
     * Takes words: those in braces up to the first closing brace, or those after a colon up to the
     * end of the line. Blanks inside parentheses and strings do not separate words.
     */
    List<RawText> rawWords() {
        Token token = peek();
        if (!token.is(":") && !token.is("{")) {
            throw expected(token, "':' or '{'");
        }
        String text = source.text();
        boolean braces = token.is("{");
        var words = new ArrayList<RawText>();
        int at = token.end();
        while (at < text.length() && text.charAt(at) != '}') {
            char c = text.charAt(at);
            if (c == '\n' && !braces) {
                break;
            }
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                int end = rawWordEnd(at);
                words.add(new RawText(source.at(at), text.substring(at, end)));
                at = end;
            }
        }
        if (braces && at == text.length()) {
            throw unclosed(new Token(Kind.END, "", at, at), token);
        }
        moveTo(braces ? at + 1 : at);
        return words;
    }

    private int rawWordEnd(int start) {
        String text = source.text();
        int depth = 0;
        char quote = 0;
        for (int at = start; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean blank = Character.isWhitespace(c);
            if (blank && depth == 0 && quote == 0 && isBeforeArguments(at)) {
                continue;
            }
            if (c == '}' || c == '\n' || (blank && depth == 0 && quote == 0)) {
                return at;
            }
            if (c == '{') {
                moveTo(at);
                throw new SchemaSyntaxException(
                        source.at(at), "expected names without braces but found '{'");
            }
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            }
        }
        return text.length();
    }

    /** Returns whether only blanks of the same line precede an opening parenthesis. */
    private boolean isBeforeArguments(int start) {
        String text = source.text();
        int at = start;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at < text.length() && text.charAt(at) == '(';
    }

    private RawText raw(int start, int end, int next, String what) {
        String text = source.text();
        int from = start;
        while (from < end && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        if (from == end) {
            scanner.moveTo(end);
            throw expected(peek(), what);
        }
        scanner.moveTo(next);
        return new RawText(source.at(from), text.substring(from, end).strip());
    }

    /** Takes the path of a file: a letter, then letters, digits and {@code _-/.}. */
    Name path() {
        Token start = peek();
        String text = source.text();
        int end = start.start();
        while (end < text.length() && isPathPart(text.charAt(end))) {
            end++;
        }
        String path = text.substring(start.start(), end);
        if (!path.matches("[A-Za-z_].*")) {
            throw expected(start, "a path in the package");
        }
        moveTo(end);
        return new Name(at(start), path);
    }

    /** Takes a URI, with or without quotes, up to the next blank or brace. */
    Name uri() {
        Token start = peek();
        String text = source.text();
        int end = start.start();
        while (end < text.length()
                && !Character.isWhitespace(text.charAt(end))
                && text.charAt(end) != '}') {
            end++;
        }
        String uri = text.substring(start.start(), end);
        if (uri.length() > 1 && uri.startsWith("\"") && uri.endsWith("\"")) {
            uri = uri.substring(1, uri.length() - 1);
        }
        if (!uri.matches("[a-zA-Z][a-zA-Z0-9+.-]*://[^\\s\"]+")) {
            throw expected(start, "a URI such as https://example.com/model.onnx");
        }
        moveTo(end);
        return new Name(at(start), uri);
    }

    private static boolean isPathPart(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "_-/.".indexOf(c) >= 0;
    }

    /** Takes the type of a tensor, starting with the word {@code tensor}. */
    TensorType tensorType() {
        Token start = next();
        String text = source.text();
        int end = start.end();
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != ')') {
            end++;
        }
        if (end == text.length() || text.charAt(end) == '\n') {
            scanner.moveTo(end);
            throw expected(peek(), "a tensor type such as tensor<float>(x[384])");
        }
        scanner.moveTo(end + 1);
        String type = text.substring(start.start(), end + 1).replaceAll("[ \t\r\f]", "");
        try {
            return TensorType.parse(type);
        } catch (TensorSyntaxException e) {
            throw new SchemaSyntaxException(at(start), Objects.requireNonNull(e.getMessage()));
        }
    }

    /** Takes the type of a tensor, as {@link #tensorType}, for which values can be written. */
    TensorType typeOfValues() {
        Token start = peek();
        TensorType type = tensorType();
        if (type.subspaceSize() > DenseTensor.CELL_COUNT_MAX) {
            throw new SchemaSyntaxException(
                    at(start),
                    "%s has %,d cells, more than the limit of %,d"
                            .formatted(type, type.subspaceSize(), DenseTensor.CELL_COUNT_MAX));
        }
        return type;
    }

    SchemaSyntaxException expected(Token actual, String what) {
        return new SchemaSyntaxException(
                at(actual), "expected " + what + " but found " + describe(actual));
    }

    /**
     * Returns the error that none of {@code words} was found, with the most similar word as a hint.
     */
    SchemaSyntaxException unknown(Token actual, Set<String> words) {
        String sorted = String.join(", ", words.stream().sorted().toList());
        return unknown(actual, words, words.size() == 1 ? "'" + sorted + "'" : "one of " + sorted);
    }

    /**
     * Returns the same error.
     *
     * @param shown describes the expected words
     */
    SchemaSyntaxException unknown(Token actual, Set<String> words, String shown) {
        String hint = actual.kind() == Kind.WORD ? NearestName.hint(actual.text(), words) : "";
        return new SchemaSyntaxException(
                at(actual), "expected %s but found %s%s".formatted(shown, describe(actual), hint));
    }

    SchemaSyntaxException notBuilt(Token element) {
        return notBuilt(at(element), element.text());
    }

    SchemaSyntaxException notBuilt(SourcePosition at, String element) {
        return new SchemaSyntaxException(at, element + " is not built yet");
    }

    void inform(Token element, String consequence) {
        ignored.add(new IgnoredElement(at(element), Notice.Level.INFO, consequence, false));
    }

    void warn(Token element, String consequence) {
        ignored.add(new IgnoredElement(at(element), Notice.Level.WARNING, consequence, false));
    }

    void warnWhereStreaming(Token element, String consequence) {
        ignored.add(new IgnoredElement(at(element), Notice.Level.WARNING, consequence, true));
    }

    private static String describe(Token token) {
        return switch (token.kind()) {
            case WORD, SYMBOL -> "'" + token.text() + "'";
            case STRING -> "\"" + token.text() + "\"";
            case NEWLINE -> "the end of the line";
            case END -> "the end of the file";
        };
    }
}
