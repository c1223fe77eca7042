package org.crabro.server.settings;

import java.util.List;

/** Settings that cannot be used. The message has a line for each problem, with its place. */
public final class InvalidSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Settings with these problems. */
    public InvalidSettingsException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
