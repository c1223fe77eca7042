package org.crabro.content.search.rank;

import org.crabro.content.search.match.BlockScan;

/**
 * A normally distributed random number, from two uniformly distributed ones by the Box-Muller
 * transform.
 *
 * @param one from 0 to 1
 * @param other from 0 to 1, independent of the first
 */
record NormalRandom(UniformRandom one, UniformRandom other, double mean, double deviation)
        implements FeatureSource {
    /** Returns the source for a seed. */
    static NormalRandom of(double mean, double deviation, long seed, boolean match) {
        return new NormalRandom(
                new UniformRandom(seed, match),
                new UniformRandom(seed + 1, match),
                mean,
                deviation);
    }

    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        double[] angles = scan.borrowNumbers();
        one.read(scan, rows, count, into);
        other.read(scan, rows, count, angles);
        for (int i = 0; i < count; i++) {
            double radius = Math.sqrt(-2 * Math.log(1 - into[i]));
            into[i] = mean + deviation * radius * Math.cos(2 * Math.PI * angles[i]);
        }
        scan.giveBack(angles);
    }
}
