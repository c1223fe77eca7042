package org.crabro.content.storage.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.DocumentTypeEncoding;

/**
 * Every document type that rows were ever written with, one file per type, named by its
 * fingerprint.
 *
 * <pre>
 *   0          8         12       16    20
 *   +----------+---------+--------+-----+------+
 *   | CRABTYPE | version | length | crc | type |
 *   +----------+---------+--------+-----+------+
 * </pre>
 *
 * <p>Little-endian; {@code crc} is the crc-32c of the type's {@code length} bytes.
 */
public final class TypeFiles implements StoredTypes {
    public static final String DIRECTORY = "schemas";

    private static final long MAGIC = 0x45505954_42415243L;
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int LENGTH_OFFSET = 12;
    private static final int CRC_OFFSET = 16;
    private static final int TYPE_OFFSET = 20;

    private final LogFiles files;
    private final Map<Long, DocumentType> types = new ConcurrentHashMap<>();

    /** By type name, from the schema that was active last. */
    private final Map<String, SearchedTexts> searched = new ConcurrentHashMap<>();

    /** By type name, from the schema that was active last. */
    private final Map<String, IndexedFields> indexed = new ConcurrentHashMap<>();

    private final Map<String, GraphFields> graphs = new ConcurrentHashMap<>();

    /** By name, the types that were active last. */
    private final Map<String, DocumentType> active = new ConcurrentHashMap<>();

    /**
     * The types that this process made durable. A file that existed at start may be visible and not
     * durable.
     */
    private final Set<Long> durable = new HashSet<>();

    private TypeFiles(LogFiles files) {
        this.files = files;
    }

    /**
     * Reads all types. A truncated file was never forced, so no row has its type: it is skipped.
     */
    public static TypeFiles open(LogFiles files) throws IOException {
        var opened = new TypeFiles(files);
        for (String name : files.list(DIRECTORY)) {
            opened.read(name).ifPresent(type -> opened.types.put(type.fingerprint(), type));
        }
        return opened;
    }

    /**
     * Reads all types for an inspection. Errors are reported, and the rest is read.
     *
     * @param summaries receives every file
     */
    public static TypeFiles open(
            LogFiles files, Consumer<TypeSummary> summaries, Consumer<Damage> damage)
            throws IOException {
        var opened = new TypeFiles(files);
        for (String name : files.list(DIRECTORY)) {
            String path = DIRECTORY + "/" + name;
            try {
                long bytes;
                try (LogFiles.LogFile file = files.open(path)) {
                    bytes = file.size();
                }
                Optional<DocumentType> type = opened.read(name);
                type.ifPresent(
                        documentType -> opened.types.put(documentType.fingerprint(), documentType));
                summaries.accept(
                        new TypeSummary(
                                path,
                                type.map(DocumentType::name).orElse(""),
                                type.map(documentType -> documentType.fields().size()).orElse(0),
                                bytes,
                                type.isPresent()));
            } catch (NoSuchFileException _) {
                // The file was incomplete and is being written again.
            } catch (IOException e) {
                damage.accept(new Damage(path, 0, "a stored type", String.valueOf(e.getMessage())));
            }
        }
        return opened;
    }

    /** Reads the types of files that were added since. */
    synchronized void refresh() throws IOException {
        for (String name : files.list(DIRECTORY)) {
            if (types.keySet().stream().map(HexFormat.of()::toHexDigits).noneMatch(name::equals)) {
                read(name).ifPresent(type -> types.put(type.fingerprint(), type));
            }
        }
    }

    /** Returns a type that was stored after the files were opened. */
    public Optional<DocumentType> later(long fingerprint) {
        try {
            return read(HexFormat.of().toHexDigits(fingerprint));
        } catch (IOException _) {
            // The caller reports the missing type.
            return Optional.empty();
        }
    }

    @Override
    public Optional<DocumentType> type(long fingerprint) {
        return Optional.ofNullable(types.get(fingerprint));
    }

    /** Returns whether no type was ever stored. */
    public boolean isEmpty() {
        return types.isEmpty();
    }

    @Override
    public SearchedTexts searchedTexts(DocumentType type) {
        return searched.getOrDefault(type.name(), SearchedTexts.NONE);
    }

