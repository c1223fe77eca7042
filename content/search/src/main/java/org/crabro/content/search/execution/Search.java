package org.crabro.content.search.execution;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.group.GroupMemoryFullException;
import org.crabro.content.search.match.ScanMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.parent.ParentViews;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers searches on a content node. Safe for use by many threads.
 *
 * <p>Only platform threads scan blocks. A caller on a platform thread leads its own search. A
 * caller on a virtual thread waits for a thread of the pool that leads the search. {@link
 * ScanThreads#share} threads work for a search: all cores of an idle node, one core of a busy node.
 * {@link ScanScheduler} limits how many searches run at a time.
 */
public final class Search {
    /**
     * The most word counts that a thread holds at a time, of 4 bytes each. If a query has so many
     * words that a block needs more counts, the block is scanned in parts.
     */
    static final int COUNTS_MAX = 1 << 20;

    /** The scans whose memory later scans use; a search has two at a time on each thread. */
    private static final int MEMORIES_PER_CORE = 4;

    private static final String STOPPING = "the node is being stopped";

    private static final Logger LOG = LoggerFactory.getLogger(Search.class);

    /** The most damaged places that are logged once; others are logged each time. */
    private static final int PLACES_LOGGED_ONCE = 1_024;

    private final ScanThreads threads;
    private final SearchResources resources;
    private final ScanScheduler turns;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder deviceBytes = new LongAdder();
    private final LongAdder setAside = new LongAdder();
    private final Set<String> loggedPlaces = ConcurrentHashMap.newKeySet();

    /**
     * Searches without caches of blocks, with default limits.
     *
     * @param pool as {@link ScanThreads} describes it
     * @param ahead reads blocks into memory before a thread scans them
     * @param cores how many processors the searches share, at least 1
     * @param ceiling the most threads that one search gets, at least 1
     */
    public Search(Executor pool, ReadAhead ahead, int cores, int ceiling) {
        this(
                new ScanThreads(pool, cores, ceiling),
                ahead,
                BlockCaches.none(),
                GroupMemory.bytesByDefault(),
                ScanLimits.DEFAULT);
    }

    /**
     * @param ahead reads blocks into memory before a thread scans them
     * @param blockCaches the caches of blocks
     * @param groupBytes the most memory that the groups of all searches take together
     * @param limits how many searches run and wait
     */
    public Search(
            ScanThreads threads,
            ReadAhead ahead,
            BlockCaches blockCaches,
            long groupBytes,
            ScanLimits limits) {
        this(
                threads,
                resources(
                        threads,
                        ahead,
                        blockCaches,
                        new GroupMemory(groupBytes),
                        System::nanoTime,
                        COUNTS_MAX),
                new ScanScheduler(limits, threads.cores(), System::nanoTime));
    }

    /**
     * @param groupMemory the memory for the groups of all searches
     * @param nanoTime the clock of deadlines, in nanoseconds
     * @param countsMax the most word counts that a thread holds at a time
     */
    Search(
            ScanThreads threads,
            ReadAhead ahead,
            BlockCaches blockCaches,
            GroupMemory groupMemory,
            LongSupplier nanoTime,
            int countsMax) {
        this(
                threads,
                resources(threads, ahead, blockCaches, groupMemory, nanoTime, countsMax),
                new ScanScheduler(ScanLimits.DEFAULT, threads.cores(), System::nanoTime));
    }

    private Search(ScanThreads threads, SearchResources resources, ScanScheduler turns) {
        this.threads = threads;
        this.resources = resources;
        this.turns = turns;
    }

    private static SearchResources resources(
            ScanThreads threads,
            ReadAhead ahead,
            BlockCaches blockCaches,
            GroupMemory groupMemory,
            LongSupplier nanoTime,
            int countsMax) {
        return new SearchResources(
                threads.pool(),
                ahead,
                countsMax,
                groupMemory,
                new SearchResources.Caches(
                        blockCaches,
                        new RankProgramCache(),
                        new ScanMemory.Pool(MEMORIES_PER_CORE * threads.cores())),
                new SearchResources.Clock(nanoTime, new AtomicBoolean()));
    }

    /**
     * Searches views and closes them, even if the search fails. It returns when no thread uses the
     * views any more.
     *
     * @param schema the schema of the type that the request names
     * @param views one per partition that the request names
     */
    public SearchReply run(SearchRequest request, Schema schema, List<View> views) {
        return run(
                request,
                schema,
                Schema.selectable(List.of(schema)),
                ModelRuns.none(),
                ParentViews.NONE,
                views);
    }

    /**
     * Searches as {@link #run(SearchRequest, Schema, List)} does.
     *
     * @param types the types that a selection of the scope may name
     * @param models the models that rank profiles run; the caller closes them after the search
     * @param others the documents whose fields the schema imports
     */
    public SearchReply run(
            SearchRequest request,
            Schema schema,
            SelectionTypes types,
            ModelRuns models,
            ParentViews others,
            List<View> views) {
        int queries = inFlight.incrementAndGet();
        MemoryShare memory = MemoryShare.current();
        var parents = Parents.of(schema.names().imports(), others, request.header().principal());
        try (parents) {
            return switch (turns.begin(request.header().client(), request.header().deadline())) {
                case ScanScheduler.Start.TooLate() -> new SearchReply.TimedOut();
                case ScanScheduler.Start.Refused(var reason) -> new SearchReply.Overloaded(reason);
                case ScanScheduler.Turn turn -> {
                    try {
                        var type = new SearchedType(schema, types, models, parents);
                        int share = threads.share(queries);
                        yield led(
                                turn,
                                () -> memory.call(() -> answer(request, type, views, turn, share)));
                    } finally {
                        turn.end();
                    }
                }
            };
        } catch (RejectedExecutionException e) {
            return new SearchReply.Failed(STOPPING);
        } catch (CompletionException e) {
            throw unwrapped(e);
        } finally {
            inFlight.decrementAndGet();
            views.forEach(View::close);
        }
    }

    /**
     * Answers on the calling thread if it is a platform thread, otherwise on a thread of the pool.
     */
    private SearchReply led(ScanScheduler.Turn turn, Supplier<SearchReply> answer) {
        if (!Thread.currentThread().isVirtual()) {
            return answer.get();
        }
        return CompletableFuture.supplyAsync(
                        () -> {
                            turn.lead();
                            return answer.get();
                        },
                        threads.pool())
                .join();
    }

    /** Returns the exception of a thread of the pool, for the thread that waits for it. */
    private static RuntimeException unwrapped(CompletionException e) {
        return switch (e.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> e;
        };
    }

    /** Ends all searches that run or begin later, inside a row too. */
    public void stop() {
        resources.clock().stopping().set(true);
    }

    private boolean isStopping() {
        return resources.clock().stopping().get();
    }

    /** Returns the statistics of all searches so far. */
    public SearchStatistics statistics() {
        return new SearchStatistics(
                deviceBytes.sum(),
                setAside.sum(),
                turns.waiting(),
                turns.refused(),
                turns.suspensions());
    }

    private void note(String type, ReadContext reads) {
        deviceBytes.add(reads.deviceBytes());
        for (ReadContext.SetAside each : reads.setAside()) {
            setAside.increment();
            CorruptRunException reason = each.reason();
            if (loggedPlaces.size() >= PLACES_LOGGED_ONCE
                    || loggedPlaces.add(reason.file() + " " + reason.offset())) {
                LOG.error("searches of '{}' go on without what cannot be read", type, reason);
            }
        }
    }

    private SearchReply answer(
            SearchRequest request,
            SearchedType type,
            List<View> views,
            ScanScheduler.Turn turn,
            int share) {
        String name = type.schema().name();
        try {
            var execution = new SearchExecution(request, type, resources, turn, share);
            try {
                SearchReply reply = execution.run(views);
                return isStopping() ? new SearchReply.Failed(STOPPING) : reply;
            } finally {
                note(name, execution.reads());
                deviceBytes.add(type.parents().deviceBytes());
            }
        } catch (ScanStoppedException | ModelBusyException e) {
            return isStopping() ? new SearchReply.Failed(STOPPING) : new SearchReply.TimedOut();
        } catch (QueryRejectedException e) {
            return new SearchReply.Rejected(e.reason());
        } catch (MemoryRefusedException e) {
            if (e.isTooLarge()) {
                throw e;
            }
            return new SearchReply.Overloaded(String.valueOf(e.getMessage()));
        } catch (GroupMemoryFullException e) {
            return new SearchReply.Overloaded(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            // The depth of a query is limited when it is read. A query that passes those limits
            // must not fill the log with its stack frames.
            LOG.warn("a query of '{}' is nested too deeply", name);
            return new SearchReply.Rejected("the query is nested too deeply to be evaluated");
        } catch (CorruptRunException | InternalError e) {
            // The platform reports a read error of a mapped file as an InternalError.
            LOG.error("a search of '{}' could not read", name, e);
            return new SearchReply.Failed(String.valueOf(e.getMessage()));
        }
    }
}
