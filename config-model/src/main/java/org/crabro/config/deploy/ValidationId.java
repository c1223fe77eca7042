package org.crabro.config.deploy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The reasons to reject a deployment that a package can allow in validation-overrides.xml. */
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

    /** Further ids, which have no effect: those of Vespa, and one of former versions. */
    private static final List<String> WITHOUT_EFFECT =
            List.of(
                    "access-control",
                    "certificate-removal",
                    "cluster-size-reduction",
                    "config-model-version-mismatch",
                    "content-type-removal",
                    "data-plane-token-removal",
                    "deployment-removal",
                    "field-removal",
                    "global-endpoint-change",
                    "hnsw-settings-change",
                    "indexing-change",
                    "minimum-node-count",
                    "paged-setting-removal",
                    "redundancy-increase",
                    "redundancy-one",
                    "resources-reduction",
                    "skip-old-config-models",
                    "tensor-type-change",
                    "zone-endpoint-change");

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

    /** Returns a description of the change for messages. */
    public String description() {
        return description;
    }

    /** Returns whether the change is harmless if no document of the type is stored. */
    boolean isAboutStoredDocuments() {
        return this == SCHEMA_REMOVAL;
    }

    /** Returns every id that packages may write. */
    static List<String> names() {
        return Stream.concat(Arrays.stream(values()).map(ValidationId::id), WITHOUT_EFFECT.stream())
                .sorted()
                .toList();
    }

    /** Returns the id named {@code text}; empty for ids without an effect here. */
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
