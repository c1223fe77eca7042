package org.crabro.config.application;

/** A line of the deploy log: something worth telling that does not stop a deployment. */
public record Notice(Level level, String message) {
    /** How much it matters; clients show warnings unless asked for more. */
    public enum Level {
        INFO,
        WARNING
    }
}
