package org.crabro.container;

import org.crabro.container.access.AccessControl;
import org.crabro.container.bulk.BulkSettings;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.visit.VisitSettings;

/**
 * What a container is started with.
 *
 * @param portGiven whether the port was asked for; otherwise an application may move it
 * @param version the version that is shown to clients
 * @param access who may do what
 * @param allowsComponents whether packages may have jars with components
 */
public record ContainerSettings(
        HttpSettings http,
        boolean portGiven,
        DocumentSettings documents,
        SearchSettings search,
        VisitSettings visits,
        BulkSettings bulk,
        String version,
        AccessControl access,
        boolean allowsComponents) {
    /** Returns these settings with other access rules. */
    public ContainerSettings withAccess(AccessControl other) {
        return new ContainerSettings(
                http, portGiven, documents, search, visits, bulk, version, other, allowsComponents);
    }

    /** Returns these settings for packages without jars. */
    public ContainerSettings withoutComponents() {
        return new ContainerSettings(
                http, portGiven, documents, search, visits, bulk, version, access, false);
    }
}
