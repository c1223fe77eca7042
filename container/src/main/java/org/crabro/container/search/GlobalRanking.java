package org.crabro.container.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.Phases.Normalizer;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Target;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.ranking.program.BatchEvaluation;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.program.RankProgram;
import org.crabro.ranking.program.ScoreScale;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorLimitException;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/** The global phase of one query over the hits of one schema. */
final class GlobalRanking {
    /** Values up to this size count for the smallest and the largest value. */
    private static final double LARGEST = Float.MAX_VALUE;

    private final Phases.Global phase;
    private final Target target;
    private final List<SearchHit> hits;
    private final int count;
    private final ModelRuns models;
    private final IntConsumer work;
    private final Map<String, double[]> normalized = new HashMap<>();
    private final boolean[] lacksFeature;

    /**
     * @param hits by relevance, the best first
     */
    private GlobalRanking(
            Phases.Global phase,
            Target target,
            List<SearchHit> hits,
            ModelRuns models,
            IntConsumer work) {
        this.models = models;
        this.work = work;
        this.phase = phase;
        this.target = target;
        this.hits = hits;
        this.count = Math.min(phase.rerankCount(), hits.size());
        this.lacksFeature = new boolean[count];
    }

    /**
     * The ranked hits.
     *
     * @param hits in their new order
     * @param dropped the number of hits below the drop limit
     * @param incomplete the number of hits that lack a feature of the expression
     * @param isStopped whether time ran out, or too many runs of models wait; the hits then keep
     *     their previous order
     */
    record Outcome(List<SearchHit> hits, int dropped, int incomplete, boolean isStopped) {}

