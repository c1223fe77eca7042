package org.crabro.content.storage.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file that is read directly from the device. Reads neither use nor change the page cache. For
 * one thread.
 *
 * <p>The system requires offsets, lengths and addresses at multiples of the device's block size, so
 * this class copies the bytes through an aligned buffer. Large reads are the cheapest.
 */
final class DeviceFile implements LogFiles.LogFile {
    private static final int BUFFER_SIZE = 1 << 20;

    private final FileChannel channel;
    private final int blockSize;
    private final Arena arena = Arena.ofConfined();
    private final ByteBuffer buffer;

    private DeviceFile(FileChannel channel, int blockSize) {
        this.channel = channel;
        this.blockSize = blockSize;
        this.buffer = arena.allocate(BUFFER_SIZE, blockSize).asByteBuffer();
    }

    /**
     * Opens a file. Reads go through the page cache if the file system does not support direct
     * reads.
     */
    static LogFiles.LogFile open(Path path) throws IOException {
        long blockSize = Files.getFileStore(path).getBlockSize();
        Optional<OpenOption> direct = direct();
        if (direct.isPresent() && Long.bitCount(blockSize) == 1 && blockSize <= BUFFER_SIZE) {
            try {
                return new DeviceFile(
                        FileChannel.open(path, StandardOpenOption.READ, direct.get()),
                        (int) blockSize);
            } catch (NoSuchFileException e) {
                throw e;
            } catch (UnsupportedOperationException | FileSystemException _) {
                // For example a file system in memory.
            }
        }
        return new ChannelFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    /**
     * Returns the option for direct reads. It is specific to the JDK and some JDKs lack it, so this
     * method looks it up by name.
     */
    private static Optional<OpenOption> direct() {
        try {
            Class<? extends OpenOption> options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption")
                            .asSubclass(OpenOption.class);
            return Stream.of(options.getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .<OpenOption>map(option -> option)
                    .findFirst();
        } catch (ClassNotFoundException _) {
            return Optional.empty();
        }
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        int total = 0;
        while (into.hasRemaining()) {
            long from = (offset + total) & -blockSize;
            int skipped = (int) (offset + total - from);
            long wanted = Math.min(BUFFER_SIZE, skipped + (long) into.remaining());
            buffer.clear().limit((int) ((wanted + blockSize - 1) & -blockSize));
            int count = channel.read(buffer, from);
            if (count <= skipped) {
                break;
            }
            int taken = Math.min(count - skipped, into.remaining());
            into.put(buffer.slice(skipped, taken));
            total += taken;
        }
        return total;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) {
        throw new NonWritableChannelException();
    }

    @Override
    public void force() {
        throw new NonWritableChannelException();
    }

    @Override
    public void resize(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public void close() throws IOException {
        arena.close();
        channel.close();
    }
}
