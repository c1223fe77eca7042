package org.crabro.ranking.kernel;

/** How far apart two vectors are. */
public enum DistanceMetric {
    EUCLIDEAN,
    ANGULAR,
    DOTPRODUCT,
    PRENORMALIZED_ANGULAR,
    GEODEGREES,
    HAMMING
}
