package org.crabro.client.imports;

import java.util.Base64;

/**
 * Bytes that are no text.
 *
 * @param base64 the bytes in Base64
 */
record Base64Value(String base64) {
    static Base64Value of(byte[] bytes) {
        return new Base64Value(Base64.getEncoder().encodeToString(bytes));
    }
}
