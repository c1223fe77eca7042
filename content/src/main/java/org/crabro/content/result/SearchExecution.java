package org.crabro.content.result;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.group.GroupBudget;
import org.crabro.content.group.GroupMemory;
import org.crabro.content.group.Grouping;
import org.crabro.content.match.BlockCaches;
import org.crabro.content.match.BlockScan;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.NearestRows;
import org.crabro.content.match.NearestSearch;
import org.crabro.content.match.QueryFields;
import org.crabro.content.match.QueryRejectedException;
import org.crabro.content.match.RowOrder;
import org.crabro.content.match.ScanMemory;
import org.crabro.content.match.ScanStoppedException;
import org.crabro.content.match.TextHitsCache;
import org.crabro.content.match.TopK;
import org.crabro.content.match.WorkMeter;
import org.crabro.content.rank.RankProgramCache;
import org.crabro.content.rank.Ranking;
import org.crabro.content.rank.Scorer;
import org.crabro.content.rank.Scoring;
import org.crabro.content.rank.TextCounts;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.CorruptRunException;
import org.crabro.content.run.DeadRows;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.PassParts;
import org.crabro.content.run.PassReads;
import org.crabro.content.run.QueryReads;
import org.crabro.content.run.ReadAhead;
import org.crabro.content.run.SliceReads;
import org.crabro.content.run.View;
import org.crabro.document.Field;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.ranking.onnx.ModelRuns;
import org.jspecify.annotations.Nullable;

/**
 * One search, from the compiling to the hits, led by one thread of the pool.
 *
 * <p>Up to three passes go over the slices: one counts words, where the profile asks for
 * statistics; one selects nearest neighbors, where the query asks for some; the last matches,
 * scores and keeps the best. Only when the best of all threads are known do rows become hits. All
 * are made again where bytes turn out to be damaged whose rows were among the best already.
 */
final class SearchExecution {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Places that a reply names as unreadable; the log names all. */
    private static final int PROBLEMS_TOLD = 8;

    /**
     * How long it may take, once time is up, to make a reply of what was found: to look at the
     * neighbors that were selected, to make hits and to merge groups.
     */
    private static final long FINISH_NANOS = 200_000_000;

    /** What hits of all rows are made of is read with what is scanned up to as many bytes. */
    private static final long SHOWN_BYTES = 32 << 10;

    private final SearchRequest request;
    private final Schema schema;
    private final ModelRuns models;
    private final Executor pool;
    private final int share;
    private final ScanTurns.Turn turn;
    private final LongSupplier nanoTime;
    private final BooleanSupplier isStopping;
    private final GroupBudget groupBudget;
    private final int countsMax;
    private final BlockCaches kept;
    private final QueryFields fields = new QueryFields();
    private final RankProfile profile;
    private final Sorting sorting;
    private final SummaryFields summary;
    private final Matcher matcher;
    private final @Nullable Grouping grouping;
    private final @Nullable ScopeSelection selected;
    private final @Nullable Ranking ranking;
    private final List<BlockSlice> slices = new ArrayList<>();
    private final ReadAhead ahead;
    private final QueryReads reads;

    /** What passes that match touch of a block. */
    private final PassParts scanned;

    /** What is read with it: where hits cost little beside, what they are made of too. */
    private PassParts read;

    /** What of it tells whether rows of a block may match. */
    private final PassParts deciding;

    /** The slices that are the first of their block. */
    private final BitSet blockStarts = new BitSet();

    private ReadableSlices readable;

    /** Rows of blocks that could not even be opened. */
    private long lost;

    /** Rows of which time did not suffice to tell whether they are meant. */
    private long undecided;

    /** Rows that no statistics were made of, since time was over. */
    private long uncounted;

    private int threads = 1;
    private int[] portions = {0};

    private final Trace trace;
    private TextHitsCache texts = new TextHitsCache(0);

    /** Scans of passes that are over, of the texts that are kept; guarded by itself. */
    private final List<BlockScan> spareScans = new ArrayList<>();

    /** What counts the work of each thread in each pass. */
    private final Queue<WorkMeter> meters = new ConcurrentLinkedQueue<>();

    private ScanMemory.Pool scanMemories = new ScanMemory.Pool(0);

    private long bytes;
    // When the thread that leads began, and what those took that helped it.
    private long cpuStart;
    private long cpuNanos;

