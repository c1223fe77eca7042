package org.crabro.content.storage.replica;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * All files of a replica at one moment: the runs and manifests of its partitions, and the document
 * types.
 *
 * <pre>
 *   0         4      12      20       24       28
 *   +---------+------+-------+--------+--------+------------+-------+-------+
 *   | version | term | index | length | record | partitions | count | files |
 *   +---------+------+-------+--------+--------+------------+-------+-------+
 * </pre>
 *
 * <p>Little-endian. The partitions are a count and their numbers, four bytes each. A file is the
 * length of its path, the path in UTF-8, its size in eight bytes and its crc.
 *
 * @param record what the replica has in place of entries: the runs have all rows of the entries up
 *     to its index, and perhaps of later ones
 * @param partitions of the shard, by number
 * @param files each once
 */
public record ReplicaList(
        ShardRecord.Content record, List<Integer> partitions, List<ReplicaFile> files) {
    private static final int VERSION = 1;

    public ReplicaList {
        partitions = List.copyOf(partitions);
        files = List.copyOf(files);
    }

    /** Returns the size of all files. */
    public long bytes() {
        return files.stream().mapToLong(ReplicaFile::bytes).sum();
    }

    /**
     * Rejects a list with other partitions or with files of other places: the list comes from
     * another node, and the files in these places are replaced.
     *
     * @param own the partitions of the shard
     * @param directories in which its files are
     * @throws IllegalArgumentException if so
     */
    public void requireOf(List<Integer> own, Set<String> directories) {
        if (!Set.copyOf(own).equals(Set.copyOf(partitions))) {
            throw new IllegalArgumentException(
                    "the other node has the partitions %s, expected %s".formatted(partitions, own));
        }
        for (ReplicaFile each : files) {
            if (!directories.contains(each.directory())) {
                throw new IllegalArgumentException(
                        "'%s' is no file of the partitions %s".formatted(each.path(), own));
            }
        }
    }

    /** Returns the bytes of the list. */
    public byte[] encode() {
        byte[] stored = record.bytes().getFirst();
        List<byte[]> paths =
                files.stream().map(each -> each.path().getBytes(StandardCharsets.UTF_8)).toList();
        int length = 7 * Integer.BYTES + 2 * Long.BYTES + stored.length;
        length += partitions.size() * Integer.BYTES;
        length +=
                paths.stream().mapToInt(each -> each.length + 2 * Integer.BYTES + Long.BYTES).sum();
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(VERSION).putLong(record.term()).putLong(record.index());
        bytes.putInt(stored.length).put(stored);
        bytes.putInt(partitions.size());
        partitions.forEach(bytes::putInt);
        bytes.putInt(files.size());
        for (int i = 0; i < files.size(); i++) {
            bytes.putInt(paths.get(i).length).put(paths.get(i));
            bytes.putLong(files.get(i).bytes()).putInt(files.get(i).crc());
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /**
     * Reads a list.
     *
     * @throws IllegalArgumentException if the bytes are none
     */
    public static ReplicaList decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        try {
            int version = bytes.getInt();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "a list of version %d, expected %d".formatted(version, VERSION));
            }
            long term = bytes.getLong();
            long index = bytes.getLong();
            byte[] stored = part(bytes);
            List<Integer> partitions = new ArrayList<>();
            for (int left = bytes.getInt(); left > 0; left--) {
                partitions.add(bytes.getInt());
            }
            List<ReplicaFile> files = new ArrayList<>();
            for (int left = bytes.getInt(); left > 0; left--) {
                String path = new String(part(bytes), StandardCharsets.UTF_8);
                files.add(new ReplicaFile(path, bytes.getLong(), bytes.getInt()));
            }
            return new ReplicaList(ShardRecord.Content.of(term, index, stored), partitions, files);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "the list ends early, at byte %d".formatted(bytes.position()), e);
        }
    }

    private static byte[] part(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        var part = new byte[length];
        bytes.get(part);
        return part;
    }
}