    /**
     * Ranks hits again.
     *
     * @param hits by relevance, the best first
     * @param models the models of the phase
     * @param deadline the deadline of the query; the phase may take a little longer
     * @throws IllegalQueryException if the query lacks an input, a model rejects its inputs, or a
     *     tensor becomes too large
     */
    static Outcome rank(
            Phases.Global phase,
            Target target,
            List<SearchHit> hits,
            RankModels models,
            Deadline deadline) {
        if (hits.isEmpty()) {
            return new Outcome(hits, 0, 0, false);
        }
        try (ModelRuns runs = models.begin(deadline.nanos()).orElseThrow()) {
            return new GlobalRanking(phase, target, hits, runs, new PhaseWork(deadline)).rank();
        } catch (PhaseWork.StoppedException | ModelBusyException e) {
            return new Outcome(hits, 0, 0, true);
        } catch (TensorLimitException | ModelFailedException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "the global-phase of rank profile '%s': %s"
                            .formatted(target.ranking().profile().name(), e.getMessage()));
        }
    }

    private Outcome rank() {
        phase.normalizers()
                .forEach((name, normalizer) ->
                        normalized.put(
                                name, normalized(normalizer, evaluated(normalizer.input()))));
        double[] scores = evaluated(phase.expression());
        int incomplete = 0;
        for (int i = 0; i < count; i++) {
            if (lacksFeature[i]) {
                scores[i] = 0;
                incomplete++;
            } else if (!Double.isFinite(scores[i])) {
                scores[i] = Double.NEGATIVE_INFINITY;
            }
        }
        double[] before = hits.stream().mapToDouble(SearchHit::relevance).toArray();
        ScoreScale others = ScoreScale.of(before, scores, count);
        OptionalDouble limit = phase.dropLimit();
        var ranked = new ArrayList<SearchHit>();
        for (int i = 0; i < hits.size(); i++) {
            double score = i < count ? scores[i] : others.of(before[i]);
            if (limit.isEmpty() || score > limit.getAsDouble()) {
                ranked.add(hits.get(i).withRelevance(score));
            }
        }
        ranked.sort(new HitOrder(List.of()));
        return new Outcome(ranked, hits.size() - ranked.size(), incomplete, false);
    }

    private double[] evaluated(Expression expression) {
        RankProgram program =
                RankProgram.compile(
                        expression.replacing(this::queryValue), this::type, models, work);
        List<Feature> features = program.features();
        var columns = new double[features.size()][];
        var values =
                new FeatureValues() {
                    int from;

                    @Override
                    public void read(int slot, double[] into, int size) {
                        if (columns[slot] == null) {
                            columns[slot] = column(features.get(slot));
                        }
                        System.arraycopy(columns[slot], from, into, 0, size);
                    }

                    @Override
                    public TensorData tensor(int slot, int row) {
                        return GlobalRanking.this.tensor(features.get(slot), from + row);
                    }
                };
        var results = new double[count];
        int batch = Math.min(count, program.batchMax());
        var some = new double[batch];
        BatchEvaluation evaluation = program.evaluation(batch, work);
        for (int from = 0; from < count; from += batch) {
            int size = Math.min(batch, count - from);
            values.from = from;
            evaluation.evaluate(values, size, some);
            System.arraycopy(some, 0, results, from, size);
        }
        return results;
    }

    private double[] column(Feature feature) {
        String name = feature.toString();
        double[] cached = normalized.get(name);
        if (cached != null) {
            return cached;
        }
        var column = new double[count];
        for (int i = 0; i < count; i++) {
            column[i] = name.equals(Phases.Global.SCORE) ? hits.get(i).relevance() : value(name, i);
        }
        return column;
    }

    /** Returns the type of a feature in hits. */
    private TensorType type(Feature feature) {
        for (int i = 0; i < count; i++) {
            if (hits.get(i).matchFeatures().get(feature.toString())
                    instanceof QueryInput.TensorInput(Tensor tensor)) {
                return tensor.type();
            }
        }
        return TensorType.SCALAR;
    }

    private TensorData tensor(Feature feature, int hit) {
        if (hits.get(hit).matchFeatures().get(feature.toString())
                instanceof QueryInput.TensorInput(Tensor tensor)) {
            return TensorData.of(tensor);
        }
        lacksFeature[hit] = true;
        return TensorData.empty(type(feature));
    }

    private double value(String feature, int hit) {
        if (hits.get(hit).matchFeatures().get(feature)
                instanceof QueryInput.NumberInput(double value)) {
            return value;
        }
        lacksFeature[hit] = true;
        return Double.NaN;
    }

    /** Replaces query features by their values, which are the same for all hits. */
    private Expression queryValue(Feature feature) {
        if (!feature.name().equals("query")) {
            return feature;
        }
        String name = feature.arguments().getFirst().toString();
        return switch (target.ranking().settings().inputs().get(name)) {
            case QueryInput.NumberInput(double value) -> new Expression.Constant(value);
            case QueryInput.TensorInput(Tensor tensor) -> value(tensor);
            case null -> {
                Input declared = target.ranking().profile().inputs().get(name);
                yield declared == null
                        ? new Expression.Constant(0)
                        : declared.defaultValue()
                                .map(GlobalRanking::value)
                                .orElseGet(() -> value(Tensor.empty(declared.type())));
            }
        };
    }

    private static Expression value(Tensor tensor) {
        return new TensorExpression.Value(TensorData.of(tensor));
    }

    private static double[] normalized(Normalizer normalizer, double[] values) {
        return switch (normalizer) {
            case Normalizer.Linear _ -> linear(values);
            case Normalizer.ReciprocalRank(_, double k) -> reciprocalRanks(values, k);
        };
    }

    private static double[] linear(double[] values) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            if (Math.abs(value) < LARGEST) {
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
        }
        var normalized = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            normalized[i] = max > min ? 0.5 + (values[i] - (min + max) / 2) / (max - min) : 0.5;
        }
        return normalized;
    }

    /** Equal values get different ranks, in the order of the hits. NaN comes last. */
    private static double[] reciprocalRanks(double[] values, double k) {
        List<Integer> order =
                IntStream.range(0, values.length)
                        .boxed()
                        .sorted((a, b) -> compare(values[a], values[b]))
                        .toList();
        var ranks = new double[values.length];
        for (int place = 0; place < ranks.length; place++) {
            ranks[order.get(place)] = 1 / (k + place + 1);
        }
        return ranks;
    }

    private static int compare(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b)
                ? Boolean.compare(Double.isNaN(a), Double.isNaN(b))
                : Double.compare(b, a);
    }
}
