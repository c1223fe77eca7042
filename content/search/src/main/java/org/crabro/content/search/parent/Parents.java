package org.crabro.content.search.parent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.config.schema.ImportedField;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The documents that the documents of one search refer to. Each is found once by its id, in a view
 * of its partition that is taken when the first document of that partition is needed and stays the
 * same until the search ends. Safe for use by the threads of the search.
 *
 * <p>A document that does not exist, or that the sender of the search may not read, has no values.
 */
public final class Parents implements AutoCloseable {
    /** The approximate size of an imported column of a slice, in bytes. */
    private static final int SLICE_BYTES = 8 << 20;

    /** The assumed size of a value of variable length, in bytes. */
    private static final int OTHER_BYTES = 32 << 10;

    /** A search without imported fields. */
    private static final Parents NONE = new Parents(Map.of(), ParentViews.NONE, Principal.EVERYONE);

    private final Map<String, ImportPath> paths;
    private final List<Field> sources = new ArrayList<>();
    private final ParentViews views;
    private final Principal principal;
    private final ReadContext reads = new ReadContext();
    private final Map<IdBytes, ParentRow> rows = new ConcurrentHashMap<>();
    private final Map<Object, ParentBlock> blocks = new ConcurrentHashMap<>();
    private final AtomicInteger parentCount = new AtomicInteger();

    // Guarded by this.
    private final Map<Opened, View> open = new HashMap<>();
    private @Nullable Arena memory;

    /** A partition of documents. */
    private record Opened(ParentViews.Source source, int partition) {}

    private Parents(Map<String, ImportedField> imports, ParentViews views, Principal principal) {
        this.views = views;
        this.principal = principal;
        Map<String, ImportPath> all = new HashMap<>();
        imports.forEach((name, field) -> all.put(name, path(name, field)));
        this.paths = Map.copyOf(all);
    }

    /**
     * Returns the parents of one search.
     *
     * @param imports the imported fields of the searched type, by name
     * @param principal the sender of the search
     */
    public static Parents of(
            Map<String, ImportedField> imports, ParentViews views, Principal principal) {
        return imports.isEmpty() ? NONE : new Parents(imports, views, principal);
    }

    /** Returns the parents of a search without imported fields. */
    public static Parents none() {
        return NONE;
    }

    private ImportPath path(String name, ImportedField field) {
        List<ImportedField.Link> links = field.links();
        var further = new ArrayList<ImportPath.Further>();
        for (ImportedField.Link link : links.subList(1, links.size())) {
            further.add(new ImportPath.Further(number(link.reference()), link.target()));
        }
        return new ImportPath(
                name,
                links.getFirst().reference(),
                links.getFirst().target(),
                further,
                number(field.source()),
                field.source());
    }

    private int number(Field source) {
        int index = sources.indexOf(source);
        if (index >= 0) {
            return index;
        }
        sources.add(source);
        return sources.size() - 1;
    }

    /** Returns whether the searched type has no imported fields. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /** Returns whether a field is imported. */
    public boolean has(String field) {
        return paths.containsKey(field);
    }

    /** Returns the way to an imported field; null for other fields. */
    @Nullable ImportPath path(String field) {
        return paths.get(field);
    }

    /** Returns the fields of the searched documents in which the values of {@code fields} begin. */
    public Set<String> stored(Set<String> fields) {
        if (paths.isEmpty()) {
            return fields;
        }
        var stored = new HashSet<String>();
        for (String field : fields) {
            ImportPath path = paths.get(field);
            stored.add(path == null ? field : path.reference().name());
        }
        return stored;
    }

    /**
     * Returns the most rows of a slice, so that the columns of {@code fields} take little memory.
     */
    public int sliceRows(List<Field> fields) {
        int rows = Integer.MAX_VALUE;
        for (Field field : fields) {
            if (paths.containsKey(field.name())) {
                int width = ValueGatherer.width(field.type());
                rows = Math.min(rows, SLICE_BYTES / (width > 0 ? width : OTHER_BYTES));
            }
        }
        return Math.max(1, rows);
    }

    Field source(int number) {
        return sources.get(number);
    }

    int sourceCount() {
        return sources.size();
    }

    /** Returns the bytes of pages of parents that were read from the device. */
    public long deviceBytes() {
        return reads.deviceBytes();
    }

    /** Returns the parent with an id if it was found before. */
    @Nullable ParentRow cached(IdBytes id) {
        return rows.get(id);
    }

    /**
     * Finds the parent with an id.
     *
     * @throws CorruptRunException if it cannot be read
     * @throws MissingParentsException if the node does not have all global documents yet
     */
    ParentRow find(IdBytes id) {
        ParentRow row = newest(id.toString()).map(this::row).orElse(ParentRow.NONE);
        if (rows.size() >= views.rowsMax()) {
            rows.clear();
            blocks.clear();
        }
        rows.put(id.copy(), row);
        return row;
    }

    private ParentRow row(LiveRow live) {
        EncodedBlock block = live.block();
        Object identity = block.identity().orElse(block);
        ParentBlock cached =
                blocks.computeIfAbsent(identity, _ -> new ParentBlock(block, sources.size()));
        return new ParentRow(cached, live.row(), parentCount.incrementAndGet());
    }

    private Optional<LiveRow> newest(String text) {
        DocumentId id;
        try {
            id = DocumentId.parse(text);
        } catch (InvalidDocumentException _) {
            // The field had another type when the document was written.
            return Optional.empty();
        }
        // A global document without a group is there for all groups.
        boolean isShared =
                id.key() instanceof LocationKey.Plain && views.isGlobal().test(id.documentType());
        return isShared || principal.mayAccess(id.key())
                ? view(views.of(id.documentType()), id.location()).find(RowKey.of(id), reads)
                : Optional.empty();
    }

    private synchronized View view(ParentViews.Source source, long location) {
        return open.computeIfAbsent(
                new Opened(source, source.partitions().of(location)),
                of -> source.views().apply(of.partition()));
    }

    /** Allocates memory that is freed when the search ends. */
    synchronized MemorySegment allocate(long size, long alignment) {
        Arena arena = memory;
        if (arena == null) {
            arena = Arena.ofShared();
            memory = arena;
        }
        return arena.allocate(size, alignment);
    }

    /** Closes the views and frees the memory. No thread uses them any more. */
    @Override
    public synchronized void close() {
        open.values().forEach(View::close);
        open.clear();
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
