package org.crabro.container.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.container.query.SearchedApplication.Place;
import org.crabro.container.yql.FieldKind;
import org.crabro.container.yql.Grammar;
import org.crabro.container.yql.QueryContext;
import org.crabro.container.yql.SelectJson;
import org.crabro.container.yql.SimpleQueryParser;
import org.crabro.container.yql.YqlParser;
import org.crabro.container.yql.YqlQuery;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Turns the parameters of one request into a {@link SearchQuery}, or says what is wrong with them.
 */
public final class QueryBuilder {
    private static final List<Parameter> ONLY_IN_PROFILES =
            List.of(
                    Parameter.MAX_HITS,
                    Parameter.MAX_OFFSET,
                    Parameter.MAX_QUERY_ITEMS,
                    Parameter.GLOBAL_MAX_GROUPS);

    private static final int DEFAULT_HITS = 10;

    private static final String DEFAULT_TYPE = "weakAnd";

    private static final Set<String> TOKENIZATIONS = Set.of("", "internal", "linguistics");

    /** Listing features takes long, and is for people who look at them. */
    private static final Duration LISTING_TIMEOUT = Duration.ofMinutes(6);

    /** From these levels on traces tell of single conditions, and of single slices. */
    private static final int TRACED_CONDITIONS = 2;

    private static final int TRACED_SLICES = 4;

    private static final List<Parameter> SELECTING =
            List.of(Parameter.SELECT_WHERE, Parameter.SELECT_GROUPING, Parameter.SELECT_FIELDS);

    private static final List<Parameter> PROFILED_MATCHING = List.of(Parameter.TRACE_MATCHING);

    private static final List<Parameter> PROFILED_PHASES =
            List.of(Parameter.TRACE_FIRST_PHASE, Parameter.TRACE_SECOND_PHASE);

    /** How much of a query is shown as it was written. */
    private static final int WRITTEN_CHARS = 1_000;

    /** Of sources, and of fields to show. */
    private static final int MAX_NAMES = 1_000;

    /** A text of this many characters counts as an item more. */
    private static final int CHARS_PER_ITEM = 1_024;

    private static final String STATISTICS_PROPERTY = "ranking.statistics";

    private final SearchedApplication application;
    private final SearchSettings settings;
    private final QueryRequest request;
    private final RequestProfile profile;
    private final Parameters parameters;

    /** How many parts of the query were made so far: a bound on work before there is a tree. */
    private long items;

    /** Read when a word asks for it. */
    private @Nullable String language;

    private QueryBuilder(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        this.application = application;
        this.request = request;
        this.profile = RequestProfile.of(application.queryProfiles(), request.parameters());
        this.parameters = profile.parameters();
        this.settings = bounded(settings, profile.ofProfile());
    }

    /**
     * Returns what {@code request} asks for.
     *
     * @throws IllegalQueryException if it asks for nothing, or for what cannot be done
     */
    public static SearchQuery build(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        return new QueryBuilder(application, settings, request).query();
    }

    /**
     * Returns a condition that a searcher of the application adds to a request.
     *
     * @param condition as behind {@code where}
     * @throws IllegalQueryException if it is none
     */
    public static QueryNode condition(
            SearchedApplication application,
            SearchSettings settings,
            QueryRequest request,
            String condition) {
        var builder = new QueryBuilder(application, settings, request);
        try {
            return YqlParser.parse(
                            "select * from sources * where (" + condition + ")", builder.context())
                    .tree();
        } catch (YqlSyntaxException e) {
            throw illegal("filter '%s': %s".formatted(condition, e.getMessage()));
        }
    }

    /**
     * Returns how the result of a request is to be shown.
     *
     * @throws IllegalQueryException if it cannot be shown as it says
     */
    public static Presentation presentation(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        return new PresentationReader(
                        new QueryBuilder(application, settings, request).parameters, request)
                .presentation();
    }

    /** Bounds of windows and trees are those that the query profile says, where it does. */
    private static SearchSettings bounded(SearchSettings settings, Parameters profile) {
        return settings.withBounds(
                profile.count(Parameter.MAX_HITS).orElse(settings.maxHits()),
                profile.count(Parameter.MAX_OFFSET).orElse(settings.maxOffset()),
                profile.count(Parameter.MAX_QUERY_ITEMS).orElse(settings.maxQueryItems()));
    }

