package org.crabro.content.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Brings files that never change into another directory tree: by another name for the same bytes,
 * or by copying them where that cannot be. For one thread.
 */
public final class FileTransfer {
    private static final int STEP = 1 << 20;

    /**
     * A file that was brought.
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
     * @param isOver asked between steps; where it says so, bringing files ends in an exception
     */
    public FileTransfer(LogFiles from, LogFiles to, BooleanSupplier isOver) {
        this.from = from;
        this.to = to;
        this.isOver = isOver;
    }

    /**
     * Brings a file under the same path. Its bytes are durable when this returns, its name when the
     * directory was forced.
     *
     * @throws java.nio.file.NoSuchFileException if it is not there any more
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

    /** Returns whether files are to be brought no more. */
    public boolean isOver() {
        return isOver.getAsBoolean();
    }

    private void refuseWhenOver() throws IOException {
        if (isOver()) {
            throw new IOException("bringing files elsewhere was ended");
        }
    }

    /** Takes away what was brought under a path. */
    public void takeBack(String path) throws IOException {
        to.delete(path);
        brought.removeIf(each -> each.file().equals(path));
    }

    /** Notes a file that was written there by others. */
    public void note(String path) throws IOException {
        try (LogFiles.LogFile file = to.open(path)) {
            brought.add(new Brought(path, file.size()));
        }
    }

    /** Returns where files are brought to. */
    public LogFiles target() {
        return to;
    }

    /** Returns the files that were brought and not taken back. */
    public List<Brought> brought() {
        return List.copyOf(brought);
    }

    /** Returns how many bytes were copied. */
    public long copiedBytes() {
        return copiedBytes;
    }

    /** Returns why files were copied, or nothing where none was. */
    public Optional<String> reason() {
        return reason;
    }
}
