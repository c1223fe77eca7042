package org.crabro.container.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.container.query.SearchedApplication.Place;
import org.crabro.container.query.StatementReader.Statement;
import org.crabro.container.yql.YqlQuery;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.onnx.RunDeadline;

/**
 * Converts the parameters of one request to a {@link SearchQuery}, in phases. Each phase is a
 * reader: {@link ParameterChecks}, {@link StatementReader}, {@link RulesReader}, {@link
 * WindowReader}, {@link DeadlineReader}, {@link TargetReader}, {@link GroupingBuilder}, {@link
 * TraceReader}, {@link SortingBuilder}, {@link LocationReader}, {@link GramReader}, {@link
 * PresentationReader}.
 */
public final class QueryBuilder {
    private final SearchedApplication application;
    private final SearchSettings settings;
    private final QueryRequest request;
    private final RequestProfile profile;
    private final Parameters asked;
    private final RequestContext context;
    private final StatementReader statements;

    private QueryBuilder(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        this.application = application;
        this.request = request;
        this.profile = RequestProfile.of(application.queryProfiles(), request.parameters());
        this.asked = profile.parameters();
        this.settings = bounded(settings, profile.ofProfile());
        this.context =
                new RequestContext(
                        application, asked, this.settings.query().maxQueryItems(), request.now());
        this.statements = new StatementReader(asked, context);
    }

    /**
     * Returns the query of {@code request}.
     *
     * @throws IllegalQueryException if the request has no query, or a wrong one
     */
    public static SearchQuery build(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        return new QueryBuilder(application, settings, request).query();
    }

    /**
     * Returns what a federation reads of a request, which needs no query.
     *
     * @throws IllegalQueryException if a value is wrong
     */
    public static RequestOutline outline(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        return new QueryBuilder(application, settings, request).outline();
    }

    /**
     * Returns a condition that a searcher of the application adds to a request.
     *
     * @param condition in YQL, as after {@code where}
     * @throws IllegalQueryException if it is no condition
     */
    public static QueryNode condition(
            SearchedApplication application,
            SearchSettings settings,
            QueryRequest request,
            String condition) {
        var builder = new QueryBuilder(application, settings, request);
        return new GramReader(builder.asked).applied(builder.statements.condition(condition));
    }

    /**
     * Returns how the result of a request is shown.
     *
     * @throws IllegalQueryException if the request asks for an unknown presentation
     */
    public static Presentation presentation(
            SearchedApplication application, SearchSettings settings, QueryRequest request) {
        return new QueryBuilder(application, settings, request).presentation();
    }

    /** Returns the settings with the bounds of windows and trees that the query profile sets. */
    private static SearchSettings bounded(SearchSettings settings, Parameters profile) {
        return settings.withBounds(
                profile.count(Parameter.MAX_HITS).orElse(settings.query().maxHits()),
                profile.count(Parameter.MAX_OFFSET).orElse(settings.query().maxOffset()),
                profile.count(Parameter.MAX_QUERY_ITEMS).orElse(settings.query().maxQueryItems()));
    }

    private RequestOutline outline() {
        Optional<Statement> statement = statements.inYql();
        YqlQuery.Window window =
                statement.map(each -> each.yql().window()).orElse(YqlQuery.Window.NONE);
        var windows = new WindowReader(asked, settings);
        return new RequestOutline(
                TargetReader.sources(asked, statement),
                asked.list(Parameter.RESTRICT),
                new QueryOutput.Window(windows.count(window), windows.offset(window)),
                deadline(asked, statement.flatMap(each -> each.yql().timeout())),
                asked);
    }

    private Deadline deadline(Parameters parameters, Optional<Duration> ofStatement) {
        return new DeadlineReader(parameters, request, settings, application.defaultTimeout())
                .deadline(ofStatement);
    }

