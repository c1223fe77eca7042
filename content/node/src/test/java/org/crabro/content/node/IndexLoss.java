package org.crabro.content.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.store.DocumentStore;

/** What may happen to the files of indexes of a node that is closed. */
final class IndexLoss {
    private IndexLoss() {}

    /** Deletes some files of indexes, cuts some, and flips a byte of others. */
    static void strike(LogFiles files, Random random) throws IOException {
        for (int partition = 0; partition < NodeFixture.PARTITIONS.count(); partition++) {
            String directory = DocumentStore.directory(partition);
            for (String name : files.list(directory)) {
                if (IndexedRun.isName(name)) {
                    strike(files, directory + "/" + name, random);
                }
            }
        }
    }

    private static void strike(LogFiles files, String path, Random random) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> files.delete(path);
            case 1 -> {
                try (LogFile file = files.open(path)) {
                    file.resize(random.nextLong(file.size()));
                }
            }
            case 2 -> {
                try (LogFile file = files.open(path)) {
                    long at = random.nextLong(file.size());
                    var flipped = ByteBuffer.allocate(1);
                    file.read(flipped, at);
                    flipped.put(0, (byte) (flipped.get(0) ^ 1 << random.nextInt(8)));
                    file.write(flipped.flip(), at);
                }
            }
            default -> {
                // It stays.
            }
        }
    }
}
