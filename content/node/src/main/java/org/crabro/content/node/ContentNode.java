package org.crabro.content.node;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.ScanThreads;
import org.crabro.content.search.execution.Search;
import org.crabro.content.search.execution.SearchStatistics;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.match.cache.PostingsCache;
import org.crabro.content.search.match.cache.VectorCache;
import org.crabro.content.search.parent.MissingParentsException;
import org.crabro.content.search.parent.ParentViews;
import org.crabro.content.search.visit.Visits;
import org.crabro.content.storage.backup.BackupAttachments;
import org.crabro.content.storage.backup.BackupRefusedException;
import org.crabro.content.storage.backup.BackupReport;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.integrity.ScrubStatistics;
import org.crabro.content.storage.integrity.Scrubber;
import org.crabro.content.storage.integrity.Scrubber.StoredRuns;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.os.OwnThread;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Indexer;
import org.crabro.content.storage.store.PartitionClosedException;
import org.crabro.content.storage.store.StoreBacklog;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.onnx.ModelRuns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A content node: stores the documents of one directory, and answers requests with the active
 * model.
 *
 * <p>It builds the parts, counts the running requests, and closes the parts in order. The parts
 * answer: {@link WriteRequests}, {@link GetRequests}, {@link Search}, {@link Visits}, {@link
 * NodeBackups}.
 *
 * {@snippet :
 * try (ContentNode node = ContentNode.open(ContentSettings.in(directory))) {
 *     node.activate(model);
 *     List<WriteReply> replies = node.write(request);
 * }
 * }
 */
public final class ContentNode implements ContentService {
    private static final Logger LOG = LoggerFactory.getLogger(ContentNode.class);
    static final String CLOSING = "the node is closing";

    /** The number of visit pages, running or waiting for a thread, per scan thread. */
    private static final int PAGES_PER_THREAD = 16;

    private final ContentSettings settings;
    private final Closing files;
    private final DocumentStore store;
    private final LostFiles.Total lostFiles;
    private final ActiveModel active;
    private final WriteRequests writes;
    private final GetRequests gets;
    private final PointReads reads;
    private final ScanPools pools;
    private final VectorCache vectors;
    private final Search search;
    private final ParentViews parents;
    private volatile GlobalDocuments globals = GlobalDocuments.NONE;
    private final Visits visits;
    private final Scrubber scrubber;
    private final Indexer indexer;
    private final NodeBackups backups;
    private final RequestCount requests = new RequestCount();
    private final SearchWarmUp warmUp = new SearchWarmUp(SearchWarmUp.DELAY, requests::begun);
    private final WriteRefusals refusals = new WriteRefusals();

    /** Closes the files, after all other parts. */
    private interface Closing {
        void close() throws IOException;
    }

    private ContentNode(
            ContentSettings settings,
            LogFiles logFiles,
            InstantSource clock,
            DocumentStore store,
            LostFiles.Total lostFiles,
            Closing files) {
        this.settings = settings;
        this.store = store;
        this.lostFiles = lostFiles;
        this.files = files;
        this.active = new ActiveModel(store);
        this.reads =
                new PointReads(
                        store,
                        new HeldValues(settings.memory().valueBytes()),
                        settings.threads().readThreads(),
                        settings.threads().waitingReads());
        NodePlace place = settings.place();
        Duration retryAfter = settings.recent().overload().retryAfter();
        this.writes =
                new WriteRequests(
                        place,
                        store,
                        active,
                        new RowBatches(place, store, type -> active.schema(type).isPresent()),
                        new ReadingWrites(store, reads, clock, active::selectableTypes),
                        retryAfter);
        this.gets = new GetRequests(place, store, active, reads, retryAfter);
        this.pools = ScanPools.of(settings.threads(), settings.scans());
        var ahead = new ReadAhead(pools.readAhead(), settings.threads().scanThreads());
        this.vectors =
                new VectorCache(
                        settings.memory().vectorBytes(),
                        VectorCache.SEARCHES_BEFORE,
                        Distances.areBytesFast() ? 0 : VectorCache.BYTES_BETWEEN);
        this.search =
                new Search(
                        new ScanThreads(
                                pools.scans(),
                                settings.threads().scanThreads(),
                                settings.threads().threadsPerQuery()),
                        ahead,
                        new BlockCaches(
                                new PostingsCache(
                                        settings.memory().postingsBytes(),
                                        PostingsCache.SEARCHES_BEFORE),
                                vectors),
                        settings.memory().groupBytes(),
                        settings.scans());
        this.parents =
                new ParentViews(
                        new ParentViews.Source(place.partitions(), store::view),
                        active::isGlobal,
                        settings.memory().parentRows());
        this.visits =
                new Visits(
                        pools.visits(),
                        ahead,
                        settings.place().partitions(),
                        clock,
                        PAGES_PER_THREAD * settings.threads().scanThreads());
        this.scrubber =
                new Scrubber(
                        new StoredRuns(logFiles, store::type, store::runNames),
                        settings.upkeep().scrub(),
                        store.damage());
        this.indexer = new Indexer(store, settings.upkeep().index());
        this.backups = new NodeBackups(place, logFiles, store, requests, clock);
    }