    private SearchQuery query() {
        checkParameters();
        Statement statement = statement();
        YqlQuery yql = statement.yql;
        int hits = hits(yql);
        int offset = offset(yql);
        Deadline deadline = deadline(yql);
        List<Place> places = places(statement);
        var groupings = new GroupingBuilder(parameters, profile.ofProfile());
        GroupingSettings grouping =
                groupings.settings(
                        yql.groupings(), places.size() == 1, settings.maxGroupingBytes());
        int traceLevel = traceLevel();
        var trace = new ArrayList<TraceLine>();
        if (traceLevel > 0) {
            trace.add(
                    TraceLine.now(
                            profile.name()
                                    .map(name -> "Using query profile '" + name + "'")
                                    .orElse("No query profile is used")));
            if (parameters.truth(Parameter.TRACE_QUERY, true)) {
                trace.add(TraceLine.now("Query as written: " + written()));
                trace.add(TraceLine.now("Query as parsed: " + QueryText.of(yql.tree())));
                groupings.trace().forEach(line -> trace.add(TraceLine.now(line)));
            }
        }
        List<Schema> schemas = schemas(places);
        List<SortKey> sorting = new SortingBuilder(parameters, schemas).keys(yql.sorting());
        List<Target> targets = targets(places, yql.summaryFields(), sorting, trace);
        return new SearchQuery(
                new LocationReader(parameters, schemas).narrowed(yql.tree()),
                settings.maxQueryItems(),
                targets,
                sorting,
                hits,
                offset,
                page(sorting, targets, offset),
                request.principal(),
                request.client(),
                deadline,
                parameters.truth(Parameter.SOFT_TIMEOUT, true),
                new PresentationReader(parameters, request).presentation(),
                traceLevel,
                grouping,
                collapse(places),
                RelatedTo.of(parameters),
                traceLevel > 0 ? trace : List.of());
    }

    private static List<Schema> schemas(List<Place> places) {
        var schemas = new ArrayList<Schema>(places.size());
        for (Place place : places) {
            schemas.add(place.schema());
        }
        return schemas;
    }

    /** A profile of a query, and an explanation, are traces that tell more. */
    private int traceLevel() {
        int level = parameters.count(Parameter.TRACE_LEVEL).orElse(0);
        int explained = parameters.count(Parameter.TRACE_EXPLAIN_LEVEL).orElse(0);
        if (parameters.truth(Parameter.TRACE_PROFILE, false) || isProfiled(PROFILED_PHASES)) {
            return Math.max(level, TRACED_SLICES);
        }
        return explained > 0 || isProfiled(PROFILED_MATCHING)
                ? Math.max(level, TRACED_CONDITIONS)
                : level;
    }

    private boolean isProfiled(List<Parameter> depths) {
        for (Parameter each : depths) {
            if (parameters.count(each).orElse(0) > 0) {
                return true;
            }
        }
        return false;
    }

    private String written() {
        return parameters
                .text(Parameter.YQL)
                .or(() -> parameters.text(Parameter.SELECT_WHERE))
                .or(() -> parameters.text(Parameter.QUERY))
                .map(text ->
                        text.length() > WRITTEN_CHARS
                                ? text.substring(0, WRITTEN_CHARS) + "…"
                                : text)
                .orElse("");
    }

    private void checkParameters() {
        if (request.parameters().hasAny(ONLY_IN_PROFILES)) {
            for (String name : request.parameters().values().keySet()) {
                if (Parameter.named(name).filter(ONLY_IN_PROFILES::contains).isPresent()) {
                    throw illegal("'" + name + "' cannot be set by a request");
                }
            }
        }
        for (Map.Entry<String, String> entry : parameters.values().entrySet()) {
            String name = entry.getKey();
            // Text that cannot be encoded cannot be sent to a content node, and is found nowhere.
            if (hasLoneSurrogate(entry.getValue())) {
                throw illegal("'" + name + "' holds half a surrogate pair");
            }
        }
        UnbuiltParameters.refuse(parameters.values());
        String chain = parameters.text(Parameter.SEARCH_CHAIN).orElse("default");
        if (!application.hasSearchChain(chain)) {
            throw invalid("there is no search chain '" + chain + "'");
        }
    }

    private static boolean hasLoneSurrogate(String text) {
        // Texts of vectors are long: all of this goes many characters at a time.
        return !new String(text.getBytes(UTF_8), UTF_8).equals(text);
    }

