package org.crabro.client.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.http.ServerRefusalException;

/**
 * Runs queries of people, who need not name a group: if the searched types have one group, it is
 * searched. If they have several, the message lists them. A group without documents is an error.
 */
public final class GroupSearch {
    /** How a server says that a query names no group. Vespa says the same. */
    private static final String NO_GROUP = "Streaming search requires either";

    private static final String NAME = "streaming.groupname";
    private static final String NUMBER = "streaming.userid";
    private static final String SELECTION = "streaming.selection";
    private static final Set<String> RESTRICTIONS = Set.of("model.restrict", "restrict");
    private static final Pattern FROM =
            Pattern.compile("\\bfrom\\s+(?:sources\\s+)?([\\w*]+(?:\\s*,\\s*[\\w*]+)*)");
    private static final int LISTED = 10;
    private static final int BAD_REQUEST = 400;

    private final QueryClient client;
    private final Choice choice;

    /**
     * How a person chooses, for messages.
     *
     * @param one such as {@code --group NAME}
     * @param all such as {@code --all-groups}
     */
    public record Choice(String one, String all) {}

    public GroupSearch(QueryClient client, Choice choice) {
        this.client = client;
        this.choice = choice;
    }

    /**
     * A result.
     *
     * @param group the group that was chosen, if the query names none
     */
    public record Searched(QueryAnswer answer, Optional<String> group) {}

    /**
     * Runs a query.
     *
     * @throws UnclearGroupException if it names no group, and there are several
     * @throws UnknownGroupException if it names a group without documents
     * @throws IOException as {@link QueryClient#search}
     */
    public Searched search(ClientQuery query) throws IOException, InterruptedException {
        try {
            QueryAnswer answer = client.search(query);
            if (answer.totalCount() == 0 && answer.errors().isEmpty()) {
                requireGroup(query);
            }
            return new Searched(answer, Optional.empty());
        } catch (ServerRefusalException e) {
            if (e.status() != BAD_REQUEST || !String.valueOf(e.getMessage()).contains(NO_GROUP)) {
                throw e;
            }
        }
        return searchChosen(query);
    }

    private Searched searchChosen(ClientQuery query) throws IOException, InterruptedException {
        Optional<StoredGroups> stored = groups(Map.of("limit", Integer.toString(LISTED)));
        if (stored.isEmpty()) {
            throw new UnclearGroupException(
                    "Name the group to search with %s, or search all with %s."
                            .formatted(choice.one(), choice.all()));
        }
        List<StoredGroups.Type> types = searched(query, stored.get());
        Map<String, StoredGroups.Group> groups = new LinkedHashMap<>();
        long most = 0;
        for (StoredGroups.Type type : types) {
            most = Math.max(most, type.groupCount());
            type.groups().forEach(group -> groups.merge(key(group), group, GroupSearch::sum));
        }
        if (groups.isEmpty()) {
            // Documents without a group, or none at all.
            return new Searched(
                    client.search(query.withParameter(SELECTION, "true")), Optional.empty());
        }
        if (groups.size() == 1 && most == 1) {
            StoredGroups.Group only = groups.values().iterator().next();
            return new Searched(
                    client.search(
                            query.withParameter(only.isNumber() ? NUMBER : NAME, only.name())),
                    Optional.of(only.name()));
        }
        throw new UnclearGroupException(
                list(new ArrayList<>(groups.values()), Math.max(most, groups.size())));
    }

    private static String key(StoredGroups.Group group) {
        return (group.isNumber() ? "n=" : "g=") + group.name();
    }

    private static StoredGroups.Group sum(StoredGroups.Group one, StoredGroups.Group other) {
        return new StoredGroups.Group(
                one.name(), one.isNumber(), one.documents() + other.documents());
    }

    private String list(List<StoredGroups.Group> groups, long count) {
        groups.sort((one, other) -> Long.compare(other.documents(), one.documents()));
        var text =
                new StringBuilder(
                        "There are %s%,d groups. Name the one to search with %s, or search all with %s."
                                .formatted(
                                        count > groups.size() ? "at least " : "",
                                        count,
                                        choice.one(),
                                        choice.all()));
        List<StoredGroups.Group> shown = groups.subList(0, Math.min(LISTED, groups.size()));
        text.append(count > shown.size() ? " The largest are:" : "");
        shown.forEach(group ->
                text.append("\n  ")
                        .append(group.name())
                        .append(
                                String.format(
                                        Locale.ROOT,
                                        group.documents() == 1
                                                ? "  (%,d document)"
                                                : "  (%,d documents)",
                                        group.documents())));
        return text.toString();
    }

