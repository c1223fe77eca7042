package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory {@code lost+found} of a data directory: files and bytes that a start does not use.
 * A start moves them there and logs each move. It never deletes files that it finds elsewhere.
 *
 * <pre>
 *   lost+found/kept/20260131T120000Z-partitions-03-17.run
 *   lost+found/leftovers/20260131T120000Z-journal-0.journal-4608
 * </pre>
 *
 * <p>{@code kept} holds files that may be the only copy of documents. They are never deleted
 * automatically. {@code leftovers} holds files that a crash typically leaves: {@link #trim} deletes
 * the oldest of these.
 *
 * <p>For one thread.
 */
public final class LostFiles {
    /** The directory in the data directory. */
    public static final String DIRECTORY = "lost+found";

    /** Older leftovers are deleted. */
    static final Duration LEFTOVER_AGE_MAX = Duration.ofDays(30);

    /** If the leftovers are larger in total, the oldest are deleted. */
    static final long LEFTOVER_BYTES_MAX = 1L << 30;

    /** The most bytes of a journal's tail that are copied. */
    static final long TAIL_BYTES_MAX = 64L << 20;

    private static final String KEPT = DIRECTORY + "/kept";
    private static final String LEFTOVERS = DIRECTORY + "/leftovers";

    /** The free space that a copy leaves on the disk. */
    private static final long ROOM_BYTES = 1 << 20;

    private static final int SHOWN_BYTES = 32;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final Logger LOG = LoggerFactory.getLogger(LostFiles.class);

    private final LogFiles files;
    private final Instant now;
    private final long leftoverBytesMax;

    /**
     * The number of files and their total size.
     *
     * @param files the files of both kinds
     * @param bytes their total size
     */
    public record Total(int files, long bytes) {}

    /**
     * @param clock the time in the names of moved files
     */
    public LostFiles(LogFiles files, InstantSource clock) {
        this(files, clock, LEFTOVER_BYTES_MAX);
    }

    LostFiles(LogFiles files, InstantSource clock, long leftoverBytesMax) {
        this.files = files;
        this.now = clock.instant();
        this.leftoverBytesMax = leftoverBytesMax;
    }

    /** Moves a file that may be the only copy of documents. It is never deleted automatically. */
    public void keep(String path, String reason) throws IOException {
        move(path, KEPT, reason);
    }

    /** Moves a file that a crash typically leaves. It is deleted when it is old. */
    public void keepLeftover(String path, String reason) throws IOException {
        move(path, LEFTOVERS, reason);
    }

    private void move(String path, String directory, String reason) throws IOException {
        String target = freePath(directory, path);
        long bytes = sizeOf(path);
        files.move(path, target);
        LOG.warn("{} ({} bytes) is not used: {}. It was moved to {}", path, bytes, reason, target);
    }

    /**
     * Copies bytes that will be overwritten; the file itself stays. The copy is cut off at {@link
     * #TAIL_BYTES_MAX}, and is skipped if the disk is full; both are logged. Bytes that an earlier
     * start copied are not copied again.
     */
    void keepBytes(String path, LogFiles.LogFile file, long offset, long length, String reason)
            throws IOException {
        int size = (int) Math.min(length, TAIL_BYTES_MAX);
        String copy = copy(path + "-" + offset, file, offset, size);
        LOG.warn(
                "{} at byte {}: {} bytes are not used: {}. The first {} are {}: {}",
                path,
                offset,
                length,
                reason,
                size,
                copy.isEmpty() ? "not copied, as the disk is full" : "in " + copy,
                firstBytes(file, offset, size));
    }

    /** Returns the path of the copy. */
    private String copy(String name, LogFiles.LogFile file, long offset, int length)
            throws IOException {
        ByteBuffer bytes = read(file, offset, length);
        String suffix = "-" + name.replace('/', '-');
        for (String leftover : files.list(LEFTOVERS)) {
            if (leftover.contains(suffix) && hasBytes(LEFTOVERS + "/" + leftover, bytes)) {
                return LEFTOVERS + "/" + leftover;
            }
        }
        if (files.freeBytes() < ROOM_BYTES + length) {
            return "";
        }
        String target = freePath(LEFTOVERS, name);
        try (LogFiles.LogFile copy = files.create(target)) {
            copy.write(bytes, 0);
            copy.force();
        }
        files.forceDirectory(LEFTOVERS);
        return target;
    }

    private boolean hasBytes(String path, ByteBuffer bytes) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            return file.size() == bytes.remaining()
                    && read(file, 0, bytes.remaining()).equals(bytes);
        }
    }

    private static ByteBuffer read(LogFiles.LogFile file, long offset, int length)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        file.read(bytes, offset);
        return bytes.flip();
    }

    private static String firstBytes(LogFiles.LogFile file, long offset, int length)
            throws IOException {
        return HexFormat.of().formatHex(read(file, offset, Math.min(length, SHOWN_BYTES)).array());
    }

    /** Returns an unused path. */
    private String freePath(String directory, String path) throws IOException {
        String name = TIME.format(now) + "-" + path.replace('/', '-');
        List<String> names = files.list(directory);
        String free = name;
        for (int i = 2; names.contains(free); i++) {
            free = name + "." + i;
        }
        return directory + "/" + free;
    }

    /** Deletes leftovers that are too old. If the rest is too large, deletes the oldest. */
    public void trim() {
        try {
            deleteLeftovers();
        } catch (IOException e) {
            LOG.warn("Leftovers could not be deleted; the next start tries again", e);
        }
    }

    private void deleteLeftovers() throws IOException {
        List<String> names = files.list(LEFTOVERS);
        List<Long> sizes = new ArrayList<>();
        long bytes = 0;
        for (String name : names) {
            sizes.add(sizeOf(LEFTOVERS + "/" + name));
            bytes += sizes.getLast();
        }
        Instant before = now.minus(LEFTOVER_AGE_MAX);
        boolean isDeleted = false;
        // Names begin with the time, so the order of names is the order of age.
        for (int i = 0; i < names.size(); i++) {
            String path = LEFTOVERS + "/" + names.get(i);
            boolean isOld = timeOf(names.get(i)).filter(before::isAfter).isPresent();
            if (isOld || bytes > leftoverBytesMax) {
                files.delete(path);
                isDeleted = true;
                bytes -= sizes.get(i);
                LOG.info(
                        "{} ({} bytes) was deleted: {}",
                        path,
                        sizes.get(i),
                        isOld
                                ? "it is older than " + LEFTOVER_AGE_MAX.toDays() + " days"
                                : "leftovers take more than " + leftoverBytesMax + " bytes");
            }
        }
        if (isDeleted) {
            files.forceDirectory(LEFTOVERS);
        }
    }

    private static Optional<Instant> timeOf(String name) {
        try {
            return Optional.of(Instant.from(TIME.parse(name.split("-", 2)[0])));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    /** Returns the current content of the directory. */
    public static Total total(LogFiles files) throws IOException {
        int count = 0;
        long bytes = 0;
        for (String directory : List.of(KEPT, LEFTOVERS)) {
            for (String name : files.list(directory)) {
                try (LogFiles.LogFile file = files.open(directory + "/" + name)) {
                    count++;
                    bytes += file.size();
                }
            }
        }
        return new Total(count, bytes);
    }

    private long sizeOf(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            return file.size();
        }
    }
}
