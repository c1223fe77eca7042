package org.crabro.content.storage.graph;

/**
 * When conditions are tested before the graph is searched, and when after. Shares are of the rows
 * of a section.
 *
 * @param approximateThreshold if the conditions leave a smaller share, rows are compared exactly
 * @param postFilterThreshold if they leave a larger share, they are tested after the search
 * @param filterFirstThreshold if they leave a smaller share, only rows that fulfil them are
 *     compared on the way through the graph
 * @param filterFirstExploration how far such a search looks for them, 0 to 1: the share of the
 *     links of a vector. If it finds fewer behind two links, it follows a third
 * @param explorationSlack how far a search goes on beyond the farthest of the vectors that it would
 *     return, as a share of its distance, at least 0. More finds more neighbors
 * @param adjustmentMax the largest factor by which a search takes more hits because some of them
 *     will not fulfil the conditions
 */
public record GraphTuning(
        double approximateThreshold,
        double postFilterThreshold,
        double filterFirstThreshold,
        double filterFirstExploration,
        double explorationSlack,
        double adjustmentMax) {
    /** The values without settings of a profile or request. */
    public static final GraphTuning DEFAULT = new GraphTuning(0.02, 1, 0.2, 0.01, 0, 20);
}
