package org.crabro.container.service;

/** A call of a service has no answer that can be used. The message contains no secret. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why there is no answer. */
    public enum Reason {
        /** Too many calls wait; a later call may succeed. */
        OVERLOADED,
        /** The time of the call is over. */
        TIMED_OUT,
        /** The service failed or refused the call, or it may not be called. */
        FAILED
    }

    private final Reason reason;

    public ServiceException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns why there is no answer. */
    public Reason reason() {
        return reason;
    }
}