    /**
     * Compiles the request.
     *
     * @param types that a selection may name
     * @param models what the rank profile runs; closed by who made it
     * @param ahead brings blocks into memory
     * @param share how many threads may work for it
     * @param turn lets other searches go first between slices
     * @param countsMax how many counts of words a thread keeps at a time, of four bytes each
     * @param kept what searches before have kept
     * @param programs those of rank expressions that are compiled already
     * @param groupMemory what the groups of all searches share
     * @param isStopping whether the node is being stopped: then the search ends
     * @throws QueryRejectedException if the schema cannot answer it
     * @throws ScanStoppedException if time is up before all constants are computed
     */
    SearchExecution(
            SearchRequest request,
            Schema schema,
            SelectionTypes types,
            ModelRuns models,
            Executor pool,
            ReadAhead ahead,
            int share,
            ScanTurns.Turn turn,
            LongSupplier nanoTime,
            int countsMax,
            BlockCaches kept,
            RankProgramCache programs,
            GroupMemory groupMemory,
            BooleanSupplier isStopping) {
        this.request = request;
        this.groupBudget = new GroupBudget(request.grouping().maxBytes(), groupMemory);
        this.isStopping = isStopping;
        this.schema = schema;
        this.models = models;
        this.pool = pool;
        this.ahead = ahead;
        this.share = share;
        this.turn = turn;
        this.nanoTime = nanoTime;
        this.countsMax = countsMax;
        this.kept = kept;
        this.trace = new Trace(request.reply().traceLevel(), nanoTime);
        WorkMeter compiling = newMeter(isOver(Long.MAX_VALUE));
        this.profile = profile();
        this.selected =
                request.scope().documents() instanceof Scope.Selected scope
                        ? ScopeSelection.of(
                                scope, schema, types, request.query().ranking().nowSeconds())
                        : null;
        this.sorting = Sorting.of(request.hits().sorting(), schema);
        this.summary = SummaryFields.of(request.hits().summary(), schema);
        Matcher compiled =
                Matcher.compile(
                        request.query().tree(),
                        schema,
                        Ranking.inputs(profile, request.query().ranking()),
                        Ranking.elementGaps(profile, request.query().ranking()),
                        fields);
        this.matcher =
                request.reply().traceLevel() >= Trace.CONDITIONS ? compiled.counting() : compiled;
        this.grouping =
                request.grouping().requests().isEmpty()
                        ? null
                        : Grouping.compile(
                                request.grouping(),
                                schema,
                                fields,
                                request.query().ranking().nowSeconds());
        this.ranking =
                request.hits().count() == 0
                                && !request.grouping().needsScores()
                                && !dropsFromGroups()
                        ? null
                        : Ranking.compile(
                                profile,
                                schema,
                                request.query().ranking(),
                                matcher,
                                fields,
                                programs.of(schema),
                                models,
                                compiling);
        Set<String> words = matcher.searchedTexts(true);
        this.scanned = scanned(words);
        this.read = scanned;
        this.deciding = new PassParts(matcher.searchedTexts(false), Set.of(), words, false, false);
        // Where words decide, most blocks may have none of them.
        boolean needsAll = deciding.equals(PassParts.NONE) || request.grouping().needsEverything();
        this.reads = new QueryReads(needsAll ? scanned : PassParts.NONE);
        this.readable = new ReadableSlices(slices, reads, turn);
        trace.add(() -> "match " + matcher.text());
        if (request.hits().after().isPresent() && isReranked()) {
            throw new QueryRejectedException(
                    "after: hits that a second phase ranks again are paged by offset");
        }
    }

    /** Where nothing but a count is asked for, nothing is scored. */
    private boolean dropsFromGroups() {
        RankLimits limits = request.query().ranking().limits();
        return !request.grouping().requests().isEmpty()
                && (limits.dropLimit().isPresent() || limits.secondDropLimit().isPresent());
    }

    /** Returns how many rows are kept until the best are known. */
    private int keptRows() {
        return isReranked()
                ? Math.max(
                        request.hits().count(),
                        request.query().ranking().limits().rerankCount().orElse(0))
                : request.hits().count();
    }

    /** What people sort by otherwise stays the order. */
    private boolean isReranked() {
        return ranking != null
                && ranking.isReranked()
                && sorting.keys().isEmpty()
                && request.hits().count() > 0;
    }

    /**
     * @param words fields whose words are looked up
     */
    private PassParts scanned(Set<String> words) {
        Set<String> values = new HashSet<>();
        for (Field field : fields.all()) {
            if (!words.contains(field.name())) {
                values.add(field.name());
            }
        }
        values.addAll(matcher.readTexts());
        values.addAll(sorting.fields());
        // What is grouped is read as it is, even where its words are looked for too.
        values.addAll(grouping == null ? Set.of() : grouping.read());
        return new PassParts(
                values,
                matcher.comparedLengths(),
                words,
                true,
                grouping != null && grouping.readsIds());
    }

    private RankProfile profile() {
        String name = request.query().ranking().profile();
        RankProfile found = schema.rankProfiles().get(name);
        if (found == null) {
            throw new QueryRejectedException(
                    "there is no rank profile '%s' in '%s'; there are %s"
                            .formatted(
                                    name,
                                    schema.name(),
                                    schema.rankProfiles().keySet().stream().sorted().toList()));
        }
        return found.withProperties(request.query().ranking().overrides().properties());
    }

