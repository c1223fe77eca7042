package org.crabro.content.replication.raft.patch;

import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;

/**
 * The groups in the directory of a server that is built. Ratis 3.3.0 would start all of them with
 * the server, before their listeners are there. It reads the names of the groups when it builds the
 * server, and the directory again when a group is added. So the server is built over a directory
 * that does not exist.
 */
public final class HiddenGroups {
    private HiddenGroups() {}

    /** Hides the groups of a directory from a server that is built with these properties. */
    public static void hide(RaftProperties properties, Path directory) {
        setDirectory(properties, directory.resolve("none"));
    }

    /** Ends {@link #hide}: groups that are added from now on are in the directory. */
    public static void show(RaftProperties properties, Path directory) {
        setDirectory(properties, directory);
    }

    private static void setDirectory(RaftProperties properties, Path directory) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    }
}
