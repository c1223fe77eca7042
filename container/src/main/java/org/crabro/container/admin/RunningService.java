package org.crabro.container.admin;

/**
 * A part of the running application that clients may ask for.
 *
 * @param type such as {@code container}
 * @param clusterName as services.xml calls the cluster
 * @param host where it listens
 * @param port where it listens
 */
public record RunningService(String type, String clusterName, String host, int port) {}
