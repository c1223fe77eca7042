package org.crabro.config.validation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.parser.SourceText;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.type.RankFeature;

/**
 * Parses the expressions of the rank profiles of a schema, and reports problems at the place in the
 * file where an expression was written. For one thread.
 */
final class ProfileExpressions {
    /** The prefix of an expression that is in a file of its own. */
    private static final String FILE = "file:";

    private final Map<String, SourceText> files;
    private final SchemaFindings findings;

    /** The parameter counts of declared functions that have the name of a built-in function. */
    private final Map<String, Set<Integer>> shadowing;

    /** The text of a file that an expression was parsed from, by identity of the string. */
    private final IdentityHashMap<String, RawText> origins = new IdentityHashMap<>();

    /** The text of each expression, by identity: an expression without features has no origin. */
    private final IdentityHashMap<Expression, RawText> texts = new IdentityHashMap<>();

    /** Messages reported already: inherited functions are checked again in each profile. */
    private final Set<String> reported = new HashSet<>();

    /** Problems reported already of expressions without an origin. */
    private final Set<String> reportedWithoutOrigin = new HashSet<>();

    /**
     * @param files the files with an expression, by name
     */
    ProfileExpressions(
            List<RankProfileDeclaration> declarations,
            Map<String, SourceText> files,
            SchemaFindings findings) {
        this.files = files;
        this.findings = findings;
        this.shadowing = shadowing(declarations);
    }

    private static Map<String, Set<Integer>> shadowing(List<RankProfileDeclaration> declarations) {
        var shadowing = new HashMap<String, Set<Integer>>();
        for (RankProfileDeclaration profile : declarations) {
            for (RankProfileDeclaration.Function function : profile.names().functions()) {
                String name = function.name().text();
                if (ExpressionParser.isOfLanguage(name)) {
                    shadowing
                            .computeIfAbsent(name, _ -> new HashSet<>())
                            .add(function.parameters().size());
                }
            }
        }
        return shadowing;
    }

    /** Returns whether {@code name} is the name of a rank feature. */
    static boolean isFeature(String name) {
        return RankFeature.isName(name)
                || name.equals(ForeachFeature.NAME)
                || TokenFeatures.contains(name)
                || UnbuiltFeatures.contains(name);
    }

    /**
     * Returns the expression in {@code given} or in the file that it names; empty after a problem
     * was reported.
     */
    Optional<Expression> parse(RawText given) {
        if (given.text().startsWith(FILE)) {
            return read(given).flatMap(this::parseText);
        }
        return parseText(given);
    }

    private Optional<RawText> read(RawText given) {
        String name = given.text().substring(FILE.length()).strip();
        SourceText file = files.get(name.replaceFirst("\\.expression$", ""));
        if (file == null) {
            findings.at(SchemaStep.EXPRESSIONS)
                    .problem(
                            given.at()
                                    .pointing(
                                            "there is no file schemas/%s.expression%s"
                                                    .formatted(
                                                            name,
                                                            NearestName.hint(
                                                                    name, files.keySet()))));
            return Optional.empty();
        }
        String text = file.text().strip();
        if (text.isEmpty()) {
            findings.at(SchemaStep.EXPRESSIONS)
                    .problem(file.at(0).pointing("expected a rank expression"));
            return Optional.empty();
        }
        return Optional.of(new RawText(file.at(file.text().indexOf(text)), text));
    }

    /** Returns the expression in {@code text}, or empty after a problem was reported. */
    Optional<Expression> parseText(RawText text) {
        origins.put(text.text(), text);
        try {
            Expression parsed = ExpressionParser.parse(text.text(), shadowing);
            texts.put(parsed, text);
            return Optional.of(parsed);
        } catch (ExpressionSyntaxException e) {
            problem(text.at(), e.origin(), e.problem());
            return Optional.empty();
        }
    }

    /** Warns at {@code origin}, or at {@code otherwise} if the origin is unknown. */
    void warn(SourcePosition otherwise, ExpressionPosition origin, String warning) {
        RawText text = origins.get(origin.text());
        findings.at(SchemaStep.EXPRESSIONS)
                .warn((text == null ? otherwise : text.at(origin.offset())) + ": " + warning);
    }

    /** Reports {@code problem} at {@code origin}, or at {@code otherwise} if it is unknown. */
    void problem(SourcePosition otherwise, ExpressionPosition origin, String problem) {
        RawText text = origins.get(origin.text());
        String message = (text == null ? otherwise : text.at(origin.offset())).pointing(problem);
        if (reported.add(Objects.requireNonNull(message))) {
            findings.at(SchemaStep.EXPRESSIONS).problem(message);
        }
    }

    /**
     * Reports {@code problem} of {@code written} at {@code origin}.
     *
     * <p>An inserted part, such as a constant, may have no origin: then the problem is reported at
     * the expression as written. Such a problem of a function is reported once, where the function
     * is declared, and not again at each call.
     */
    void problem(Name profile, Expression written, ExpressionPosition origin, String problem) {
        if (origins.containsKey(origin.text())) {
            problem(profile.at(), origin, problem);
        } else if (reportedWithoutOrigin.add(problem)) {
            RawText whole = texts.get(written);
            problem(
                    whole == null ? profile.at() : whole.at(),
                    written.features().stream()
                            .map(Feature::origin)
                            .filter(each -> origins.containsKey(each.text()))
                            .findFirst()
                            .orElse(ExpressionPosition.UNKNOWN),
                    problem);
        }
    }
}
