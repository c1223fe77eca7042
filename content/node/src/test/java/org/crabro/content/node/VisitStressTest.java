package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitedDocument;
import org.junit.jupiter.api.Test;

/** Visits while documents are written, removed, flushed and merged. */
class VisitStressTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int STEADY = 600;
    private static final int VISITS = 12;

    /** Documents that always exist, and are written repeatedly. */
    @Test
    void showsWhatIsThereThroughoutExactlyOnce() throws Exception {
        var shelf = new Shelf(new Random(SEED));
        List<DocumentType> types = List.of(shelf.type("a"), shelf.type("book"));
        var steady = new ArrayList<DocumentId>();
        for (int i = 0; i < STEADY; i++) {
            steady.add(shelf.id(types.get(i % 2).name(), 1_000_000));
        }
        var isOver = new AtomicBoolean();
        try (var node = new VisitedNode(new MemoryLogFiles(), types);
                var threads = Executors.newFixedThreadPool(3)) {
            for (DocumentId id : steady) {
                node.put(shelf.document(id, type(types, id)));
            }
            var futures = new ArrayList<Future<Integer>>();
            for (int feeder = 0; feeder < 2; feeder++) {
                long seed = SEED + feeder;
                Callable<Integer> feed = () -> feed(node, types, steady, seed, isOver);
                futures.add(threads.submit(feed));
            }
            try {
                for (int visit = 0; visit < VISITS; visit++) {
                    check(node, types, steady, visit);
                }
            } finally {
                isOver.set(true);
            }
            for (Future<Integer> future : futures) {
                assertThat(changes(future)).isPositive();
            }
        }
    }

    private static int changes(Future<Integer> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static DocumentType type(List<DocumentType> types, DocumentId id) {
        return types.stream()
                .filter(type -> type.name().equals(id.documentType()))
                .findFirst()
                .orElseThrow();
    }

    private static int feed(
            VisitedNode node,
            List<DocumentType> types,
            List<DocumentId> steady,
            long seed,
            AtomicBoolean isOver)
            throws IOException {
        var random = new Random(seed);
        var shelf = new Shelf(random);
        int changes = 0;
        while (!isOver.get()) {
            int chance = random.nextInt(200);
            if (chance == 0) {
                node.node().flush();
            } else if (chance < 80) {
                DocumentId id = steady.get(random.nextInt(steady.size()));
                node.put(shelf.document(id, type(types, id)));
            } else {
                DocumentType type = types.get(random.nextInt(2));
                DocumentId id = shelf.id(type.name(), 500);
                if (random.nextInt(3) == 0) {
                    node.remove(id);
                } else {
                    node.put(shelf.document(id, type));
                }
            }
            changes++;
        }
        return changes;
    }

    private static void check(
            VisitedNode node, List<DocumentType> types, List<DocumentId> steady, int visit) {
        VisitRequest all = VisitedNode.all(types, new VisitForm.Ids());
        var request =
                new VisitRequest(
                        all.header(),
                        new VisitScope(
                                0,
                                all.scope().selection(),
                                all.scope().slice(),
                                all.scope().after(),
                                all.scope().fromTimestamp(),
                                all.scope().toTimestamp()),
                        all.fields(),
                        visit % 2 == 1,
                        all.form(),
                        new PageLimits(1 + visit * 7, all.limits().bytesMax()));
        Map<DocumentId, Integer> seen = new HashMap<>();
        for (VisitReply.Page page : node.pages(request)) {
            for (VisitedDocument each :
                    ((VisitReply.Contents.Documents) page.contents()).documents()) {
                seen.merge(each.id(), 1, Integer::sum);
            }
        }
        assertThat(seen.values()).as("seed %d", SEED).containsOnly(1);
        assertThat(seen.keySet()).as("seed %d", SEED).containsAll(steady);
    }
}
