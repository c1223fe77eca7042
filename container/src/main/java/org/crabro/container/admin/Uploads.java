package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** What is being received: a bounded number of files and forms, each deleted when it was used. */
final class Uploads {
    private final PackageStore store;
    private final int max;
    private final Semaphore free;

    /**
     * @param max how many may be received at once
     */
    Uploads(PackageStore store, int max) {
        this.store = store;
        this.max = max;
        this.free = new Semaphore(max);
    }

    /** Where something is received; closing it deletes what came. */
    final class Upload implements AutoCloseable {
        private final Path path;

        private Upload(Path path) {
            this.path = path;
        }

        Path path() {
            return path;
        }

        @Override
        public void close() throws IOException {
            try {
                store.deleteUpload(path);
            } finally {
                free.release();
            }
        }
    }

    /** Makes a place. */
    private interface Making {
        Path make() throws IOException;
    }

    /**
     * Returns a new file to receive something in, or nothing where as many are being received as
     * may be.
     *
     * @throws IOException if it cannot be made
     */
    Optional<Upload> file() throws IOException {
        return begin(store::newUpload);
    }

    /**
     * Returns a new directory to receive the parts of a form in, or nothing as above.
     *
     * @throws IOException if it cannot be made
     */
    Optional<Upload> directory() throws IOException {
        return begin(store::newUploadDirectory);
    }

    private Optional<Upload> begin(Making making) throws IOException {
        if (!free.tryAcquire()) {
            return Optional.empty();
        }
        boolean isMade = false;
        try {
            var upload = new Upload(making.make());
            isMade = true;
            return Optional.of(upload);
        } finally {
            if (!isMade) {
                free.release();
            }
        }
    }

    /** Says that no more are received now. */
    String full() {
        return "%d packages and files are being received, which is the limit; try again"
                .formatted(max);
    }
}
