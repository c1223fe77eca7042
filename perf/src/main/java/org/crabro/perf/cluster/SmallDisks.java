package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small file system in memory for the data of each server, where they can be made. */
final class SmallDisks implements AutoCloseable {
    private static final String SIZE = "384m";

    private final List<Path> mounted = new ArrayList<>();

    private SmallDisks() {}

    /**
     * Makes the file systems; none if that is not possible here.
     *
     * @param folder of the cluster
     */
    static SmallDisks make(Path folder, PrintStream out) throws IOException, InterruptedException {
        var disks = new SmallDisks();
        for (int i = 1; i <= ProcessCluster.SERVERS; i++) {
            Path data = Files.createDirectory(folder.resolve("n" + i));
            try {
                SystemPrograms.run("mount -t tmpfs -o size=%s tmpfs %s".formatted(SIZE, data));
                disks.mounted.add(data);
            } catch (IOException e) {
                out.println("No disk is full, because no file system can be made: " + e);
                disks.close();
                return disks;
            }
        }
        return disks;
    }

    /** Returns whether each server has one. */
    boolean areMade() {
        return !mounted.isEmpty();
    }

    @Override
    public void close() {
        for (Path each : mounted) {
            try {
                SystemPrograms.run("umount -l " + each);
            } catch (IOException e) {
                System.err.println(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        mounted.clear();
    }
}
