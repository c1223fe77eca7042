package org.crabro.content.search.execution;

import java.util.BitSet;
import java.util.List;
import org.crabro.protocol.search.QueryInput;
import org.crabro.tensor.MixedTensor;
import org.jspecify.annotations.Nullable;

/** Finds the elements of a field that a feature of a hit selects by their numbers as labels. */
final class SelectedElements {
    private SelectedElements() {}

    /**
     * Returns the numbers of the elements, from 0 to below {@code count}; empty if the profile has
     * no such feature, or if it is not a tensor with one mapped dimension.
     */
    static BitSet of(@Nullable QueryInput feature, int count) {
        var numbers = new BitSet();
        if (feature instanceof QueryInput.TensorInput(MixedTensor tensor)
                && tensor.type().mappedCount() == 1) {
            for (List<String> address : tensor.addresses()) {
                int number = number(address.getFirst());
                if (number >= 0 && number < count) {
                    numbers.set(number);
                }
            }
        }
        return numbers;
    }

    private static int number(String label) {
        return label.matches("[0-9]{1,9}") ? Integer.parseInt(label) : -1;
    }
}
