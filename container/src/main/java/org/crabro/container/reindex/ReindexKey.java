package org.crabro.container.reindex;

/** The documents of a run: those of one type in one content cluster. */
public record ReindexKey(String cluster, String documentType) {}
