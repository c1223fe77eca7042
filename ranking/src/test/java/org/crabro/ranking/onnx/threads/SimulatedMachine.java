package org.crabro.ranking.onnx.threads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * A machine with cores, on which clients run a model, each one run after another. Time is
 * simulated.
 *
 * <p>The model of how runs scale:
 *
 * <ul>
 *   <li>A run with t threads takes its time on one thread, multiplied by s + (1 - s) / t + o * (t -
 *       1). s is its sequential share, o the overhead of a thread.
 *   <li>A session of k threads has a pool of k - 1, which its m runs share in equal parts. Each run
 *       also computes on its own thread, so t is 1 + (k - 1) / m.
 *   <li>If the threads of all sessions are d times the cores and d is above 1, all runs are slower
 *       by the factor d * (1 + 0.4 * (d - 1)). The second part is the cost of switching.
 * </ul>
 *
 * <p>With s = 0.03, o = 0.00095 and 266 ms on one thread it gives the published figures of a
 * BERT-base model on 32 cores within 15 %: 24 ms alone with 32 threads, 120 runs/s of 32 clients
 * with one thread each, and 40 % fewer with 32 threads for each.
 */
final class SimulatedMachine {
    private static final double SWITCHING = 0.4;

    /** The time to load a level, in times of a run on one thread. */
    private static final double LOADING_RUNS = 2;

    private final int cores;
    private final Shape shape;
    private final Random random;
    private final List<Run> running = new ArrayList<>();
    private final List<Double> latencies = new ArrayList<>();
    private double now;

    /**
     * How the runs of a model scale.
     *
     * @param nanos of a run of the longest input on one thread
     */
    record Shape(double nanos, double sequential, double overhead) {
        double factor(double threads) {
            return sequential + (1 - sequential) / threads + overhead * (threads - 1);
        }
    }

    /**
     * The result of a load.
     *
     * @param p50 the median latency in nanoseconds
     * @param throughput in runs a second
     */
    record Load(double p50, double p95, double throughput) {}

    private static final class Run {
        private final int client;
        private final long size;
        private final double arrived;
        private int threads;

        /** The work that is left, in nanoseconds on one thread. */
        private double left;

        private double speed;

        private Optional<RunRequest> request = Optional.empty();

        Run(int client, long size, double arrived, double work) {
            this.client = client;
            this.size = size;
            this.arrived = arrived;
            this.left = work;
        }
    }

    /** Decides when runs start. */
    private interface Scheduler {
        /** Returns the runs that start now. */
        List<Run> arrive(Run run);

        List<Run> end(Run run);
    }

    SimulatedMachine(int cores, Shape shape, long seed) {
        this.cores = cores;
        this.shape = shape;
        this.random = new Random(seed);
    }

    /** Runs everything in one session with {@code threads}, as soon as it arrives. */
    Load fixed(int threads, int clients, int count) {
        return run(
                new Scheduler() {
                    @Override
                    public List<Run> arrive(Run run) {
                        run.threads = threads;
                        return List.of(run);
                    }

                    @Override
                    public List<Run> end(Run run) {
                        return List.of();
                    }
                },
                clients,
                count);
    }

    /** Runs everything as the policy decides. */
    Load adaptive(int clients, int count) {
        var policy = new CorePolicy(cores, () -> (long) now);
        return run(new Adaptive(policy, policy.levels(cores)), clients, count);
    }

    private final class Adaptive implements Scheduler {
        private final CorePolicy policy;
        private final ThreadLevels levels;
        private final Map<RunRequest, Run> runs = new HashMap<>();
        private Optional<Loading> loading = Optional.empty();

        private record Loading(int level, double until) {}

        Adaptive(CorePolicy policy, ThreadLevels levels) {
            this.policy = policy;
            this.levels = levels;
        }

        @Override
        public List<Run> arrive(Run run) {
            load();
            RunRequest request = policy.arrive(levels, run.size).orElseThrow();
            run.request = Optional.of(request);
            runs.put(request, run);
            return request.isStarted() ? started(List.of(request)) : List.of();
        }

        @Override
        public List<Run> end(Run run) {
            load();
            RunRequest request = run.request.orElseThrow();
            List<Run> started = started(policy.end(request, true));
            policy.startLoading(request)
                    .ifPresent(level ->
                            loading =
                                    Optional.of(
                                            new Loading(level, now + LOADING_RUNS * shape.nanos)));
            return started;
        }

        private List<Run> started(List<RunRequest> requests) {
            var started = new ArrayList<Run>();
            for (RunRequest request : requests) {
                Run run = Objects.requireNonNull(runs.remove(request));
                run.threads = levels.threads(request.level());
                started.add(run);
            }
            return started;
        }

        private void load() {
            if (loading.filter(each -> each.until <= now).isPresent()) {
                policy.loaded(levels, loading.get().level);
                loading = Optional.empty();
            }
        }
    }

    /** The first half of the runs warms up and is not counted. */
    private Load run(Scheduler scheduler, int clients, int count) {
        for (int client = 0; client < clients; client++) {
            running.addAll(scheduler.arrive(next(client)));
        }
        int ended = 0;
        double begin = 0;
        while (ended < 2 * count) {
            Run run = advance();
            running.addAll(scheduler.end(run));
            ended++;
            if (ended == count) {
                begin = now;
            } else if (ended > count) {
                latencies.add(now - run.arrived);
            }
            running.addAll(scheduler.arrive(next(run.client)));
        }
        double[] sorted = latencies.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return new Load(
                sorted[sorted.length / 2],
                sorted[sorted.length * 95 / 100],
                count / ((now - begin) / 1e9));
    }

    private Run next(int client) {
        long size = 96L + random.nextInt(32);
        return new Run(client, size, now, shape.nanos * size / 128);
    }

    /** Moves time to the end of the next run, and returns it. */
    private Run advance() {
        setSpeeds();
        Run first =
                running.stream()
                        .min(Comparator.comparingDouble(run -> run.left / run.speed))
                        .orElseThrow();
        double time = first.left / first.speed;
        running.forEach(run -> run.left -= time * run.speed);
        now += time;
        running.remove(first);
        return first;
    }

    private void setSpeeds() {
        int[] runs = new int[cores + 1];
        running.forEach(run -> runs[run.threads]++);
        double threads = 0;
        for (int count = 1; count <= cores; count++) {
            threads += runs[count] == 0 ? 0 : count - 1 + runs[count];
        }
        double excess = Math.max(1, threads / cores);
        double slower = excess * (1 + SWITCHING * (excess - 1));
        for (Run run : running) {
            double own = 1 + (run.threads - 1.0) / runs[run.threads];
            run.speed = 1 / shape.factor(own) / slower;
        }
    }
}
