package org.crabro.container.query;

import java.io.InputStream;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of the bodies of all concurrent queries. It counts the bytes received so far.
 * Bodies that were received before a thread took the request are short and not counted.
 */
public final class BodyBudget {
    private final BodyMemory memory;

    public BodyBudget(BodyMemory memory) {
        this.memory = memory;
    }

    /** The memory of one query, released on close. For one thread. */
    public final class Share implements AutoCloseable {
        private BodyMemory.@Nullable Share taken;

        /**
         * Returns the body of a request as a stream that counts what is read.
         *
         * @throws org.crabro.container.http.BodyRefusedException if there are too many bodies;
         *     reading throws it if there is no memory
         */
        InputStream stream(Request request) {
            BodyMemory.Share share = memory.enter(request.getBeginNanoTime());
            taken = share;
            return new ArrivingRequest(request).stream(share);
        }

        /** Records how many bytes of the body were read. */
        void receive(long bytes) {
            BodyMemory.Share share = taken;
            if (share != null) {
                share.receive(bytes);
            }
        }

        /** Records that the whole body was read. */
        void complete() {
            BodyMemory.Share share = taken;
            if (share != null) {
                share.complete();
            }
        }

        @Override
        public void close() {
            BodyMemory.Share share = taken;
            if (share != null) {
                share.close();
            }
        }
    }

    public Share share() {
        return new Share();
    }
}
