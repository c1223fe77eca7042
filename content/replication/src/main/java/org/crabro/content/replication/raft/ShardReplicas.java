package org.crabro.content.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.replica.ReplicaFile;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.content.storage.replica.ReplicaList;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.content.storage.replica.ReplicatedStore;

/**
 * The replicas of a node, which come and go while its store is open. Changes of one shard are for
 * one thread at a time.
 *
 * @param groups the server of the node
 * @param cluster the name of the content cluster
 * @param store whose journals are {@link RatisJournals} of these groups
 * @param exports a directory on the file system of the data, for hard links
 */
public record ShardReplicas(
        RatisGroups groups, String cluster, ReplicatedStore store, Path exports) {
    /** Returns the replicas of a store that was opened; deletes exports of an earlier process. */
    public static ShardReplicas open(
            RatisGroups groups, String cluster, ReplicatedStore store, Path exports)
            throws IOException {
        FileTree.delete(exports);
        return new ShardReplicas(groups, cluster, store, exports);
    }

    /** Returns whether the node has a replica of a shard, started or not. */
    public boolean isHere(int shard) throws IOException {
        return groups.isHere(group(shard));
    }

    /** Returns whether the replica of a shard was removed from the data directory. */
    public boolean isRemoved(int shard) throws IOException {
        return groups.isRemoved(group(shard));
    }

    private ShardGroup group(int shard) {
        return new ShardGroup(cluster, shard);
    }

    /**
     * Starts a replica, or starts it again.
     *
     * @throws IOException if that failed; only the next open of the store starts the shard then
     */
    public void start(int shard) throws IOException {
        store.replace(shard, _ -> {}, true);
    }

    /**
     * Copies the files of another replica beside. The node may have an older replica, which goes on
     * meanwhile. Continues after a failure.
     *
     * @throws IOException if that failed; nothing but staged files has changed
     */
    public void stage(int shard, ReplicaSource source) throws IOException {
        check(shard, source.list());
        groups.installation(group(shard)).stage(source);
    }

    private void check(int shard, ReplicaList list) throws IOException {
        try {
            list.requireOf(store.partitions(shard), store.directories(shard));
        } catch (IllegalArgumentException e) {
            throw new IOException("shard %d is not copied: %s".formatted(shard, e.getMessage()), e);
        }
    }

    /**
     * Replaces the replica by the staged files, and starts it.
     *
     * @throws IOException if that failed; only the next open of the store starts the shard then
     */
    public void install(int shard, ReplicaSource source) throws IOException {
        check(shard, source.list());
        ReplicaInstallation installation = groups.installation(group(shard));
        installation.commit(source.list());
        store.replace(shard, installation::finish, true);
    }

    /**
     * Ends a replica and deletes its files, except for how it voted. While it ends, its group may
     * count it again, and it may have confirmed entries as a member: then it starts again instead.
     *
     * @param isRemoved whether a replica with this configuration, the newest that it knows, is not
     *     a member any more
     * @return whether it was removed
     * @throws IOException if that failed; the next open of the store starts it, or goes on
     */
    public boolean remove(int shard, Predicate<ReplicaStatus.Configuration> isRemoved)
            throws IOException {
        ShardGroup group = group(shard);
        ReplicaInstallation installation = groups.installation(group);
        List<Integer> partitions = store.partitions(shard);
        Supplier<ReplicaStatus.Configuration> newest = groups.configuration(group);
        var isMember = new AtomicBoolean();
        store.replace(
                shard,
                places -> {
                    groups.checkEnded(group);
                    if (!isRemoved.test(newest.get())) {
                        isMember.set(true);
                        return;
                    }
                    installation.commitRemoval(partitions);
                    installation.finish(places);
                    groups.deleteLog(group);
                },
                false);
        if (isMember.get()) {
            start(shard);
        }
        return !isMember.get();
    }

    /** Makes copies of the files of a replica; see {@link RatisGroups#export}. */
    public ReplicaSource export(int shard) throws IOException {
        Path directory = Files.createTempDirectory(Files.createDirectories(exports), "shard");
        var links = new MappedLogFiles(directory);
        boolean isMade = false;
        try {
            var made = new Export(groups.export(group(shard), store, links), links, directory);
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                links.close();
                FileTree.delete(directory);
            }
        }
    }

    /** Deletes its directory when it is closed. */
    private record Export(ReplicaSource source, MappedLogFiles links, Path directory)
            implements ReplicaSource {
        @Override
        public ReplicaList list() {
            return source.list();
        }

        @Override
        public void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException {
            source.read(file, offset, into);
        }

        @Override
        public void close() throws IOException {
            source.close();
            links.close();
            FileTree.delete(directory);
        }
    }
}
