package org.crabro.config.validation;

import java.util.Set;

/** Features that the language has and Crabro does not yet, so that they are not taken for typos. */
final class UnbuiltFeatures {
    private static final Set<String> NAMES =
            Set.of(
                    "attributeMatch",
                    "averageFieldLength",
                    "bm25_for_labels",
                    "closest",
                    "customTokenInputIds",
                    "distanceToPath",
                    "dotProduct",
                    "elementCompleteness",
                    "elementSimilarity",
                    "elementwise",
                    "fieldInfo",
                    "fieldLength",
                    "fieldMatch",
                    "fieldTermMatch",
                    "foreach",
                    "globalPhase",
                    "itemRawScore",
                    "matchCount",
                    "nativeAttributeMatch",
                    "nativeDotProduct",
                    "nativeFieldMatch",
                    "nativeProximity",
                    "nativeRank",
                    "num_docs_indexed",
                    "onnx",
                    "onnxModel",
                    "onnxVespa",
                    "queryTermDocumentFrequency",
                    "random",
                    "rawScore",
                    "secondPhase",
                    "tensorFromLabels",
                    "tensorFromStructs",
                    "tensorFromWeightedSet",
                    "term",
                    "termDistance",
                    "termEditDistance",
                    "textSimilarity",
                    "tokenAttentionMask",
                    "tokenInputIds",
                    "tokenTypeIds");

    private UnbuiltFeatures() {}

    static boolean contains(String name) {
        return NAMES.contains(name);
    }
}
