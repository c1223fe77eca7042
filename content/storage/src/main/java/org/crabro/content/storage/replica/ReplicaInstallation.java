package org.crabro.content.storage.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.LogFiles;

/**
 * Replaces the files of a replica by those of another one.
 *
 * <ol>
 *   <li>{@link #stage} copies the files beside, and checks their sizes and checksums. It continues
 *       after a crash. The replica goes on meanwhile.
 *   <li>{@link #commit} forces one file that names them all. From then on the replica has the new
 *       files, although they are not in their places yet.
 *   <li>{@link #finish} moves them, and deletes the old ones. It runs before the data directory is
 *       opened, and begins again after a crash.
 * </ol>
 *
 * <p>So after a crash at any moment, a start finds all old files or all new ones.
 */
public final class ReplicaInstallation {
    /** In the data directory: the staged files of a shard are in a directory of its name. */
    static final String DIRECTORY = "installing";

    private static final String SWITCH = "switch";
    private static final String HALF = "switch.half";

    /** In place of the index of a record: there is no replica any more. */
    private static final long REMOVED_INDEX = -1;

    private static final long MAGIC = 0x48435753_42415243L;
    private static final int LENGTH_OFFSET = 8;
    private static final int CRC_OFFSET = 12;
    private static final int LIST_OFFSET = 16;
    private static final int STEP = 1 << 20;

    private final LogFiles files;
    private final String name;

    /**
     * @param files the data directory
     * @param name of the record of the shard; letters, digits and dashes
     */
    public ReplicaInstallation(LogFiles files, String name) {
        this.files = files;
        this.name = name;
    }

    /** Finishes the installations of all shards that were committed. */
    public static void finishAll(LogFiles files, Places places) throws IOException {
        for (String each : files.list(DIRECTORY)) {
            new ReplicaInstallation(files, each).finish(places);
        }
    }

    /** What an installation needs to know of the data directory. */
    public interface Places {
        /** Returns the directory of a partition. */
        String directory(int partition);

        /** Returns whether a file in such a directory belongs to this data directory. */
        boolean stays(String fileName);

        /**
         * Accepts the new files of a partition, which may have less progress than the old ones.
         * Repeated after a crash.
         */
        void replaced(int partition) throws IOException;
    }

    private String staged(String path) {
        return DIRECTORY + "/" + name + "/" + path;
    }

    private String directory() {
        return DIRECTORY + "/" + name;
    }

    /**
     * Copies files beside, durably. Files that are complete are not copied again, and a copy that
     * was interrupted goes on where it ended.
     *
     * @throws IOException if a file cannot be read or written, or its checksum is another one. Then
     *     nothing but staged files has changed
     */
    public void stage(ReplicaSource source) throws IOException {
        if (committed().isPresent()) {
            throw new IOException(
                    "an installation of '%s' is to be finished first".formatted(name));
        }
        Set<String> directories = new TreeSet<>();
        source.list().files().forEach(each -> directories.add(each.directory()));
        for (String each : directories) {
            deleteOthers(staged(each), each, source.list());
        }
        for (ReplicaFile each : source.list().files()) {
            if (isComplete(each)) {
                source.skipped(each.bytes());
            } else {
                copy(source, each);
            }
        }
        for (String each : directories) {
            files.forceDirectory(staged(each));
        }
    }

    /** Deletes staged files of an earlier moment. */
    private void deleteOthers(String staged, String directory, ReplicaList list)
            throws IOException {
        Set<String> names = new HashSet<>();
        list.files().forEach(each -> names.add(each.path()));
        for (String each : files.list(staged)) {
            if (!names.contains(directory + "/" + each)) {
                files.delete(staged + "/" + each);
            }
        }
    }

    private boolean isComplete(ReplicaFile file) throws IOException {
        String path = staged(file.path());
        if (!files.list(staged(file.directory())).contains(lastPart(path))) {
            return false;
        }
        try (LogFiles.LogFile existing = files.open(path)) {
            // It may be visible and not on the device.
            existing.force();
        }
        return isSame(file, path);
    }

    /** Returns whether the file at a path has the size and the checksum of another one. */
    private boolean isSame(ReplicaFile file, String path) throws IOException {
        long size;
        try (LogFiles.LogFile existing = files.open(path)) {
            size = existing.size();
        }
        return size == file.bytes() && ReplicaExport.crc(files, path) == file.crc();
    }

    private void copy(ReplicaSource source, ReplicaFile file) throws IOException {
        String path = staged(file.path());
        var crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(STEP);
        boolean isIntact = false;
        try (LogFiles.LogFile target = openOrCreate(file, path)) {
            long begun = begun(target, file, crc);
            source.skipped(begun);
            for (long at = begun; at < file.bytes(); ) {
                buffer.clear().limit((int) Math.min(STEP, file.bytes() - at));
                source.read(file, at, buffer);
                buffer.flip();
                if (!buffer.hasRemaining()) {
                    throw new IOException(
                            "%s ended at byte %d, expected %d"
                                    .formatted(file.path(), at, file.bytes()));
                }
                int count = buffer.remaining();
                crc.update(buffer.duplicate());
                target.write(buffer, at);
                at += count;
            }
            target.force();
            isIntact = (int) crc.getValue() == file.crc();
        }
        if (!isIntact) {
            files.delete(path);
            throw new IOException(
                    "%s: expected the checksum %08x, found %08x"
                            .formatted(file.path(), file.crc(), (int) crc.getValue()));
        }
    }

