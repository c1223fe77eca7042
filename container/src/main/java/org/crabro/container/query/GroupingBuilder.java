package org.crabro.container.query;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.container.yql.GroupingJson;
import org.crabro.container.yql.GroupingParser;
import org.crabro.container.yql.YqlGrouping;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.protocol.grouping.GroupPage;
import org.crabro.protocol.grouping.GroupingException;
import org.crabro.protocol.grouping.GroupingLimits;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingPlanner;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;

/** Plans the groupings of a request for content nodes. */
final class GroupingBuilder {
    private static final String UNLIMITED = "-1";

    private final Parameters parameters;
    private final Parameters profile;
    private final List<String> trace = new ArrayList<>();

    /**
     * @param profile the parameters of the query profile alone
     */
    GroupingBuilder(Parameters parameters, Parameters profile) {
        this.parameters = parameters;
        this.profile = profile;
    }

    /**
     * Returns the groupings.
     *
     * @param ofYql the groupings of the statement
     * @param isWhole whether one reply contains all documents
     * @param maxBytes the bytes that groups may use
     * @throws IllegalQueryException if a grouping is wrong or too large
     */
    GroupingSettings settings(List<YqlGrouping> ofYql, boolean isWhole, long maxBytes) {
        List<YqlGrouping> groupings = ofYql.isEmpty() ? selected() : ofYql;
        if (groupings.isEmpty()) {
            return GroupingSettings.NONE;
        }
        GroupingLimits limits = limits();
        var requests = new ArrayList<GroupingRequest>();
        for (int i = 0; i < groupings.size(); i++) {
            YqlGrouping grouping = groupings.get(i);
            trace.add("Grouping as parsed: " + grouping.operation().text());
            trace.addAll(grouping.notes());
            requests.add(request(grouping, i, limits));
        }
        // Groups are selected after all replies have been merged.
        boolean chooses = requests.stream().anyMatch(request -> request.root().chooses());
        return new GroupingSettings(requests, timeZone(), isWhole && !chooses, maxBytes);
    }

    /** Returns lines for the trace about the groupings. */
    List<String> trace() {
        return trace;
    }

    private static GroupingRequest request(
            YqlGrouping grouping, int number, GroupingLimits limits) {
        List<GroupPage> pages =
                GroupingContinuation.pages(grouping.continuations()).stream()
                        .filter(page -> !page.path().isEmpty() && page.path().getFirst() == number)
                        .toList();
        try {
            return GroupingPlanner.plan(grouping.operation(), limits, pages);
        } catch (GroupingException e) {
            throw new IllegalQueryException(
                    e.exceeds() ? ErrorCode.INVALID_PARAMETER : ErrorCode.ILLEGAL_QUERY,
                    String.valueOf(e.getMessage()));
        }
    }

    private List<YqlGrouping> selected() {
        List<String> continuations =
                parameters
                        .text(Parameter.CONTINUE)
                        .map(text ->
                                Arrays.stream(text.strip().split("\\s+"))
                                        .filter(token -> !token.isEmpty())
                                        .toList())
                        .orElse(List.of());
        return parameters
                .text(Parameter.SELECT_GROUPING)
                .map(GroupingBuilder::written)
                .or(() -> parameters.text(Parameter.SELECT))
                .filter(text -> !text.isBlank())
                .map(text -> parsed(text, continuations))
                .orElse(List.of());
    }

    private static String written(String json) {
        try {
            return GroupingJson.grouping(json);
        } catch (YqlSyntaxException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, String.valueOf(e.getMessage()));
        }
    }

    private static List<YqlGrouping> parsed(String text, List<String> continuations) {
        try {
            return GroupingParser.parse(text, continuations);
        } catch (YqlSyntaxException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, String.valueOf(e.getMessage()));
        }
    }

    private GroupingLimits limits() {
        GroupingLimits otherwise = GroupingLimits.DEFAULT;
        return new GroupingLimits(
                limit(parameters, Parameter.DEFAULT_MAX_GROUPS, otherwise.defaultMaxGroups()),
                limit(parameters, Parameter.DEFAULT_MAX_GROUP_HITS, otherwise.defaultMaxHits()),
                limit(profile, Parameter.GLOBAL_MAX_GROUPS, otherwise.globalMaxGroups()));
    }

    private static int limit(Parameters from, Parameter parameter, int otherwise) {
        boolean isUnlimited =
                from.text(parameter).filter(text -> text.strip().equals(UNLIMITED)).isPresent();
        return isUnlimited ? GroupingOperation.UNLIMITED : from.count(parameter).orElse(otherwise);
    }

    private String timeZone() {
        String name = parameters.text(Parameter.TIME_ZONE).orElse("utc").strip();
        // Clients write the names of zones in any case, such as "utc".
        return Stream.of(name, name.toUpperCase(Locale.ROOT))
                .flatMap(each -> zone(each).stream())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalQueryException(
                                ErrorCode.ILLEGAL_QUERY,
                                "Could not set 'timezone': there is no time zone '%s'"
                                        .formatted(name)));
    }

    private static Optional<String> zone(String name) {
        try {
            return Optional.of(ZoneId.of(name).getId());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
