package org.crabro.container.http;

/**
 * The state of a process.
 *
 * @param message why it is not up, or its problems while it is up; empty for none
 */
public record HealthState(Code code, String message) {
    /** The process is up and has no problems. */
    public static final HealthState UP = new HealthState(Code.UP, "");

    /** The state for load balancers and clients. */
    public enum Code {
        UP,
        INITIALIZING,
        DOWN;

        /** Returns the code in answers. */
        public String text() {
            return switch (this) {
                case UP -> "up";
                case INITIALIZING -> "initializing";
                case DOWN -> "down";
            };
        }
    }
}
