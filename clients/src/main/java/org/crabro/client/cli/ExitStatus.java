package org.crabro.client.cli;

/** The exit statuses of commands. {@code docs/commands.md} lists them. */
public final class ExitStatus {
    /** Everything was done. */
    public static final int DONE = 0;

    /** The command failed, wholly or in part; messages say why. */
    public static final int FAILED = 1;

    /** The arguments are wrong. */
    public static final int USAGE = 2;

    /** No server answers; EX_UNAVAILABLE of sysexits. */
    public static final int UNREACHABLE = 69;

    private ExitStatus() {}
}
