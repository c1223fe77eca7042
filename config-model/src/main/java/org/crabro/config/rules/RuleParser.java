package org.crabro.config.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.parser.SourceText;

/**
 * Parses a file of rules.
 *
 * <pre>
 *   file       := { directive | definition | rule }
 *   directive  := "@" ( "default" | "include(" name ")" | "stemming(" ( "true" | "false" ) ")"
 *               | "language(" tag ")" | "automata(" file ")" ) end of line
 *   definition := "[" name "]" ":-" condition ";"
 *   rule       := condition ( "->" | "+>" ) { product } ";"
 *   condition  := every { "," every }
 *   every      := sequence { "&amp;" sequence }
 *   sequence   := compared { compared }
 *   compared   := part [ ( "=" | "&lt;=" | ">=" | "&lt;" | ">" | "=~" ) part ]
 *   part       := [ name "/" ] [ label ":" ] unit
 *   unit       := word | "(" condition ")" | "[" name [ "*" ] "]" | "[" dots "]" | dots
 *               | "!" part | "'" value "'" | '"' words '"' | "." | "@super" | "parameter." name
 *   product    := [ type ] [ label ":" ] produced [ "!" percent ]
 *               | "parameter." name "=" "'" value "'"
 *   type       := "?" | "=" | "+" | "$" | "-"
 *   produced   := word | "'" word "'" | '"' words '"' | "[" ( name [ "*" ] | dots ) "]"
 *   dots       := "..." | "…"
 * </pre>
 *
 * <p>A word may contain {@code -}, {@code .} and {@code '} between other characters. A comment
 * begins with {@code #} and ends with its line.
 */
public final class RuleParser {
    private static final String ELLIPSIS = RuleCondition.Ellipsis.NAME;

    private static final String DOTS = "…";

    /** Conditions nested deeper than this are rejected. */
    private static final int MAX_DEPTH = 50;

    /** Conditions may follow each other this many times. */
    private static final int MAX_SEQUENCE = 300;

    /** The maximum number of conditions and products of a file, with the words of phrases. */
    private static final int MAX_PARTS = 500_000;

    private static final int MAX_WEIGHT_DIGITS = 6;

    /** Rules in traces are cut after this many characters. */
    private static final int SHOWN_CHARS = 200;

    private static final String PARAMETER = "parameter.";

    private final RuleScanner scanner;
    private final List<RuleFile.Statement> statements = new ArrayList<>();
    private RuleWords words = RuleWords.USUAL;
    private boolean isDefault;
    private int parts;

    private RuleParser(SourceText source) {
        this.scanner = new RuleScanner(source);
    }

    /**
     * Returns the contents of a file.
     *
     * @throws RuleSyntaxException at the first character that does not fit the grammar, or at a
     *     part that is not built
     */
    public static RuleFile parse(SourceText source) {
        var parser = new RuleParser(source);
        parser.read();
        return new RuleFile(parser.statements, parser.words, parser.isDefault, parser.parts);
    }

    private void read() {
        scanner.skipBlanks();
        while (!scanner.isAtEnd()) {
            if (scanner.isAt("@") && !scanner.isAt("@super")) {
                directive();
            } else if (!scanner.skip(";")) {
                statement();
            }
            scanner.skipBlanks();
        }
    }

    private SourcePosition here() {
        return scanner.source().at(scanner.offset());
    }

    private void directive() {
        SourcePosition at = here();
        scanner.expect("@");
        String name = scanner.name("the name of a directive");
        switch (name) {
            case "default" -> isDefault = true;
            case "include" -> {
                String file = argument();
                statements.add(
                        new RuleFile.Include(
                                at,
                                file.endsWith(".sr")
                                        ? file.substring(0, file.length() - ".sr".length())
                                        : file));
            }
            case "stemming" ->
                    words =
                            words.with(
                                    switch (argument()) {
                                        case "true" -> true;
                                        case "false" -> false;
                                        default ->
                                                throw new RuleSyntaxException(
                                                        at, "expected @stemming(true) or (false)");
                                    });
            case "language" -> words = words.in(argument());
            case "automata" ->
                    throw new RuleSyntaxException(
                            at,
                            "@automata is not built: write the words of the automaton as named conditions, such as [brand] :- sony, dell;");
            default ->
                    throw new RuleSyntaxException(
                            at,
                            "expected @default, @include, @stemming, @language or @automata but found '@%s'"
                                    .formatted(name));
        }
        scanner.endLine();
    }

    private String argument() {
        scanner.expect("(");
        return scanner.textTo(')').strip();
    }

    private void statement() {
        SourcePosition at = here();
        Optional<String> defined = defined();
        if (defined.isPresent()) {
            RuleCondition condition = condition(0);
            scanner.expect(";");
            statements.add(new RuleFile.Definition(at, defined.get(), condition));
            return;
        }
        RuleCondition condition = condition(0);
        boolean adds = scanner.skip("+>");
        if (!adds && !scanner.skip("->")) {
            throw scanner.unexpected("'->', '+>' or another condition");
        }
        var products = new ArrayList<RuleProduct>();
        scanner.skipBlanks();
        while (!scanner.isAt(";")) {
            products.add(product());
            scanner.skipBlanks();
        }
        scanner.expect(";");
        String text = scanner.source().text().substring(at.offset(), scanner.offset());
        statements.add(
                new RuleFile.Rule(at, new SemanticRule(condition, !adds, products, shown(text))));
    }

