package org.crabro.content;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ResourceLimits;
import org.crabro.content.block.SearchedTexts;
import org.crabro.content.block.ValueRoom.NoRoomException;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.integrity.ScrubStatistics;
import org.crabro.content.integrity.Scrubber;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.FileTransfer;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.journal.MappedLogFiles;
import org.crabro.content.match.BlockCaches;
import org.crabro.content.match.PostingsCache;
import org.crabro.content.match.VectorCache;
import org.crabro.content.read.ReadAhead;
import org.crabro.content.read.View;
import org.crabro.content.recent.ContentStatistics;
import org.crabro.content.recent.DocumentStore;
import org.crabro.content.recent.StoreBacklog;
import org.crabro.content.result.ScanThreads;
import org.crabro.content.result.Search;
import org.crabro.content.result.SearchStatistics;
import org.crabro.content.visit.Visits;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.TypeChange;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.text.Folding;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A content node: what it stores is in one directory, and what it knows of types in the model that
 * is active.
 *
 * {@snippet :
 * try (ContentNode node = ContentNode.open(ContentSettings.in(directory))) {
 *     node.activate(model);
 *     FeedReply reply = node.feed(request);
 * }
 * }
 */
public final class ContentNode implements ContentService {
    private static final Logger LOG = LoggerFactory.getLogger(ContentNode.class);
    private static final String CLOSING = "the node is closing";

    /** Threads that wait for the disk beside those that scan. */
    private static final int WAITING_SCANS = 128;

    /** Pages of visits that are read or wait for a thread, for each thread that scans. */
    private static final int PAGES_PER_THREAD = 16;

    private static final long SPARE_THREAD_SECONDS = 10;

    private final ContentSettings settings;
    private final LogFiles logFiles;
    private final InstantSource clock;
    private final Closing files;
    private final DocumentStore store;
    private final LostFiles.Total lostFiles;
    private final BatchFeed batchFeed;
    private final DocumentReads reads;
    private final ReadingWrites readingWrites;
    private final ExecutorService readAheadThreads;
    private final ExecutorService scanThreads;
    private final ExecutorService visitThreads;
    private final VectorCache keptVectors;
    private final Search search;
    private final Visits visits;
    private final Scrubber scrubber;
    private final SearchWarmUp warmUp = new SearchWarmUp(SearchWarmUp.DELAY);
    private final ReentrantLock backingUp = new ReentrantLock();
    private final RequestCount requests = new RequestCount();
    private final WriteRefusals refusals = new WriteRefusals();
    private volatile @Nullable ApplicationModel model;

    /** What searches are answered with: one model, and what it ranks with. */
    private volatile Searched searched = new Searched(Map.of(), RankModels.none());

    private final AtomicInteger rankModels = new AtomicInteger();

    /** What conditions may name. */
    private volatile SelectionTypes selectableTypes = SelectionTypes.of(List.of());

