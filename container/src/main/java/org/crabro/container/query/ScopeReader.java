package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.yql.SelectJson;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.wire.Principal.Groups;

/**
 * Reads which documents of a type a request searches.
 *
 * <p>A type in mode streaming needs exactly one of group name, user id and selection. Otherwise a
 * missing parameter would search the documents of all users. In mode index, a request without them
 * searches everything.
 */
final class ScopeReader {
    private static final Pattern GROUP_SELECTION =
            Pattern.compile("id\\.group\\s*(==?)\\s*(?:\"([^\"\\\\]*)\"|'([^'\\\\]*)')");
    private static final Pattern USER_SELECTION = Pattern.compile("id\\.user\\s*==?\\s*([0-9]+)");

    private static final List<Parameter> SCOPES =
            List.of(
                    Parameter.GROUP_NAME,
                    Parameter.GROUP_NAMES,
                    Parameter.USER_ID,
                    Parameter.SELECTION);

    private static final Pattern OR = Pattern.compile("\\s+or\\s+", Pattern.CASE_INSENSITIVE);

    /** A request with more groups is rejected. */
    private static final int MAX_GROUPS = 10_000;

    private static final Pattern MICROSECONDS = Pattern.compile("[0-9]{1,18}");

    private final Optional<Scope> scope;

    /** The time range of every scope, if the request sets one. */
    private final Optional<Scope.Selected> time;

    private ScopeReader(Optional<Scope> scope, Optional<Scope.Selected> time) {
        this.scope = scope;
        this.time = time;
    }

    /**
     * @param types the types that a selection may name
     * @param allowed the groups that the sender may access
     * @throws IllegalQueryException if more than one scope is given, or one that cannot be read
     */
    static ScopeReader of(Parameters parameters, SelectionTypes types, Groups allowed) {
        var given = new ArrayList<Parameter>();
        for (Parameter each : SCOPES) {
            if (parameters.text(each).isPresent()) {
                given.add(each);
            }
        }
        if (given.size() > 1) {
            throw illegal(
                    "expected one of streaming.groupname, streaming.groupnames, streaming.userid"
                            + " and streaming.selection but found "
                            + String.join(" and ", given.stream().map(Parameter::shown).toList()));
        }
        return new ScopeReader(
                given.isEmpty()
                        ? onlyGroup(allowed)
                        : parameters
                                .text(given.getFirst())
                                .map(text -> scope(given.getFirst(), text, types)),
                time(parameters));
    }

    /** If a request names no group, a principal with one group searches that group. */
    private static Optional<Scope> onlyGroup(Groups allowed) {
        return allowed instanceof Groups.Only(var names) && names.size() == 1
                ? Optional.of(new Scope.Group(names.iterator().next()))
                : Optional.empty();
    }