    /**
     * What is looked for.
     *
     * @param allSources whether it says that every source is meant, whatever the parameters say
     */
    private record Statement(YqlQuery yql, boolean allSources) {}

    private Statement statement() {
        Optional<String> yql = parameters.text(Parameter.YQL);
        Optional<String> words = parameters.text(Parameter.QUERY);
        Optional<String> where = parameters.text(Parameter.SELECT_WHERE);
        checkLanguages(yql.isPresent(), words.isPresent());
        if (where.isPresent() || parameters.text(Parameter.SELECT_GROUPING).isPresent()) {
            return selected(where.orElse("true"));
        }
        if (yql.isPresent() && !yql.get().isBlank()) {
            return parsed(yql.get());
        }
        if (words.isPresent() && type().equalsIgnoreCase("yql")) {
            return parsed(words.get());
        }
        if (words.isEmpty() && parameters.text(Parameter.RELATED_ID).isPresent()) {
            return new Statement(plain(recalled(new QueryNode.All()), List.of()), false);
        }
        QueryNode tree =
                userQuery()
                        .orElseThrow(() ->
                                new IllegalQueryException(
                                        ErrorCode.NULL_QUERY,
                                        "expected a statement in 'yql' or words in"
                                                + " 'query', but found neither"));
        return new Statement(plain(recalled(tree), List.of()), false);
    }

