package org.crabro.content.storage.store;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.manifest.LogExtent;
import org.crabro.content.storage.manifest.Manifest;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.partition.PartitionList;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.replica.ReplicaInstallation;

/** Opens the partitions of a data directory, at the start and after a replica got other files. */
final class PartitionOpener implements ReplicaInstallation.Places {
    private static final String REBUILD = "rebuild-manifest";

    private final LogFiles files;
    private final PartitionList list;
    private final TypeFiles types;
    private final DamageRegister damage;
    private final LostFiles lost;
    private final InstantSource clock;
    private final RecentBudget budget;

    /**
     * @param budget of the recent rows of all partitions
     */
    PartitionOpener(
            LogFiles files,
            PartitionList list,
            TypeFiles types,
            DamageRegister damage,
            InstantSource clock,
            RecentBudget budget) {
        this.files = files;
        this.list = list;
        this.types = types;
        this.damage = damage;
        this.lost = new LostFiles(files, clock);
        this.clock = clock;
        this.budget = budget;
    }

    LostFiles lost() {
        return lost;
    }

    /** Checks that the directory of a partition belongs to it; see {@link PartitionList#check}. */
    Optional<LogExtent> check(int partition) throws IOException {
        return list.check(partition, directory(partition));
    }

    /**
     * Opens a partition.
     *
     * @param least the result of {@link #check}
     */
    Partition open(int partition, Optional<LogExtent> least) throws IOException {
        RunLog runs = openRuns(partition, least);
        var opened = new Partition(partition, runs, types, clock, budget);
        runs.reportTo(extent -> list.update(partition, extent));
        return opened;
    }

    private RunLog openRuns(int partition, Optional<LogExtent> least) throws IOException {
        try {
            return RunLog.open(files, directory(partition), types, damage, lost, least);
        } catch (CorruptRunException e) {
            String message = String.valueOf(e.getMessage());
            throw new IOException(
                    message.contains(REBUILD)
                            ? message
                            : message
                                    + ". No run was deleted. Restore the file, or restore all"
                                    + " data from a backup. Otherwise 'crabro "
                                    + REBUILD
                                    + "' reports what would be lost without it",
                    e);
        }
    }

    @Override
    public String directory(int partition) {
        return DocumentStore.directory(partition);
    }

    @Override
    public boolean stays(String fileName) {
        return fileName.equals(PartitionList.IDENTITY);
    }

    @Override
    public void replaced(int partition) throws IOException {
        list.replace(partition, LogExtent.of(Manifest.read(files, directory(partition))));
    }
}