    /**
     * @param memories what scans before have left, and these leave
     */
    SearchReply run(List<View> views, ScanMemory.Pool memories) {
        scanMemories = memories;
        SearchReply reply;
        try (groupBudget) {
            reply = run(views);
        }
        spareScans.forEach(scan -> memories.giveBack(scan.memory()));
        return reply;
    }

    private SearchReply run(List<View> views) {
        // Asking takes about as long as a small block: only where it is told, or decides something.
        cpuStart = share > 1 || trace.tells(1) ? THREADS.getCurrentThreadCpuTime() : 0;
        locate(views);
        while (true) {
            try {
                SearchReply reply = attempt();
                if (!readable.isTriedAgain()) {
                    return reply;
                }
            } catch (CorruptRunException | InternalError e) {
                // The platform tells a read error of a mapped file by an InternalError.
                if (!readable.isTriedAgain(e)) {
                    throw e;
                }
            } catch (ScanStoppedException e) {
                // A thread that came to damage while it put rows in order looks as if it was late.
                if (!readable.isTriedAgain()) {
                    // Not even what was found could be returned in time.
                    return new SearchReply.TimedOut();
                }
            }
            trace.add(() -> "begins again without what could not be read");
        }
    }

    /** Does all passes, and makes the reply of what they find. */
    private SearchReply attempt() {
        if (selected != null && !leaveOut(selected)) {
            return new SearchReply.TimedOut();
        }
        texts = new TextHitsCache(slices.size());
        spareScans.clear();
        uncounted = 0;
        Scoring scoring = null;
        if (ranking != null) {
            TextCounts counts = ranking.newCounts();
            if (ranking.needsCounts() && !count(ranking, counts)) {
                // Without any statistics no score means anything: there is nothing to return.
                return new SearchReply.TimedOut();
            }
            scoring = ranking.scoring(counts);
        }
        var searched = new boolean[slices.size()];
        List<NearestRows> selections = select(searched);
        Found found = match(scoring, selections, searched);
        if (models.count() > 0) {
            trace.add(() -> "models ran for %d documents".formatted(models.count()));
        }
        return reply(found, scoring, selections);
    }

    /** Finds the blocks in scope and cuts the work on them. */
    private void locate(List<View> views) {
        var ranges = new ArrayList<KeyRange>();
        addRanges(request.scope().documents(), ranges);
        var found = new ArrayList<BlockSlice>();
        for (View view : views) {
            for (KeyRange range : ranges) {
                found.addAll(view.slices(schema.name(), range, reads));
            }
        }
        long[] sizes = Portions.sizes(found, scanned);
        read = read(found);
        threads = Portions.threads(sizes, share);
        int rows = Math.max(1, countsMax / (1 + matcher.patternCount()));
        for (BlockSlice slice : Portions.cut(found, sizes, threads)) {
            cut(slice, rows);
        }
        boolean isUncut = slices.size() == found.size();
        portions = Portions.of(isUncut ? sizes : Portions.sizes(slices, scanned), threads);
        readable = new ReadableSlices(slices, reads, turn);
        lost = 0;
        for (QueryReads.SetAside each : reads.setAside()) {
            lost += each.rows();
        }
    }

    /** Reading what hits are made of with the rest saves waiting for the disk once more. */
    private PassParts read(List<BlockSlice> found) {
        if (ranking == null) {
            return scanned;
        }
        PassParts shown = HitReader.shown(sorting, summary);
        return Portions.areWithin(SHOWN_BYTES, found, shown) ? scanned.and(shown) : scanned;
    }

    /**
     * Takes a slice to the others, in parts if there are so many words to count in each document
     * that the counts of all its rows would take too much memory.
     *
     * @param rows how many a part has at most
     */
    @SuppressWarnings("ReferenceEquality") // Parts of one block hold the same object.
    private void cut(BlockSlice slice, int rows) {
        boolean isSameBlock = !slices.isEmpty() && slices.getLast().block() == slice.block();
        blockStarts.set(slices.size(), !isSameBlock);
        if (slice.to() - slice.from() <= rows) {
            slices.add(slice);
            return;
        }
        for (int from = slice.from(); from < slice.to(); from += rows) {
            int to = Math.min(slice.to(), from + rows);
            slices.add(new BlockSlice(slice.block(), from, to, slice.dead()));
        }
    }

    private static void addRanges(Scope scope, List<KeyRange> into) {
        switch (scope) {
            case Scope.Group(String name) -> into.add(new KeyRange.Group(name));
            case Scope.Numbered(long value) -> into.add(new KeyRange.Numbered(value));
            case Scope.Several(List<Scope> parts) -> parts.forEach(part -> addRanges(part, into));
            case Scope.Everything() -> into.add(new KeyRange.Everything());
            case Scope.Selected selected -> addRanges(selected.within(), into);
        }
    }

