package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.container.yql.SimpleQueryItems.Item;
import org.crabro.container.yql.SimpleQueryItems.Sign;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermSettings;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a search box. Any text is well formed: the parser ignores parts without
 * meaning, and closes open quotes and parentheses at the end.
 *
 * <pre>
 *   query  := item { blank item }
 *   item   := [ "+" | "-" ] ( term | [ field ":" ] "(" query ")" )
 *   term   := [ field ":" ] core [ weight ]
 *   field  := name { "." name }, if it can be searched
 *   core   := word | word "*" | "*" word | "*" word "*" | '"' text '"' | text terminator
 *           | number | "&lt;" number | ">" number
 *           | "[" [ number ] ";" [ number ] [ ";" whole ] "]"
 *           | "{" { [ name ":" ] core } "}", after a field: all in one element of it
 *   weight := "!" { "!" } | "!" whole
 * </pre>
 *
 * A word with separators inside, such as {@code it's}, is one unit: all of its parts must match. A
 * sign has a meaning only if an item begins right after it. {@code -5} is a number and excludes
 * nothing, and only ranges of a named field can be excluded. {@code !} means a weight of 150
 * percent, and each further {@code !} adds 50. Other signs between a word and its weight are
 * ignored. In fields that are compared exactly, a value ends at the terminator of the field.
 */
public final class SimpleQueryParser {
    /** Parentheses nested deeper than this are blanks. */
    static final int MAX_DEPTH = 50;

    /** A longer name before a colon is no field. */
    private static final int MAX_FIELD_CHARS = 1_000;

    /**
     * Numbers, ranges and weights are shorter: the patterns take time that grows with the square.
     */
    private static final int MAX_PATTERN_CHARS = 500;

    private static final Pattern NUMBER =
            Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?=[\\s\\];)!}]|$)");
    private static final Pattern COMPARED = Pattern.compile("[<>](-?[0-9]+(?:\\.[0-9]+)?)");
    private static final Pattern BETWEEN =
            Pattern.compile(
                    "\\[\\s*(-?[0-9]+(?:\\.[0-9]+)?)?\\s*;\\s*(-?[0-9]+(?:\\.[0-9]+)?)?\\s*"
                            + "(?:;\\s*-?[0-9]+\\s*)?\\]");
    private static final Pattern WEIGHT = Pattern.compile("!([0-9]{1,5})|!+");

    private final String text;
    private final Grammar grammar;
    private final QueryContext context;
    private final TermSettings settings;

    /** How single words may be spelled. All other parts match as they are written. */
    private final Spelling spelling;

    private int at;

    /** Whether {@code at} is between the braces of an element. */
    private boolean inElement;

    // The characters between these are those of a name. They are known so that a long text of such
    // characters is read once, and not once from each of them.
    private int nameStart;
    private int nameEnd = -1;

    private SimpleQueryParser(
            String text, Grammar grammar, QueryContext context, TermSettings settings) {
        this.text = text;
        this.grammar = grammar;
        this.context = context;
        this.settings = settings.with(Spelling.EXACT);
        this.spelling = settings.spelling();
    }

    /**
     * Returns the query tree of {@code text}; empty if it contains no word.
     *
     * @param defaultIndex the field or fieldset of words without one
     * @param context returns the kind of a name before a colon; counts terms
     * @param settings the default settings of terms
     */
    public static Optional<QueryNode> parse(
            String text,
            Grammar grammar,
            String defaultIndex,
            QueryContext context,
            TermSettings settings) {
        context.count(text.length());
        if (grammar.composite() == Grammar.Composite.PHRASE) {
            return SimpleQueryItems.phrase(
                    QueryWords.of(text, context), defaultIndex, settings.with(Spelling.EXACT));
        }
        if (grammar.syntax() == Grammar.Syntax.NONE) {
            List<String> words = QueryWords.of(text, context);
            var items = new ArrayList<Item>();
            for (int i = 0; i < words.size(); i++) {
                boolean isLast = i == words.size() - 1 && text.endsWith(words.get(i));
                TermSettings spelled = settings.with(spelling(settings.spelling(), isLast));
                items.add(Item.of(new QueryNode.Term(defaultIndex, words.get(i), spelled)));
            }
            return SimpleQueryItems.composed(items, grammar.composite());
        }
        var parser = new SimpleQueryParser(text, grammar, context, settings);
        return SimpleQueryItems.composed(
                parser.items(defaultIndex, context.fieldKind(defaultIndex), 0),
                grammar.composite());
    }

    /**
     * Words by the sign before them.
     *
     * @param required with a plus; no feature sees them
     * @param excluded with a minus
     * @param others without a sign
     */
    public record Signed(
            List<QueryNode> required, List<QueryNode> excluded, List<QueryNode> others) {
        public Signed {
            required = List.copyOf(required);
            excluded = List.copyOf(excluded);
            others = List.copyOf(others);
        }
    }

    /** Returns the items of {@code text}, grouped by sign. */
    public static Signed signed(String text, String defaultIndex, QueryContext context) {
        context.count(text.length());
        var grammar = new Grammar(Grammar.Composite.OR, Grammar.Syntax.SIMPLE);
        TermSettings settings = TermSettings.DEFAULT.with(context.stems(), context.language());
        FieldKind kind = context.fieldKind(defaultIndex);
        List<Item> filters =
                new SimpleQueryParser(text, grammar, context, settings.filtering())
                        .items(defaultIndex, kind, 0);
        List<Item> ranked =
                new SimpleQueryParser(text, grammar, context, settings)
                        .items(defaultIndex, kind, 0);
        return new Signed(
                SimpleQueryItems.nodes(filters, Sign.PLUS),
                SimpleQueryItems.nodes(filters, Sign.MINUS),
                SimpleQueryItems.nodes(ranked, Sign.NONE));
    }

    private List<Item> items(String index, FieldKind kind, int depth) {
        var alternatives = new ArrayList<List<Item>>();
        var items = new ArrayList<Item>();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == ')') {
                at++;
                if (depth > 0) {
                    return items;
                }
            } else if (isOr() && !(items.isEmpty() && alternatives.isEmpty())) {
                at += 2;
                alternatives.add(items);
                items = new ArrayList<>();
            } else if (!beginsItem(kind)) {
                at += Character.charCount(text.codePointAt(at));
            } else {
                item(index, kind, depth).ifPresent(items::add);
            }
        }
        if (alternatives.isEmpty()) {
            return items;
        }
        alternatives.add(items);
        return SimpleQueryItems.joined(alternatives, grammar.composite());
    }

    private boolean isOr() {
        return grammar.syntax() == Grammar.Syntax.WEB
                && text.startsWith("OR", at)
                && (at + 2 == text.length() || Character.isWhitespace(text.charAt(at + 2)));
    }

    /** Returns whether an item begins here. Other signs have no meaning. */
    private boolean beginsItem(FieldKind kind) {
        return switch (signAt()) {
            case NONE -> begins(at, kind) || beginsRange(at);
            case PLUS -> begins(at + 1, kind) || beginsRange(at + 1);
            case MINUS -> begins(at + 1, kind);
        };
    }

    /** Returns whether a word, a number, a value, a quote or a group begins at {@code from}. */
    private boolean begins(int from, FieldKind kind) {
        if (from == text.length() || Character.isWhitespace(text.charAt(from))) {
            return false;
        }
        return switch (text.charAt(from)) {
            case '"', '(' -> true;
            case '*' -> kind.isWhole() || endOfWord(from + 1) > from + 1;
            case '_' -> kind.isWhole() || fieldBeforeColon(from).isPresent();
            default -> kind.isWhole() || endOfWord(from) > from || match(NUMBER, from).isPresent();
        };
    }

    private boolean beginsRange(int from) {
        return match(COMPARED, from).isPresent() || match(BETWEEN, from).isPresent();
    }

    private Optional<Item> item(String index, FieldKind kind, int depth) {
        Sign sign = signAt();
        at += sign == Sign.NONE ? 0 : 1;
        String field = index;
        FieldKind fieldKind = kind;
        Optional<String> named = fieldBeforeColon(at);
        if (named.isPresent()) {
            field = named.get();
            fieldKind = context.fieldKind(field);
            at += field.length() + 1;
        }
        if (at >= text.length()) {
            return Optional.empty();
        }
        List<QueryNode> parts;
        if (text.charAt(at) == '(' && !(fieldKind instanceof FieldKind.Exact)) {
            at++;
            boolean group = grammar.syntax() == Grammar.Syntax.SIMPLE && depth < MAX_DEPTH;
            parts =
                    group
                            ? SimpleQueryItems.composed(
                                            items(field, fieldKind, depth + 1),
                                            Grammar.Composite.OR)
                                    .stream()
                                    .toList()
                            : List.of();
        } else {
            boolean isElement = text.charAt(at) == '{' && named.isPresent();
            parts = isElement ? element(field) : core(field, fieldKind);
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(new Item(sign, parts));
    }

    /** Returns the name from {@code from} to a colon, if it is a searchable field. */
    private Optional<String> fieldBeforeColon(int from) {
        int end = endOfName(from);
        if (end - from >= MAX_FIELD_CHARS || end == text.length() || text.charAt(end) != ':') {
            return Optional.empty();
        }
        String name = text.substring(from, end);
        return context.fieldKind(name) instanceof FieldKind.Unknown
                ? Optional.empty()
                : Optional.of(name);
    }

    /** Returns the end of the characters of names at {@code from}. */
    private int endOfName(int from) {
        if (from < nameStart || from > nameEnd) {
            int end = from;
            while (end < text.length() && isNamePart(text.charAt(end))) {
                end++;
            }
            nameStart = from;
            nameEnd = end;
        }
        return nameEnd;
    }

    private static boolean isNamePart(char c) {
        return (c < 128 && Character.isLetterOrDigit(c)) || c == '_' || c == '-' || c == '.';
    }

    private Sign signAt() {
        return switch (text.charAt(at)) {
            case '-' -> match(NUMBER, at).isPresent() ? Sign.NONE : Sign.MINUS;
            case '+' -> Sign.PLUS;
            default -> Sign.NONE;
        };
    }

    /** Reads the conditions that one element must meet; names are those of its parts. */
    private List<QueryNode> element(String field) {
        var conditions = new ArrayList<QueryNode>();
        at++;
        inElement = true;
        while (at < text.length() && text.charAt(at) != '}') {
            if (Character.isWhitespace(text.charAt(at)) || isBracket(text.charAt(at))) {
                at++;
                continue;
            }
            int end = at;
            int last = Math.min(text.length(), at + MAX_FIELD_CHARS);
            while (end < last && isNamePart(text.charAt(end))) {
                end++;
            }
            String part = "";
            if (end > at && end + 1 < last && text.charAt(end) == ':') {
                part = text.substring(at, end);
                at = end + 1;
            }
            FieldKind kind = context.fieldKind(part.isEmpty() ? field : field + "." + part);
            conditions.addAll(core(part, kind));
        }
        inElement = false;
        at = Math.min(at + 1, text.length());
        return conditions.isEmpty()
                ? List.of()
                : List.of(new QueryNode.SameElement(field, conditions, List.of()));
    }

    private static boolean isBracket(char c) {
        return c == '(' || c == ')';
    }

    /** Reads a core, which has at least one character. */
    private List<QueryNode> core(String field, FieldKind kind) {
        return switch (kind) {
            case FieldKind.Exact(var terminator) -> exact(field, terminator);
            case FieldKind.Whole _ -> core(field, true, false);
            case FieldKind.Words(var consecutive) -> core(field, false, consecutive);
            case FieldKind.Unknown _ -> core(field, false, false);
        };
    }

    private List<QueryNode> core(String field, boolean isWhole, boolean consecutive) {
        char c = text.charAt(at);
        if (c == '"') {
            return quoted(field, isWhole);
        }
        Optional<Matcher> compared = match(COMPARED, at);
        if (compared.isPresent()) {
            return compared(field, c, compared.get());
        }
        Optional<Matcher> between = match(BETWEEN, at);
        if (between.isPresent()) {
            context.count(0);
            Matcher range = between.get();
            at = range.end();
            return List.of(
                    new QueryNode.Range(
                            field,
                            end(range.group(1), true),
                            end(range.group(2), true),
                            weighed()));
        }
        if (isWhole) {
            return whole(field);
        }
        Optional<Matcher> number = match(NUMBER, at);
        if (number.isPresent()) {
            context.count(0);
            at = number.get().end();
            String digits = number.get().group();
            boolean isBeginning = spelling.beginning() && at == text.length() && isWord(digits);
            TermSettings spelled = weighed().with(Spelling.of(false, isBeginning));
            return List.of(new QueryNode.Term(field, digits, spelled));
        }
        int start = at;
        List<QueryNode> words = words(field);
        if (words.size() == 1 && words.getFirst() instanceof QueryNode.Term word) {
            return List.of(spelled(word, start));
        }
        return consecutive ? SimpleQueryItems.consecutive(field, words) : words;
    }

    /**
     * Returns a word that may be spelled otherwise. One with signs before it or behind it may not.
     *
     * @param start of the word
     */
    private QueryNode spelled(QueryNode.Term word, int start) {
        boolean isPlain =
                word.settings().affix() == TermSettings.Affix.FIELD
                        && text.startsWith(word.text(), start);
        boolean isLast = isPlain && start + word.text().length() == text.length();
        return isPlain
                ? new QueryNode.Term(
                        word.field(), word.text(), word.settings().with(spelling(spelling, isLast)))
                : word;
    }

    /** Returns whether a number is a word of a text, without signs. */
    private static boolean isWord(String number) {
        return number.indexOf('-') < 0 && number.indexOf('.') < 0;
    }

    /**
     * Returns the spelling of a word.
     *
     * @param isLast whether the text ends with the word: then it may be a beginning
     */
    private static Spelling spelling(Spelling of, boolean isLast) {
        return Spelling.of(of.typos(), of.beginning() && isLast);
    }

    /** Reads a value with all its signs: to the terminator, or to the end if that is missing. */
    private List<QueryNode> exact(String field, String terminator) {
        context.count(0);
        int start = at;
        if (terminator.isEmpty()) {
            while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        } else {
            int end = text.indexOf(terminator, at);
            at = end < 0 ? text.length() : end;
        }
        String value = text.substring(start, at);
        if (text.startsWith(terminator, at)) {
            at += terminator.length();
        }
        TermSettings weighed = weighed();
        return value.isBlank() ? List.of() : List.of(new QueryNode.Term(field, value, weighed));
    }

    private List<QueryNode> quoted(String field, boolean isWhole) {
        int close = text.indexOf('"', at + 1);
        int end = close < 0 ? text.length() : close;
        String inside = text.substring(at + 1, end);
        at = Math.min(end + 1, text.length());
        TermSettings weighed = weighed();
        if (isWhole) {
            return inside.isBlank()
                    ? List.of()
                    : List.of(new QueryNode.Term(field, inside, weighed));
        }
        return SimpleQueryItems.phrase(QueryWords.of(inside, context), field, weighed).stream()
                .toList();
    }

    private List<QueryNode> compared(String field, char sign, Matcher number) {
        context.count(0);
        at = number.end();
        RangeEnd end = end(number.group(1), false);
        RangeEnd open = new RangeEnd.Unbounded();
        TermSettings weighed = weighed();
        return List.of(
                sign == '<'
                        ? new QueryNode.Range(field, open, end, weighed)
                        : new QueryNode.Range(field, end, open, weighed));
    }

    private List<QueryNode> whole(String field) {
        context.count(0);
        int start = at;
        while (at < text.length()
                && !Character.isWhitespace(text.charAt(at))
                && text.charAt(at) != ')'
                && !(inElement && text.charAt(at) == '}')) {
            at++;
        }
        String value = text.substring(start, at);
        boolean before = value.startsWith("*");
        boolean behind = value.length() > 1 && value.endsWith("*");
        String inner = value.substring(before ? 1 : 0, value.length() - (behind ? 1 : 0));
        return inner.isEmpty()
                ? List.of()
                : List.of(new QueryNode.Term(field, inner, affixed(settings, before, behind)));
    }

    private List<QueryNode> words(String field) {
        var parts = new ArrayList<QueryNode>();
        while (at < text.length() && !endsWord(text.charAt(at))) {
            boolean before = text.charAt(at) == '*';
            int start = before ? at + 1 : at;
            int end = endOfWord(start);
            if (end == start) {
                at += Character.charCount(text.codePointAt(at));
                continue;
            }
            boolean behind = end < text.length() && text.charAt(end) == '*';
            at = behind ? end + 1 : end;
            context.count(0);
            String word = text.substring(start, end);
            int mark = behindSigns();
            if (mark < text.length() && text.charAt(mark) == '!') {
                TermSettings weighed = weighed();
                parts.replaceAll(part -> reweighed(part, weighed.weight()));
                parts.add(new QueryNode.Term(field, word, affixed(weighed, before, behind)));
                return parts;
            }
            parts.add(new QueryNode.Term(field, word, affixed(settings, before, behind)));
        }
        return parts;
    }

    private boolean endsWord(char c) {
        return Character.isWhitespace(c) || c == '"' || isBracket(c) || (inElement && c == '}');
    }

    private static QueryNode reweighed(QueryNode part, int weight) {
        return part instanceof QueryNode.Term(var field, var word, var settings)
                ? new QueryNode.Term(field, word, settings.withWeight(weight))
                : part;
    }

    private static TermSettings affixed(TermSettings settings, boolean before, boolean behind) {
        if (!before && !behind) {
            return settings;
        }
        TermSettings.Affix affix =
                before && behind
                        ? TermSettings.Affix.SUBSTRING
                        : before ? TermSettings.Affix.SUFFIX : TermSettings.Affix.PREFIX;
        return settings.with(affix);
    }

    private int endOfWord(int from) {
        return QueryWords.endOfWord(text, from, context.specialTokens());
    }

    /** Returns the first place that no sign without a meaning is at. */
    private int behindSigns() {
        int end = at;
        while (end < text.length()
                && text.charAt(end) != '!'
                && text.charAt(end) != '*'
                && !endsWord(text.charAt(end))
                && endOfWord(end) == end) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    /** Reads a weight if one follows, perhaps behind signs without a meaning. */
    private TermSettings weighed() {
        Optional<Matcher> weight = match(WEIGHT, behindSigns());
        if (weight.isEmpty()) {
            return settings;
        }
        at = weight.get().end();
        String percent = weight.get().group(1);
        int value =
                percent == null
                        ? 100 + 50 * weight.get().group().length()
                        : Integer.parseInt(percent);
        return settings.withWeight(value);
    }

    private Optional<Matcher> match(Pattern pattern, int from) {
        int end = Math.min(text.length(), from + MAX_PATTERN_CHARS);
        Matcher matcher = pattern.matcher(text).region(from, end);
        matcher.useTransparentBounds(true).useAnchoringBounds(false);
        return matcher.lookingAt() ? Optional.of(matcher) : Optional.empty();
    }

    private static RangeEnd end(@Nullable String number, boolean included) {
        if (number == null) {
            return new RangeEnd.Unbounded();
        }
        return switch (Operands.number(number).orElseGet(RangeEnd.Unbounded::new)) {
            case RangeEnd.Unbounded unbounded -> unbounded;
            case RangeEnd.Whole(var value, _) -> new RangeEnd.Whole(value, included);
            case RangeEnd.Real(var value, _) -> new RangeEnd.Real(value, included);
        };
    }
}