    private SearchQuery query() {
        ParameterChecks.check(request.parameters(), asked, application);
        if (context.isStrict()) {
            StrictChecks.names(request.parameters(), profile);
        }
        Statement written = statements.statement();
        RulesReader.Ruled ruled =
                new RulesReader(
                                application.rules(),
                                asked,
                                context,
                                settings.query().maxQueryItems())
                        .ruled(written.yql().tree());
        return query(written, ruled.parameters(), written.with(ruled.tree()), ruled.trace());
    }

    /**
     * Returns the query.
     *
     * @param written the statement as the request contains it
     * @param parameters those of the request, and those that rules set
     * @param statement the statement after the rules
     * @param rules what the rules did
     */
    private SearchQuery query(
            Statement written, Parameters parameters, Statement statement, List<String> rules) {
        YqlQuery yql = statement.yql();
        var windows = new WindowReader(parameters, settings);
        int count = windows.count(yql.window());
        int offset = windows.offset(yql.window());
        var caller =
                new QueryCaller(
                        request.sender().principal(),
                        request.sender().client(),
                        deadline(parameters, yql.timeout()),
                        parameters.truth(Parameter.SOFT_TIMEOUT, true));
        var targetReader =
                new TargetReader(
                        application,
                        parameters,
                        request,
                        settings.query().maxEmbeddedChars(),
                        caller.deadline());
        var problems = new ArrayList<ResultError>();
        List<Place> places = targetReader.places(statement, problems);
        var groupings = new GroupingBuilder(parameters, profile.ofProfile());
        GroupingSettings grouping =
                groupings.settings(
                        yql.groupings(),
                        places.size() == 1 && !application.isOneOfSeveral(),
                        settings.query().maxGroupingBytes());
        var traces = new TraceReader(parameters);
        int traceLevel = traces.level();
        List<TraceLine> trace =
                traceLevel > 0
                        ? traces.lines(
                                profile.name(),
                                statements.written(),
                                written.yql().tree(),
                                groupings.trace())
                        : new ArrayList<>();
        rules.forEach(line -> trace.add(TraceLine.now(line)));
        if (traceLevel > 0) {
            StrictChecks.ignored(request.parameters(), profile)
                    .forEach(name ->
                            trace.add(
                                    TraceLine.now(
                                            "Parameter '%s' is unknown and has no effect"
                                                    .formatted(name))));
            context.ignored()
                    .forEach(name ->
                            trace.add(
                                    TraceLine.now(
                                            "Annotation '%s' is unknown and has no effect"
                                                    .formatted(name))));
        }
        List<Schema> schemas = places.stream().map(Place::schema).toList();
        List<SortKey> sorting = new SortingBuilder(parameters, schemas).keys(yql.sorting());
        Collapse collapse = Collapse.of(parameters, places);
        if (context.isStrict()) {
            StrictChecks.problems(problems);
            StrictChecks.sorting(sorting, schemas);
            StrictChecks.shown(yql.select().fields(), schemas);
            StrictChecks.shown(parameters.list(Parameter.SUMMARY_FIELDS), schemas);
        }
        // Embedders wait for a free core until then.
        List<Target> targets =
                RunDeadline.within(
                        caller.deadline().nanos(),
                        () ->
                                targetReader.targets(
                                        places, yql.select().fields(), sorting, collapse, trace));
        return new SearchQuery(
                new QueryCondition(
                        new GramReader(parameters)
                                .applied(
                                        new LocationReader(parameters, schemas)
                                                .narrowed(yql.tree())),
                        settings.query().maxQueryItems(),
                        RelatedTo.of(parameters)),
                targets,
                new HitSelection(
                        sorting, count, offset, windows.page(sorting, targets, offset), collapse),
                grouping,
                caller,
                new QueryOutput(
                        new PresentationReader(parameters, request).presentation(),
                        traceLevel,
                        traceLevel > 0 ? trace : List.of(),
                        new QueryOutput.Window(count, offset),
                        problems,
                        traces.plan(request.arrivalNanos())));
    }

    private Presentation presentation() {
        return new PresentationReader(asked, request).presentation();
    }
}