    /**
     * Opens the data in the settings' directory, or creates it.
     *
     * @throws IOException if another process uses the directory, its format is another, or data
     *     that was durable cannot be read; the message contains the place
     */
    public static ContentNode open(ContentSettings settings) throws IOException {
        var files = new MappedLogFiles(settings.place().directory());
        try {
            return open(settings, files, InstantSource.system(), Optional.empty(), files::close);
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /**
     * Opens a node over {@code files}, which are not closed with it.
     *
     * @throws IOException if the format of the files is another, or data that was durable cannot be
     *     read
     */
    public static ContentNode open(ContentSettings settings, LogFiles files, InstantSource clock)
            throws IOException {
        return open(settings, files, clock, Optional.empty(), () -> {});
    }

    /**
     * Opens a node with replicas over {@code files}, which are not closed with it.
     *
     * @param journals replicate its shards; not closed with it
     * @throws IOException as above
     */
    public static ContentNode open(
            ContentSettings settings, LogFiles files, InstantSource clock, ShardJournals journals)
            throws IOException {
        return open(settings, files, clock, Optional.of(journals), () -> {});
    }

    private static ContentNode open(
            ContentSettings settings,
            LogFiles files,
            InstantSource clock,
            Optional<ShardJournals> journals,
            Closing closing)
            throws IOException {
        int partitions = settings.place().partitions().count();
        DataVersion.check(files, partitions);
        DoubleSupplier memoryShare =
                MemoryUsage.ofThisMachine()
                        .<DoubleSupplier>map(usage -> usage::ownShare)
                        .orElse(() -> Double.NaN);
        DocumentStore store =
                DocumentStore.open(
                        files,
                        new StoreOptions(
                                partitions, settings.recent(), clock, memoryShare, journals));
        LostFiles.Total lost;
        try {
            lost = LostFiles.total(files);
        } catch (IOException e) {
            store.close();
            throw e;
        }
        var node = new ContentNode(settings, files, clock, store, lost, closing);
        node.scrubber.start();
        node.indexer.start();
        return node;
    }

    @Override
    public void activate(ApplicationModel activated) {
        active.activate(activated);
        warmUp.plan(activated.schemas().values());
    }

    /**
     * Lets searches find documents of some types on another node of the process from now on. Called
     * before the activation of the model whose documents refer to them.
     */
    public void findGlobals(GlobalDocuments on) {
        globals = on;
    }

    private ParentViews parents() {
        GlobalDocuments elsewhere = globals;
        return elsewhere.types().isEmpty()
                ? parents
                : new ParentViews(
                        parents.own(),
                        new ParentViews.Source(
                                settings.place().partitions(),
                                partition -> globalView(elsewhere, partition)),
                        elsewhere.types()::contains,
                        parents.rowsMax());
    }

    private static View globalView(GlobalDocuments of, int partition) {
        GlobalDocuments.Node global = of.node().get().orElseThrow(MissingParentsException::new);
        // Before the check, so that the view is not that of a replica that has replaced this one.
        long replacements = global.node().store.replacements();
        if (!global.isCurrent().getAsBoolean()) {
            throw new MissingParentsException();
        }
        return global.node().view(partition, replacements);
    }

    /** Returns the number of loaded ranking models, including those of earlier packages. */
    public int rankModels() {
        return active.rankModels();
    }

    @Override
    public List<WriteReply> write(WriteRequest request) {
        if (!requests.tryBegin()) {
            WriteReply closing = refusals.counted(new WriteReply.Failed(CLOSING));
            return Collections.nCopies(request.writes().size(), closing);
        }
        try {
            return writes.write(request).stream().map(refusals::counted).toList();
        } finally {
            requests.end();
        }
    }

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        if (!requests.tryBegin()) {
            return refusals.counted(new WriteReply.Failed(CLOSING));
        }
        try {
            return refusals.counted(writes.write(header, write, id));
        } finally {
            requests.end();
        }
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        if (!requests.tryBegin()) {
            return new GetReply.Failed(CLOSING);
        }
        try {
            return gets.get(request, hold);
        } finally {
            requests.end();
        }
    }

    @Override
    public SearchReply search(SearchRequest request) {
        if (!requests.tryBegin()) {
            return new SearchReply.Failed(CLOSING);
        }
        try {
            return find(request);
        } catch (PartitionClosedException _) {
            return new SearchReply.WrongOwner(settings.place().stateVersion());
        } catch (MissingParentsException e) {
            return new SearchReply.Unavailable(String.valueOf(e.getMessage()));
        } finally {
            requests.end();
        }
    }

    private SearchReply find(SearchRequest request) {
        for (int partition : request.scope().partitions()) {
            if (!settings.place().owns(request.header(), partition)) {
                return new SearchReply.WrongOwner(settings.place().stateVersion());
            }
        }
        long replacements = store.replacements();
        switch (store.awaitCurrent(request.scope().partitions(), request.header().deadline())) {
            case CURRENT -> {
                // The search follows.
            }
            case ELSEWHERE -> {
                return new SearchReply.WrongOwner(settings.place().stateVersion());
            }
            case TIMED_OUT -> {
                return new SearchReply.TimedOut();
            }
        }
        for (PartitionPosition position : request.scope().atLeast()) {
            if (!store.await(position, request.header().deadline())) {
                return new SearchReply.TimedOut();
            }
        }
        return active.search(
                        request.scope().documentType(),
                        request.header().deadline().nanos(),
                        (schema, models) -> find(request, schema, models, replacements))
                .orElseGet(() -> new SearchReply.Failed(CLOSING));
    }

    private SearchReply find(
            SearchRequest request, @Nullable Schema schema, ModelRuns models, long replacements) {
        return schema == null
                ? new SearchReply.Rejected(ActiveModel.unknownType(request.scope().documentType()))
                : search.run(
                        request,
                        schema,
                        active.selectableTypes(),
                        models,
                        parents(),
                        views(request.scope().partitions(), replacements));
    }

    private List<View> views(List<Integer> partitions, long replacements) {
        List<View> views = new ArrayList<>(partitions.size());
        try {
            for (int partition : partitions) {
                views.add(store.view(partition));
                store.checkReplacements(partition, replacements);
            }
            return views;
        } catch (RuntimeException e) {
            views.forEach(View::close);
            throw e;
        }
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        if (!requests.tryBegin()) {
            return new VisitReply.Failed(CLOSING);
        }
        try {
            return page(request);
        } catch (PartitionClosedException _) {
            return new VisitReply.WrongOwner(settings.place().stateVersion());
        } finally {
            requests.end();
        }
    }

    private VisitReply page(VisitRequest request) {
        int partition = request.scope().partition();
        if (!settings.place().owns(request.header(), partition)) {
            return new VisitReply.WrongOwner(settings.place().stateVersion());
        }
        long replacements = store.replacements();
        return switch (store.awaitCurrent(List.of(partition), request.header().deadline())) {
            case CURRENT ->
                    visits.run(request, active.schemas(), () -> view(partition, replacements));
            case ELSEWHERE -> new VisitReply.WrongOwner(settings.place().stateVersion());
            case TIMED_OUT -> new VisitReply.TimedOut();
        };
    }

    private OrderedView view(int partition, long replacements) {
        OrderedView view = store.view(partition);
        try {
            store.checkReplacements(partition, replacements);
            return view;
        } catch (PartitionClosedException e) {
            view.close();
            throw e;
        }
    }

    @Override
    public boolean hasDocuments(String documentType) throws IOException {
        return read(() -> store.hasDocuments(documentType));
    }

    @Override
    public long documentsWith(String documentType, String path) throws IOException {
        return read(() -> store.documentsWith(documentType, path));
    }

    /** Reads stored documents on a thread of the node. */
    private <T> T read(Supplier<T> reading) throws IOException {
        if (!requests.tryBegin()) {
            throw new IOException(CLOSING);
        }
        try {
            return OwnThread.call("documents", reading::get);
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof CorruptRunException
                    || e.getCause() instanceof InternalError) {
                throw new IOException(e.getCause().getMessage(), e);
            }
            throw e;
        } finally {
            requests.end();
        }
    }

