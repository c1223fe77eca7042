package org.crabro.ranking.forest;

import java.util.Arrays;
import java.util.function.Consumer;

/** A model saved as JSON; the current value is that of the parser. */
final class JsonValues implements ModelValues {
    private final ModelJson json;
    private final ForestLimits limits;

    JsonValues(ModelJson json, ForestLimits limits) {
        this.json = json;
        this.limits = limits;
    }

    @Override
    public void object(String what, Consumer<String> member) {
        json.requireObject(what);
        while (json.nextMember()) {
            member.accept(json.member());
        }
    }

    @Override
    public void array(String what, Runnable element) {
        json.requireArray(what);
        while (json.nextElement()) {
            element.run();
        }
    }

    @Override
    public double[] numbers(String what) {
        json.requireArray(what);
        var numbers = new double[16];
        int count = 0;
        while (json.nextElement()) {
            if (count == limits.nodes()) {
                throw problem("more than %,d nodes".formatted(limits.nodes()));
            }
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = json.isTruth() ? (json.truth(what) ? 1 : 0) : json.anyNumber(what);
        }
        return Arrays.copyOf(numbers, count);
    }

    @Override
    public String text(String what) {
        return json.text(what);
    }

    @Override
    public void skip() {
        json.skip();
    }

    @Override
    public void requireEnd() {
        json.requireEnd();
    }

    @Override
    public InvalidForestException problem(String problem) {
        return json.problem(problem);
    }
}
