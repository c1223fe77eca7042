package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.crabro.content.storage.os.OpenDescriptor;

/**
 * An open file of the operating system.
 *
 * @param descriptor a second descriptor of the same file for early writing, if the system supports
 *     it; closed with this
 */
record ChannelFile(FileChannel channel, Optional<OpenDescriptor> descriptor)
        implements LogFiles.LogFile {
    ChannelFile(FileChannel channel) {
        this(channel, Optional.empty());
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        int total = 0;
        while (into.hasRemaining()) {
            int count = channel.read(into, offset + total);
            if (count < 0) {
                break;
            }
            total += count;
        }
        return total;
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void writeOut(long offset, long length) {
        descriptor.ifPresent(file -> file.writeOut(offset, length));
    }

    @Override
    public void resize(long size) throws IOException {
        if (size < channel.size()) {
            channel.truncate(size);
        } else if (size > channel.size()) {
            write(ByteBuffer.allocate(1), size - 1);
        }
    }

    @Override
    public void close() throws IOException {
        descriptor.ifPresent(OpenDescriptor::close);
        channel.close();
    }
}