    /** Returns the documents, for what adds and removes replicas of a node with replicas. */
    public DocumentStore documents() {
        return store;
    }

    /** Writes all recent rows into runs. */
    public void flush() throws IOException {
        store.flush();
    }

    /**
     * Builds the indexes of runs that are missing, on the caller's thread.
     *
     * @throws IOException if one could not be built
     */
    public void index(IndexSettings with) throws IOException {
        store.index(with, requests::isClosing);
    }

    /**
     * Flushes all writes that were acknowledged before, then merges at full speed until no merge is
     * due, and builds missing indexes, while the node serves. A step that runs at the deadline is
     * finished, and so are the indexes.
     *
     * @return whether no merge is due
     * @throws IOException if a flush or a merge fails
     */
    public boolean settle(Deadline deadline) throws IOException {
        if (!requests.tryBegin()) {
            throw new IOException(CLOSING);
        }
        try {
            return OwnThread.call("settle", () -> settleNow(deadline));
        } finally {
            requests.end();
        }
    }

    private boolean settleNow(Deadline deadline) throws IOException {
        boolean isMerged = store.settle(deadline, requests::isClosing);
        IndexSettings index = settings.upkeep().index();
        if (isMerged && index.isAutomatic()) {
            store.index(index, requests::isClosing);
        }
        return isMerged;
    }

