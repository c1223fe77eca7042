package org.crabro.content.storage.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.crabro.content.storage.journal.LogFiles;

/** Copies attachments into a backup. For one thread. */
public final class AttachmentWriter {
    private static final int STEP = 1 << 20;

    private final LogFiles target;
    private final BooleanSupplier isClosing;
    private final List<AttachedFile> files = new ArrayList<>();
    private final Set<String> directories = new TreeSet<>();

    /**
     * @param isClosing checked between steps; once it returns true, copying throws
     */
    public AttachmentWriter(LogFiles target, BooleanSupplier isClosing) {
        this.target = target;
        this.isClosing = isClosing;
    }

    /**
     * Copies {@code content} into the backup. The caller closes {@code content}.
     *
     * @param path in the backup, parts joined by slashes
     */
    public void add(String path, InputStream content) throws IOException {
        var crc = new CRC32C();
        long size = 0;
        try (LogFiles.LogFile file = target.create(path)) {
            byte[] bytes = content.readNBytes(STEP);
            while (bytes.length > 0) {
                if (isClosing.getAsBoolean()) {
                    throw new IOException("the backup was cancelled: the node is closing");
                }
                crc.update(bytes);
                file.write(ByteBuffer.wrap(bytes), size);
                size += bytes.length;
                bytes = content.readNBytes(STEP);
            }
            file.force();
        }
        files.add(new AttachedFile(path, size, (int) crc.getValue()));
        directories.add(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
    }

    /** Forces the names of all files, and returns the files. */
    public List<AttachedFile> end() throws IOException {
        for (String directory : directories) {
            target.forceDirectory(directory);
        }
        return List.copyOf(files);
    }
}
