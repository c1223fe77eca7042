package org.crabro.config.deploy;

import java.util.List;
import org.crabro.config.application.Notice;

/**
 * A package is no valid application. The message tells every problem with its place; it goes to the
 * person who deploys, as it is.
 */
public final class InvalidApplicationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;
    private final transient List<Notice> notices;

    /**
     * @param problems at least one
     * @param notices what was worth telling besides
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

    /** Returns what the deploy log would have told besides. */
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
