package org.crabro.content.storage.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Read access to the files below a directory. Changes and locks no file, so a node may use them at
 * the same time. A file that the node removes is then not found.
 */
public final class ReadOnlyLogFiles implements LogFiles {
    private final Path root;

    /**
     * @throws NotDirectoryException if the directory does not exist
     */
    public ReadOnlyLogFiles(Path root) throws NotDirectoryException {
        this.root = root.toAbsolutePath().normalize();
        if (!Files.isDirectory(this.root)) {
            throw new NotDirectoryException(this.root.toString());
        }
    }

    @Override
    public LogFile open(String path) throws IOException {
        return new ChannelFile(FileChannel.open(root.resolve(path), StandardOpenOption.READ));
    }

    @Override
    public LogFile openOnDevice(String path) throws IOException {
        return DeviceFile.open(root.resolve(path));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    @Override
    public MemorySegment map(String path, Arena arena) throws IOException {
        try (var channel = FileChannel.open(root.resolve(path), StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    @Override
    public LogFile create(String path) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void delete(String path) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void move(String path, String newPath) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void forceDirectory(String directory) {
        throw new ReadOnlyFileSystemException();
    }
}
