package org.crabro.perf.scoreboard;

import java.util.List;

/**
 * A line through costs by the amount of work: a fixed cost, and a cost for each unit of work.
 * Errors count relative to the cost, so that small amounts weigh as much as large ones.
 *
 * @param fixed the cost without work
 * @param each the cost of a unit of work
 */
record CostFit(double fixed, double each) {
    /** A measured cost, above 0. */
    record Point(double work, double cost) {}

    /**
     * Returns the fit.
     *
     * @param points two or more, of different amounts of work
     */
    static CostFit of(List<Point> points) {
        double weights = 0;
        double work = 0;
        double cost = 0;
        double workByWork = 0;
        double workByCost = 0;
        for (Point point : points) {
            double weight = 1 / (point.cost() * point.cost());
            weights += weight;
            work += weight * point.work();
            cost += weight * point.cost();
            workByWork += weight * point.work() * point.work();
            workByCost += weight * point.work() * point.cost();
        }
        double divisor = weights * workByWork - work * work;
        if (points.size() < 2 || divisor == 0) {
            throw new IllegalArgumentException("a line needs two different amounts of work");
        }
        double each = (weights * workByCost - work * cost) / divisor;
        return new CostFit((cost - each * work) / weights, each);
    }

    /** Returns the cost that the line has. */
    double cost(double work) {
        return fixed + each * work;
    }

    /** Returns the largest error of the line, relative to the measured cost. */
    double largestError(List<Point> points) {
        return points.stream()
                .mapToDouble(point -> Math.abs(cost(point.work()) - point.cost()) / point.cost())
                .max()
                .orElse(0);
    }
}
