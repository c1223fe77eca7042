package org.crabro.client.capacity;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Computes how many hosts a number of users needs. No server is asked. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        description = {
            "Computes the hosts, the disk, the memory and the price of an installation.",
            "The costs of queries and documents are measured constants; docs/capacity.md lists them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro capacity --users 1000000 --docs-per-user 10000 --bytes-per-doc 800 --qps 1000",
            "  crabro capacity --users 1000 --host-price 250 --disk-price 40"
        })
public final class CapacityCommand implements Callable<Integer> {
    private static final double MAX_COUNT = 1e12;

    @Spec private CommandSpec spec = CommandSpec.create();

    @ArgGroup(validate = false, heading = "Documents and queries:%n")
    private NeedOptions need = new NeedOptions();

    @ArgGroup(validate = false, heading = "Hosts:%n")
    private HostOptions host = new HostOptions();

    /** What is stored and asked. */
    private static final class NeedOptions {
        @Option(
                names = "--users",
                paramLabel = "N",
                description = "Users, a group of documents each (1000000).")
        private long users = 1_000_000;

        @Option(
                names = "--docs-per-user",
                paramLabel = "N",
                description = "Documents of each user. A query scans all of them (10000).")
        private long docsPerUser = 10_000;

        @Option(
                names = "--bytes-per-doc",
                paramLabel = "N",
                description = "Bytes of the values and the id of a document (800).")
        private long bytesPerDoc = 800;

        @Option(
                names = "--qps",
                paramLabel = "N",
                description = "Queries of all users in a second (1000).")
        private double queriesPerSecond = 1_000;

        @Option(
                names = "--active",
                paramLabel = "PERCENT",
                description = "Users who send the queries; the others send none (100).")
        private double activePercent = 100;

        @Option(
                names = "--copies",
                paramLabel = "N",
                description = "Hosts that store each document (3).")
        private int copies = 3;
    }

    /** A host and its price. */
    private static final class HostOptions {
        @Option(names = "--cores", paramLabel = "N", description = "Cores of a host (16).")
        private int cores = 16;

        @Option(
                names = "--memory-gib",
                paramLabel = "N",
                description = "Memory of a host, in GiB (64).")
        private double memoryGib = 64;

        @Option(
                names = "--disk-gb",
                paramLabel = "N",
                description = "Disk of a host, in GB (4000).")
        private double diskGb = 4_000;

        @Option(
                names = "--disk-read-mb",
                paramLabel = "N",
                description = "Direct reads of the disk, in MB/s (2000).")
        private double diskReadMb = 2_000;

        @Option(
                names = "--utilization",
                paramLabel = "PERCENT",
                description = "Planned use of the processor and the reads of the disk (60).")
        private double utilizationPercent = 60;

        @Option(
                names = "--host-price",
                paramLabel = "PRICE",
                description = "Price of a host for a month, without its disk.")
        private double hostPrice;

        @Option(
                names = "--disk-price",
                paramLabel = "PRICE",
                description = "Price of a terabyte of disk for a month.")
        private double diskPrice;
    }

    @Override
    public Integer call() {
        check("--users", (double) need.users, 1, MAX_COUNT);
        check("--docs-per-user", (double) need.docsPerUser, 1, MAX_COUNT);
        check("--bytes-per-doc", (double) need.bytesPerDoc, 1, MAX_COUNT);
        check("--qps", need.queriesPerSecond, 0.001, MAX_COUNT);
        check("--active", need.activePercent, 0.001, 100);
        check("--copies", need.copies, 1, 100);
        check("--cores", host.cores, 1, 10_000);
        check("--memory-gib", host.memoryGib, 1, 1_000_000);
        check("--disk-gb", host.diskGb, 1, 1e9);
        check("--disk-read-mb", host.diskReadMb, 1, 1e9);
        check("--utilization", host.utilizationPercent, 1, 100);
        check("--host-price", host.hostPrice, 0, MAX_COUNT);
        check("--disk-price", host.diskPrice, 0, MAX_COUNT);
        var of =
                new CapacityNeed(
                        need.users,
                        need.docsPerUser,
                        need.bytesPerDoc,
                        need.queriesPerSecond,
                        need.activePercent / 100,
                        need.copies);
        var shape =
                new HostShape(
                        host.cores,
                        host.memoryGib * (1 << 30),
                        host.diskGb * 1e9,
                        host.diskReadMb * 1e6,
                        host.utilizationPercent / 100);
        CapacityPlan plan;
        try {
            plan = new CapacityModel(of, shape, MeasuredCosts.CURRENT).plan();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        var prices = new CapacityText.Prices(host.hostPrice, host.diskPrice);
        CapacityText.lines(of, shape, plan, prices).forEach(out::println);
        out.flush();
        return 0;
    }

    private void check(String option, double value, double min, double max) {
        // NaN fails both comparisons and is rejected.
        if (!(value >= min && value <= max)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s: expected %s to %s, not %s"
                            .formatted(option, number(min), number(max), number(value)));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
