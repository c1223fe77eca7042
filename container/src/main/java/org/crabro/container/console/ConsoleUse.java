package org.crabro.container.console;

/** Who can open the console. */
public enum ConsoleUse {
    /** No program: the paths of the console do not exist. */
    OFF,
    /** Programs on the machine of the server, by a loopback address, and not through a proxy. */
    LOOPBACK,
    /** Every program that reaches the config port. */
    OPEN
}
