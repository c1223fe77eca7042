package org.crabro.content.result;

import java.util.BitSet;
import java.util.List;
import org.crabro.protocol.search.QueryInput;
import org.crabro.tensor.MixedTensor;
import org.jspecify.annotations.Nullable;

/** Which elements of a field a feature of a hit selects: those whose numbers are its labels. */
final class SelectedElements {
    private SelectedElements() {}

    /**
     * Returns the numbers of the elements, from 0 on and below {@code count}: none where the
     * profile has no such feature, or one that is no tensor with one mapped dimension.
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
