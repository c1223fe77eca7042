package org.crabro.container.yql;

import java.util.Locale;
import java.util.Optional;

/**
 * The grammar of a text that a user typed.
 *
 * @param composite the operator between the words
 * @param syntax the signs with a meaning
 */
public record Grammar(Composite composite, Syntax syntax) {
    /** The grammar of a request that names none. */
    public static final Grammar DEFAULT = new Grammar(Composite.WEAK_AND, Syntax.SIMPLE);

    /** The names that {@link #of} knows, for errors. */
    static final String NAMES =
            "weakAnd, all, any, web, phrase, near, oNear, tokenize, linguistics, raw";

    /** The names of composites and syntaxes, for errors. */
    public static final String COMPOSITES = "weakAnd, and, or, phrase, near and oNear";

    public static final String SYNTAXES = "simple, web and none";

    /** The operator between words. */
    public enum Composite {
        WEAK_AND,
        AND,
        OR,
        PHRASE,
        /** Close to each other. */
        NEAR,
        /** Close to each other, in this order. */
        ORDERED_NEAR
    }

    /** The signs with a meaning. */
    public enum Syntax {
        /** Signs, quotes, parentheses, fields, weights. */
        SIMPLE,
        /** The same as simple, but {@code OR} instead of parentheses. */
        WEB,
        /** Every character that is not part of a word is a blank. */
        NONE
    }

    /** Returns the grammar that the request parameter {@code type} calls {@code name}. */
    public static Optional<Grammar> of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "weakand" -> Optional.of(DEFAULT);
            case "all" -> Optional.of(new Grammar(Composite.AND, Syntax.SIMPLE));
            case "any" -> Optional.of(new Grammar(Composite.OR, Syntax.SIMPLE));
            case "web" -> Optional.of(new Grammar(Composite.AND, Syntax.WEB));
            case "phrase" -> Optional.of(new Grammar(Composite.PHRASE, Syntax.NONE));
            case "near" -> Optional.of(new Grammar(Composite.NEAR, Syntax.SIMPLE));
            case "onear" -> Optional.of(new Grammar(Composite.ORDERED_NEAR, Syntax.SIMPLE));
            case "tokenize", "linguistics" ->
                    Optional.of(new Grammar(Composite.WEAK_AND, Syntax.NONE));
            default -> Optional.empty();
        };
    }

    /** Returns this grammar with the parts named instead; an empty name leaves a part as it is. */
    public Optional<Grammar> with(String compositeName, String syntaxName) {
        Optional<Composite> newComposite =
                switch (compositeName.toLowerCase(Locale.ROOT)) {
                    case "" -> Optional.of(composite);
                    case "weakand" -> Optional.of(Composite.WEAK_AND);
                    case "and" -> Optional.of(Composite.AND);
                    case "or" -> Optional.of(Composite.OR);
                    case "phrase" -> Optional.of(Composite.PHRASE);
                    case "near" -> Optional.of(Composite.NEAR);
                    case "onear" -> Optional.of(Composite.ORDERED_NEAR);
                    default -> Optional.empty();
                };
        Optional<Syntax> newSyntax =
                switch (syntaxName.toLowerCase(Locale.ROOT)) {
                    case "" -> Optional.of(syntax);
                    case "simple" -> Optional.of(Syntax.SIMPLE);
                    case "web" -> Optional.of(Syntax.WEB);
                    case "none" -> Optional.of(Syntax.NONE);
                    default -> Optional.empty();
                };
        return newComposite.flatMap(c -> newSyntax.map(s -> new Grammar(c, s)));
    }
}
