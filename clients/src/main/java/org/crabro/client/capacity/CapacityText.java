package org.crabro.client.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a plan as lines for readers. */
final class CapacityText {
    private CapacityText() {}

    /**
     * Prices of a month, in any currency.
     *
     * @param host the price of a host without its disk
     * @param diskTerabyte the price of a terabyte of disk
     */
    record Prices(double host, double diskTerabyte) {
        boolean isGiven() {
            return host > 0 || diskTerabyte > 0;
        }

        /** Returns the price of all hosts. */
        double of(CapacityPlan plan, HostShape shape) {
            return plan.hosts() * (host + shape.diskBytes() / 1e12 * diskTerabyte);
        }
    }

    static List<String> lines(CapacityNeed need, HostShape host, CapacityPlan plan, Prices prices) {
        var lines = new ArrayList<String>();
        lines.add(
                line(
                        "documents",
                        String.format(
                                Locale.ROOT, "%,.0f, %d copies", need.documents(), need.copies())));
        lines.add(
                line(
                        "hosts",
                        String.format(
                                Locale.ROOT,
                                "%,d, limited by %s",
                                plan.hosts(),
                                plan.binding().resource())));
        for (CapacityPlan.Limit limit : plan.limits()) {
            lines.add(
                    line(
                            "  for " + limit.resource(),
                            String.format(Locale.ROOT, "%,d", limit.hosts())));
        }
        CapacityPlan.Load each = plan.each();
        lines.add("each host");
        lines.add(line("  documents", String.format(Locale.ROOT, "%,.0f", each.documents())));
        lines.add(
                line(
                        "  disk",
                        String.format(
                                Locale.ROOT,
                                "%,.0f of %,.0f GB",
                                each.diskBytes() / 1e9,
                                host.diskBytes() / 1e9)));
        lines.add(
                line(
                        "  memory of the server",
                        String.format(Locale.ROOT, "%.1f GiB", gib(each.processMemoryBytes()))));
        lines.add(
                line(
                        "  memory of the page cache",
                        String.format(Locale.ROOT, "%.1f GiB", gib(each.cacheBytes()))));
        lines.add(
                line("  processor", String.format(Locale.ROOT, "%.0f %%", 100 * each.cpuShare())));
        lines.add(
                line(
                        "  disk reads",
                        String.format(Locale.ROOT, "%.0f %%", 100 * each.readShare())));
        CapacityPlan.Queries queries = plan.queries();
        lines.add("queries");
        lines.add(
                line(
                        "  from the page cache",
                        String.format(Locale.ROOT, "%.1f %%", 100 * queries.cachedShare())));
        lines.add(
                line(
                        "  highest rate",
                        String.format(Locale.ROOT, "%,.0f/s", queries.maxPerSecond())));
        lines.add(
                line(
                        "  time, from the cache",
                        String.format(Locale.ROOT, "%.1f ms", 1e3 * queries.cachedSeconds())));
        lines.add(
                line(
                        "  time, from disk",
                        String.format(Locale.ROOT, "%.0f ms", 1e3 * queries.coldSeconds())));
        if (prices.isGiven()) {
            double price = prices.of(plan, host);
            lines.add(
                    line(
                            "price of a month",
                            String.format(
                                    Locale.ROOT,
                                    "%,.2f, %.4f for a million documents",
                                    price,
                                    price / need.documents() * 1e6)));
        }
        return lines;
    }

    private static String line(String name, String value) {
        return "%-28s %s".formatted(name, value);
    }

    private static double gib(double bytes) {
        return bytes / (1 << 30);
    }
}
