package org.crabro.container;

import org.crabro.container.access.AccessControl;
import org.crabro.container.bulk.BulkSettings;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.service.ServiceRules;
import org.crabro.container.visit.VisitSettings;

/** The settings of a container. */
public record ContainerSettings(
        HttpSettings http,
        DocumentSettings documents,
        SearchSettings search,
        VisitSettings visits,
        BulkSettings bulk,
        Start start) {
    /**
     * The settings that the process decides at its start.
     *
     * @param portGiven whether the port was given to the process; otherwise an application may
     *     change it
     * @param version the version that is shown to clients
     * @param access the permissions of principals
     * @param allowsComponents whether packages may contain jars with components
     * @param services the hosts that are called for packages, and the keys of their services
     * @param requests the memory and the log of requests
     */
    public record Start(
            boolean portGiven,
            String version,
            AccessControl access,
            boolean allowsComponents,
            ServiceRules services,
            RequestSettings requests) {
        /** A process with the default settings of requests. */
        public Start(
                boolean portGiven,
                String version,
                AccessControl access,
                boolean allowsComponents,
                ServiceRules services) {
            this(
                    portGiven,
                    version,
                    access,
                    allowsComponents,
                    services,
                    RequestSettings.ofHeap(Runtime.getRuntime().maxMemory()));
        }

        /** Returns the same without an access log. */
        public Start withoutAccessLog() {
            return new Start(
                    portGiven,
                    version,
                    access,
                    allowsComponents,
                    services,
                    requests.withoutAccessLog());
        }
    }

    /** Returns the default settings. */
    public static ContainerSettings of(HttpSettings http, Start start) {
        return new ContainerSettings(
                http,
                DocumentSettings.DEFAULT,
                SearchSettings.DEFAULT,
                VisitSettings.DEFAULT,
                BulkSettings.of(Runtime.getRuntime().maxMemory()),
                start);
    }

    /** Returns these settings with other access rules. */
    public ContainerSettings withAccess(AccessControl other) {
        return with(
                new Start(
                        start.portGiven,
                        start.version,
                        other,
                        start.allowsComponents,
                        start.services,
                        start.requests));
    }

    /** Returns these settings with other bounds of queries. */
    public ContainerSettings with(SearchSettings other) {
        return new ContainerSettings(http, documents, other, visits, bulk, start);
    }

    /** Returns these settings for packages without jars. */
    public ContainerSettings withoutComponents() {
        return with(
                new Start(
                        start.portGiven,
                        start.version,
                        start.access,
                        false,
                        start.services,
                        start.requests));
    }

    /** Returns these settings with other network services. */
    public ContainerSettings withServices(ServiceRules other) {
        return with(
                new Start(
                        start.portGiven,
                        start.version,
                        start.access,
                        start.allowsComponents,
                        other,
                        start.requests));
    }

    private ContainerSettings with(Start other) {
        return new ContainerSettings(http, documents, search, visits, bulk, other);
    }
}
