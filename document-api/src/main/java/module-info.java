/**
 * Documents, tensors and operations as values, their JSON, and the words of their texts. Also the
 * interfaces that components of applications implement; components are compiled against this module
 * only.
 */
@SuppressWarnings("requires-automatic") // re2j has no name of its own
module org.crabro.document {
    requires static transitive org.jspecify;
    requires re2j;
    requires transitive tools.jackson.core;

    exports org.crabro.component;
    exports org.crabro.document;
    exports org.crabro.document.json;
    exports org.crabro.document.operation;
    exports org.crabro.document.predicate;
    exports org.crabro.document.select;
    exports org.crabro.document.time;
    exports org.crabro.tensor;
    exports org.crabro.text;
}