    /**
     * Leaves out what the scope's selection does not mean. Where parts of an answer are wanted half
     * of the time is kept for what comes behind, and slices that it does not suffice for are left
     * out, too: of them nothing can be told.
     *
     * @return whether anything can be told
     */
    private boolean leaveOut(ScopeSelection selection) {
        @Nullable DeadRows[] others = new @Nullable DeadRows[slices.size()];
        long left = request.header().deadline().nanos() - nanoTime.getAsLong();
        BooleanSupplier isOver = isOver(request.reply().softTimeout() ? left / 2 : left);
        SliceTeam<ScopeSelection.Worker> team =
                work(
                        "selecting documents",
                        () -> selection.worker(slices, others, newMeter(isOver)),
                        isOver,
                        PassReads.of(selection.parts()));
        if (team.isStopped()
                && (!request.reply().softTimeout()
                        || Stream.of(others).allMatch(Objects::isNull))) {
            return false;
        }
        for (int i = 0; i < others.length; i++) {
            BlockSlice slice = slices.get(i);
            DeadRows out = others[i];
            if (out == null && team.isStopped()) {
                undecided += slice.liveCount();
                out = DeadRows.of(IntStream.range(slice.from(), slice.to()).toArray());
            }
            if (out != null) {
                DeadRows all = slice.dead().and(out);
                slices.set(i, new BlockSlice(slice.block(), slice.from(), slice.to(), all));
            }
        }
        return true;
    }

    /** What a thread uses to count words. */
    private record Counting(BlockScan scan, TextCounts counts) implements SliceTeam.Worker {
        @Override
        public void work(int slice) {
            scan.open(slice);
            counts.add(scan);
            scan.keepTexts();
        }
    }

    /**
     * Counts the words in scope. Where parts of an answer are wanted half of the time is kept for
     * what comes behind, and scores are by the statistics of what was counted until then.
     *
     * @return whether there are statistics to score by
     */
    private boolean count(Ranking counting, TextCounts total) {
        long left = request.header().deadline().nanos() - nanoTime.getAsLong();
        BooleanSupplier isOver = isOver(request.reply().softTimeout() ? left / 2 : left);
        SliceTeam<Counting> team =
                work(
                        "counting words",
                        () ->
                                new Counting(
                                        newSteppingScan(List.of(), isOver), counting.newCounts()),
                        isOver,
                        PassReads.of(deciding));
        for (Counting worker : team.workers()) {
            total.add(worker.counts());
            bytes += worker.scan().bytes();
            giveBack(worker.scan());
        }
        trace.add(() -> "counted words: " + counting.scoring(total).text());
        if (!team.isStopped()) {
            return true;
        }
        uncounted = slices.stream().mapToLong(BlockSlice::liveCount).sum() - total.documents();
        trace.add(() -> "no time to count those of %d documents".formatted(uncounted));
        return request.reply().softTimeout() && total.documents() > 0;
    }

    /** What a thread uses to look for nearest neighbors: the best so far of each search. */
    private static final class Selecting implements SliceTeam.Worker {
        private final BlockScan scan;
        private final List<NearestSearch> searches;
        private final List<TopK> best;
        private final boolean[] searched;

        /**
         * @param best by search
         * @param searched receives the slices that are done
         */
        Selecting(
                BlockScan scan, List<NearestSearch> searches, List<TopK> best, boolean[] searched) {
            this.scan = scan;
            this.searches = searches;
            this.best = best;
            this.searched = searched;
        }

        @Override
        public void work(int slice) {
            for (int i = 0; i < searches.size(); i++) {
                scan.open(slice);
                searches.get(i).search(scan, best.get(i));
            }
            searched[slice] = true;
        }
    }

    /**
     * Selects the nearest neighbors.
     *
     * @param searched receives which slices time sufficed for
     */
    private List<NearestRows> select(boolean[] searched) {
        List<NearestSearch> searches = matcher.nearest();
        if (searches.isEmpty()) {
            Arrays.fill(searched, true);
            return List.of();
        }
        // What is matched afterwards is next to nothing where only neighbors can match. Elsewhere
        // it is as much again, and half of the time is kept for it.
        long now = nanoTime.getAsLong();
        long left = request.header().deadline().nanos() - now;
        BooleanSupplier isOver = isOver(matcher.isSelective() ? left : left / 2);
        SliceTeam<Selecting> team =
                work(
                        "selecting neighbors",
                        () ->
                                new Selecting(
                                        newSteppingScan(List.of(), isOver),
                                        searches,
                                        searches.stream()
                                                .map(search ->
                                                        new TopK(
                                                                RowOrder.smallestFirst(slices),
                                                                search.targetHits()))
                                                .toList(),
                                        searched),
                        isOver,
                        PassReads.of(read));
        var selections = new ArrayList<NearestRows>();
        for (int i = 0; i < searches.size(); i++) {
            int search = i;
            TopK best =
                    TopK.merge(
                            team.workers().stream().map(worker -> worker.best.get(search)).toList(),
                            RowOrder.smallestFirst(slices),
                            searches.get(i).targetHits());
            selections.add(NearestRows.of(List.of(best), slices.size()));
            trace.add(() ->
                    "nearest in %s where %s: %d rows"
                            .formatted(
                                    searches.get(search).field(),
                                    searches.get(search).conditions(),
                                    best.size()));
        }
        for (Selecting worker : team.workers()) {
            bytes += worker.scan.bytes();
            giveBack(worker.scan);
        }
        return selections;
    }

