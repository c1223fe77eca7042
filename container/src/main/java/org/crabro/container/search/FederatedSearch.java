package org.crabro.container.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.config.component.Federation;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.QueryOutput.Window;
import org.crabro.container.query.RequestOutline;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.search.SourceChoice.Chosen;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the sources of a federation concurrently, each on a virtual thread, and puts their results
 * together. It waits for sources that are not optional until the longest of their timeouts. The
 * results of optional sources count if they are there by then. No source has more time than the
 * request.
 */
final class FederatedSearch {
    private static final Logger LOG = LoggerFactory.getLogger(FederatedSearch.class);

    /** The sources that one federation asks at the same time; further ones wait. */
    private static final int AT_ONCE = 32;

    /** A source that ends at its deadline needs this time to return what it found. */
    private static final Duration RETURN = Duration.ofMillis(100);

    private final OwnSearch search;
    private final Federation federation;
    private final boolean blends;

    /**
     * @param blends whether the hits of all sources are one list
     */
    FederatedSearch(OwnSearch search, Federation federation, boolean blends) {
        this.search = search;
        this.federation = federation;
        this.blends = blends;
    }

    /**
     * A source that is asked.
     *
     * @param query the query of the source
     * @param until when the federation stops waiting, on the scale of {@link System#nanoTime()}
     */
    private record Call(
            Chosen source,
            OwnQuery query,
            long until,
            AtomicBoolean isAbandoned,
            FutureTask<Result> task) {}

    /**
     * Returns the result of all sources.
     *
     * @param beside the result of steps after the federation, if there are any
     * @throws IllegalQueryException if the request is wrong
     */
    Result result(OwnQuery query, Optional<Result> beside) {
        RequestOutline outline = query.outline();
        var choice = new SourceChoice(search.chains(), federation, outline);
        List<Chosen> chosen = choice.chosen();
        boolean isOne = chosen.size() == 1 && beside.isEmpty();
        boolean isBlended = blends && !isOne;
        var merged = new MergedSources(search.results(), outline, isBlended, !isOne && !blends);
        choice.errors().forEach(merged::add);
        beside.ifPresent(merged::add);
        boolean allOptional = chosen.stream().allMatch(each -> each.options().isOptional());
        var calls = new ArrayList<Call>();
        for (Chosen source : chosen) {
            boolean isOptional = source.options().isOptional() && !allOptional;
            try {
                calls.add(call(source, query, outline, isBlended));
            } catch (IllegalQueryException e) {
                merged.add(source, isOptional, Result.failed(search.results().shown(e.error())));
            }
        }
        start(calls, isOne);
        long now = System.nanoTime();
        List<Call> waiting =
                calls.stream()
                        .filter(call -> allOptional || !call.source.options().isOptional())
                        .sorted(Comparator.comparingLong((Call call) -> now - call.until))
                        .toList();
        var results = new IdentityHashMap<Call, Optional<Result>>();
        waiting.forEach(call -> results.put(call, waited(call)));
        for (Call call : calls) {
            boolean isOptional = !results.containsKey(call);
            Optional<Result> result =
                    isOptional ? ready(call) : results.getOrDefault(call, Optional.empty());
            if (result.isPresent()) {
                merged.add(call.source, call.query, isOptional, result.get());
            } else {
                merged.addTimedOut(call.source, isOptional);
            }
        }
        return merged.result();
    }

    private static long left(Call call) {
        return call.until - System.nanoTime();
    }

