package org.crabro.content.storage.partition;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.manifest.LogExtent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of a data directory's partitions: the identity of each directory, and the minimum
 * progress of its log. A start compares the directories with it. So a directory that is missing,
 * belongs to another partition, or was replaced by an older copy is refused.
 *
 * <p>Two files are written alternately, each with the whole list, so one of them is intact after a
 * crash. Both have a fixed length. Thread-safe.
 */
public final class PartitionList {
    /** The format that this program writes. */
    static final int FORMAT = 2;

    private static final List<String> PATHS = List.of("partitions.1", "partitions.2");
    public static final String IDENTITY = "identity";
    private static final Pattern HEAD =
            Pattern.compile(
                    """
                    crabro partitions, format (\\d{1,9})
                    update (\\d{19})
                    (journal (\\d{19})
                    )?\
                    """);
    private static final Pattern PARTITION =
            Pattern.compile(
                    "partition (\\d{5}) id ([0-9a-f]{16}) edits (\\d{19}) position (\\d{19})"
                            + " last run (\\d{19}) runs (\\d{10})\n");
    private static final Pattern IDENTITY_LINE =
            Pattern.compile("crabro partition (\\d{5}) id ([0-9a-f]{16})\n");
    private static final int CRC_LENGTH = "crc 00000000\n".length();
    private static final int LENGTH_MAX = 16 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(PartitionList.class);

    private final LogFiles files;
    private final boolean isNew;
    private final List<Long> ids;

    // Guarded by this.
    private final List<LogExtent> extents;

    // Guarded by this.
    private long update;

    /** The index of the file that is written next: the other one is durable. */
    private int next;

    /** The number of the last record of the journal that is known to be durable. */
    private volatile long journal;

    private boolean isWriting;
    private boolean isBehind;

    private record StoredList(
            int file, long update, long journal, List<Long> ids, List<LogExtent> extents) {}

    private PartitionList(
            LogFiles files,
            int partitions,
            Optional<StoredList> stored,
            Optional<Integer> damaged) {
        this.files = files;
        this.isNew = stored.isEmpty();
        this.update = stored.map(StoredList::update).orElse(0L);
        this.journal = stored.map(StoredList::journal).orElse(0L);
        // Of two intact files, the newer one may be visible and not on the device: it is written
        // again. If the other file is damaged, the intact one is on the device, and must not be
        // overwritten.
        this.next = damaged.or(() -> stored.map(StoredList::file)).orElse(0);
        this.ids = stored.map(StoredList::ids).orElseGet(() -> newIds(partitions));
        this.extents = new ArrayList<>(stored.map(StoredList::extents).orElseGet(List::of));
    }

    private static List<Long> newIds(int count) {
        var random = new SecureRandom();
        return Stream.generate(random::nextLong).limit(count).toList();
    }

    /**
     * Reads the list. Data of an earlier version and backups have none: then {@link #start} makes
     * one.
     *
     * @throws IOException if both files are damaged, or have another format or another number of
     *     partitions
     */
    public static PartitionList open(LogFiles files, int partitions) throws IOException {
        List<String> names = new ArrayList<>(files.list(""));
        names.retainAll(PATHS);
        Optional<StoredList> newest = Optional.empty();
        Optional<Integer> damaged = Optional.empty();
        for (String path : names) {
            Optional<StoredList> stored = read(files, path, partitions);
            if (stored.isEmpty()) {
                LOG.warn("{} is damaged, or a crash interrupted its write", path);
                damaged = Optional.of(PATHS.indexOf(path));
            } else if (newest.isEmpty() || newest.get().update() < stored.get().update()) {
                newest = stored;
            }
        }
        // The second file is created when the first is durable.
        if (newest.isEmpty() && names.size() == PATHS.size()) {
            throw new IOException(
                    "%s and %s at byte 0: expected the list of partitions, found other bytes in both. Nothing was changed. Restore one of them. If there is no copy, and 'partitions' has all of its directories unchanged, delete both: the next start makes a new list"
                            .formatted(PATHS.get(0), PATHS.get(1)));
        }
        return new PartitionList(files, partitions, newest, damaged);
    }

