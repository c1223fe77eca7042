package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.services.ContentCluster.Mode;
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
            List.of(Parameter.GROUP_NAME, Parameter.USER_ID, Parameter.SELECTION);

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
                    "expected one of streaming.groupname, streaming.userid and streaming.selection"
                            + " but found "
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
        if (parameter == Parameter.USER_ID) {
            return numbered(text.strip(), "streaming.userid");
        }
        return selected(text.strip());
    }

    private static Scope selected(String selection) {
        if (selection.equalsIgnoreCase("true")) {
            return new Scope.Everything();
        }
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
                "streaming.selection: expected true, id.group == \"name\" or id.user == number;"
                        + " other selections are not built yet: '"
                        + selection
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
