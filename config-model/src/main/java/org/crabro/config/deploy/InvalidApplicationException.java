package org.crabro.config.deploy;

import java.util.List;
import org.crabro.config.application.Notice;

/**
 * A package is not a valid application. The message lists every problem with its place and is shown
 * unchanged to the user who deploys.
 */
public final class InvalidApplicationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;
    private final transient List<Notice> notices;

    /**
     * @param problems at least one
     * @param notices other messages
     */
    public InvalidApplicationException(List<String> problems, List<Notice> notices) {
        super(message(problems));
        this.problems = List.copyOf(problems);
        this.notices = List.copyOf(notices);
    }

    /** Returns the problems one by one, each starting with its place. */
    public List<String> problems() {
        return problems;
    }

    /** Returns the other messages for the deploy log. */
    public List<Notice> notices() {
        return notices;
    }

    private static String message(List<String> problems) {
        if (problems.size() == 1) {
            return "Invalid application: " + problems.getFirst();
        }
        return "Invalid application: "
                + problems.size()
                + " problems:\n"
                + String.join("\n", problems);
    }
}