    /** What a thread uses to match and score, and what it has found. */
    private static final class Matching implements SliceTeam.Worker {
        private final BlockScan scan;
        private final @Nullable Scorer scorer;
        private final @Nullable TopK best;
        private final @Nullable GroupedRows groups;
        private final boolean[] searched;
        private final BitSet blockStarts;
        private final PassedHit.@Nullable Test passed;
        private final @Nullable SliceTimes times;
        private long matched;
        private long documents;
        private long blocks;
        private long skippedBlocks;

        /** Whether it was stopped while it changed groups, which are of no use then. */
        private boolean isGrouping;

        /** Whether it was stopped while it put rows in order, which is of no use then. */
        private boolean isOrdering;

        /**
         * @param scorer none where rows are put in order without scores
         * @param best none where no hits are wanted
         * @param groups none where nothing is grouped
         * @param searched which slices to look into
         * @param passed tells which rows come behind the hit that is gone on from; none where hits
         *     begin with the best
         * @param times takes how long each slice takes; none where nobody asks
         */
        Matching(
                BlockScan scan,
                @Nullable Scorer scorer,
                @Nullable TopK best,
                @Nullable GroupedRows groups,
                boolean[] searched,
                BitSet blockStarts,
                PassedHit.@Nullable Test passed,
                @Nullable SliceTimes times) {
            this.passed = passed;
            this.times = times;
            this.scan = scan;
            this.scorer = scorer;
            this.best = best;
            this.groups = groups;
            this.searched = searched;
            this.blockStarts = blockStarts;
        }

        @Override
        public void work(int slice) {
            long start = times == null ? 0 : System.nanoTime();
            search(slice);
            if (times != null) {
                times.set(slice, System.nanoTime() - start);
            }
        }

        private void search(int slice) {
            if (!searched[slice]) {
                return;
            }
            scan.open(slice);
            // Counted last: where time runs out inside a slice, it was not looked at.
            match(slice);
            documents += scan.slice().liveCount();
        }

        private void match(int slice) {
            if (groups != null) {
                isGrouping = true;
                groups.addEverything();
                isGrouping = false;
            }
            if (!scan.canMatch()) {
                skippedBlocks += blockStarts.get(slice) ? 1 : 0;
                return;
            }
            blocks += blockStarts.get(slice) ? 1 : 0;
            int count = scan.match();
            if ((best == null && groups == null) || count == 0) {
                matched += count;
                return;
            }
            int[] rows = scan.rows();
            double[] scores = scan.borrowNumbers();
            if (scorer == null) {
                Arrays.fill(scores, 0, count, 0);
            } else {
                scorer.score(rows, count, scores);
                count = scorer.drop(rows, count, scores);
            }
            if (groups != null) {
                isGrouping = true;
                groups.add(rows, count, scores);
                isGrouping = false;
            }
            matched += count;
            isOrdering = true;
            for (int i = 0; best != null && i < count; i++) {
                if (passed == null || passed.isBehind(slice, rows[i], scores[i])) {
                    best.offer(slice, rows[i], scores[i]);
                }
            }
            isOrdering = false;
            scan.giveBack(scores);
        }
    }

    /** What matching reads: dictionaries first, the rest where the words may be. */
    private final class MatchReads implements PassReads {
        private final List<NearestRows> selections;
        private final BooleanSupplier isOver;
        private final BlockScan headers;
        // Made when something is not in memory; guarded by this.
        private @Nullable BlockScan dictionaries;

        MatchReads(List<NearestRows> selections, BooleanSupplier isOver) {
            this.selections = selections;
            this.isOver = isOver;
            this.headers = newScan(selections, isOver);
        }

        /** Gives back what this used. */
        synchronized void end() {
            giveBack(headers);
            if (dictionaries != null) {
                giveBack(dictionaries);
            }
        }

        @Override
        public PassParts deciding() {
            return deciding;
        }

        @Override
        public PassParts all() {
            return read;
        }

        @Override
        public boolean isWanted(int slice) {
            return request.grouping().needsEverything() || headers.mayMatch(slice);
        }

        @Override
        public synchronized boolean mayMatch(int slice) {
            if (request.grouping().needsEverything()) {
                return true;
            }
            BlockScan scan = dictionaries;
            if (scan == null) {
                scan = newScan(selections, isOver);
                dictionaries = scan;
            }
            return scan.canMatch(slice);
        }
    }

