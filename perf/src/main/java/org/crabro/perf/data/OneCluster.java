package org.crabro.perf.data;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packages as most benchmarks have them: one container, and one cluster that streams. */
public final class OneCluster {
    private OneCluster() {}

    /** Returns a services.xml whose content cluster stores documents of these types. */
    public static String services(String cluster, String... types) {
        return """
        <services version="1.0">
          <container id="default" version="1.0"><search/><document-api/></container>
          <content id="%s" version="1.0">
            <min-redundancy>1</min-redundancy>
            <documents>%s</documents>
          </content>
        </services>
        """
                .formatted(
                        cluster,
                        Stream.of(types)
                                .map("<document type=\"%s\" mode=\"streaming\"/>"::formatted)
                                .collect(Collectors.joining()));
    }
}
