package org.crabro.content.storage.os;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories that only the user of this process can open: mode 0700, if the file system has modes.
 * Files in them do not need a restricted mode.
 */
public final class PrivateDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateDirectory.class);
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Creates a directory and its parents. If the directory exists, removes the rights of other
     * users and logs that. The names of new directories are forced from the top down.
     */
    public static void make(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            tighten(directory);
        } else {
            create(directory);
        }
    }

    /** Creates a directory and its parents. An existing directory is not changed. */
    public static void create(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = directory.toAbsolutePath().normalize();
                at != null && !Files.isDirectory(at);
                at = at.getParent()) {
            missing.push(at);
        }
        for (Path next : missing) {
            try {
                Files.createDirectory(next, mode(next));
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(next)) {
                    throw e;
                }
            }
            Path parent = next.getParent();
            if (parent != null) {
                forceNames(parent);
            }
        }
    }

    /** Forces a directory: its names then survive a crash. */
    public static void forceNames(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static FileAttribute<?>[] mode(Path path) {
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
    }

    private static void tighten(Path directory) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (OWNER.containsAll(permissions)) {
            return;
        }
        String before = PosixFilePermissions.toString(permissions);
        try {
            view.setPermissions(OWNER);
            LOG.warn("{} was open to other users ({}); its mode is 0700 now", directory, before);
        } catch (FileSystemException e) {
            LOG.warn(
                    "{} is open to other users ({}), and its mode could not be changed: {}",
                    directory,
                    before,
                    e);
        }
    }
}