    /** What all threads have found together. */
    private record Found(
            long matched,
            long documents,
            long blocks,
            long skippedBlocks,
            boolean isStopped,
            List<TopK> best,
            List<GroupedRows> groups) {}

    private Found match(
            @Nullable Scoring scoring, List<NearestRows> selections, boolean[] searched) {
        boolean scores =
                sorting.needsScores()
                        || request.grouping().needsScores()
                        || (ranking != null && ranking.drops());
        groupBudget.close();
        boolean all = true;
        for (boolean slice : searched) {
            all &= slice;
        }
        // Once neighbors are selected within the time, what is left to do takes next to none.
        boolean unlimited = !selections.isEmpty() && matcher.isSelective();
        BooleanSupplier isOver = unlimited ? isOverdue() : isOver(Long.MAX_VALUE);
        MatchReads wanted = unlimited ? null : new MatchReads(selections, isOver);
        PassedHit passed = PassedHit.of(request, sorting, slices).orElse(null);
        SliceTimes times = trace.tells(Trace.SLICES) ? new SliceTimes(slices.size()) : null;
        SliceTeam<Matching> team =
                work(
                        ranking == null ? "matching" : "matching and scoring",
                        () -> {
                            BlockScan scan = newSteppingScan(selections, isOver);
                            return new Matching(
                                    scan,
                                    scoring == null || !scores ? null : new Scorer(scoring, scan),
                                    request.hits().count() == 0
                                            ? null
                                            : new TopK(
                                                    sorting.order(slices, newMeter(isOverdue())),
                                                    keptRows()),
                                    grouping == null ? null : newGroups(grouping, scan),
                                    searched,
                                    blockStarts,
                                    passed == null ? null : passed.test(sorting, scan.work()),
                                    times);
                        },
                        isOver,
                        // What is left to look at then was brought for the selection.
                        wanted == null ? PassReads.of(PassParts.NONE) : wanted);
        if (wanted != null) {
            wanted.end();
        }
        if (times != null) {
            trace.addDetails(times.lines(slices));
        }
        if (trace.tells(Trace.CONDITIONS)) {
            trace.add(() -> "conditions, in the order in which they were tried:");
            trace.addDetails(matcher.counted());
        }
        long matched = 0;
        long documents = 0;
        long blocks = 0;
        long skippedBlocks = 0;
        var best = new ArrayList<TopK>();
        var groups = new ArrayList<GroupedRows>();
        for (Matching worker : team.workers()) {
            if (worker.isGrouping || worker.isOrdering) {
                throw new ScanStoppedException();
            }
            matched += worker.matched;
            documents += worker.documents;
            blocks += worker.blocks;
            skippedBlocks += worker.skippedBlocks;
            bytes += worker.scan.bytes();
            if (worker.best != null) {
                best.add(worker.best);
            }
            if (worker.groups != null) {
                groups.add(worker.groups);
            } else {
                giveBack(worker.scan);
            }
        }
        return new Found(
                matched, documents, blocks, skippedBlocks, team.isStopped() || !all, best, groups);
    }

    private GroupedRows newGroups(Grouping compiled, BlockScan scan) {
        // Half a document cannot be taken out of groups again: it may be finished a little late.
        WorkMeter work = newMeter(isOverdue());
        return new GroupedRows(
                request.grouping(),
                scan,
                compiled.newScan(scan, () -> sorting.order(slices, work), groupBudget, work),
                slices);
    }

    /** Returns the groups of what was found; of requests about the best documents, of those. */
    private List<Group<SearchHit>> groups(
            Found found, @Nullable Scoring scoring, List<NearestRows> selections) {
        if (found.groups().isEmpty()) {
            return List.of();
        }
        GroupedRows all = found.groups().getFirst();
        found.groups().subList(1, found.groups().size()).forEach(all::merge);
        if (all.hasBest()) {
            work(
                    "reading the best for groups",
                    () -> all.bestWorker(),
                    isOver(Long.MAX_VALUE),
                    all.bestReads(read),
                    1);
        }
        var reader =
                new GroupReader(
                        name -> hitReader(newScan(selections, isOverdue()), summary(name)),
                        sorting.order(slices, newMeter(isOverdue())));
        return reader.read(all.groups(), scoring);
    }

    private SummaryFields summary(String name) {
        return name.isEmpty()
                ? summary
                : SummaryFields.of(
                        new SummarySettings(name, List.of())
                                .with(request.hits().summary().marking()),
                        schema);
    }