    private Call call(Chosen source, OwnQuery query, RequestOutline outline, boolean isBlended) {
        if (!search.mayAsk()) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "a request may ask at most %,d sources".formatted(OwnSearch.SOURCES_MAX));
        }
        Map<String, String> own =
                SourceParameters.of(outline.parameters(), source.name(), source.provider());
        own.remove("provider");
        var said = new Parameters(own);
        Window window =
                isBlended
                        ? new Window(outline.window().hits() + outline.window().offset(), 0)
                        : outline.window();
        OptionalInt hits = said.count(Parameter.HITS);
        OptionalInt offset = said.count(Parameter.OFFSET);
        check("hits", hits, search.settings().query().maxHits());
        check("offset", offset, search.settings().query().maxOffset());
        var isAbandoned = new AtomicBoolean();
        long now = System.nanoTime();
        Deadline whole = outline.deadline();
        long until = earlier(now, source.options().timeout(), whole.nanos());
        long ownEnd =
                source.options().requestTimeout().isPresent()
                        ? earlier(now, source.options().requestTimeout(), whole.nanos())
                        : until;
        var share =
                new OwnQuery.Share(
                        new Window(hits.orElse(window.hits()), offset.orElse(window.offset())),
                        new Deadline(
                                ownEnd,
                                () -> isAbandoned.get() || whole.cancellation().isCancelled()),
                        said.named(Parameter.SOURCES.shown()).stream()
                                .flatMap(names -> List.of(names.split(",", -1)).stream())
                                .map(String::strip)
                                .filter(name -> !name.isEmpty())
                                .toList());
        SearchedApplication part =
                search.part(source.chain(), search.chains().application().chosen());
        OwnQuery asked =
                query.of(
                        parameters(source, query.requested(), own),
                        share,
                        isBlended ? part.asOneOfSeveral() : part);
        return new Call(
                source,
                asked,
                until,
                isAbandoned,
                new FutureTask<>(() -> search.runAsSource(source.chain(), asked)));
    }

    private static long earlier(long now, Optional<Duration> timeout, long end) {
        return timeout.isPresent() && now + timeout.get().toNanos() - end < 0
                ? now + timeout.get().toNanos()
                : end;
    }

    private static void check(String name, OptionalInt asked, int max) {
        if (asked.orElse(0) > max) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "requested %s: %d, max allowed: %d".formatted(name, asked.getAsInt(), max));
        }
    }

    private static Parameters parameters(
            Chosen source, Parameters request, Map<String, String> own) {
        var values = new LinkedHashMap<>(request.values());
        // The federation has chosen the sources.
        OwnQuery.remove(values, Parameter.SOURCES.shown());
        if (!source.chain().stems()) {
            put(values, Parameter.NO_STEMMING.shown(), "true");
        }
        if (!source.restrict().isEmpty()) {
            put(values, Parameter.RESTRICT.shown(), String.join(",", source.restrict()));
        }
        own.forEach((name, value) -> put(values, name, value));
        return new Parameters(values);
    }

    private static void put(Map<String, String> values, String name, String value) {
        OwnQuery.remove(values, name);
        values.put(name, value);
    }

    private void start(List<Call> calls, boolean isOne) {
        if (isOne && calls.stream().allMatch(call -> call.source.options().timeout().isEmpty())) {
            calls.forEach(call -> call.task.run());
            return;
        }
        var turns = new Semaphore(AT_ONCE);
        for (Call call : calls) {
            Thread.ofVirtual().name("source " + call.source.name()).start(() -> run(call, turns));
        }
    }

    private static void run(Call call, Semaphore turns) {
        try {
            if (turns.tryAcquire(Math.max(0, left(call)), TimeUnit.NANOSECONDS)) {
                try {
                    call.task.run();
                } finally {
                    turns.release();
                }
            }
        } catch (InterruptedException e) {
            // Nothing interrupts these threads.
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the result of a source; empty if its time runs out. */
    private Optional<Result> waited(Call call) {
        try {
            long nanos = Math.max(0, left(call) + RETURN.toNanos());
            return Optional.of(call.task.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            abandon(call);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(failed(call, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon(call);
            return Optional.empty();
        }
    }

    /** Returns the result of a source; empty if it is not there. */
    private Optional<Result> ready(Call call) {
        if (call.task.isDone()) {
            return waited(call);
        }
        abandon(call);
        return Optional.empty();
    }

    /** Stops a source, unless the package lets it run longer than the federation waits. */
    private static void abandon(Call call) {
        if (call.source.options().requestTimeout().isEmpty()) {
            call.isAbandoned.set(true);
        }
    }

    private static Result failed(Call call, ExecutionException failure) {
        if (failure.getCause() instanceof StackOverflowError tooDeep) {
            throw tooDeep;
        }
        LOG.error("source '{}' failed", call.source.name(), failure.getCause());
        return Result.failed(
                new QueryError(QueryError.Kind.FAILED, "Failed: see the server's log"));
    }
}
