package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.NearWords;
import org.crabro.content.search.match.TermCondition;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.WordCount;

/**
 * Counts the documents in scope that have the words of a query, and finds words near those that few
 * documents have.
 *
 * <p>A word is counted until it is known that it is not rare, which the dictionary of the first
 * block usually tells. Only live rows in scope count, so neither flushes nor merges change the
 * result.
 */
final class WordsPass {
    private final SearchAttempt attempt;
    private final Matcher matcher;
    private final BooleanSupplier isOver;

    /** By term, the number of documents; at least that as soon as it is not rare. */
    private final AtomicLongArray documents;

    /** By term, what the indexes of sections have counted. */
    private final List<WordCount> indexed;

    /**
     * @param indexed the counts of the sections that no slice has, by term
     * @param isOver whether the time for counting words is over
     */
    WordsPass(SearchAttempt attempt, List<WordCount> indexed, BooleanSupplier isOver) {
        this.attempt = attempt;
        this.indexed = indexed;
        this.matcher = attempt.plan().matcher();
        this.isOver = isOver;
        this.documents = new AtomicLongArray(matcher.termCount());
        for (int term = 0; term < indexed.size(); term++) {
            documents.set(term, indexed.get(term).documents());
        }
    }

    private boolean isLittle(int term) {
        return documents.get(term) <= WordCount.LITTLE;
    }

    /** Counts the words in one thread. */
    private final class CountingWorker implements SliceTeam.Worker {
        private final BlockScan scan;
        private final BitSet rows = new BitSet();
        private final List<List<TermCondition>> conditions = new ArrayList<>();

        CountingWorker(BlockScan scan) {
            this.scan = scan;
            for (int term = 0; term < documents.length(); term++) {
                conditions.add(matcher.conditions(term));
            }
        }

        @Override
        public void work(int slice) {
            boolean isOpen = false;
            for (int term = 0; term < conditions.size(); term++) {
                if (isLittle(term)) {
                    if (!isOpen) {
                        scan.open(slice);
                        isOpen = true;
                    }
                    documents.addAndGet(term, count(conditions.get(term)));
                }
            }
        }

        /** Returns the number of rows that match any of the conditions, or that they are many. */
        private long count(List<TermCondition> ofTerm) {
            rows.clear();
            for (TermCondition condition : ofTerm) {
                if (!condition.canMatch(scan)) {
                    continue;
                }
                int ofBlock = condition.documents(scan);
                if (ofBlock > WordCount.LITTLE) {
                    return ofBlock;
                }
                int count = condition.narrow(scan, scan.rows(), scan.live());
                for (int i = 0; i < count; i++) {
                    rows.set(scan.rows()[i]);
                }
            }
            return rows.cardinality();
        }
    }

    /** Finds near words in one thread. */
    private static final class NearWorker implements SliceTeam.Worker {
        private final BlockScan scan;
        private final NearWords words;
        private final IntPredicate isWanted;

        NearWorker(BlockScan scan, Matcher matcher, IntPredicate isWanted) {
            this.scan = scan;
            this.words = new NearWords(matcher, scan.work());
            this.isWanted = isWanted;
        }

        @Override
        public void work(int slice) {
            scan.open(slice);
            words.add(scan, isWanted);
        }
    }

    /**
     * Returns the counts, or that time was too short.
     *
     * @param reads what was read of the device
     */
    SearchReply run(ReadContext reads, CostMeter cost) {
        if (!count()) {
            return new SearchReply.TimedOut();
        }
        attempt.trace().endPhase("counts of words");
        List<List<NearWord>> near = new ArrayList<>();
        for (int term = 0; term < documents.length(); term++) {
            near.add(indexed.isEmpty() || !isLittle(term) ? List.of() : indexed.get(term).near());
        }
        if (hasTypos() && !findNear(near)) {
            return new SearchReply.TimedOut();
        }
        attempt.trace().endPhase("near words");
        var words = new ArrayList<WordCount>();
        for (int term = 0; term < near.size(); term++) {
            words.add(new WordCount(documents.get(term), near.get(term)));
        }
        long total = attempt.slices().rowCount();
        boolean isPartial = attempt.slices().hasUndecided();
        var report =
                new SearchReport(
                        new Coverage(total, total, isPartial),
                        new QueryCost(
                                attempt.slices().count(),
                                0,
                                total,
                                cost.reads().bytes(),
                                reads.deviceBytes(),
                                attempt.trace().includes(1) || attempt.trace().explains()
                                        ? cost.cpuNanos()
                                        : 0),
                        attempt.plan().warnings(),
                        attempt.trace().lines());
        return new SearchReply.Found(List.of(), 0, List.of(), report.withWords(words));
    }

    /** Returns whether all documents were counted, as far as needed. */
    private boolean count() {
        SliceTeam<CountingWorker> team =
                attempt.passes()
                        .run(
                                "counting words",
                                attempt.slices(),
                                () -> new CountingWorker(scan()),
                                isOver,
                                ReadPlan.of(attempt.plan().deciding()));
        team.workers().forEach(worker -> attempt.scans().finish(worker.scan));
        return !team.isStopped();
    }

    private boolean hasTypos() {
        for (int term = 0; term < documents.length(); term++) {
            if (isLittle(term) && matcher.termSettings().get(term).spelling().typos()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether all near words were found. */
    private boolean findNear(List<List<NearWord>> into) {
        SliceTeam<NearWorker> team =
                attempt.passes()
                        .run(
                                "finding near words",
                                attempt.slices(),
                                () -> new NearWorker(scan(), matcher, this::isLittle),
                                isOver,
                                ReadPlan.of(attempt.plan().deciding()));
        for (NearWorker worker : team.workers()) {
            for (int term = 0; term < into.size(); term++) {
                var soFar = new WordCount(0, into.get(term));
                into.set(term, soFar.plus(new WordCount(0, worker.words.words(term))).near());
            }
            attempt.scans().finish(worker.scan);
        }
        return !team.isStopped();
    }

    private BlockScan scan() {
        return attempt.scans().takeStepping(List.of(), isOver);
    }
}