    private static Optional<Scope.Selected> time(Parameters parameters) {
        long from = timestamp(parameters, Parameter.FROM_TIMESTAMP).orElse(0L);
        long to = timestamp(parameters, Parameter.TO_TIMESTAMP).orElse(Long.MAX_VALUE);
        return from == 0 && to == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new Scope.Selected(new Scope.Everything(), "", from, to));
    }

    private static Optional<Long> timestamp(Parameters parameters, Parameter parameter) {
        return parameters
                .text(parameter)
                .map(text ->
                        parameter.read(
                                text,
                                "microseconds since the epoch",
                                number ->
                                        Optional.of(number.strip())
                                                .filter(MICROSECONDS.asMatchPredicate())
                                                .map(Long::valueOf)));
    }

    /**
     * Returns the scope of a type in {@code mode}.
     *
     * @throws IllegalQueryException if the mode needs a scope and the request has none
     */
    Scope scope(Mode mode) {
        Scope whole = whole(mode);
        return time.<Scope>map(times ->
                        whole instanceof Scope.Selected(var within, var selection, _, _)
                                ? new Scope.Selected(
                                        within,
                                        selection,
                                        times.fromTimestamp(),
                                        times.toTimestamp())
                                : new Scope.Selected(
                                        whole, "", times.fromTimestamp(), times.toTimestamp()))
                .orElse(whole);
    }

    private Scope whole(Mode mode) {
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

    private static Scope scope(Parameter parameter, String text, SelectionTypes types) {
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
        return selected(text.strip(), types);
    }

    /** Names separated by commas, or a JSON array. */
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

    /** Parses a selection. Alternatives of groups, the most common case, are parsed directly. */
    private static Scope selected(String text, SelectionTypes types) {
        if (text.equalsIgnoreCase("true")) {
            return new Scope.Everything();
        }
        var groups = new ArrayList<Scope>();
        for (String part : OR.split(unwrapped(text), -1)) {
            Optional<Scope> group = selectedGroup(unwrapped(part));
            if (group.isEmpty()) {
                return evaluated(text, types);
            }
            groups.add(group.get());
        }
        return several(groups);
    }

    private static String unwrapped(String text) {
        String inner = text.strip();
        return inner.startsWith("(") && inner.endsWith(")") && inner.indexOf('(', 1) < 0
                ? inner.substring(1, inner.length() - 1).strip()
                : inner;
    }

    private static Optional<Scope> selectedGroup(String selection) {
        Matcher group = GROUP_SELECTION.matcher(selection);
        // A single sign compares with a pattern.
        boolean isPattern = selection.indexOf('*') >= 0 || selection.indexOf('?') >= 0;
        if (group.matches() && (group.group(1).equals("==") || !isPattern)) {
            return Stream.of(2, 3)
                    .flatMap(i -> Stream.ofNullable(group.group(i)))
                    .findFirst()
                    .map(name -> group(name, "streaming.selection"));
        }
        Matcher user = USER_SELECTION.matcher(selection);
        return user.matches()
                ? Optional.of(numbered(user.group(1), "streaming.selection"))
                : Optional.empty();
    }

    /**
     * Returns a scope whose documents are checked one by one, limited to the selected groups if
     * possible.
     */
    private static Scope evaluated(String text, SelectionTypes types) {
        Selection selection;
        try {
            selection = Selection.parse(text, types);
        } catch (InvalidSelectionException e) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER, "streaming.selection: " + e.getMessage());
        }
        return new Scope.Selected(within(selection.places()), text, 0, Long.MAX_VALUE);
    }

    private static Scope within(SelectedPlaces places) {
        List<Scope> keys =
                places.places().stream().flatMap(place -> key(place).stream()).distinct().toList();
        boolean hasPlace =
                !places.isEverywhere()
                        && places.places().stream().allMatch(place -> key(place).isPresent())
                        && keys.size() <= MAX_GROUPS;
        return hasPlace ? several(keys) : new Scope.Everything();
    }

    private static Optional<Scope> key(SelectedPlaces.Place place) {
        return switch (place) {
            case SelectedPlaces.Place.Of(var key) -> scope(key);
            case SelectedPlaces.Place.One(var id) -> scope(id.key());
            case SelectedPlaces.Place.InBucket _ -> Optional.empty();
        };
    }

    private static Optional<Scope> scope(LocationKey key) {
        return switch (key) {
            case LocationKey.Group(var name) -> Optional.of(group(name, "streaming.selection"));
            case LocationKey.Numbered(var value) -> Optional.of(new Scope.Numbered(value));
            case LocationKey.Plain() -> Optional.empty();
        };
    }

    private static Scope group(String name, String parameter) {
        if (name.isEmpty()) {
            throw illegal(parameter + ": the name of the group is empty");
        }
        try {
            return new Scope.Group(ofAnId(name));
        } catch (InvalidDocumentException e) {
            String several =
                    parameter.equals(Parameter.GROUP_NAME.shown())
                            ? "; several groups are named by streaming.groupnames"
                            : "";
            throw illegal("%s: %s%s".formatted(parameter, e.getMessage(), several));
        }
    }

    /** Rejects a text that no document id can contain. */
    private static String ofAnId(String group) {
        var id = new DocumentId("any", "any", new LocationKey.Group(group), "any");
        return id.key() instanceof LocationKey.Group(var name) ? name : "";
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
