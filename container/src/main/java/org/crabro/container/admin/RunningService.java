package org.crabro.container.admin;

/**
 * A service of the active application.
 *
 * @param type such as {@code container}
 * @param clusterName the name of the cluster in services.xml
 * @param host of its listener
 * @param port of its listener
 * @param generation the application that it serves
 */
public record RunningService(
        String type, String clusterName, String host, int port, long generation) {}
