package org.crabro.container.admin;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.eclipse.jetty.server.Request;

/** Uploads in progress: a bounded number of files and forms. Each is deleted after its use. */
final class Uploads {
    private static final int BUFFER_SIZE = 64 << 10;

    private final PackageStore store;
    private final int max;
    private final Duration idle;
    private final BodyMemory places;

    /**
     * @param max concurrent uploads; 0 for none
     * @param idle an upload that receives less than 16 KiB in this time gives its place to another
     */
    Uploads(PackageStore store, int max, Duration idle) {
        this(store, max, idle, System::nanoTime);
    }

    /**
     * @param nanoTime on the scale of {@link System#nanoTime()}
     */
    Uploads(PackageStore store, int max, Duration idle, LongSupplier nanoTime) {
        this.store = store;
        this.max = max;
        this.idle = idle;
        this.places = new BodyMemory(BodyLimits.places(Math.max(1, max), idle), nanoTime);
    }

    /** Registers the count of uploads in progress. */
    void measure(MeterRegistry registry) {
        places.measure(registry, "uploads");
    }

    /** The place of an upload; closing it deletes the received files. */
    final class Upload implements AutoCloseable {
        private final Path path;
        private final BodyMemory.Share place;

        private Upload(Path path, BodyMemory.Share place) {
            this.path = path;
            this.place = place;
        }

        /**
         * Writes the body of {@code request} into {@code file}.
         *
         * @return false if it is larger than {@code maxBytes}; the file contains a part of it then
         * @throws BodyRefusedException if the upload has given its place to another
         */
        boolean receive(Request request, Path file, long maxBytes) throws IOException {
            if (request.getLength() > maxBytes) {
                return false;
            }
            byte[] buffer = new byte[BUFFER_SIZE];
            long received = 0;
            try (InputStream body = new ArrivingRequest(request).stream(place);
                    OutputStream out = Files.newOutputStream(file)) {
                for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                    received += count;
                    if (received > maxBytes) {
                        return false;
                    }
                    out.write(buffer, 0, count);
                }
            }
            place.complete();
            return true;
        }

        Path path() {
            return path;
        }

        @Override
        public void close() throws IOException {
            try {
                store.deleteUpload(path);
            } finally {
                place.close();
            }
        }
    }

    /** Creates a place. */
    private interface Making {
        Path make() throws IOException;
    }

    /**
     * Returns a new file for an upload. If the bound is reached, the upload that has been idle for
     * the longest time is ended; empty if none is idle.
     *
     * @throws IOException if the file cannot be created
     */
    Optional<Upload> file() throws IOException {
        return begin(store::newUpload);
    }

    /**
     * Returns a new directory for the parts of a form; empty as above.
     *
     * @throws IOException if it cannot be created
     */
    Optional<Upload> directory() throws IOException {
        return begin(store::newUploadDirectory);
    }

    private Optional<Upload> begin(Making making) throws IOException {
        if (max == 0) {
            return Optional.empty();
        }
        BodyMemory.Share place;
        try {
            place = places.enter(System.nanoTime());
        } catch (BodyRefusedException _) {
            return Optional.empty();
        }
        boolean isMade = false;
        try {
            var upload = new Upload(making.make(), place);
            isMade = true;
            return Optional.of(upload);
        } finally {
            if (!isMade) {
                place.close();
            }
        }
    }

    /** Returns the count of uploads that wait for their clients. */
    int waiting() {
        return places.waiting();
    }

    /** Returns the message of an upload that was ended for another one. */
    String gaveWay() {
        return "this upload received less than %,d bytes in %,d ms and gave its place to another; try again"
                .formatted(BodyMemory.PROGRESS_BYTES, idle.toMillis());
    }

    /** Returns the error of an upload beyond the bound. */
    String full() {
        return "%d packages and files are being received, which is the limit; try again"
                .formatted(max);
    }
}
