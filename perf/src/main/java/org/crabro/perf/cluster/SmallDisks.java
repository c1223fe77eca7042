package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small file system for the data of each server, where they can be made: in an image, or in
 * memory.
 */
final class SmallDisks implements AutoCloseable {
    private static final String SIZE = "384m";

    private final List<Path> mounted = new ArrayList<>();
    private boolean areImages = true;

    private SmallDisks() {}

    /** Returns no file systems: servers use those of the folder. */
    static SmallDisks none() {
        return new SmallDisks();
    }

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
                disks.mount(data);
                disks.mounted.add(data);
            } catch (IOException e) {
                out.println("No disk is full, because no file system can be made: " + e);
                disks.close();
                return disks;
            }
        }
        return disks;
    }

    private void mount(Path data) throws IOException, InterruptedException {
        Path image = data.resolveSibling(data.getFileName() + ".ext4");
        try {
            SystemPrograms.run("truncate -s %s %s".formatted(SIZE, image));
            SystemPrograms.run("mkfs.ext4 -q -F " + image);
            SystemPrograms.run("mount -o loop %s %s".formatted(image, data));
            Files.delete(data.resolve("lost+found"));
        } catch (IOException _) {
            areImages = false;
            SystemPrograms.run("mount -t tmpfs -o size=%s tmpfs %s".formatted(SIZE, data));
        }
    }

    /** Returns whether each server has one whose writes can be stopped. */
    boolean canBeFrozen() {
        return areMade() && areImages;
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
