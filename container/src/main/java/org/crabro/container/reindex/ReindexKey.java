package org.crabro.container.reindex;

/** Documents that go through their scripts together: those of one type in one content cluster. */
public record ReindexKey(String cluster, String documentType) {}