    private static YqlQuery plain(QueryNode tree, List<String> fields) {
        return new YqlQuery(
                tree,
                fields,
                List.of(),
                List.of(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
    }

    /** A query is said in one language. */
    private void checkLanguages(boolean hasYql, boolean hasWords) {
        if ((hasYql || hasWords) && parameters.hasAny(SELECTING)) {
            throw illegal(
                    "'%s' cannot be combined with 'select.where', 'select.grouping' and"
                                    .formatted(hasYql ? "yql" : "query")
                            + " 'select.fields'");
        }
        if (!hasWords && parameters.text(Parameter.FILTER).isPresent()) {
            throw invalid("'model.filter' can only be combined with a query string in 'query'");
        }
    }

    private Statement selected(String where) {
        try {
            List<String> fields =
                    parameters
                            .text(Parameter.SELECT_FIELDS)
                            .map(SelectJson::fields)
                            .orElse(List.of());
            return new Statement(
                    plain(recalled(SelectJson.where(where, context())), fields), false);
        } catch (YqlSyntaxException e) {
            throw illegal(String.valueOf(e.getMessage()));
        }
    }

    /** Words that must be there, or must not, whatever else is looked for; features see none. */
    private QueryNode recalled(QueryNode tree) {
        Optional<String> recall = parameters.text(Parameter.RECALL);
        if (recall.isEmpty()) {
            return tree;
        }
        SimpleQueryParser.Signed signed = signed(recall.get());
        if (!signed.others().isEmpty()) {
            throw invalid("recall: expected + or - before each word but found " + recall.get());
        }
        return narrowed(tree, signed);
    }

    private QueryNode filtered(QueryNode tree) {
        Optional<String> filter = parameters.text(Parameter.FILTER);
        if (filter.isEmpty()) {
            return tree;
        }
        SimpleQueryParser.Signed signed = signed(filter.get());
        QueryNode narrowed = narrowed(tree, signed);
        return signed.others().isEmpty() ? narrowed : new QueryNode.Rank(narrowed, signed.others());
    }

    private static QueryNode narrowed(QueryNode tree, SimpleQueryParser.Signed signed) {
        var all = new ArrayList<QueryNode>(List.of(tree));
        all.addAll(signed.required());
        QueryNode kept = all.size() == 1 ? tree : new QueryNode.And(all);
        return signed.excluded().isEmpty() ? kept : new QueryNode.Without(kept, signed.excluded());
    }

    private SimpleQueryParser.Signed signed(String text) {
        return SimpleQueryParser.signed(
                text, parameters.text(Parameter.DEFAULT_INDEX).orElse("default"), context());
    }

    private Collapse collapse(List<Place> places) {
        int size = parameters.count(Parameter.COLLAPSE_SIZE).orElse(1);
        var fields = new ArrayList<Collapse.Field>();
        for (String name : parameters.list(Parameter.COLLAPSE_FIELD)) {
            Optional<String> own = parameters.named("collapsesize." + name);
            fields.add(
                    new Collapse.Field(
                            name,
                            own.map(text ->
                                            Parameter.COLLAPSE_SIZE.read(
                                                    text,
                                                    "a whole number from 0 on",
                                                    Parameters::countIn))
                                    .orElse(size)));
        }
        Optional<String> summary = parameters.text(Parameter.COLLAPSE_SUMMARY);
        if (summary.isPresent()
                && places.stream()
                        .noneMatch(
                                place -> place.schema().summaries().containsKey(summary.get()))) {
            throw illegal("collapse.summary: there is no document summary '" + summary.get() + "'");
        }
        return fields.isEmpty() ? Collapse.NONE : new Collapse(fields, summary);
    }

    private Statement parsed(String yql) {
        try {
            YqlQuery query = YqlParser.parse(yql, context());
            return new Statement(query.withTree(recalled(query.tree())), query.sources().isEmpty());
        } catch (YqlSyntaxException e) {
            ErrorCode code =
                    switch (e.kind()) {
                        case STATEMENT -> ErrorCode.INVALID_PARAMETER;
                        case VALUE -> ErrorCode.ILLEGAL_QUERY;
                    };
            throw new IllegalQueryException(code, String.valueOf(e.getMessage()));
        }
    }

    private QueryContext context() {
        return new QueryContext() {
            @Override
            public Optional<String> parameter(String name) {
                return parameters.named(name);
            }

            @Override
            public FieldKind fieldKind(String name) {
                return application.fieldKind(name);
            }

            @Override
            public Optional<String> unlisted(String name) {
                return application.unlisted(name);
            }

            @Override
            public void count(int chars) {
                items += 1 + chars / CHARS_PER_ITEM;
                if (items > settings.maxQueryItems()) {
                    throw invalid(
                            "the query has more items than allowed: " + settings.maxQueryItems());
                }
            }

            @Override
            public String language() {
                return QueryBuilder.this.language();
            }

            @Override
            public boolean stems() {
                return QueryBuilder.this.stems();
            }

            @Override
            public String grammar() {
                return parameters.truth(Parameter.TYPE_OF_YQL, false) ? type() : DEFAULT_TYPE;
            }

            @Override
            public Optional<QueryNode> userQuery() {
                return QueryBuilder.this.userQuery();
            }
        };
    }

    private Optional<QueryNode> userQuery() {
        Grammar grammar = grammar();
        return SimpleQueryParser.parse(
                        parameters.text(Parameter.QUERY).orElse(""),
                        grammar,
                        parameters.text(Parameter.DEFAULT_INDEX).orElse("default"),
                        context(),
                        TermSettings.DEFAULT.with(stems(), language()))
                .map(this::filtered);
    }

    /** Returns the language of the query's words, as a tag; empty where nobody said it. */
    private String language() {
        String known = language;
        if (known == null) {
            known = new SortingBuilder(parameters, List.of()).language().orElse("");
            language = known;
        }
        return known;
    }

    private boolean stems() {
        return !parameters.truth(Parameter.NO_STEMMING, false);
    }

    private String type() {
        return parameters.text(Parameter.TYPE).orElse(DEFAULT_TYPE);
    }

    private Grammar grammar() {
        String tokenization = parameters.text(Parameter.TYPE_TOKENIZATION).orElse("");
        Grammar named =
                Grammar.of(type()).orElseThrow(() -> illegal("No query type '" + type() + "'"));
        Grammar grammar =
                named.with(
                                parameters.text(Parameter.TYPE_COMPOSITE).orElse(""),
                                parameters.text(Parameter.TYPE_SYNTAX).orElse(""))
                        .orElseThrow(() ->
                                illegal(
                                        "expected one of %s as model.type.composite, and one of %s as model.type.syntax"
                                                .formatted(Grammar.COMPOSITES, Grammar.SYNTAXES)));
        if (!TOKENIZATIONS.contains(tokenization.toLowerCase(Locale.ROOT))) {
            throw illegal("expected internal or linguistics as model.type.tokenization");
        }
        if (tokenization.equalsIgnoreCase("linguistics")
                && grammar.syntax() != Grammar.Syntax.NONE) {
            throw illegal("model.type.tokenization: linguistics needs the syntax none");
        }
        return grammar;
    }

    private int hits(YqlQuery yql) {
        int asked = parameters.count(Parameter.HITS).orElse(DEFAULT_HITS);
        if (yql.hits().isEmpty()) {
            checkWindow("hits", asked, settings.maxHits(), ErrorCode.ILLEGAL_QUERY);
        } else {
            asked = yql.hits().getAsInt();
            checkWindow("hits", asked, settings.maxHits(), ErrorCode.INVALID_PARAMETER);
        }
        return parameters.truth(Parameter.HIT_COUNT_ESTIMATE, false) ? 0 : asked;
    }

    private int offset(YqlQuery yql) {
        int asked = parameters.count(Parameter.OFFSET).orElse(0);
        if (yql.offset().isEmpty() && yql.limit().isEmpty()) {
            checkWindow("offset", asked, settings.maxOffset(), ErrorCode.ILLEGAL_QUERY);
            return asked;
        }
        asked = yql.offset().orElse(0);
        checkWindow("offset", asked, settings.maxOffset(), ErrorCode.INVALID_PARAMETER);
        return asked;
    }

    private SearchQuery.Page page(List<SortKey> sorting, List<Target> targets, int offset) {
        Optional<String> after = parameters.text(Parameter.AFTER);
        if (after.isEmpty()) {
            return SearchQuery.Page.COUNTED;
        }
        if (offset > 0) {
            throw illegal("'after' and 'offset' cannot be combined");
        }
        if (!parameters.list(Parameter.COLLAPSE_FIELD).isEmpty()) {
            throw illegal("'after' and 'collapsefield' cannot be combined: page by 'offset'");
        }
        boolean isRankedAgain =
                sorting.isEmpty()
                        && targets.stream()
                                .anyMatch(target ->
                                        target.global().isPresent()
                                                || target.ranking()
                                                        .limits()
                                                        .rerankCount()
                                                        .isPresent());
        if (isRankedAgain) {
            throw illegal("'after': hits that are ranked again are paged by 'offset'");
        }
        return new SearchQuery.Page(
                true,
                after.filter(text -> !text.isBlank())
                        .map(text -> Cursor.parse(text.strip(), sorting)));
    }

    private static void checkWindow(String name, int asked, int max, ErrorCode code) {
        if (asked > max) {
            throw new IllegalQueryException(
                    code, "requested %s: %d, max allowed: %d".formatted(name, asked, max));
        }
    }

    private Deadline deadline(YqlQuery yql) {
        Duration asked =
                yql.timeout()
                        .or(() -> parameters.time(Parameter.TIMEOUT))
                        .or(() ->
                                parameters.truth(Parameter.LIST_FEATURES, false)
                                        ? Optional.of(LISTING_TIMEOUT)
                                        : application.defaultTimeout())
                        .orElse(settings.defaultTimeout());
        Duration timeout =
                asked.compareTo(settings.maxTimeout()) > 0 ? settings.maxTimeout() : asked;
        return new Deadline(
                request.arrivalNanos() + (long) (timeout.toNanos() * softTimeoutFactor()),
                request.cancellation());
    }

    /** Returns which part of the time content nodes have; what they found then is the answer. */
    private double softTimeoutFactor() {
        OptionalDouble factor = parameters.decimal(Parameter.SOFT_TIMEOUT_FACTOR);
        if (factor.isEmpty() || !parameters.truth(Parameter.SOFT_TIMEOUT, true)) {
            return 1;
        }
        if (factor.getAsDouble() <= 0 || factor.getAsDouble() > 1) {
            throw illegal(
                    "Could not set '%s': expected a number above 0 and up to 1"
                            .formatted(Parameter.SOFT_TIMEOUT_FACTOR.shown()));
        }
        return factor.getAsDouble();
    }

    private List<Place> places(Statement statement) {
        var sources = new ArrayList<String>();
        if (!statement.allSources) {
            sources.addAll(parameters.list(Parameter.SOURCES));
            sources.addAll(statement.yql.sources());
        }
        checkCount("sources", sources.size(), MAX_NAMES);
        return TargetPlaces.find(
                application.places(), sources, parameters.list(Parameter.RESTRICT));
    }

    private List<Target> targets(
            List<Place> places, List<String> fields, List<SortKey> sorting, List<TraceLine> trace) {
        var phases = new PhaseReader(parameters);
        ScopeReader scopes =
                ScopeReader.of(
                        parameters, application.selectionTypes(), request.principal().groups());
        List<RankProfile> profiles = profiles(places, trace);
        var inputs =
                new InputReader(parameters, application.embedders(), settings.maxEmbeddedChars());
        var given = new OverridesReader(parameters);
        RankOverrides overrides = given.overrides();
        if (!overrides.features().isEmpty()) {
            places.forEach(place -> given.check(place.schema()));
        }
        Marking marking = new PresentationReader(parameters, request).marking();
        Collapse collapse = collapse(places);
        long now = now();
        List<String> summaryFields = summaryFields(fields);
        var targets = new ArrayList<Target>();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            RankProfile profile = profiles.get(i);
            Map<String, QueryInput> values = inputs.read(profile, profiles);
            targets.add(
                    new Target(
                            place.cluster(),
                            place.schema(),
                            place.mode(),
                            scopes.scope(place.mode()),
                            profile,
                            new RankSettings(
                                    profile.name(),
                                    values,
                                    statistics(profile),
                                    now,
                                    phases.limits(profile),
                                    overrides),
                            phases.global(profile, sorting),
                            summary(place, places, summaryFields, trace)
                                    .withBesides(collapse.sources(place.schema()))
                                    .with(marking)));
        }
        return targets;
    }

    /** A schema that lacks the profile is ranked by its default, as long as another has it. */
    private List<RankProfile> profiles(List<Place> places, List<TraceLine> trace) {
        String name = parameters.text(Parameter.PROFILE).orElse("default");
        if (!anyHas(places, schema -> schema.rankProfiles().containsKey(name))) {
            throw invalid(
                    "there is no rank profile '%s' in %s"
                            .formatted(
                                    name,
                                    places.stream().map(place -> place.schema().name()).toList()));
        }
        var profiles = new ArrayList<RankProfile>();
        for (Place place : places) {
            Map<String, RankProfile> known = place.schema().rankProfiles();
            if (!known.containsKey(name)) {
                trace.add(
                        TraceLine.now(
                                "Schema '%s' has no rank profile '%s': its default is used"
                                        .formatted(place.schema().name(), name)));
            }
            RankProfile profile = known.getOrDefault(name, known.get("default"));
            if (profile == null) {
                throw new IllegalStateException(place.schema().name() + " has no default profile");
            }
            profiles.add(
                    profile.usingModel(
                            parameters.truth(Parameter.SIGNIFICANCE_MODEL, profile.usesModel())));
        }
        return profiles;
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
                .or(() -> Optional.ofNullable(profile.properties().get(STATISTICS_PROPERTY)))
                .map(text ->
                        Parameter.STATISTICS.read(
                                text, "group or none", QueryBuilder::statisticsIn))
                .orElse(RankSettings.Statistics.GROUP);
    }

    private static Optional<RankSettings.Statistics> statisticsIn(String text) {
        return switch (text) {
            case "group" -> Optional.of(RankSettings.Statistics.GROUP);
            case "none" -> Optional.of(RankSettings.Statistics.NONE);
            default -> Optional.empty();
        };
    }

    private SummarySettings summary(
            Place place, List<Place> places, List<String> fields, List<TraceLine> trace) {
        String name = parameters.text(Parameter.SUMMARY).orElse("default");
        if (!anyHas(places, schema -> schema.summaries().containsKey(name))) {
            throw illegal(
                    "there is no document summary '%s' in %s"
                            .formatted(
                                    name,
                                    places.stream().map(each -> each.schema().name()).toList()));
        }
        boolean known = place.schema().summaries().containsKey(name);
        if (!known) {
            trace.add(
                    TraceLine.now(
                            "Schema '%s' has no document summary '%s': its default is used"
                                    .formatted(place.schema().name(), name)));
        }
        return new SummarySettings(known ? name : "default", fields);
    }

    /** Returns the fields to show, empty for all; features are shown whatever is asked for. */
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

    /** Returns the time that ranking takes for the present, in seconds since the epoch. */
    private long now() {
        long present = request.now().getEpochSecond();
        return parameters
                .text(Parameter.FRESHNESS)
                .map(text ->
                        Parameter.FRESHNESS.read(
                                text,
                                "seconds since the epoch, now or now-N",
                                time -> freshness(time, present)))
                .orElse(present);
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