    private SearchReply reply(
            Found found, @Nullable Scoring scoring, List<NearestRows> selections) {
        long total = lost + undecided;
        for (BlockSlice slice : slices) {
            total += slice.liveCount();
        }
        if (found.isStopped() && (!request.reply().softTimeout() || found.documents() == 0)) {
            return new SearchReply.TimedOut();
        }
        Ranked ranked = ranked(found, scoring, selections);
        TopK best = ranked.best();
        List<SearchHit> hits = scoring == null ? List.of() : hits(best, scoring, selections);
        int unread = scoring == null ? 0 : best.size() - hits.size();
        List<Group<SearchHit>> groups = groups(found, scoring, selections);
        var warnings = new ArrayList<>(matcher.warnings());
        warnings.addAll(grouping == null ? List.of() : grouping.warnings());
        warnings.addAll(sorting.warnings());
        warnings.addAll(summary.warnings());
        warnings.addAll(problems());
        summary.notes().forEach(note -> trace.add(() -> note));
        long inScope = total;
        trace.add(() ->
                ("looked at %d of %d documents in %d blocks and passed over %d, %d bytes of"
                                + " columns: %d match")
                        .formatted(
                                found.documents(),
                                inScope,
                                found.blocks(),
                                found.skippedBlocks(),
                                bytes,
                                found.matched()));
        traceTokenized();
        traceQuestions();
        long allCpuNanos = trace.tells(1) ? cpuNanos + spentNanos() : 0;
        trace.add(() -> "%d bytes came from the device".formatted(reads.deviceBytes()));
        trace.add(() ->
                "at most %d threads took %s of processor time"
                        .formatted(threads, Trace.millis(allCpuNanos)));
        return new SearchReply.Found(
                hits,
                found.matched() - ranked.dropped(),
                new Coverage(
                        Math.min(found.documents() - unread, total - uncounted),
                        total,
                        found.isStopped() || ranked.isStopped() || undecided > 0 || uncounted > 0),
                new QueryCost(
                        found.blocks(),
                        found.skippedBlocks(),
                        found.documents(),
                        bytes,
                        reads.deviceBytes(),
                        allCpuNanos),
                warnings,
                trace.lines(),
                groups);
    }

    /**
     * The best rows in their final order.
     *
     * @param dropped how many rows the second phase left out
     * @param isStopped whether time ran out before it was done, so that the first phase's order is
     *     the last
     */
    private record Ranked(TopK best, long dropped, boolean isStopped) {}

    private Ranked ranked(Found found, @Nullable Scoring scoring, List<NearestRows> selections) {
        RowOrder order = sorting.order(slices, newMeter(isOverdue()));
        if (scoring == null || !isReranked()) {
            return new Ranked(
                    TopK.merge(found.best(), order, scoring == null ? 0 : request.hits().count()),
                    0,
                    false);
        }
        RankLimits limits = request.query().ranking().limits();
        TopK kept = TopK.merge(found.best(), order, keptRows());
        BooleanSupplier isOver = isOver(Long.MAX_VALUE);
        BlockScan scan = newScan(selections, isOver);
        var reranking =
                new Reranking(
                        kept, limits.rerankCount().orElseThrow(), scan, new Scorer(scoring, scan));
        SliceTeam<Reranking> team =
                work(
                        "second phase",
                        () -> reranking,
                        isOver,
                        SomeSlices.of(read, List.of(kept)),
                        1);
        if (team.isStopped()) {
            return new Ranked(TopK.merge(List.of(kept), order, request.hits().count()), 0, true);
        }
        Reranking.Outcome outcome =
                reranking.outcome(limits.secondDropLimit(), order, request.hits().count());
        // No row behind those that are kept comes before one of them: where one falls, so do all.
        long behind = outcome.dropped() == 0 ? 0 : found.matched() - kept.size();
        trace.add(() ->
                "second phase: scored %d of %d again, left out %d and %d behind them"
                        .formatted(
                                Math.min(kept.size(), limits.rerankCount().orElseThrow()),
                                kept.size(),
                                outcome.dropped(),
                                behind));
        return new Ranked(outcome.best(), outcome.dropped() + behind, false);
    }

    private void traceTokenized() {
        int tokenized = 0;
        boolean isCounted = false;
        for (int slice = 0; slice < slices.size(); slice++) {
            isCounted &= !blockStarts.get(slice);
            if (!isCounted && texts.isTokenized(slice)) {
                tokenized++;
                isCounted = true;
            }
        }
        if (tokenized > 0) {
            int blocks = tokenized;
            trace.add(() -> "tokenized %d blocks, which keep no tokens".formatted(blocks));
        }
    }

    private List<SearchHit> hits(TopK best, Scoring scoring, List<NearestRows> selections) {
        BlockScan scan = newScan(selections, isOverdue());
        List<SearchHit> hits = hitReader(scan, summary).read(best, scoring);
        giveBack(scan);
        return hits;
    }

    private HitReader hitReader(BlockScan scan, SummaryFields shown) {
        return new HitReader(request, schema, sorting, shown, matcher, slices, scan, ahead, reads);
    }