    private static Optional<StoredList> read(LogFiles files, String path, int partitions)
            throws IOException {
        String text;
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), LENGTH_MAX));
            file.read(bytes, 0);
            text = US_ASCII.decode(bytes.flip()).toString();
        }
        int end = text.length() - CRC_LENGTH;
        if (end < 0 || !text.substring(end).equals(crcLine(text.substring(0, end)))) {
            return Optional.empty();
        }
        Matcher head = HEAD.matcher(text);
        if (!head.lookingAt() || !isRead(head)) {
            throw new IOException(
                    "%s at byte 0: expected a list of partitions of format 1 to %d, found '%s'"
                            .formatted(path, FORMAT, text.lines().findFirst().orElse("")));
        }
        List<Long> ids = new ArrayList<>();
        List<LogExtent> extents = new ArrayList<>();
        Matcher line = PARTITION.matcher(text).region(head.end(), end);
        int count = 0;
        for (; line.lookingAt() && count < partitions; count++) {
            ids.add(Long.parseUnsignedLong(line.group(2), 16));
            extents.add(
                    new LogExtent(
                            Long.parseLong(line.group(3)),
                            Long.parseLong(line.group(4)),
                            Long.parseLong(line.group(5)),
                            (int) Long.parseLong(line.group(6))));
            line.region(line.end(), end);
        }
        if (count != partitions || line.regionStart() != end) {
            throw new IOException(
                    "%s at byte %d: expected the lines of %d partitions"
                            .formatted(path, line.regionStart(), partitions));
        }
        return Optional.of(
                new StoredList(
                        PATHS.indexOf(path),
                        Long.parseLong(head.group(2)),
                        head.group(4) == null ? 0 : Long.parseLong(head.group(4)),
                        ids,
                        extents));
    }

    /** Returns whether the header can be read. The first format has no line about the journal. */
    private static boolean isRead(Matcher head) {
        int format = Integer.parseInt(head.group(1));
        return format == 1 ? head.group(3) == null : format == FORMAT && head.group(3) != null;
    }

    /**
     * Checks, before a partition is opened, that its directory exists and belongs to it.
     *
     * @return the minimum progress of its log; empty if it is unknown
     */
    public synchronized Optional<LogExtent> check(int partition, String directory)
            throws IOException {
        if (isNew) {
            return Optional.empty();
        }
        List<String> names = files.list(directory);
        LogExtent extent = extents.get(partition);
        if (names.isEmpty()) {
            throw refused(
                    "%s: expected the directory of partition %d with %d runs up to journal position %d, found none or an empty one"
                            .formatted(directory, partition, extent.runs(), extent.covered()));
        }
        if (names.contains(IDENTITY)) {
            checkIdentity(partition, directory + "/" + IDENTITY);
        } else {
            LOG.warn("{}/{} is missing and is written again", directory, IDENTITY);
        }
        return Optional.of(extent);
    }

    private void checkIdentity(int partition, String path) throws IOException {
        String text = line(path);
        Matcher matcher = IDENTITY_LINE.matcher(text);
        if (!matcher.matches()) {
            LOG.warn("{} is damaged and is written again", path);
        } else if (!text.equals(identity(partition))) {
            throw refused(
                    "%s: expected '%s', found '%s', of another partition or another data directory"
                            .formatted(path, identity(partition).strip(), text.strip()));
        }
    }

    private String line(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), LENGTH_MAX));
            file.read(bytes, 0);
            return US_ASCII.decode(bytes.flip()).toString();
        }
    }

    /** Returns the exception for a partition that contradicts the list. */
    static PartitionRefusedException refused(String what) {
        return new PartitionRefusedException(
                what
                        + ". Nothing was changed. Restore the directory, or restore all data from"
                        + " a backup. Otherwise 'crabro rebuild-manifest' reports"
                        + " what would be lost, and continues with the existing"
                        + " runs");
    }

    /** Writes missing identities and files of the list, after all partitions are opened. */
    public synchronized void start(List<String> directories, List<LogExtent> opened)
            throws IOException {
        if (isNew) {
            extents.addAll(opened);
        }
        for (int i = 0; i < ids.size(); i++) {
            String path = directories.get(i) + "/" + IDENTITY;
            boolean isThere = files.list(directories.get(i)).contains(IDENTITY);
            if (!isThere || !line(path).equals(identity(i))) {
                files.delete(path);
                write(path, identity(i));
                files.forceDirectory(directories.get(i));
            }
        }
        if (isNew) {
            delete(files);
        }
        isWriting = true;
        for (int i = 0; i < PATHS.size(); i++) {
            writeNext();
        }
    }

    /** Writes the next file. The other file is next, unless this fails. */
    private void writeNext() throws IOException {
        String path = PATHS.get(next);
        String text = nextText();
        if (files.list("").contains(path)) {
            try (LogFiles.LogFile file = files.open(path)) {
                file.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), 0);
                file.force();
            }
        } else {
            write(path, text);
            files.forceDirectory("");
        }
        next = (next + 1) % PATHS.size();
    }

    private void write(String path, String text) throws IOException {
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), 0);
            file.force();
        }
    }

    /**
     * Records the progress of a log, after its manifest is durable. If the list cannot be written,
     * the log continues: the list is then behind until the next update.
     */
    public synchronized void update(int partition, LogExtent extent) {
        if (!isWriting) {
            throw new IllegalStateException("the list was not started");
        }
        extents.set(partition, extent);
        tryToWrite();
    }

    private void tryToWrite() {
        try {
            writeNext();
            isBehind = false;
        } catch (IOException e) {
            isBehind = true;
            LOG.warn("The list of partitions could not be written; the next flush tries again", e);
        }
    }

    /** Returns the number of the last record that the journal must have, or have had. */
    public long journal() {
        return journal;
    }

    /**
     * Records the number of the last durable record of the journal, after the list was started.
     *
     * @param isKept whether to write it now; otherwise the next update writes it
     */
    public void reached(long number, boolean isKept) {
        journal = number;
        if (isKept) {
            write();
        }
    }

    private synchronized void write() {
        tryToWrite();
    }

    /**
     * Writes the progress of a rebuilt log into both files: it may be less than that of the log
     * before. Does nothing if there is no list.
     */
    public synchronized void replace(int partition, LogExtent extent) throws IOException {
        if (!isNew) {
            extents.set(partition, extent);
            for (int i = 0; i < PATHS.size(); i++) {
                writeNext();
            }
        }
    }

    /** Returns whether the last update could not be written. */
    public synchronized boolean isBehind() {
        return isBehind;
    }

    private String nextText() {
        update++;
        var text = new StringBuilder();
        text.append("crabro partitions, format %d\nupdate %019d\n".formatted(FORMAT, update));
        text.append("journal %019d\n".formatted(journal));
        for (int i = 0; i < ids.size(); i++) {
            LogExtent extent = extents.get(i);
            text.append(
                    "partition %05d id %016x edits %019d position %019d last run %019d runs %010d\n"
                            .formatted(
                                    i,
                                    ids.get(i),
                                    extent.edits(),
                                    extent.covered(),
                                    extent.lastNumber(),
                                    extent.runs()));
        }
        return text.append(crcLine(text.toString())).toString();
    }

    private String identity(int partition) {
        return "crabro partition %05d id %016x\n".formatted(partition, ids.get(partition));
    }

    private static String crcLine(String text) {
        var crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        return "crc %08x\n".formatted(crc.getValue());
    }

    /** Deletes the list: the next start makes one of the existing partitions. */
    static void delete(LogFiles files) throws IOException {
        for (String path : PATHS) {
            files.delete(path);
        }
        files.forceDirectory("");
    }
}
