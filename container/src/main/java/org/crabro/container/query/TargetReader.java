package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.crabro.config.application.NearestName;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.container.query.SearchedApplication.Place;
import org.crabro.container.query.StatementReader.Statement;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;

/** Reads which document types a request searches, and how their hits are ranked and shown. */
final class TargetReader {
    /** Of sources, and of fields to show. */
    private static final int MAX_NAMES = 1_000;

    private static final String STATISTICS_PROPERTY = "ranking.statistics";

    private final SearchedApplication application;
    private final Parameters parameters;
    private final QueryRequest request;
    private final int maxEmbeddedChars;
    private final Deadline deadline;

    /**
     * @param maxEmbeddedChars longer texts to embed are rejected
     * @param deadline of embeddings
     */
    TargetReader(
            SearchedApplication application,
            Parameters parameters,
            QueryRequest request,
            int maxEmbeddedChars,
            Deadline deadline) {
        this.application = application;
        this.parameters = parameters;
        this.request = request;
        this.maxEmbeddedChars = maxEmbeddedChars;
        this.deadline = deadline;
    }

    /**
     * Returns the document types to search, at least one.
     *
     * @param problems receives what does not stop the query
     * @throws IllegalQueryException if no source is known, or there is nothing to search
     */
    List<Place> places(Statement statement, List<ResultError> problems) {
        List<String> sources = sources(parameters, Optional.of(statement));
        List<String> restrict = parameters.list(Parameter.RESTRICT);
        return application.isNamed()
                ? TargetPlaces.find(application.places(), sources, restrict, problems)
                : TargetPlaces.find(application.places(), List.of(), ofPlaces(restrict), problems);
    }

    /** Returns the schemas that the chain searches, out of those that a query names. */
    private List<String> ofPlaces(List<String> restrict) {
        List<String> types =
                restrict.stream()
                        .filter(name ->
                                anyHas(application.places(), schema -> schema.name().equals(name)))
                        .toList();
        return types.isEmpty() ? restrict : types;
    }

    /**
     * Returns the sources that a request names; empty for all.
     *
     * @param statement empty if the request has none in YQL
     */
    static List<String> sources(Parameters parameters, Optional<Statement> statement) {
        var sources = new ArrayList<String>();
        if (statement.isEmpty() || !statement.get().allSources()) {
            sources.addAll(parameters.list(Parameter.SOURCES));
            statement.ifPresent(each -> sources.addAll(each.yql().select().sources()));
        }
        checkCount("sources", sources.size(), MAX_NAMES);
        return sources;
    }

