package org.crabro.protocol.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Encoded labels of tensors: the length of each label, then its bytes. */
final class EncodedLabels {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private EncodedLabels() {}

    /** Returns the bytes of a label. */
    static int length(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    /** Compares two addresses of {@code count} labels by their bytes, label by label. */
    static int compare(byte[] bytes, int left, int right, int count) {
        int leftAt = left;
        int rightAt = right;
        for (int i = 0; i < count; i++) {
            int leftFrom = leftAt + Integer.BYTES;
            int rightFrom = rightAt + Integer.BYTES;
            leftAt = leftFrom + length(bytes, leftAt);
            rightAt = rightFrom + length(bytes, rightAt);
            int order = Arrays.compareUnsigned(bytes, leftFrom, leftAt, bytes, rightFrom, rightAt);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