    private static String shown(String text) {
        String line = text.replaceAll("#[^\n]*", " ").replaceAll("\\s+", " ");
        return line.length() > SHOWN_CHARS ? line.substring(0, SHOWN_CHARS) + "…" : line;
    }

    /** Returns the name if a definition begins here. */
    private Optional<String> defined() {
        int start = scanner.offset();
        if (scanner.skip("[")) {
            scanner.skipBlanks();
            Optional<String> name = scanner.word();
            scanner.skipBlanks();
            if (name.isPresent() && scanner.skip("]")) {
                scanner.skipBlanks();
                if (scanner.skip(":-")) {
                    return name;
                }
            }
        }
        scanner.reset(start);
        return Optional.empty();
    }

    /** Reads a condition up to its end; leaves no blanks before what follows. */
    private RuleCondition condition(int depth) {
        if (depth > MAX_DEPTH) {
            throw new RuleSyntaxException(
                    here(), "conditions can be nested %d levels deep".formatted(MAX_DEPTH));
        }
        return list(",", () -> every(depth), RuleCondition.Choice::new);
    }

    private RuleCondition every(int depth) {
        return list("&", () -> sequence(depth), RuleCondition.Every::new);
    }

    private RuleCondition list(
            String separator,
            Supplier<RuleCondition> reader,
            Function<List<RuleCondition>, RuleCondition> several) {
        var parts = new ArrayList<RuleCondition>();
        do {
            parts.add(reader.get());
            scanner.skipBlanks();
        } while (scanner.skip(separator));
        return parts.size() == 1 ? parts.getFirst() : several.apply(parts);
    }

    private RuleCondition sequence(int depth) {
        var parts = new ArrayList<RuleCondition>();
        scanner.skipBlanks();
        do {
            if (parts.size() == MAX_SEQUENCE) {
                throw new RuleSyntaxException(
                        here(), "%d conditions can follow each other".formatted(MAX_SEQUENCE));
            }
            parts.add(compared(depth));
            scanner.skipBlanks();
        } while (!endsSequence());
        return parts.size() == 1 ? parts.getFirst() : new RuleCondition.Sequence(parts);
    }

    private boolean endsSequence() {
        return scanner.isAtEnd()
                || scanner.isAt(",")
                || scanner.isAt("&")
                || scanner.isAt(")")
                || scanner.isAt(";")
                || scanner.isAt("->")
                || scanner.isAt("+>");
    }

    private RuleCondition compared(int depth) {
        RuleCondition left = part(depth);
        scanner.skipBlanks();
        Optional<RuleCondition.Operator> operator = operator();
        if (operator.isEmpty()) {
            return left;
        }
        scanner.skipBlanks();
        return new RuleCondition.Compared(left, operator.get(), part(depth));
    }

    private Optional<RuleCondition.Operator> operator() {
        if (scanner.skip("=~")) {
            return Optional.of(RuleCondition.Operator.CONTAINS);
        }
        if (scanner.skip("<=")) {
            return Optional.of(RuleCondition.Operator.AT_MOST);
        }
        if (scanner.skip(">=")) {
            return Optional.of(RuleCondition.Operator.AT_LEAST);
        }
        if (scanner.skip("=")) {
            return Optional.of(RuleCondition.Operator.EQUAL);
        }
        if (scanner.skip("<")) {
            return Optional.of(RuleCondition.Operator.LESS);
        }
        return scanner.skip(">") ? Optional.of(RuleCondition.Operator.MORE) : Optional.empty();
    }

    private void count(int more) {
        parts += more;
        if (parts > MAX_PARTS) {
            throw new RuleSyntaxException(
                    here(),
                    "the file has more than %,d conditions and products".formatted(MAX_PARTS));
        }
    }

    /** Reads the words of a phrase. */
    private List<String> quoted() {
        List<String> words = scanner.quoted();
        count(words.size());
        return words;
    }

    private RuleCondition part(int depth) {
        count(1);
        Optional<String> word = scanner.word();
        if (word.isPresent() && scanner.skip("/")) {
            return new RuleCondition.Bound(word.get(), labeled(scanner.word(), depth));
        }
        return labeled(word, depth);
    }

    private RuleCondition labeled(Optional<String> word, int depth) {
        if (word.isEmpty()) {
            return unit(depth);
        }
        if (scanner.isAt(":") && !scanner.isAt(":-")) {
            scanner.expect(":");
            return new RuleCondition.Labeled(word.get(), valued(scanner.word(), depth));
        }
        return valued(word, depth);
    }

