package org.crabro.container.query;

import java.io.InputStream;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the bodies of all queries under way may take together, for what has been received
 * of them. Bodies that were gathered before a thread took the request are short and not counted.
 */
public final class BodyBudget {
    private final BodyMemory memory;

    public BodyBudget(BodyMemory memory) {
        this.memory = memory;
    }

    /** What one query has taken; closing it gives everything back. For one thread. */
    public final class Share implements AutoCloseable {
        private BodyMemory.@Nullable Share taken;

        /**
         * Returns the body of a request as a stream that counts what is read.
         *
         * @throws org.crabro.container.http.BodyRefusedException if there are too many bodies; so
         *     does reading where there is no memory
         */
        InputStream stream(Request request) {
            BodyMemory.Share share = memory.enter(request.getBeginNanoTime());
            taken = share;
            return new ArrivingRequest(request).stream(share);
        }

        /** Says how much of the body was read. */
        void receive(long bytes) {
            BodyMemory.Share share = taken;
            if (share != null) {
                share.receive(bytes);
            }
        }

        /** Says that the body is read. */
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
