package org.crabro.container.http;

/**
 * Whether a process serves.
 *
 * @param message why it is not up, or which problems it has while it is up; empty for none
 */
public record HealthState(Code code, String message) {
    /** Everything works. */
    public static final HealthState UP = new HealthState(Code.UP, "");

    /** What load balancers and clients act on. */
    public enum Code {
        UP,
        INITIALIZING,
        DOWN;

        /** Returns the code as answers write it. */
        public String text() {
            return switch (this) {
                case UP -> "up";
                case INITIALIZING -> "initializing";
                case DOWN -> "down";
            };
        }
    }
}