    private RuleCondition valued(Optional<String> word, int depth) {
        if (word.isEmpty()) {
            return unit(depth);
        }
        return word.get().startsWith(PARAMETER)
                ? new RuleCondition.Parameter(word.get().substring(PARAMETER.length()))
                : new RuleCondition.Word(word.get(), "");
    }

    private RuleCondition unit(int depth) {
        if (scanner.skip("!")) {
            if (depth > MAX_DEPTH) {
                throw new RuleSyntaxException(
                        here(), "conditions can be nested %d levels deep".formatted(MAX_DEPTH));
            }
            scanner.skipBlanks();
            return new RuleCondition.Not(part(depth + 1));
        }
        if (scanner.skip("(")) {
            RuleCondition inside = condition(depth + 1);
            scanner.expect(")");
            return inside;
        }
        if (scanner.skip("[")) {
            return reference();
        }
        if (scanner.skip(ELLIPSIS) || scanner.skip(DOTS)) {
            return new RuleCondition.Ellipsis();
        }
        if (scanner.skip("'")) {
            return new RuleCondition.Literal(scanner.textTo('\''));
        }
        if (scanner.isAt("\"")) {
            List<RuleCondition.Word> quoted =
                    quoted().stream().map(each -> new RuleCondition.Word(each, "")).toList();
            return quoted.size() == 1 ? quoted.getFirst() : new RuleCondition.Phrase(quoted);
        }
        if (scanner.skip("@super")) {
            return new RuleCondition.Super();
        }
        if (scanner.skip(".")) {
            return anchor();
        }
        throw scanner.unexpected("a condition");
    }

    /** A dot before a condition is the start of the query, and a dot after the last one its end. */
    private RuleCondition anchor() {
        scanner.skipBlanks();
        return endsSequence() ? new RuleCondition.End() : new RuleCondition.Start();
    }

    private RuleCondition reference() {
        scanner.skipBlanks();
        if (scanner.skip(ELLIPSIS) || scanner.skip(DOTS)) {
            scanner.skipBlanks();
            scanner.expect("]");
            return new RuleCondition.Bound(ELLIPSIS, new RuleCondition.Ellipsis());
        }
        String name = scanner.name("the name of a condition, or '...'");
        scanner.skip("*");
        scanner.skipBlanks();
        scanner.expect("]");
        return new RuleCondition.Named(name);
    }

    private RuleProduct product() {
        count(1);
        RuleProduct.Type type = type();
        SourcePosition at = here();
        Optional<String> word = scanner.word();
        if (word.isPresent() && scanner.skip("=")) {
            return setting(at, word.get());
        }
        if (word.isPresent() && scanner.skip(":")) {
            RuleProduct.Produced produced = produced(scanner.word());
            return new RuleProduct.Words(type, word.get(), produced, weight());
        }
        RuleProduct.Produced produced = produced(word);
        return new RuleProduct.Words(type, "", produced, weight());
    }

    private RuleProduct setting(SourcePosition at, String name) {
        if (!name.startsWith(PARAMETER)) {
            throw new RuleSyntaxException(
                    at,
                    "a value can be set for a parameter, as in parameter.%s='value'; for a word in a field write %s:value"
                            .formatted(name, name));
        }
        scanner.expect("'");
        return new RuleProduct.Setting(name.substring(PARAMETER.length()), scanner.textTo('\''));
    }

    private RuleProduct.Type type() {
        if (scanner.skip("?")) {
            return RuleProduct.Type.OR;
        }
        if (scanner.skip("=")) {
            return RuleProduct.Type.EQUIV;
        }
        if (scanner.skip("+")) {
            return RuleProduct.Type.AND;
        }
        if (scanner.skip("$")) {
            return RuleProduct.Type.RANK;
        }
        return scanner.skip("-") ? RuleProduct.Type.NOT : RuleProduct.Type.SAME;
    }

    private RuleProduct.Produced produced(Optional<String> word) {
        if (word.isPresent()) {
            return new RuleProduct.Produced.Word(word.get());
        }
        if (scanner.skip("'")) {
            return new RuleProduct.Produced.Word(scanner.textTo('\''));
        }
        if (scanner.isAt("\"")) {
            return new RuleProduct.Produced.Phrase(quoted());
        }
        if (!scanner.skip("[")) {
            throw scanner.unexpected("a word, '[' or ';'");
        }
        scanner.skipBlanks();
        boolean isEllipsis = scanner.skip(ELLIPSIS) || scanner.skip(DOTS);
        String name = isEllipsis ? ELLIPSIS : scanner.name("the name of a condition, or '...'");
        boolean all = scanner.skip("*");
        scanner.skipBlanks();
        scanner.expect("]");
        return all
                ? new RuleProduct.Produced.Everything(name)
                : new RuleProduct.Produced.Matched(name);
    }

    private int weight() {
        if (!scanner.skip("!")) {
            return 100;
        }
        int start = scanner.offset();
        String digits = scanner.word().orElse("");
        if (!digits.matches("[0-9]{1," + MAX_WEIGHT_DIGITS + "}")) {
            scanner.reset(start);
            throw scanner.unexpected("a weight in percent");
        }
        return Integer.parseInt(digits);
    }
}