    /** Returns the work that {@link #settle} would do now. */
    public StoreBacklog backlog() {
        return store.backlog();
    }

    /**
     * Makes a backup of all writes acknowledged so far, while the node serves. Files are hard links
     * if {@code target} is on the same file system, otherwise copies. To restore it, open a node in
     * a copy of it. One backup at a time.
     *
     * @param target a directory that is empty or does not exist, and is not inside the data
     *     directory
     * @param attachments the files of the backup besides documents
     * @throws BackupRefusedException if it is not such a directory, a backup is running, or a run
     *     is set aside
     * @throws IOException if the backup failed; a node refuses the content of the directory then
     */
    public BackupReport backup(Path target, BackupAttachments attachments) throws IOException {
        return backups.backup(target, attachments);
    }

    /** Makes a backup in {@code target}. */
    BackupReport backup(LogFiles target, BackupAttachments attachments) throws IOException {
        return backups.backup(target, attachments);
    }

    /** Returns the statistics of the background checks, for metrics. */
    public ScrubStatistics scrubStatistics() {
        return scrubber.statistics();
    }

    /**
     * Returns the number of runs that are set aside until the next start, because their files are
     * damaged.
     */
    public int setAsideFiles() {
        return (int) store.setAside().stream().map(Damage::file).distinct().count();
    }

    /** Returns the size of {@code lost+found}: only a start moves files there. */
    public LostFiles.Total lostFiles() {
        return lostFiles;
    }

    @Override
    public NodeHealth health() {
        return store.health();
    }

    /** Returns why this node refuses puts; empty while it accepts them. */
    public Optional<String> putsRefused() {
        return store.putsRefused();
    }

    /**
     * Refuses puts to some shards, whose other replicas have no room. Removes are accepted.
     *
     * @param byShard why puts are refused
     */
    public void refusePuts(Map<Integer, String> byShard) {
        store.refusePuts(byShard);
    }

    /**
     * Returns why the journal failed; empty if it works. After a failure no write is accepted until
     * the next start.
     */
    public Optional<String> journalFailure() {
        return store.journalFailure();
    }

    /** Returns the counts of refused writes, for metrics. */
    public WriteRefusals refusals() {
        return refusals;
    }

    /** Returns counts and sizes of the store, for metrics. */
    public ContentStatistics statistics() {
        return store.statistics();
    }

    /** Returns the bytes that gets read from the device since the start, for metrics. */
    public long deviceBytesOfGets() {
        return reads.deviceBytes();
    }

    /** Returns the statistics of searches, for metrics. */
    public SearchStatistics searches() {
        return search.statistics();
    }

    @Override
    public void close() {
        // Running requests end soon: close waits for them.
        search.stop();
        visits.stop();
        if (!requests.close()) {
            return;
        }
        warmUp.close();
        scrubber.close();
        indexer.close();
        if (settings.upkeep().flushOnClose()) {
            try {
                store.flush();
            } catch (IOException e) {
                LOG.warn("Some recent documents were not flushed; they are in the journal", e);
            }
        }
        reads.close();
        pools.close();
        active.close();
        vectors.close();
        store.close();
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("The data directory could not be closed", e);
        }
    }
}
