package org.crabro.content.storage.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.crabro.content.storage.os.DirectoryLock;
import org.crabro.content.storage.os.MemoryAdvice;
import org.crabro.content.storage.os.OpenDescriptor;
import org.crabro.content.storage.os.PlainReads;
import org.crabro.content.storage.os.PrivateDirectory;
import org.crabro.content.storage.os.Residency;
import org.jspecify.annotations.Nullable;

/**
 * Files of the operating system below one directory. The directory is locked against other
 * processes until this is closed or the process ends: by a lock of the directory itself, if the
 * system supports it, and by the file {@code lock} in it.
 *
 * <p>Interrupting a thread in a call of a file channel closes the channel for all threads. Only
 * threads that are never interrupted may call this class.
 */
public final class MappedLogFiles implements LogFiles, AutoCloseable {
    /** The file whose lock marks the directory as in use. */
    private static final String LOCK = "lock";

    private final Path root;
    private final FileChannel lock;
    private final Optional<DirectoryLock> directoryLock;
    private final boolean isLinux;
    private final Residency residency;
    private final FileStore store;

    /**
     * @param root created with its parent directories if it does not exist
     * @throws IOException if the directory is in use, or cannot be created or written
     */
    public MappedLogFiles(Path root) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        // The constants of {@code madvise} are those of Linux.
        this.isLinux = System.getProperty("os.name").equals("Linux");
        this.residency = isLinux ? new MemoryAdvice() : new PlainReads();
        PrivateDirectory.make(this.root);
        // Read once: to find the file store, the system lists all mounts.
        store = Files.getFileStore(this.root);
        directoryLock = isLinux ? DirectoryLock.of(this.root) : Optional.<DirectoryLock>empty();
        boolean isLocked = false;
        try {
            lock = lock(this.root);
            isLocked = true;
        } finally {
            if (!isLocked) {
                directoryLock.ifPresent(DirectoryLock::close);
            }
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw DirectoryLock.inUse(root);
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    /** Releases the lock on the directory. Open files and mappings stay valid. */
    @Override
    public void close() throws IOException {
        lock.close();
        directoryLock.ifPresent(DirectoryLock::close);
    }

    @Override
    public LogFile create(String path) throws IOException {
        Path file = resolve(path);
        PrivateDirectory.create(file.resolve(".."));
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        return new ChannelFile(
                channel, isLinux ? OpenDescriptor.open(file) : Optional.<OpenDescriptor>empty());
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new ChannelFile(
                FileChannel.open(resolve(path), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public LogFile openOnDevice(String path) throws IOException {
        return DeviceFile.open(resolve(path));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(resolve(directory))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    @Override
    public void delete(String path) throws IOException {
        Files.deleteIfExists(resolve(path));
    }

    @Override
    public void move(String path, String newPath) throws IOException {
        Path file = resolve(path);
        Path target = resolve(newPath);
        PrivateDirectory.create(target.resolve(".."));
        Files.move(file, target);
        PrivateDirectory.forceNames(target.resolve("..").normalize());
        PrivateDirectory.forceNames(file.resolve("..").normalize());
    }

    @Override
    public Optional<String> link(String path, LogFiles target) throws IOException {
        if (!(target instanceof MappedLogFiles other)) {
            return Optional.of("the target is not a directory of the system");
        }
        Path file = resolve(path);
        Path name = other.resolve(path);
        PrivateDirectory.create(name.resolve(".."));
        try {
            Files.createLink(name, file);
            return Optional.empty();
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // Another file system, a file system without hard links, or a missing permission.
            return Optional.of("no hard link could be made: " + e.getMessage());
        }
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        PrivateDirectory.forceNames(resolve(directory));
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        Path file = resolve(path);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment mapping =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            if (residency instanceof MemoryAdvice advice) {
                advice.random(file, mapping, arena);
            }
            return mapping;
        }
    }

    @Override
    public Residency residency() {
        return residency;
    }

    @Override
    public long freeBytes() throws IOException {
        return store.getUsableSpace();
    }

    @Override
    public OptionalLong totalBytes() throws IOException {
        return OptionalLong.of(store.getTotalSpace());
    }

    private Path resolve(String path) {
        Path resolved = root.resolve(path).normalize();
        if (!resolved.startsWith(root)) {
            throw new IllegalArgumentException("'" + path + "' is not below " + root);
        }
        return resolved;
    }
}
