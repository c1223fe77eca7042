package org.crabro.container.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The state of a file when it was read; equal if the file has not changed since.
 *
 * @param modifiedNanos since the epoch
 * @param size in bytes, -1 if there is no file
 * @param key the inode
 */
record FileStamp(long modifiedNanos, long size, String key) {
    private static final FileStamp MISSING = new FileStamp(0, -1, "");

    static FileStamp of(Path path) {
        try {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileStamp(
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size(),
                    String.valueOf(attributes.fileKey()));
        } catch (IOException _) {
            return MISSING;
        }
    }
}