    /** Returns what could not be read, for the client. */
    private List<String> problems() {
        List<QueryReads.SetAside> all = reads.setAside();
        var texts = new ArrayList<String>();
        for (QueryReads.SetAside each : all.subList(0, Math.min(PROBLEMS_TOLD, all.size()))) {
            texts.add(
                    "Left out %d documents: %s".formatted(each.rows(), each.reason().getMessage()));
        }
        if (all.size() > PROBLEMS_TOLD) {
            texts.add("%d more places could not be read.".formatted(all.size() - PROBLEMS_TOLD));
        }
        return texts;
    }

    /**
     * Returns the processor time of the thread that leads, if it may be helped or a trace tells.
     */
    private long spentNanos() {
        return THREADS.getCurrentThreadCpuTime() - cpuStart;
    }

    /** Returns what became of the query's reads. */
    QueryReads reads() {
        return reads;
    }

    /**
     * Returns a scan for one thread in one pass.
     *
     * @param isOver asked inside rows, too
     */
    private BlockScan newScan(List<NearestRows> selections, BooleanSupplier isOver) {
        BlockScan scan = newScan(selections);
        scan.work().begin(isOver);
        return scan;
    }

    /** Returns such a scan for a thread of the team: inside rows, too, others may go first. */
    private BlockScan newSteppingScan(List<NearestRows> selections, BooleanSupplier isOver) {
        return newScan(
                selections,
                () -> {
                    turn.step();
                    return isOver.getAsBoolean();
                });
    }

    private BlockScan newScan(List<NearestRows> selections) {
        synchronized (spareScans) {
            if (!spareScans.isEmpty()) {
                return spareScans.removeLast().again(selections);
            }
        }
        var scan =
                new BlockScan(
                        matcher, fields, slices, selections, texts, kept, scanMemories.take());
        meters.add(scan.work());
        return scan;
    }

    private WorkMeter newMeter(BooleanSupplier isOver) {
        var meter = new WorkMeter();
        meter.begin(isOver);
        meters.add(meter);
        return meter;
    }

    private void traceQuestions() {
        long questions = meters.stream().mapToLong(WorkMeter::questions).sum();
        long gap = meters.stream().mapToLong(WorkMeter::largestGap).max().orElse(0);
        trace.add(() ->
                "looked at the clock %d times inside rows, after at most %d units of work"
                        .formatted(questions, gap));
    }

    /** Takes back a scan that nobody uses any more: its memory serves the next pass. */
    private void giveBack(BlockScan scan) {
        if (scan.work().isStopped()) {
            // What it knows of the row that it was stopped in is not the whole.
            return;
        }
        synchronized (spareScans) {
            spareScans.add(scan);
        }
    }

    /**
     * Goes over all slices with as many threads as pay.
     *
     * @param parts what is brought into memory first
     */
    private <W extends SliceTeam.Worker> SliceTeam<W> work(
            String pass, Supplier<W> newWorker, BooleanSupplier isOver, PassReads parts) {
        return work(pass, newWorker, isOver, parts, threads);
    }

    /**
     * @param name what is done, for people
     */
    private <W extends SliceTeam.Worker> SliceTeam<W> work(
            String name,
            Supplier<W> newWorker,
            BooleanSupplier isOver,
            PassReads parts,
            int workers) {
        long start = nanoTime.getAsLong();
        try (SliceReads pass = ahead.begin(slices, parts, request.header().deadline())) {
            var team = new SliceTeam<W>(portions, newWorker, isOver, readable.during(pass));
            team.run(pool, workers - 1, nanoTime, this::spentNanos);
            cpuNanos += team.cpuNanos();
            trace.add(() ->
                    "%s took %s: %d slices, at most %d threads"
                            .formatted(
                                    name,
                                    Trace.millis(nanoTime.getAsLong() - start),
                                    slices.size(),
                                    workers));
            return team;
        }
    }

    /**
     * Returns something that says whether time is over, or the request was cancelled.
     *
     * @param nanos the most to take from now on, if that is before the request's deadline
     */
    private BooleanSupplier isOver(long nanos) {
        long now = nanoTime.getAsLong();
        return isOver(now, Math.min(nanos, request.header().deadline().nanos() - now));
    }

    /**
     * Returns something that says whether the time to finish an answer is over: a little more than
     * what the request gives, since what was found when that ended is to be returned.
     */
    private BooleanSupplier isOverdue() {
        long now = nanoTime.getAsLong();
        long left = request.header().deadline().nanos() - now;
        return isOver(now, Math.max(left, 0) + FINISH_NANOS);
    }

    private BooleanSupplier isOver(long from, long nanos) {
        CancellationToken cancellation = request.header().deadline().cancellation();
        return () ->
                nanoTime.getAsLong() - from >= nanos
                        || isStopping.getAsBoolean()
                        || cancellation.isCancelled();
    }
}
