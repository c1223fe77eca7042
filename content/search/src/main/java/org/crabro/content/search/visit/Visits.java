package org.crabro.content.search.visit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crabro.config.schema.Schema;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.RowReads;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests for pages of visits on threads of the node, a limited number at a time. */
public final class Visits {
    private static final Logger LOG = LoggerFactory.getLogger(Visits.class);

    /** Thrown if a visit is rejected before anything is read. */
    private static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException(String reason) {
            super(reason);
        }
    }

    /** The least number of bytes that are read ahead in one run, for the required columns. */
    private static final long BYTES_AHEAD_MIN = 128 << 10;

    private static final long BYTES_AHEAD_MAX = 4 << 20;

    private final Executor threads;
    private final ReadAhead ahead;
    private final Partitions partitions;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final int pagesMax;
    private final Semaphore pages;
    private final LongAdder deviceBytes = new LongAdder();
    private volatile boolean isStopping;

    /**
     * @param threads a pool of platform threads, which the caller closes
     * @param ahead reads blocks into memory
     * @param pagesMax the maximum number of pages that are read or wait for a thread; more are
     *     rejected
     */
    public Visits(
            Executor threads,
            ReadAhead ahead,
            Partitions partitions,
            InstantSource clock,
            int pagesMax) {
        this(threads, ahead, partitions, clock, pagesMax, System::nanoTime);
    }

    /**
     * @param nanoTime the clock of deadlines
     */
    Visits(
            Executor threads,
            ReadAhead ahead,
            Partitions partitions,
            InstantSource clock,
            int pagesMax,
            LongSupplier nanoTime) {
        this.threads = threads;
        this.ahead = ahead;
        this.partitions = partitions;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.pagesMax = pagesMax;
        this.pages = new Semaphore(pagesMax);
    }

    /**
     * Reads a page. Blocks the caller, which may be a virtual thread.
     *
     * @param schemas the active schemas
     * @param view called when a thread starts to read; the view is closed after the page
     */
    public VisitReply run(
            VisitRequest request, Map<String, Schema> schemas, Supplier<OrderedView> view) {
        if (!pages.tryAcquire()) {
            return new VisitReply.Overloaded(
                    "%d pages of visits are being read, which is the limit".formatted(pagesMax));
        }
        try {
            MemoryShare memory = MemoryShare.current();
            return CompletableFuture.supplyAsync(
                            () -> memory.call(() -> page(request, schemas, view)), threads)
                    .join();
        } catch (RejectedExecutionException e) {
            return new VisitReply.Failed("the node is being stopped");
        } catch (CompletionException e) {
            if (e.getCause() instanceof MemoryRefusedException refusal && !refusal.isTooLarge()) {
                return new VisitReply.Overloaded(String.valueOf(refusal.getMessage()));
            }
            throw unwrapped(e);
        } finally {
            pages.release();
        }
    }

    /** Stops the current pages, even inside a row, and all later ones. */
    public void stop() {
        isStopping = true;
    }

    /** Returns the cause of a failure in the pool, so that the waiting thread can throw it. */
    private static RuntimeException unwrapped(CompletionException e) {
        return switch (e.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> e;
        };
    }

    /**
     * Returns the number of bytes since the start that were requested for pages and were not in
     * memory.
     */
    public long deviceBytes() {
        return deviceBytes.sum();
    }

    private VisitReply page(
            VisitRequest request, Map<String, Schema> schemas, Supplier<OrderedView> view) {
        var reads = new ReadContext();
        try {
            Selection selection =
                    Selection.parseConjunction(
                            request.scope().selection(), Schema.selectable(schemas.values()));
            VisitAreas areas =
                    VisitAreas.of(
                            selection.places(),
                            request.scope().slice(),
                            partitions,
                            request.scope().partition());
            List<VisitedType> types = types(request, schemas);
            // The view must stay open until the last read.
            try (OrderedView taken = view.get();
                    RowReads rows =
                            new RowReads(
                                    ahead,
                                    reads,
                                    request.header().deadline(),
                                    bytesAhead(request))) {
                return new PageVisit(
                                request,
                                selection,
                                new VisitTime(
                                        clock.instant().getEpochSecond(),
                                        nanoTime,
                                        () -> isStopping),
                                types,
                                areas,
                                rows)
                        .run(taken);
            }
        } catch (RefusedException | InvalidSelectionException e) {
            return new VisitReply.Rejected(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            // The parser limits the depth of selections. If a selection still overflows the stack,
            // its frames must not fill the log.
            LOG.warn("a selection of a visit is nested too deeply");
            return new VisitReply.Rejected("the selection is nested too deeply to be evaluated");
        } catch (CorruptRunException | InternalError e) {
            // The JVM reports a read error of a mapped file as an InternalError.
            LOG.error("a visit of partition {} could not read", request.scope().partition(), e);
            return new VisitReply.Failed(String.valueOf(e.getMessage()));
        } finally {
            deviceBytes.add(reads.deviceBytes());
        }
    }

    /** Without a selection, only the bytes of the page are needed. */
    private static long bytesAhead(VisitRequest request) {
        return request.scope().selection().isBlank()
                ? Math.clamp(request.limits().bytesMax(), BYTES_AHEAD_MIN, BYTES_AHEAD_MAX)
                : BYTES_AHEAD_MAX;
    }

    /** Returns the types to visit, in the order of their names. */
    private static List<VisitedType> types(VisitRequest request, Map<String, Schema> schemas) {
        var types = new ArrayList<VisitedType>();
        new TreeMap<>(request.fields())
                .forEach((name, fields) -> {
                    Schema schema = schemas.get(name);
                    if (schema == null) {
                        throw new RefusedException(
                                "no active schema has a document type '%s'".formatted(name));
                    }
                    types.add(type(schema.documentType(), fields));
                });
        return types;
    }

    private static VisitedType type(DocumentType type, List<String> names) {
        var shown = new ArrayList<Field>();
        for (String name : names) {
            Optional<Field> field = type.field(name);
            if (field.isEmpty()) {
                throw new RefusedException(
                        "document type '%s' has no field '%s'".formatted(type.name(), name));
            }
            shown.add(field.get());
        }
        return new VisitedType(type, shown);
    }
}
