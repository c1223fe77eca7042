package org.crabro.samples.cluster;

import java.util.Optional;

/**
 * A package with containers on two hosts, and a content cluster on all.
 *
 * @param hosts hosts.xml
 * @param services services.xml
 */
record ClusterPackage(String hosts, String services) {
    /**
     * @param hosts their number
     * @param retired the distribution key of a node whose documents move to the others
     * @param copies of each document
     * @param documents the elements of its document types
     */
    static ClusterPackage of(int hosts, Optional<Integer> retired, int copies, String documents) {
        var names = new StringBuilder();
        var nodes = new StringBuilder();
        for (int i = 0; i < hosts; i++) {
            names.append("<host name='n%d'><alias>node%d</alias></host>\n".formatted(i + 1, i + 1));
            nodes.append(
                    "<node hostalias='node%d' distribution-key='%d'%s/>\n"
                            .formatted(
                                    i + 1,
                                    i,
                                    retired.equals(Optional.of(i)) ? " retired='true'" : ""));
        }
        return new ClusterPackage(
                "<hosts>%s</hosts>".formatted(names),
                """
                <services version="1.0">
                  <container id="default" version="1.0">
                    <search/>
                    <document-api/>
                    <nodes><node hostalias="node1"/><node hostalias="node2"/></nodes>
                  </container>
                  <content id="notes" version="1.0">
                    <min-redundancy>%d</min-redundancy>
                    <documents>%s</documents>
                    <nodes>%s</nodes>
                  </content>
                </services>
                """
                        .formatted(copies, documents, nodes));
    }
}
