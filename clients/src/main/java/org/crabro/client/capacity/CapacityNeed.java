package org.crabro.client.capacity;

/**
 * The documents and queries of an installation.
 *
 * @param users the number of users, whose documents are a group each
 * @param docsPerUser the documents of each user, all of which a query scans
 * @param bytesPerDoc the bytes of a document's values and id
 * @param queriesPerSecond the queries of all users
 * @param activeShare the share of the users whose queries the page cache should serve, above 0 and
 *     at most 1
 * @param copies the number of hosts that store each document
 */
record CapacityNeed(
        long users,
        long docsPerUser,
        long bytesPerDoc,
        double queriesPerSecond,
        double activeShare,
        int copies) {
    /** Returns the number of documents, each counted once. */
    double documents() {
        return (double) users * docsPerUser;
    }

    /** Returns the bytes that a query scans. */
    double bytesPerQuery() {
        return (double) docsPerUser * bytesPerDoc;
    }
}