    @Override
    public IndexedFields indexedFields(DocumentType type) {
        return indexed.getOrDefault(type.name(), IndexedFields.NONE);
    }

    @Override
    public GraphFields graphFields(DocumentType type) {
        return graphs.getOrDefault(type.name(), GraphFields.NONE);
    }

    @Override
    public boolean isRemoved(DocumentType type, String field) {
        DocumentType now = active.get(type.name());
        return now != null && now.field(field).isEmpty();
    }

    /**
     * Stores a type; when this returns, it is durable and its first row may be written.
     *
     * @param texts how its texts are searched from now on
     * @param fields the fields of the indexes of its rows
     * @param neighbors the fields of the graphs of its rows
     */
    public synchronized void keep(
            DocumentType type, SearchedTexts texts, IndexedFields fields, GraphFields neighbors)
            throws IOException {
        searched.put(type.name(), texts);
        indexed.put(type.name(), fields);
        graphs.put(type.name(), neighbors);
        active.put(type.name(), type);
        learn(type);
    }

    /**
     * Stores a type of another replica, which may not be active here yet; when this returns, it is
     * durable and its first row may be written.
     */
    synchronized void learn(DocumentType type) throws IOException {
        long fingerprint = type.fingerprint();
        if (durable.contains(fingerprint)) {
            return;
        }
        String path = DIRECTORY + "/" + HexFormat.of().toHexDigits(fingerprint);
        try (LogFiles.LogFile file = openOrCreate(path, types.containsKey(fingerprint))) {
            file.write(bytes(type), 0);
            file.force();
        }
        files.forceDirectory(DIRECTORY);
        types.put(fingerprint, type);
        durable.add(fingerprint);
    }

    /**
     * Opens a complete file, whose bytes are overwritten with the same bytes because rows may need
     * it, or replaces an incomplete one.
     */
    private LogFiles.LogFile openOrCreate(String path, boolean isWhole) throws IOException {
        if (isWhole) {
            return files.open(path);
        }
        files.delete(path);
        return files.create(path);
    }

    /** Copies the stored types into a backup, durably. */
    synchronized void backup(FileTransfer transfer) throws IOException {
        for (long fingerprint : types.keySet()) {
            transfer.bring(DIRECTORY + "/" + HexFormat.of().toHexDigits(fingerprint));
        }
        if (!types.isEmpty()) {
            transfer.target().forceDirectory(DIRECTORY);
        }
    }

    private static ByteBuffer bytes(DocumentType type) {
        byte[] encoded = DocumentTypeEncoding.encode(type);
        ByteBuffer bytes = ByteBuffer.allocate(TYPE_OFFSET + encoded.length);
        bytes.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(encoded.length)
                .putInt(checksum(encoded))
                .put(encoded);
        return bytes.flip();
    }

    private Optional<DocumentType> read(String name) throws IOException {
        String path = DIRECTORY + "/" + name;
        ByteBuffer bytes;
        try (LogFiles.LogFile file = files.open(path)) {
            bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(bytes, 0);
        }
        bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < TYPE_OFFSET
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(LENGTH_OFFSET) != bytes.remaining() - TYPE_OFFSET) {
            return Optional.empty();
        }
        var encoded = new byte[bytes.getInt(LENGTH_OFFSET)];
        bytes.get(TYPE_OFFSET, encoded);
        if (bytes.getInt(CRC_OFFSET) != checksum(encoded)) {
            return Optional.empty();
        }
        if (bytes.getInt(VERSION_OFFSET) != VERSION) {
            throw new IOException(
                    "%s is of version %d, expected %d"
                            .formatted(path, bytes.getInt(VERSION_OFFSET), VERSION));
        }
        DocumentType type = decoded(path, encoded);
        String actual = HexFormat.of().toHexDigits(type.fingerprint());
        if (!actual.equals(name)) {
            throw new IOException("%s holds the type with fingerprint %s".formatted(path, actual));
        }
        return Optional.of(type);
    }

    private static DocumentType decoded(String path, byte[] encoded) throws IOException {
        try {
            return DocumentTypeEncoding.decode(encoded);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s at byte %d: expected a document type: %s"
                            .formatted(path, TYPE_OFFSET, e.getMessage()),
                    e);
        }
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
