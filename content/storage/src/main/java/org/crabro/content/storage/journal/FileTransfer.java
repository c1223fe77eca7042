package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Transfers immutable files into another directory tree: by a hard link, or by a copy if a link is
 * not possible. For one thread.
 */
public final class FileTransfer {
    private static final int STEP = 1 << 20;

    /**
     * A transferred file.
     *
     * @param file its path
     * @param bytes its size
     */
    public record Brought(String file, long bytes) {}

    private final LogFiles from;
    private final LogFiles to;
    private final BooleanSupplier isOver;
    private final List<Brought> brought = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(STEP);
    private long copiedBytes;
    private Optional<String> reason = Optional.empty();

    /**
     * @param isOver returns whether the transfer is cancelled; checked between steps, which then
     *     throw
     */
    public FileTransfer(LogFiles from, LogFiles to, BooleanSupplier isOver) {
        this.from = from;
        this.to = to;
        this.isOver = isOver;
    }

    /**
     * Transfers a file to the same path. When this returns, the bytes are durable; the name is
     * durable after its directory is forced.
     *
     * @throws java.nio.file.NoSuchFileException if the file does not exist any more
     */
    public void bring(String path) throws IOException {
        refuseWhenOver();
        Optional<String> whyNot = from.link(path, to);
        if (whyNot.isEmpty()) {
            try (LogFiles.LogFile file = to.open(path)) {
                brought.add(new Brought(path, file.size()));
            }
            return;
        }
        reason = whyNot;
        try (LogFiles.LogFile source = from.openOnDevice(path);
                LogFiles.LogFile target = to.create(path)) {
            long size = source.size();
            long at = 0;
            while (at < size) {
                refuseWhenOver();
                buffer.clear().limit((int) Math.min(STEP, size - at));
                int count = source.read(buffer, at);
                if (count <= 0) {
                    throw new IOException(
                            "%s ended at byte %d, expected %d".formatted(path, at, size));
                }
                target.write(buffer.flip(), at);
                at += count;
            }
            target.force();
            copiedBytes += size;
            brought.add(new Brought(path, size));
        }
    }

    /** Returns whether the transfer is cancelled. */
    public boolean isOver() {
        return isOver.getAsBoolean();
    }

    private void refuseWhenOver() throws IOException {
        if (isOver()) {
            throw new IOException("the transfer of files was cancelled");
        }
    }

    /** Deletes the transferred files under a path. */
    public void takeBack(String path) throws IOException {
        to.delete(path);
        brought.removeIf(each -> each.file().equals(path));
    }

    /** Adds a file that other code wrote in the target to the list of transferred files. */
    public void note(String path) throws IOException {
        try (LogFiles.LogFile file = to.open(path)) {
            brought.add(new Brought(path, file.size()));
        }
    }

    /** Returns the target of the transfer. */
    public LogFiles target() {
        return to;
    }

    /** Returns the files that were transferred and not deleted again. */
    public List<Brought> brought() {
        return List.copyOf(brought);
    }

    /** Returns how many bytes were copied. */
    public long copiedBytes() {
        return copiedBytes;
    }

    /** Returns why files were copied instead of linked; empty if no file was copied. */
    public Optional<String> reason() {
        return reason;
    }
}
