package org.crabro.content.storage.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.content.storage.os.Residency;

/**
 * The files of a data directory. The store writes only through this interface, so that tests can
 * lose bytes that were not forced, tear writes and run out of space.
 *
 * <p>Paths are relative to the data directory, with slashes between parts. The bytes of a file
 * survive a crash after the file was forced; its name survives after its directory was forced.
 */
public interface LogFiles {
    /**
     * Creates an empty file and its parent directories. Directories survive a crash immediately;
     * the file's name survives after its directory was forced.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    LogFile create(String path) throws IOException;

    /**
     * Opens a file for reading and writing.
     *
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    LogFile open(String path) throws IOException;

    /**
     * Opens a file to read the bytes on the device, without the page cache if the system supports
     * it. Checks use this so that they do not evict cached pages that are in use. For one thread.
     *
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    default LogFile openOnDevice(String path) throws IOException {
        return open(path);
    }

    /**
     * Returns the sorted names of the files and directories in a directory; empty if it does not
     * exist. The empty path is the data directory itself.
     */
    List<String> list(String directory) throws IOException;

    /** Removes a file if it exists. Its mappings stay valid. */
    void delete(String path) throws IOException;

    /**
     * Renames a file and creates the parent directories of the new path. Forces both directories:
     * when this returns, the file has the new path. After a crash it has one of the two paths.
     *
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     * @throws java.nio.file.FileAlreadyExistsException if {@code newPath} exists
     */
    void move(String path, String newPath) throws IOException;

    /**
     * Links a file to the same path in {@code target}. The file must not be written any more.
     * Creates parent directories.
     *
     * @return the reason if a link is not possible; empty if the file was linked
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     * @throws java.nio.file.FileAlreadyExistsException if the path exists in {@code target}
     */
    default Optional<String> link(String path, LogFiles target) throws IOException {
        return Optional.of("these files do not support hard links");
    }

    /** Forces a directory: its names then survive a crash. */
    void forceDirectory(String directory) throws IOException;

    /**
     * Maps a whole file read-only; {@code arena} unmaps it. For a file on a device, touching a page
     * reads only that page, or the large page around it if no part of that was in memory. Callers
     * request the parts that they need ahead through {@link #residency()}.
     */
    MemorySegment map(String path, Arena arena) throws IOException;

    /** Returns the object that reports and controls which parts of mappings are in memory. */
    default Residency residency() {
        return Residency.ALWAYS;
    }

    /** Returns the free space of the device, in bytes. */
    long freeBytes() throws IOException;

    /** Returns the capacity of the device in bytes, used space included; empty if it is unknown. */
    default OptionalLong totalBytes() throws IOException {
        return OptionalLong.empty();
    }

    /** An open file. */
    interface LogFile extends AutoCloseable {
        long size() throws IOException;

        /** Writes all of {@code bytes} at {@code offset}, in as few system calls as possible. */
        void write(java.nio.ByteBuffer bytes, long offset) throws IOException;

        /**
         * Reads until {@code into} is full or the file ends.
         *
         * @return the bytes read
         */
        int read(java.nio.ByteBuffer into, long offset) throws IOException;

        /**
         * Forces the file: returns when all written bytes are on the device. Metadata is forced
         * only if it is needed to read the bytes.
         */
        void force() throws IOException;

        /**
         * Starts writing a range to the device, if the system supports it, and does not wait. The
         * next force of this file and of other files then has less to do. Only {@link #force}
         * guarantees durability and reports write errors.
         */
        default void writeOut(long offset, long length) {
            // The default does nothing: a force writes the bytes anyway.
        }

        /** Sets the file's size to {@code size} bytes; added bytes are zeros. */
        void resize(long size) throws IOException;

        @Override
        void close() throws IOException;
    }
}
