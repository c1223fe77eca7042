package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.yql.SelectJson;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.protocol.search.Scope;

/**
 * Reads which documents of a type a request wants searched.
 *
 * <p>A type in mode streaming needs exactly one of group name, user id and selection: nobody
 * searches everyone's documents by leaving a parameter out. In mode index none means everything.
 */
final class ScopeReader {
    private static final Pattern GROUP_SELECTION =
            Pattern.compile("id\\.group\\s*==?\\s*(?:\"([^\"\\\\]*)\"|'([^'\\\\]*)')");
    private static final Pattern USER_SELECTION = Pattern.compile("id\\.user\\s*==?\\s*([0-9]+)");

    private static final List<Parameter> SCOPES =
            List.of(
                    Parameter.GROUP_NAME,
                    Parameter.GROUP_NAMES,
                    Parameter.USER_ID,
                    Parameter.SELECTION);

    private static final Pattern OR = Pattern.compile("\\s+or\\s+", Pattern.CASE_INSENSITIVE);

    /** More groups at once are refused. */
    private static final int MAX_GROUPS = 10_000;

    private final Optional<Scope> scope;

    private ScopeReader(Optional<Scope> scope) {
        this.scope = scope;
    }

    /**
     * @throws IllegalQueryException if more than one scope is given, or one that cannot be read
     */
    static ScopeReader of(Parameters parameters) {
        List<Parameter> given =
                SCOPES.stream().filter(each -> parameters.text(each).isPresent()).toList();
        if (given.size() > 1) {
            throw illegal(
                    "expected one of streaming.groupname, streaming.groupnames, streaming.userid and"
                            + " streaming.selection but found "
                            + String.join(" and ", given.stream().map(Parameter::shown).toList()));
        }
        return new ScopeReader(
                given.stream()
                        .findFirst()
                        .map(each -> scope(each, parameters.text(each).orElse(""))));
    }

    /**
     * Returns what of a type in {@code mode} is searched.
     *
     * @throws IllegalQueryException if that mode needs a scope and there is none
     */
    Scope scope(Mode mode) {
        return switch (mode) {
            case INDEX -> scope.orElseGet(Scope.Everything::new);
            case STREAMING ->
                    scope.orElseThrow(() ->
                            illegal(
                                    "Streaming search requires either streaming.groupname"
                                            + " or streaming.selection"));
            case STORE_ONLY -> throw new IllegalArgumentException("not searched: " + mode);
        };
    }

    private static Scope scope(Parameter parameter, String text) {
        if (parameter == Parameter.GROUP_NAME) {
            return group(text, "streaming.groupname");
        }
        if (parameter == Parameter.GROUP_NAMES) {
            return several(
                    names(text).stream().map(name -> group(name, parameter.shown())).toList());
        }
        if (parameter == Parameter.USER_ID) {
            return numbered(text.strip(), "streaming.userid");
        }
        return selected(text.strip());
    }

    /** Names with commas between them, or an array of JSON, where names may have commas. */
    private static List<String> names(String text) {
        if (!text.strip().startsWith("[")) {
            return Stream.of(text.split(",", -1)).map(String::strip).toList();
        }
        try {
            return SelectJson.fields(text);
        } catch (YqlSyntaxException e) {
            throw illegal("streaming.groupnames: expected names, but found " + text);
        }
    }

    private static Scope several(List<Scope> parts) {
        List<Scope> distinct = parts.stream().distinct().toList();
        if (distinct.size() > MAX_GROUPS) {
            throw illegal(
                    "%d groups: at most %d can be searched at once"
                            .formatted(distinct.size(), MAX_GROUPS));
        }
        return distinct.size() == 1 ? distinct.getFirst() : new Scope.Several(distinct);
    }

    private static Scope selected(String selection) {
        if (selection.equalsIgnoreCase("true")) {
            return new Scope.Everything();
        }
        String inner = unwrapped(selection);
        String[] parts = OR.split(inner, -1);
        return parts.length == 1 || GROUP_SELECTION.matcher(inner).matches()
                ? selectedOne(inner, selection)
                : several(
                        Stream.of(parts)
                                .map(part -> selectedOne(unwrapped(part), selection))
                                .toList());
    }

    private static String unwrapped(String text) {
        String inner = text.strip();
        return inner.startsWith("(") && inner.endsWith(")") && inner.indexOf('(', 1) < 0
                ? inner.substring(1, inner.length() - 1).strip()
                : inner;
    }

    private static Scope selectedOne(String selection, String whole) {
        Matcher group = GROUP_SELECTION.matcher(selection);
        if (group.matches()) {
            return group(
                    Stream.of(1, 2)
                            .flatMap(i -> Stream.ofNullable(group.group(i)))
                            .findFirst()
                            .orElse(""),
                    "streaming.selection");
        }
        Matcher user = USER_SELECTION.matcher(selection);
        if (user.matches()) {
            return numbered(user.group(1), "streaming.selection");
        }
        throw new IllegalQueryException(
                ErrorCode.INVALID_PARAMETER,
                "streaming.selection: expected true, or id.group == \"name\" and id.user == number"
                        + " with 'or' between them; other selections are not built yet: '"
                        + whole
                        + "'");
    }

    private static Scope group(String name, String parameter) {
        if (name.isEmpty()) {
            throw illegal(parameter + ": the name of the group is empty");
        }
        return new Scope.Group(name);
    }

    private static Scope numbered(String text, String parameter) {
        try {
            return new Scope.Numbered(LocationKey.Numbered.parse(text).value());
        } catch (InvalidDocumentException e) {
            throw illegal(parameter + ": " + e.getMessage());
        }
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
