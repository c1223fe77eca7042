package org.crabro.client.bench;

/**
 * The answer to a request.
 *
 * @param status the HTTP status; 0 if there was no answer
 * @param isSuccess whether the request did what it should
 * @param items such as hits or documents
 * @param bytes of the body
 * @param note why it failed, or what is odd about it; empty for nothing
 */
public record LoadAnswer(int status, boolean isSuccess, long items, long bytes, String note) {
    /** Returns a failure without an answer. */
    static LoadAnswer failed(Exception reason) {
        return new LoadAnswer(
                0,
                false,
                0,
                0,
                reason.getMessage() == null ? reason.toString() : reason.getMessage());
    }
}