    /** Opens a staged file, whose copying may have begun; it is never longer than the file. */
    private LogFiles.LogFile openOrCreate(ReplicaFile file, String path) throws IOException {
        if (files.list(staged(file.directory())).contains(lastPart(path))) {
            LogFiles.LogFile existing = files.open(path);
            if (existing.size() < file.bytes()) {
                return existing;
            }
            existing.close();
            files.delete(path);
        }
        return files.create(path);
    }

    /** Returns how many bytes were copied before, and computes their checksum. */
    private static long begun(LogFiles.LogFile target, ReplicaFile file, CRC32C crc)
            throws IOException {
        long size = Math.min(target.size(), file.bytes());
        ByteBuffer buffer = ByteBuffer.allocate(STEP);
        long at = 0;
        while (at < size) {
            buffer.clear().limit((int) Math.min(STEP, size - at));
            int count = target.read(buffer, at);
            if (count <= 0) {
                throw new IOException(
                        "%s ended at byte %d, expected %d".formatted(file.path(), at, size));
            }
            crc.update(buffer.flip());
            at += count;
        }
        return at;
    }

    /**
     * Decides to remove the replica. When this returns, it is removed, although its files are still
     * in their places.
     *
     * @param partitions of the shard
     */
    public void commitRemoval(List<Integer> partitions) throws IOException {
        commit(
                new ReplicaList(
                        ShardRecord.Content.of(0, REMOVED_INDEX, new byte[0]),
                        partitions,
                        List.of()));
    }

    /** Makes the staged files those of the replica. When this returns, it has them. */
    public void commit(ReplicaList list) throws IOException {
        byte[] encoded = list.encode();
        ByteBuffer bytes = ByteBuffer.allocate(LIST_OFFSET + encoded.length);
        bytes.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(encoded.length)
                .putInt(crc(encoded))
                .put(encoded)
                .flip();
        files.delete(directory() + "/" + HALF);
        try (LogFiles.LogFile file = files.create(directory() + "/" + HALF)) {
            file.write(bytes, 0);
            file.force();
        }
        files.move(directory() + "/" + HALF, directory() + "/" + SWITCH);
    }

    private static int crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Returns the files that were committed and are not in their places yet, if there are any. */
    Optional<ReplicaList> committed() throws IOException {
        if (!files.list(directory()).contains(SWITCH)) {
            return Optional.empty();
        }
        String path = directory() + "/" + SWITCH;
        ByteBuffer bytes;
        try (LogFiles.LogFile file = files.open(path)) {
            bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(bytes, 0);
        }
        bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
        byte[] encoded = new byte[Math.max(0, bytes.limit() - LIST_OFFSET)];
        bytes.get(Math.min(LIST_OFFSET, bytes.limit()), encoded);
        if (bytes.limit() < LIST_OFFSET
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(LENGTH_OFFSET) != encoded.length
                || bytes.getInt(CRC_OFFSET) != crc(encoded)) {
            throw new IOException(
                    "%s at byte 0: expected a list of %d bytes with its checksum, found other bytes"
                            .formatted(path, encoded.length));
        }
        try {
            return Optional.of(ReplicaList.decode(encoded));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s at byte %d: %s".formatted(path, LIST_OFFSET, e.getMessage()), e);
        }
    }

    /**
     * Moves committed files to their places, deletes the old ones, and writes the record of the
     * shard. Does nothing if none are committed. The partitions of the shard must not be open.
     *
     * <p>A replica that has reached a later entry than the copies keeps its own files.
     */
    public void finish(Places places) throws IOException {
        Optional<ReplicaList> committed = committed();
        if (committed.isEmpty()) {
            return;
        }
        ReplicaList list = committed.get();
        boolean isRemoval = list.record().index() == REMOVED_INDEX;
        if (!isRemoval
                && ShardRecord.open(files, name)
                        .content()
                        .filter(own -> own.index() > list.record().index())
                        .isPresent()) {
            forgetCommitted();
            return;
        }
        Set<String> owned = new HashSet<>();
        list.partitions().forEach(partition -> owned.add(places.directory(partition)));
        for (ReplicaFile each : list.files()) {
            place(each, owned.contains(each.directory()));
        }
        for (int partition : list.partitions()) {
            deleteOthers(places.directory(partition), list, places);
            places.replaced(partition);
        }
        if (isRemoval) {
            ShardRecord.remove(files, name);
        } else {
            ShardRecord.open(files, name).write(list.record());
            ShardRecord.restore(files, name);
        }
        forgetCommitted();
    }

    private void forgetCommitted() throws IOException {
        files.delete(directory() + "/" + SWITCH);
        files.forceDirectory(directory());
    }

    /**
     * Moves a staged file, unless that is done.
     *
     * @param isOwn whether an existing file is an old one; otherwise it has the same bytes, unless
     *     a crash interrupted its write
     */
    private void place(ReplicaFile file, boolean isOwn) throws IOException {
        String staged = staged(file.path());
        if (!files.list(staged(file.directory())).contains(lastPart(staged))) {
            return;
        }
        boolean isThere = files.list(file.directory()).contains(lastPart(staged));
        if (isThere && !isOwn && isSame(file, file.path())) {
            files.delete(staged);
            return;
        }
        if (isThere) {
            files.delete(file.path());
            files.forceDirectory(file.directory());
        }
        files.move(staged, file.path());
    }

    private void deleteOthers(String directory, ReplicaList list, Places places)
            throws IOException {
        Set<String> names = new HashSet<>();
        list.files().forEach(each -> names.add(each.path()));
        List<String> old = new ArrayList<>();
        for (String each : files.list(directory)) {
            if (!names.contains(directory + "/" + each) && !places.stays(each)) {
                old.add(directory + "/" + each);
            }
        }
        for (String each : old) {
            files.delete(each);
        }
        files.forceDirectory(directory);
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