    /** What is closed last. */
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
        this.logFiles = logFiles;
        this.clock = clock;
        this.store = store;
        this.lostFiles = lostFiles;
        this.files = files;
        this.batchFeed = new BatchFeed(settings, store, type -> schema(type).isPresent());
        this.reads =
                new DocumentReads(
                        store,
                        new HeldValues(settings.memory().valueBytes()),
                        settings.threads().readThreads(),
                        settings.threads().waitingReads());
        this.readingWrites = new ReadingWrites(store, reads, clock, () -> selectableTypes);
        this.readAheadThreads =
                Executors.newFixedThreadPool(
                        ReadAhead.threads(settings.threads().scanThreads()),
                        Thread.ofPlatform().name("disk-", 0).factory());
        this.scanThreads =
                scanThreads("scan-", settings.scans().running(settings.threads().scanThreads()));
        this.visitThreads = scanThreads("visit-", settings.threads().scanThreads());
        var ahead = new ReadAhead(readAheadThreads, settings.threads().scanThreads());
        this.keptVectors =
                new VectorCache(
                        settings.memory().vectorBytes(),
                        VectorCache.SEARCHES_BEFORE,
                        Distances.areBytesFast() ? 0 : VectorCache.BYTES_BETWEEN);
        this.search =
                new Search(
                        new ScanThreads(
                                scanThreads,
                                settings.threads().scanThreads(),
                                settings.threads().threadsPerQuery()),
                        ahead,
                        new BlockCaches(
                                new PostingsCache(
                                        settings.memory().postingsBytes(),
                                        PostingsCache.SEARCHES_BEFORE),
                                keptVectors),
                        settings.memory().groupBytes(),
                        settings.scans());
        this.visits =
                new Visits(
                        visitThreads,
                        ahead,
                        settings.place().partitions(),
                        clock,
                        PAGES_PER_THREAD * settings.threads().scanThreads());
        this.scrubber =
                new Scrubber(
                        logFiles,
                        store::type,
                        store::runNames,
                        settings.upkeep().scrub(),
                        store.damage());
    }

    /**
     * Returns threads that scan: as many as {@code count} run at a time, and others wait for the
     * disk meanwhile, {@link #WAITING_SCANS} at most.
     */
    private static ExecutorService scanThreads(String name, int count) {
        return new ForkJoinPool(
                count,
                pool -> {
                    ForkJoinWorkerThread thread =
                            ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName(name + thread.getPoolIndex());
                    return thread;
                },
                null,
                true,
                count,
                count + WAITING_SCANS,
                count,
                // Then who waits for the disk keeps a processor waiting.
                _ -> true,
                SPARE_THREAD_SECONDS,
                TimeUnit.SECONDS);
    }

    /**
     * Opens the data in the settings' directory, or begins it.
     *
     * @throws IOException if another process uses the directory, its format is another, or what was
     *     durable once cannot be read: the message says where
     */
    public static ContentNode open(ContentSettings settings) throws IOException {
        var files = new MappedLogFiles(settings.place().directory());
        try {
            return open(settings, files, InstantSource.system(), files::close);
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /**
     * Opens a node over {@code files}, which are not closed with it.
     *
     * @throws IOException as above
     */
    public static ContentNode open(ContentSettings settings, LogFiles files, InstantSource clock)
            throws IOException {
        return open(settings, files, clock, () -> {});
    }

    private static ContentNode open(
            ContentSettings settings, LogFiles files, InstantSource clock, Closing closing)
            throws IOException {
        int partitions = settings.place().partitions().count();
        DataVersion.check(files, partitions);
        DoubleSupplier memoryShare =
                MemoryUsage.ofThisMachine()
                        .<DoubleSupplier>map(usage -> usage::ownShare)
                        .orElse(() -> Double.NaN);
        DocumentStore store =
                DocumentStore.open(files, partitions, settings.recent(), clock, memoryShare);
        LostFiles.Total lost;
        try {
            lost = LostFiles.total(files);
        } catch (IOException e) {
            store.close();
            throw e;
        }
        var node = new ContentNode(settings, files, clock, store, lost, closing);
        node.scrubber.start();
        return node;
    }

    private record Searched(Map<String, Schema> schemas, RankModels models) {}

    @Override
    public void activate(ApplicationModel activated) {
        RankModels loaded =
                RankModels.forContent(
                        activated.schemas().values().stream()
                                .flatMap(schema -> schema.rankProfiles().values().stream())
                                .flatMap(profile -> profile.contentModels().stream())
                                .toList(),
                        rankModels);
        try {
            for (Schema schema : activated.schemas().values()) {
                store.keep(schema.documentType(), searchedTexts(schema));
            }
        } catch (IOException e) {
            loaded.retire();
            throw new UncheckedIOException("the document types could not be kept", e);
        }
        store.limitFeed(
                least(activated, ResourceLimits::disk), least(activated, ResourceLimits::memory));
        store.limitDocuments(documentBytes(activated));
        selectableTypes =
                SelectionTypes.of(
                        activated.schemas().values().stream().map(Schema::documentType).toList());
        model = activated;
        Searched before = searched;
        searched = new Searched(activated.schemas(), loaded);
        before.models.retire();
        warmUp.plan(activated.schemas().values());
    }

    /** Returns how many models are loaded to rank with, those of earlier generations too. */
    public int rankModels() {
        return rankModels.get();
    }

    /** Clusters share the disk and the memory of the node: the lowest of their limits holds. */
    private static OptionalDouble least(
            ApplicationModel model, Function<ResourceLimits, OptionalDouble> resource) {
        return model.services().contents().stream()
                .map(cluster -> resource.apply(cluster.limits()))
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }

    /** Returns the largest documents of the types whose clusters say how large those are. */
    private static Map<String, Integer> documentBytes(ApplicationModel model) {
        Map<String, Integer> bytes = new HashMap<>();
        for (ContentCluster cluster : model.services().contents()) {
            OptionalInt most = cluster.limits().documentBytes();
            if (most.isPresent()) {
                cluster.documents().forEach(each -> bytes.put(each.type(), most.getAsInt()));
            }
        }
        return bytes;
    }

    private static SearchedTexts searchedTexts(Schema schema) {
        Map<String, Folding> foldings = new HashMap<>();
        for (SchemaField field : schema.fields().values()) {
            if (field.isSearchable()
                    && field.isText()
                    && field.match().unit() == MatchMode.Unit.TOKEN
                    && field.match().maxLength() == MatchMode.LENGTH_MAX) {
                foldings.put(field.field().name(), field.match().folding());
            }
        }
        return new SearchedTexts(foldings);
    }

    private Optional<Schema> schema(String documentType) {
        ApplicationModel active = model;
        return active == null
                ? Optional.empty()
                : Optional.ofNullable(active.schemas().get(documentType));
    }

    private FeedReply unlessClosing(Supplier<FeedReply> feeding) {
        if (!requests.tryBegin()) {
            return refusals.counted(new FeedReply.Failed(CLOSING));
        }
        try {
            return refusals.counted(feeding.get());
        } finally {
            requests.end();
        }
    }

    @Override
    public FeedReply feed(FeedRequest request) {
        return unlessClosing(() -> write(request));
    }

    private FeedReply write(FeedRequest request) {
        if (!owns(request.header(), request.partition())) {
            return new FeedReply.WrongOwner(settings.place().stateVersion());
        }
        DocumentId id = request.operation().id();
        int partition = settings.place().partitions().of(id.location());
        if (partition != request.partition()) {
            return new FeedReply.Rejected(
                    "%s is of partition %d, not %d".formatted(id, partition, request.partition()));
        }
        Optional<Schema> schema = schema(id.documentType());
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(unknownType(id.documentType()));
        }
        DocumentType type = schema.get().documentType();
        FeedReply reply =
                ReadingWrites.isAsked(request)
                        ? readAndWrite(
                                id, type, stored -> readingWrites.write(request, type, stored))
                        : write(request, type);
        return told(reply, id.documentType());
    }

    private FeedReply write(FeedRequest request, DocumentType type) {
        byte[] row;
        try {
            row = row(request.operation(), type);
        } catch (IllegalArgumentException e) {
            return new FeedReply.Rejected(String.valueOf(e.getMessage()));
        }
        return store.write(
                new EncodedWrite(request.partition(), request.operation().id(), row),
                request.header().deadline());
    }

    @Override
    public FeedReply feed(FeedRowRequest request) {
        return unlessClosing(() -> write(request));
    }

    private FeedReply write(FeedRowRequest request) {
        EncodedWrite write = request.write().write();
        DocumentId id = write.id();
        if (!owns(request.header(), write.partition())) {
            return new FeedReply.WrongOwner(settings.place().stateVersion());
        }
        Optional<FeedReply> refusal = batchFeed.refusal(write);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Optional<Schema> schema = schema(id.documentType());
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(unknownType(id.documentType()));
        }
        FeedReply reply =
                readAndWrite(
                        id,
                        schema.get().documentType(),
                        stored -> readingWrites.write(request, stored));
        return told(reply, id.documentType());
    }

    /** A write that reads what is stored, as a document of the active type. */
    private interface ReadingWrite {
        FeedReply write(Function<Row, Document> stored)
                throws TimeoutException, InterruptedException;
    }

    private FeedReply readAndWrite(DocumentId id, DocumentType type, ReadingWrite write) {
        try {
            return write.write(stored -> document(stored, store.type(stored.fingerprint()), type));
        } catch (NoRoomException _) {
            return new FeedReply.Overloaded(settings.recent().overload().retryAfter());
        } catch (TimeoutException _) {
            return new FeedReply.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new FeedReply.TimedOut();
        } catch (CorruptRunException | InternalError e) {
            LOG.error("{} cannot be read", id, e);
            return new FeedReply.Failed(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public FeedBatchReply feed(FeedBatchRequest request) {
        List<EncodedWrite> writes = request.writes();
        if (!requests.tryBegin()) {
            return all(writes, new FeedReply.Failed(CLOSING));
        }
        try {
            if (request.header().stateVersion() > settings.place().stateVersion()) {
                return all(writes, new FeedReply.WrongOwner(settings.place().stateVersion()));
            }
            List<FeedReply> replies = batchFeed.write(writes, request.header().deadline());
            List<FeedReply> told = new ArrayList<>(replies.size());
            for (int i = 0; i < replies.size(); i++) {
                FeedReply reply = refusals.counted(replies.get(i));
                told.add(told(reply, writes.get(i).id().documentType()));
            }
            return new FeedBatchReply(told);
        } finally {
            requests.end();
        }
    }

    private static FeedBatchReply all(List<EncodedWrite> writes, FeedReply reply) {
        return new FeedBatchReply(Collections.nCopies(writes.size(), reply));
    }

    @Override
    public FeedReply removeGroup(RemoveGroupRequest request) {
        return unlessClosing(() -> remove(request));
    }

    private FeedReply remove(RemoveGroupRequest request) {
        if (!owns(request.header(), request.partition())) {
            return new FeedReply.WrongOwner(settings.place().stateVersion());
        }
        String type = request.documentType();
        DocumentId any;
        try {
            any = new DocumentId("any", type, request.group(), "any");
        } catch (InvalidDocumentException e) {
            return new FeedReply.Rejected(String.valueOf(e.getMessage()));
        }
        int partition = settings.place().partitions().of(any.location());
        if (partition != request.partition()) {
            return new FeedReply.Rejected(
                    "'%s' is of partition %d, not %d"
                            .formatted(request.group().text(), partition, request.partition()));
        }
        Optional<Schema> schema = schema(type);
        if (schema.isEmpty()) {
            return new FeedReply.Rejected(unknownType(type));
        }
        return told(
                store.removeGroup(
                        partition,
                        schema.get().documentType(),
                        request.group(),
                        request.header().deadline()),
                type);
    }

    /** Tells a sender whose feed is blocked in which cluster. */
    private FeedReply told(FeedReply reply, String documentType) {
        return reply instanceof FeedReply.OutOfSpace(String reason)
                ? new FeedReply.OutOfSpace(blocked(documentType, reason))
                : reply;
    }

    private String blocked(String documentType, String reason) {
        ApplicationModel active = model;
        Optional<String> cluster =
                active == null
                        ? Optional.empty()
                        : active.services().contents().stream()
                                .filter(each ->
                                        each.documents().stream()
                                                .anyMatch(of -> of.type().equals(documentType)))
                                .map(ContentCluster::id)
                                .findFirst();
        return "external feed is blocked due to resource exhaustion"
                + cluster.map(id -> ", in content cluster '" + id + "'").orElse("")
                + ": "
                + reason;
    }

    private static byte[] row(DocumentOperation operation, DocumentType type) {
        Row row =
                switch (operation) {
                    case DocumentOperation.Put(Document document) ->
                            new Row(document.id(), 0, type.fingerprint(), false, document.fields());
                    case DocumentOperation.Update update ->
                            throw new IllegalArgumentException("no row by itself: " + update);
                    case DocumentOperation.Remove(DocumentId id) ->
                            new Row(id, 0, type.fingerprint(), true, Map.of());
                };
        return RowEncoding.encode(row, type);
    }

    private static String unknownType(String name) {
        return "no active schema has a document type '%s'".formatted(name);
    }

    /** A sender who knows a newer state than this node may be right that the node owns it. */
    private boolean owns(RequestHeader header, int partition) {
        return settings.place().owned().contains(partition)
                && header.stateVersion() <= settings.place().stateVersion();
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        if (!requests.tryBegin()) {
            return new GetReply.Failed(CLOSING);
        }
        try {
            return read(request, hold);
        } catch (NoRoomException _) {
            return new GetReply.Overloaded(settings.recent().overload().retryAfter());
        } catch (TimeoutException _) {
            return new GetReply.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new GetReply.TimedOut();
        } catch (CorruptRunException | InternalError e) {
            LOG.error("{} cannot be read", request.id(), e);
            return new GetReply.Failed(String.valueOf(e.getMessage()));
        } finally {
            requests.end();
        }
    }

    private GetReply read(GetRequest request, ReadHold hold)
            throws TimeoutException, InterruptedException {
        RequestHeader header = request.header();
        if (!owns(header, request.partition())) {
            return new GetReply.WrongOwner(settings.place().stateVersion());
        }
        if (request.atLeast().isPresent() && !hasReached(request.atLeast().get(), header)) {
            return new GetReply.TimedOut();
        }
        Optional<Row> newest =
                reads.newest(request.partition(), request.id(), header.deadline(), hold);
        Optional<Schema> schema = schema(request.id().documentType());
        if (newest.isEmpty() || newest.get().tombstone() || schema.isEmpty()) {
            return new GetReply.Missing();
        }
        Row row = newest.get();
        Optional<DocumentType> written = store.type(row.fingerprint());
        Document document = document(row, written, schema.get().documentType());
        return new GetReply.Found(document, row.timestamp());
    }

    private boolean hasReached(PartitionPosition position, RequestHeader header) {
        return store.await(position, header.deadline());
    }

    /** Returns the fields that the active type has as they were written, in its order. */
    private static Document document(Row row, Optional<DocumentType> written, DocumentType active) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        for (Field field : active.fields()) {
            FieldValue value = row.fields().get(field.name());
            if (value != null) {
                change(field, written)
                        .ifPresent(change -> fields.put(field.name(), change.read(value)));
            }
        }
        return new Document(row.id(), fields);
    }

    /** Returns what became of the type of a field, where its values can be read. */
    private static Optional<TypeChange> change(Field field, Optional<DocumentType> written) {
        return written.flatMap(type -> type.field(field.name()))
                .map(before -> new TypeChange(before.type(), field.type()))
                .filter(TypeChange::isReadable);
    }

    @Override
    public SearchReply search(SearchRequest request) {
        if (!requests.tryBegin()) {
            return new SearchReply.Failed(CLOSING);
        }
        try {
            return find(request);
        } finally {
            requests.end();
        }
    }

    private SearchReply find(SearchRequest request) {
        for (int partition : request.scope().partitions()) {
            if (!owns(request.header(), partition)) {
                return new SearchReply.WrongOwner(settings.place().stateVersion());
            }
        }
        for (PartitionPosition position : request.scope().atLeast()) {
            if (!hasReached(position, request.header())) {
                return new SearchReply.TimedOut();
            }
        }
        while (true) {
            Searched current = searched;
            Optional<ModelRuns> models = current.models.begin();
            if (models.isPresent()) {
                try (ModelRuns runs = models.get()) {
                    return find(request, current.schemas.get(request.scope().documentType()), runs);
                }
            }
            // Another package became active meanwhile, or none will any more.
            if (current.equals(searched)) {
                return new SearchReply.Failed(CLOSING);
            }
        }
    }

    private SearchReply find(SearchRequest request, @Nullable Schema schema, ModelRuns models) {
        return schema == null
                ? new SearchReply.Rejected(unknownType(request.scope().documentType()))
                : search.run(
                        request,
                        schema,
                        selectableTypes,
                        models,
                        views(request.scope().partitions()));
    }

    private List<View> views(List<Integer> partitions) {
        List<View> views = new ArrayList<>(partitions.size());
        try {
            for (int partition : partitions) {
                views.add(store.view(partition));
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
            ApplicationModel active = model;
            if (!owns(request.header(), request.partition())) {
                return new VisitReply.WrongOwner(settings.place().stateVersion());
            }
            return visits.run(
                    request,
                    active == null ? Map.of() : active.schemas(),
                    () -> store.view(request.partition()));
        } finally {
            requests.end();
        }
    }

    @Override
    public boolean hasDocuments(String documentType) throws IOException {
        if (!requests.tryBegin()) {
            throw new IOException(CLOSING);
        }
        try {
            return OwnThread.call("documents", () -> store.hasDocuments(documentType));
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

    /** Writes everything recent into runs. */
    public void flush() throws IOException {
        store.flush();
    }

    /**
     * Flushes everything that was acknowledged before, then merges at full speed until no merge is
     * due, while the node serves. A step that is under way at the deadline is finished.
     *
     * @return whether no merge is due
     * @throws IOException if a flush or a merge fails
     */
    public boolean settle(Deadline deadline) throws IOException {
        if (!requests.tryBegin()) {
            throw new IOException(CLOSING);
        }
        try {
            return OwnThread.call("settle", () -> store.settle(deadline, requests::isClosing));
        } finally {
            requests.end();
        }
    }

    /** Returns the work that {@link #settle} would do now. */
    public StoreBacklog backlog() {
        return store.backlog();
    }

    /**
     * Makes a backup of everything that is acknowledged by now, while the node serves: hard links
     * where {@code target} is on the same file system, copies elsewhere. A copy of it is restored
     * by opening a node in it. One at a time.
     *
     * @param target a directory that is empty or does not exist, and is not in the data's own
     * @param attachments what the backup contains besides documents
     * @throws BackupRefusedException if it is not such a directory, a backup is under way, or a run
     *     is set aside
     * @throws IOException if it could not be made: then whatever is in the directory is refused by
     *     a node
     */
    public BackupReport backup(Path target, BackupAttachments attachments) throws IOException {
        Path place = target.toAbsolutePath().normalize();
        if (place.startsWith(settings.place().directory().toAbsolutePath().normalize())) {
            throw new BackupRefusedException(
                    "the directory for the backup is in that of the data: " + place);
        }
        if (Files.isDirectory(place)) {
            refuseNonEmpty(place);
        } else if (Files.exists(place)) {
            throw new BackupRefusedException("it is no directory: " + place);
        }
        Backup.refuseDamaged(store);
        return OwnThread.call(
                "backup",
                () -> {
                    try (var targetFiles = new MappedLogFiles(place)) {
                        return backup(targetFiles, attachments);
                    }
                });
    }

    /** Before anything is written there. */
    private static void refuseNonEmpty(Path place) throws IOException {
        try (Stream<Path> entries = Files.list(place)) {
            Optional<Path> some = entries.findFirst();
            if (some.isPresent()) {
                throw new BackupRefusedException(
                        "the directory for the backup is not empty: " + some.get());
            }
        }
    }

    /** Makes a backup in {@code target}. */
    BackupReport backup(LogFiles target, BackupAttachments attachments) throws IOException {
        if (!backingUp.tryLock()) {
            throw new BackupRefusedException("a backup is under way");
        }
        try {
            if (!requests.tryBegin()) {
                throw new IOException(CLOSING);
            }
            try {
                var transfer = new FileTransfer(logFiles, target, requests::isClosing);
                return Backup.run(
                        store, transfer, attachments, settings.place().partitions().count(), clock);
            } finally {
                requests.end();
            }
        } finally {
            backingUp.unlock();
        }
    }

    /** Returns what was checked in the background, for metrics. */
    public ScrubStatistics scrubStatistics() {
        return scrubber.statistics();
    }

    /** Returns how many runs are set aside until the next start, as their files are damaged. */
    public int setAsideFiles() {
        return (int) store.setAside().stream().map(Damage::file).distinct().count();
    }

    /** Returns what {@code lost+found} has: only a start moves files there. */
    public LostFiles.Total lostFiles() {
        return lostFiles;
    }

    @Override
    public NodeHealth health() {
        return store.health();
    }

    /** Returns why the journal failed, if it did: then no write is taken until the next start. */
    public Optional<String> journalFailure() {
        return store.journalFailure();
    }

    /** Returns which writes were refused, for metrics. */
    public WriteRefusals refusals() {
        return refusals;
    }

    /** Returns how much the node did and holds, for metrics. */
    public ContentStatistics statistics() {
        return store.statistics();
    }

    /** Returns the bytes that gets took from the device since the start, for metrics. */
    public long deviceBytesOfGets() {
        return reads.deviceBytes();
    }

    /** Returns what searches read, for metrics. */
    public SearchStatistics searches() {
        return search.statistics();
    }

    @Override
    public void close() {
        // Requests that are under way are waited for: none may take as long as it likes.
        search.stop();
        visits.stop();
        if (!requests.close()) {
            return;
        }
        warmUp.close();
        scrubber.close();
        if (settings.upkeep().flushOnClose()) {
            try {
                store.flush();
            } catch (IOException e) {
                LOG.warn("Not everything was flushed; the journal has it", e);
            }
        }
        reads.close();
        visitThreads.close();
        scanThreads.close();
        searched.models.retire();
        readAheadThreads.close();
        keptVectors.close();
        store.close();
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("The data directory could not be let go", e);
        }
    }
}
