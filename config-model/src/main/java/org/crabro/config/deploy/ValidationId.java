package org.crabro.config.deploy;

import java.util.Optional;

/** What a deployment is refused for until the package allows it in validation-overrides.xml. */
public enum ValidationId {
    FIELD_TYPE_CHANGE(
            "field-type-change",
            "the type of a field changes, and stored documents keep values of the old one"),
    SCHEMA_REMOVAL(
            "schema-removal", "a document type is removed, and its documents are not reached"),
    CONTENT_CLUSTER_REMOVAL("content-cluster-removal", "a content cluster is removed"),
    INDEXING_MODE_CHANGE("indexing-mode-change", "documents of a type are searched another way"),
    GLOBAL_DOCUMENT_CHANGE(
            "global-document-change",
            "documents of a type are shared out over the nodes another way");

    private final String id;
    private final String description;

    ValidationId(String id, String description) {
        this.id = id;
        this.description = description;
    }

    /** Returns the id as packages write it. */
    public String id() {
        return id;
    }

    /** Returns what happens, for people. */
    public String description() {
        return description;
    }

    /** Returns what {@code text} names; nothing for ids of what is not refused here. */
    static Optional<ValidationId> of(String text) {
        String name = text.equals("content-type-removal") ? SCHEMA_REMOVAL.id : text;
        for (ValidationId each : values()) {
            if (each.id.equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