    /** Returns the types that a query searches. A name that is no type does not restrict them. */
    private static List<StoredGroups.Type> searched(ClientQuery query, StoredGroups stored) {
        var names = new HashSet<String>();
        query.parameters()
                .forEach((name, value) -> {
                    if (RESTRICTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                        names.addAll(
                                Arrays.asList(value.toString().strip().split("\\s*,\\s*", -1)));
                    }
                });
        Matcher from = FROM.matcher(String.valueOf(query.parameters().getOrDefault("yql", "")));
        if (names.isEmpty() && from.find()) {
            names.addAll(Arrays.asList(from.group(1).split("\\s*,\\s*", -1)));
        }
        List<StoredGroups.Type> streaming =
                stored.types().stream().filter(StoredGroups.Type::isStreaming).toList();
        List<StoredGroups.Type> named =
                streaming.stream()
                        .filter(type ->
                                names.contains(type.name()) || names.contains(type.cluster()))
                        .toList();
        return named.isEmpty() ? streaming : named;
    }

    /** Checks the group of a query without hits. */
    private void requireGroup(ClientQuery query) throws IOException, InterruptedException {
        Object group = query.parameters().get(NAME);
        if (group == null) {
            return;
        }
        Optional<StoredGroups> stored = groups(Map.of("limit", "1", "group", group.toString()));
        if (stored.isEmpty() || stored.get().documents() > 0 || !stored.get().isComplete()) {
            return;
        }
        Optional<String> nearest = stored.get().nearest();
        throw new UnknownGroupException(
                "there is no group '%s'%s"
                        .formatted(
                                group,
                                nearest.isPresent()
                                        ? "; did you mean '" + nearest.get() + "'?"
                                        : others()));
    }

    /** Returns the largest groups as the end of a message. */
    private String others() throws IOException, InterruptedException {
        Optional<StoredGroups> stored = groups(Map.of("limit", Integer.toString(LISTED)));
        List<String> names =
                stored.stream()
                        .flatMap(all -> all.types().stream())
                        .flatMap(type -> type.groups().stream())
                        .sorted((one, other) -> Long.compare(other.documents(), one.documents()))
                        .map(each -> "'" + each.name() + "'")
                        .distinct()
                        .toList();
        if (names.isEmpty()) {
            return "";
        }
        boolean isWhole =
                names.size() <= LISTED
                        && stored.get().types().stream()
                                .allMatch(type -> type.groupCount() <= type.groups().size());
        return (isWhole ? "; there are " : "; the largest are ")
                + String.join(", ", names.subList(0, Math.min(LISTED, names.size())));
    }

    /**
     * Returns what finds documents where a query finds none: another group, fewer words, or similar
     * words. Each is tried without hits.
     *
     * @param query without hits
     * @param searched the group that was chosen for it
     */
    public List<String> advice(ClientQuery query, Optional<String> searched)
            throws IOException, InterruptedException {
        var advice = new ArrayList<String>();
        ClientQuery counting = query.withParameter("hits", 0);
        Object group = query.parameters().get(NAME);
        ClientQuery inGroup = counting;
        if (searched.isPresent()) {
            inGroup = counting.withGroup(searched.get());
        } else if (group != null) {
            long elsewhere = count(counting.without(NAME).withParameter(SELECTION, "true"));
            if (elsewhere > 0) {
                advice.add(
                        documents(elsewhere, "matches", "match")
                                + " in other groups: "
                                + choice.all());
            }
        }
        if ("all".equals(query.parameters().get("type"))) {
            long some = count(inGroup.withParameter("type", "any"));
            if (some > 0) {
                advice.add(
                        documents(some, "has", "have")
                                + " some of these words, but none has all: type=any");
            }
        }
        if (!query.parameters().containsKey(ClientQuery.TYPOS)) {
            long similar = count(inGroup.withParameter(ClientQuery.TYPOS, true));
            if (similar > 0) {
                advice.add(documents(similar, "has", "have") + " similar words: model.typos=true");
            }
        }
        return advice;
    }

    private static String documents(long count, String one, String several) {
        return String.format(
                Locale.ROOT,
                count == 1 ? "%,d document " + one : "%,d documents " + several,
                count);
    }

    /** Returns how many documents match; 0 if the server does not say it. */
    private long count(ClientQuery query) throws IOException, InterruptedException {
        try {
            return client.search(query).totalCount();
        } catch (ServerRefusalException e) {
            // The query itself was answered. A variant of it may be none, or the server is busy.
            return 0;
        }
    }

    /** Returns the groups of the server; empty if it does not list them. */
    private Optional<StoredGroups> groups(Map<String, String> parameters)
            throws IOException, InterruptedException {
        try {
            return Optional.of(client.groups(parameters));
        } catch (ServerRefusalException e) {
            // An older server, or one that is busy. The query itself was answered.
            return Optional.empty();
        }
    }
}
