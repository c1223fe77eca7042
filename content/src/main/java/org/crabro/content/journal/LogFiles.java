package org.crabro.content.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files of a data directory. Everything that the store writes goes through here, so that tests
 * can lose what was not forced, tear writes and run out of space.
 *
 * <p>Paths are relative to the data directory, parts joined by slashes. What was written survives a
 * crash once the file was forced, and the file's name once its directory was.
 */
public interface LogFiles {
    /**
     * Creates an empty file, and the directories above it. Directories survive a crash at once; the
     * file's name does when its own directory was forced.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    LogFile create(String path) throws IOException;

    /**
     * Opens a file for reading and writing.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    LogFile open(String path) throws IOException;

    /**
     * Opens a file for reading what the device holds, past the page cache where the system can: to
     * check it without displacing what is in use. For one thread.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    default LogFile openOnDevice(String path) throws IOException {
        return open(path);
    }

    /**
     * Returns the names of files and directories in a directory, sorted; none where it does not
     * exist. The data directory itself is the empty path.
     */
    List<String> list(String directory) throws IOException;

    /** Removes a file; mappings of it stay valid. Nothing happens where there is none. */
    void delete(String path) throws IOException;

    /**
     * Gives a file another path, and creates the directories above it. Both directories are forced:
     * the file has the new path when this returns, and has one of both paths after a crash.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws java.nio.file.FileAlreadyExistsException if there is a file of the new path
     */
    void move(String path, String newPath) throws IOException;

    /**
     * Gives a file, which must not be written to any more, the same path in {@code target} too:
     * another name for the same bytes. Directories above it are created.
     *
     * @return why it cannot be, or nothing where it was done
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws java.nio.file.FileAlreadyExistsException if there is one of that path already
     */
    default Optional<String> link(String path, LogFiles target) throws IOException {
        return Optional.of("files of this kind have one name");
    }

    /** Makes the names in a directory survive a crash. */
    void forceDirectory(String directory) throws IOException;

    /**
     * Maps a whole file read-only; {@code arena} unmaps it. Where the file is on a device, touching
     * a page reads that page alone, or a large one around it of which nothing was in memory: what
     * is going to be wanted is asked for through {@link #residency()} before.
     */
    MemorySegment map(String path, Arena arena) throws IOException;

    /** Returns what tells and decides which parts of mappings are in memory. */
    default Residency residency() {
        return Residency.ALWAYS;
    }

    /** Returns the bytes that can still be written. */
    long freeBytes() throws IOException;

    /** Returns the bytes of the device, used ones too, or nothing where they are not known. */
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
         * Returns when everything written is on the device; metadata only where needed to read it.
         */
        void force() throws IOException;

        /**
         * Has the system begin to write a range to the device, where it can, and does not wait: the
         * next force finds less to do, and so do those of other files meanwhile. What a crash
         * leaves, and whether writing fails, is told by {@link #force} alone.
         */
        default void writeOut(long offset, long length) {
            // A force writes it all the same.
        }

        /** Makes the file {@code size} bytes long, with zeros where it grows. */
        void resize(long size) throws IOException;

        @Override
        void close() throws IOException;
    }
}
