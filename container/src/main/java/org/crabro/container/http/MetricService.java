package org.crabro.container.http;

/** The services of Vespa; in Crabro each is a part of one process. */
enum MetricService {
    CONTAINER("vespa.container"),
    SEARCH_NODE("vespa.searchnode"),
    STORAGE_NODE("vespa.storagenode"),
    DISTRIBUTOR("vespa.distributor"),
    CLUSTER_CONTROLLER("vespa.container-clustercontroller");

    private final String text;

    MetricService(String text) {
        this.text = text;
    }

    /** Returns the name in answers. */
    String text() {
        return text;
    }

    /** Returns the service of {@code metric}; the container if no other service has it. */
    static MetricService of(String metric) {
        if (metric.startsWith("content.")) {
            return SEARCH_NODE;
        }
        if (metric.startsWith("vds.idealstate.")) {
            return DISTRIBUTOR;
        }
        if (metric.startsWith("vds.")) {
            return STORAGE_NODE;
        }
        return metric.startsWith("cluster-controller.") || metric.startsWith("reindexing.")
                ? CLUSTER_CONTROLLER
                : CONTAINER;
    }
}
