package org.crabro.client.visit;

import java.io.IOException;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Passes the parts of a visit to a subscriber when it has requested them. */
final class VisitSubscription implements Flow.Subscription {
    private final Flow.Subscriber<? super VisitEvent> subscriber;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private long requested;
    private boolean isCancelled;
    private @Nullable IllegalArgumentException wrongRequest;
    private @Nullable Thread thread;

    VisitSubscription(Flow.Subscriber<? super VisitEvent> subscriber) {
        this.subscriber = subscriber;
    }

    /** Reads the documents. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Starts to read, unless the subscriber has cancelled. */
    void start(Work work) {
        lock.lock();
        try {
            if (wrongRequest != null) {
                subscriber.onError(wrongRequest);
            } else if (!isCancelled) {
                thread = Thread.ofVirtual().name("visit").start(() -> run(work));
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(Work work) {
        try {
            work.run();
            if (!isCancelled()) {
                subscriber.onComplete();
            }
        } catch (InterruptedException _) {
            // The subscriber has cancelled, or requested a wrong number.
            IllegalArgumentException wrong = wrongRequest();
            if (wrong != null) {
                subscriber.onError(wrong);
            }
        } catch (IOException | RuntimeException e) {
            if (!isCancelled()) {
                subscriber.onError(e);
            }
        }
    }

    private boolean isCancelled() {
        lock.lock();
        try {
            return isCancelled;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable IllegalArgumentException wrongRequest() {
        lock.lock();
        try {
            return wrongRequest;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a request and passes a part on. */
    void emit(VisitEvent event) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (requested == 0 && !isCancelled) {
                changed.await();
            }
            if (isCancelled) {
                throw new InterruptedException("cancelled");
            }
            requested--;
        } finally {
            lock.unlock();
        }
        subscriber.onNext(event);
    }

    @Override
    public void request(long n) {
        lock.lock();
        try {
            if (n < 1) {
                wrongRequest = new IllegalArgumentException("requested " + n + " parts");
                cancel();
                return;
            }
            requested = requested + n < 0 ? Long.MAX_VALUE : requested + n;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel() {
        lock.lock();
        try {
            isCancelled = true;
            changed.signalAll();
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
