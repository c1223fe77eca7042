package org.crabro.container.http;

/** The services that operators of Vespa know; here each is a part of one process. */
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

    /** Returns whose metric {@code metric} is: what nobody else has is the container's. */
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
