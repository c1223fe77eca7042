package org.crabro.client.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory with records that are not done, in the order in which they came. A record is accepted
 * when {@link #append} returns: it is then there after the end of this process, whatever ended it,
 * and after a power cut too if the spool {@linkplain SpoolSettings#isSynced is synced}. A record
 * that is done may be there again after a power cut, but then all later ones on its document are.
 *
 * <p>One process at a time has a spool. Thread-safe.
 */
public final class Spool implements AutoCloseable {
    /** The end of the names of segments that have no header yet. */
    static final String NEW = ".new";

    private static final String TORN = ".torn";
    private static final String LOCK = "lock";
    private static final Pattern SEGMENT = Pattern.compile("(\\d{16})\\.spool");

    private final Path directory;
    private final SpoolSettings settings;
    private final FileChannel lock;

    // Guarded by this.
    private final TreeMap<Long, SpoolSegment> segments = new TreeMap<>();
    private final Deque<Place> left = new ArrayDeque<>();
    private final List<String> notices = new ArrayList<>();
    private long bytes;
    private long nextNumber = 1;
    private Optional<SpoolSegment> current = Optional.empty();
    private boolean isClosed;

    /**
     * Where a record is.
     *
     * @param segment the number of its file
     * @param offset bytes from the begin of the file
     */
    public record Place(long segment, long offset) {}

    /** A record that an earlier process left. */
    public static final class Left {
        private final Place place;
        private final String document;
        private final byte[] content;

        private Left(Place place, String document, byte[] content) {
            this.place = place;
            this.document = document;
            this.content = content;
        }

        /** Returns where it is. */
        public Place place() {
            return place;
        }

        /** Returns what it is about. */
        public String document() {
            return document;
        }

        /** Returns its bytes, which the caller owns. */
        public byte[] content() {
            return content;
        }
    }

    private Spool(Path directory, SpoolSettings settings, FileChannel lock) {
        this.directory = directory;
        this.settings = settings;
        this.lock = lock;
    }

    /**
     * Opens the spool in a directory, which is created if it is missing.
     *
     * @throws SpoolUnavailableException if the process lacks a library or options
     * @throws DamagedSpoolException if a file is not as it was written
     * @throws IOException if another process has it open, or the directory cannot be used
     */
    public static Spool open(Path directory, SpoolSettings settings) throws IOException {
        SpoolRequirements.check();
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
            restrict(directory, "rwx------");
        }
        FileChannel lock =
                FileChannel.open(
                        directory.resolve(LOCK),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        var spool = new Spool(directory, settings, lock);
        boolean isDone = false;
        try {
            spool.lock();
            spool.read();
            isDone = true;
            return spool;
        } finally {
            if (!isDone) {
                spool.abandon();
            }
        }
    }

    /** Sets the permissions of a file, on systems that have them. */
    static void restrict(Path file, String permissions) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString(permissions));
        }
    }

    private void lock() throws IOException {
        FileLock held;
        try {
            held = lock.tryLock();
        } catch (OverlappingFileLockException e) {
            throw inUse(e);
        }
        if (held == null) {
            throw inUse(null);
        }
    }

    private IOException inUse(@Nullable OverlappingFileLockException cause) {
        return new IOException("another client uses the spool " + directory, cause);
    }

    /** Reads what an earlier process left. */
    private void read() throws IOException {
        for (Map.Entry<Long, Path> each : files().entrySet()) {
            SpoolSegment segment = SpoolSegment.open(each.getValue(), each.getKey());
            segments.put(each.getKey(), segment);
            bytes += segment.size();
        }
        if (segments.isEmpty()) {
            return;
        }
        nextNumber = Math.addExact(segments.lastKey(), 1);
        // By document: the last record that is done. Earlier ones were done before it.
        Map<String, Place> done = new HashMap<>();
        Map<Place, String> waiting = new LinkedHashMap<>();
        for (SpoolSegment segment : segments.values()) {
            var torn =
                    segment.scan(
                            segment.number() == segments.lastKey(),
                            (offset, isDone, payload) -> {
                                var place = new Place(segment.number(), offset);
                                if (isDone) {
                                    done.put(SpoolLayout.document(payload), place);
                                } else {
                                    waiting.put(place, SpoolLayout.document(payload));
                                }
                            });
            if (torn.isPresent()) {
                keepTorn(segment, torn.getAsLong());
            }
        }
        for (Map.Entry<Place, String> each : waiting.entrySet()) {
            Place last = done.get(each.getValue());
            if (last != null && isBefore(each.getKey(), last)) {
                done(each.getKey());
            } else {
                left.add(each.getKey());
            }
        }
        for (SpoolSegment segment : List.copyOf(segments.values())) {
            deleteIfDone(segment);
        }
    }

    private static boolean isBefore(Place one, Place other) {
        return one.segment() != other.segment()
                ? one.segment() < other.segment()
                : one.offset() < other.offset();
    }

    private SortedMap<Long, Path> files() throws IOException {
        var files = new TreeMap<Long, Path>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                String name = String.valueOf(file.getFileName());
                Matcher segment = SEGMENT.matcher(name);
                if (segment.matches()) {
                    files.put(Long.parseLong(segment.group(1)), file);
                } else if (name.endsWith(NEW)
                        && SEGMENT.matcher(name.substring(0, name.length() - NEW.length()))
                                .matches()) {
                    // No record was ever in it.
                    Files.delete(file);
                }
            }
        }
        return files;
    }

    /** Keeps a copy of a segment with bytes that are no whole record, and ends it before them. */
    private void keepTorn(SpoolSegment segment, long offset) throws IOException {
        Path copy = segment.file().resolveSibling(segment.file().getFileName() + TORN);
        Files.copy(segment.file(), copy, StandardCopyOption.REPLACE_EXISTING);
        restrict(copy, "rw-------");
        notices.add(
                "%s had bytes from %,d on that are no whole operation, as after a power cut; they are kept in %s"
                        .formatted(segment.file(), offset, copy));
        segment.end();
    }

    /** Returns what is remarkable about the files that an earlier process left. */
    public synchronized List<String> notices() {
        return List.copyOf(notices);
    }

    /**
     * Returns the next record that an earlier process left; empty after the last.
     *
     * @throws IOException if the spool is closed
     */
    public synchronized Optional<Left> nextLeft() throws IOException {
        checkOpen();
        Place place = left.pollFirst();
        if (place == null) {
            return Optional.empty();
        }
        SpoolSegment segment = segments.get(place.segment());
        if (segment == null) {
            throw new IllegalStateException("a record is left without its segment: " + place);
        }
        byte[] payload = segment.payload(place.offset());
        return Optional.of(
                new Left(place, SpoolLayout.document(payload), SpoolLayout.content(payload)));
    }

    /**
     * Accepts a record.
     *
     * @param document what it is about, at most 65,535 bytes of UTF-8
     * @throws SpoolFullException if there is no room
     * @throws IOException if the disk is full, or the spool is closed
     */
    public synchronized Place append(String document, byte[] content) throws IOException {
        checkOpen();
        byte[] payload = SpoolLayout.payload(document, content);
        long recordBytes = SpoolLayout.recordBytes(payload.length);
        if (SpoolLayout.segmentBytes(recordBytes) > SpoolLayout.SEGMENT_BYTES_MAX) {
            throw new SpoolFullException(
                    "an operation of %,d bytes is too long for a spool".formatted(payload.length));
        }
        SpoolSegment into = segment(payload.length);
        long offset = into.append(payload);
        if (settings.isSynced()) {
            into.force();
        }
        return new Place(into.number(), offset);
    }

    /** Returns the segment that a record is appended to. */
    private SpoolSegment segment(int length) throws IOException {
        if (current.isPresent() && current.get().hasRoom(length)) {
            return current.get();
        }
        endCurrent();
        long size = SpoolLayout.segmentBytes(SpoolLayout.recordBytes(length));
        if (bytes + size > settings.maxBytes()) {
            throw new SpoolFullException(
                    "the spool %s is full: its files have at most %,d bytes"
                            .formatted(directory, settings.maxBytes()));
        }
        Path file = directory.resolve(String.format(Locale.ROOT, "%016d.spool", nextNumber));
        SpoolSegment next = SpoolSegment.create(file, nextNumber, size);
        nextNumber++;
        segments.put(next.number(), next);
        bytes += size;
        current = Optional.of(next);
        if (settings.isSynced()) {
            forceDirectory();
        }
        return next;
    }

    private void forceDirectory() throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private void endCurrent() throws IOException {
        if (current.isPresent()) {
            SpoolSegment last = current.get();
            current = Optional.empty();
            last.end();
            if (settings.isSynced()) {
                last.force();
            }
            deleteIfDone(last);
        }
    }

    /**
     * Marks a record as done. The caller marks the records of a document in their order.
     *
     * @throws IOException if a file that is not needed any more cannot be deleted
     */
    public synchronized void done(Place place) throws IOException {
        SpoolSegment segment = segments.get(place.segment());
        if (isClosed || segment == null) {
            return;
        }
        segment.done(place.offset());
        if (current.isEmpty() || current.get() != segment) {
            deleteIfDone(segment);
        }
    }

    private void deleteIfDone(SpoolSegment segment) throws IOException {
        if (segment.waiting() == 0 && segments.remove(segment.number()) != null) {
            bytes -= segment.size();
            segment.close();
            Files.delete(segment.file());
        }
    }

    /** Returns how many records are not done. */
    public synchronized long waiting() {
        return segments.values().stream().mapToLong(SpoolSegment::waiting).sum();
    }

    private void checkOpen() throws IOException {
        if (isClosed) {
            throw new IOException("the spool " + directory + " is closed");
        }
    }

    /** Keeps the records that are not done for the next process. */
    @Override
    public synchronized void close() throws IOException {
        if (isClosed) {
            return;
        }
        try {
            endCurrent();
        } finally {
            isClosed = true;
            abandon();
        }
    }

    private void abandon() throws IOException {
        for (SpoolSegment each : segments.values()) {
            each.close();
        }
        // The lock ends with its channel.
        lock.close();
    }
}