    /**
     * Returns a target for each place.
     *
     * @param fields the summary fields that the statement selects; empty for all
     * @param trace receives the profiles that a schema lacks
     * @throws IllegalQueryException if a scope, a rank profile, an input or a summary is wrong
     */
    List<Target> targets(
            List<Place> places,
            List<String> fields,
            List<SortKey> sorting,
            Collapse collapse,
            List<TraceLine> trace) {
        var phases = new PhaseReader(parameters);
        ScopeReader scopes =
                ScopeReader.of(
                        parameters,
                        application.selectionTypes(),
                        request.sender().principal().groups());
        List<RankProfile> profiles = profiles(places, trace);
        var inputs =
                new InputReader(parameters, application.embedders(), maxEmbeddedChars, deadline);
        var given = new OverridesReader(parameters);
        RankOverrides overrides = given.overrides();
        if (!overrides.features().isEmpty()) {
            places.forEach(place -> given.check(place.schema()));
        }
        Marking marking =
                new PresentationReader(parameters, request).marking(application.marking());
        List<String> summaryFields = summaryFields(fields);
        var targets = new ArrayList<Target>();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            RankProfile profile = profiles.get(i);
            InputReader.Inputs values = inputs.read(profile, profiles);
            var settings =
                    new RankSettings(
                            profile.name(),
                            values.values(),
                            statistics(profile),
                            now(profile, overrides.properties()),
                            phases.limits(profile),
                            overrides);
            targets.add(
                    new Target(
                            place,
                            scopes.scope(place.mode()),
                            new Target.Ranking(
                                    profile,
                                    settings,
                                    phases.global(profile, sorting),
                                    values.warnings()),
                            summary(place, places, summaryFields)
                                    .withBesides(collapse.sources(place.schema()))
                                    .with(marking),
                            missingSummary(place)));
        }
        return targets;
    }

    /** A schema that lacks the profile is ranked by its default, as long as another has it. */
    private List<RankProfile> profiles(List<Place> places, List<TraceLine> trace) {
        String name = parameters.text(Parameter.PROFILE).orElse("default");
        if (!anyHas(consulted(places), schema -> schema.rankProfiles().containsKey(name))) {
            throw invalid(
                    "there is no rank profile '%s' in %s%s"
                            .formatted(
                                    name,
                                    places.stream().map(place -> place.schema().name()).toList(),
                                    hint(name, places, schema -> schema.rankProfiles().keySet())));
        }
        var profiles = new ArrayList<RankProfile>();
        for (Place place : places) {
            Map<String, RankProfile> byName = place.schema().rankProfiles();
            if (!byName.containsKey(name)) {
                trace.add(
                        TraceLine.now(
                                "Schema '%s' has no rank profile '%s': its default is used"
                                        .formatted(place.schema().name(), name)));
            }
            RankProfile profile = byName.getOrDefault(name, byName.get("default"));
            if (profile == null) {
                throw new IllegalStateException(place.schema().name() + " has no default profile");
            }
            profiles.add(
                    profile.usingModel(
                            parameters.truth(
                                    Parameter.SIGNIFICANCE_MODEL, profile.settings().usesModel())));
        }
        return profiles;
    }

    /** A query of one source may name what only schemas of other sources have. */
    private List<Place> consulted(List<Place> places) {
        return application.isNamed() ? places : application.everywhere();
    }

    private static String hint(
            String name, List<Place> places, Function<Schema, Set<String>> names) {
        return NearestName.hint(
                name,
                places.stream()
                        .flatMap(place -> names.apply(place.schema()).stream())
                        .distinct()
                        .toList());
    }

    private static boolean anyHas(List<Place> places, Predicate<Schema> condition) {
        for (Place place : places) {
            if (condition.test(place.schema())) {
                return true;
            }
        }
        return false;
    }

    private RankSettings.Statistics statistics(RankProfile profile) {
        return parameters
                .text(Parameter.STATISTICS)
                .or(() ->
                        Optional.ofNullable(
                                profile.settings().properties().get(STATISTICS_PROPERTY)))
                .map(text ->
                        Parameter.STATISTICS.read(
                                text, "group or none", TargetReader::statisticsIn))
                .orElse(RankSettings.Statistics.GROUP);
    }

    private static Optional<RankSettings.Statistics> statisticsIn(String text) {
        return switch (text) {
            case "group" -> Optional.of(RankSettings.Statistics.GROUP);
            case "none" -> Optional.of(RankSettings.Statistics.NONE);
            default -> Optional.empty();
        };
    }

    private SummarySettings summary(Place place, List<Place> places, List<String> fields) {
        String name = summaryName();
        if (!anyHas(consulted(places), schema -> schema.summaries().byName().containsKey(name))) {
            throw illegal(
                    "there is no document summary '%s' in %s%s"
                            .formatted(
                                    name,
                                    places.stream().map(each -> each.schema().name()).toList(),
                                    hint(
                                            name,
                                            places,
                                            schema -> schema.summaries().byName().keySet())));
        }
        return new SummarySettings(missingSummary(place).isEmpty() ? name : "default", fields);
    }

    private String summaryName() {
        return parameters.text(Parameter.SUMMARY).orElse("default");
    }

    /** Returns the name of the summary if the schema lacks it and another one has it. */
    private Optional<String> missingSummary(Place place) {
        String name = summaryName();
        boolean exists = place.schema().summaries().byName().containsKey(name);
        return exists ? Optional.empty() : Optional.of(name);
    }

    /** Returns the fields to show, empty for all; features are always shown. */
    private List<String> summaryFields(List<String> selected) {
        List<String> asked =
                selected.isEmpty() ? parameters.list(Parameter.SUMMARY_FIELDS) : selected;
        checkCount("fields to show", asked.size(), MAX_NAMES);
        var fields = new ArrayList<>(asked);
        fields.removeAll(SummaryNames.FEATURES);
        return fields.isEmpty() && !asked.isEmpty() ? List.of(SummaryNames.ID) : fields;
    }

    private static void checkCount(String what, int count, int max) {
        if (count > max) {
            throw invalid("found %d %s, max allowed: %d".formatted(count, what, max));
        }
    }

    /**
     * Returns the time that ranking takes for the present, in seconds since the epoch. A rank
     * property of the request has precedence over its parameter, and the parameter over a property
     * of the profile.
     */
    private long now(RankProfile profile, Map<String, String> properties) {
        long present = request.now().getEpochSecond();
        String property = properties.get(RankProfile.NOW);
        if (property != null) {
            return seconds(property);
        }
        Optional<String> freshness = parameters.text(Parameter.FRESHNESS);
        if (freshness.isPresent()) {
            return Parameter.FRESHNESS.read(
                    freshness.get(),
                    "seconds since the epoch, now or now-N",
                    time -> freshness(time, present));
        }
        String ofProfile = profile.settings().properties().get(RankProfile.NOW);
        return ofProfile == null ? present : seconds(ofProfile);
    }

    private static long seconds(String text) {
        try {
            return (long) Double.parseDouble(text.strip());
        } catch (NumberFormatException _) {
            throw illegal(
                    "rank property %s is '%s' where seconds since the epoch are expected"
                            .formatted(RankProfile.NOW, text));
        }
    }

    private static Optional<Long> freshness(String text, long present) {
        if (text.equalsIgnoreCase("now")) {
            return Optional.of(present);
        }
        if (text.matches("[0-9]{1,18}")) {
            return Optional.of(Long.parseLong(text));
        }
        return text.matches("now-[0-9]{1,18}")
                ? Optional.of(present - Long.parseLong(text.substring(4)))
                : Optional.empty();
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }

    private static IllegalQueryException invalid(String problem) {
        return new IllegalQueryException(ErrorCode.INVALID_PARAMETER, problem);
    }
}
