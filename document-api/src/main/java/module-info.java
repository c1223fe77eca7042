/** Documents, tensors and operations as values, their JSON, and the words of their texts. */
module org.crabro.document {
    requires static transitive org.jspecify;
    requires transitive tools.jackson.core;

    exports org.crabro.document;
    exports org.crabro.document.json;
    exports org.crabro.document.operation;
    exports org.crabro.tensor;
    exports org.crabro.text;
}
