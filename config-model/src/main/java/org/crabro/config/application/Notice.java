package org.crabro.config.application;

/** A line of the deploy log: something worth telling that does not stop a deployment. */
public record Notice(Level level, String message) {
    /** The importance of a notice; clients show warnings by default. */
    public enum Level {
        INFO,
        WARNING
    }
}
