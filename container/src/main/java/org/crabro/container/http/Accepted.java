package org.crabro.container.http;

import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** The formats that a client accepts. */
public final class Accepted {
    private static final List<String> CBOR = List.of(CborTranscript.CONTENT_TYPE);
    private static final List<String> CBOR_ITEMS =
            List.of(CborTranscript.CONTENT_TYPE, CborTranscript.SEQUENCE);
    private static final List<String> JSON = List.of("application/json", "application/*", "*/*");
    private static final List<String> JSON_LINES =
            List.of("application/jsonl", "application/json", "application/*", "*/*");

    private Accepted() {}

    /** Returns whether CBOR is accepted, and no form of JSON is preferred. */
    public static boolean isCborPreferred(HttpFields headers) {
        return isPreferred(headers, CBOR, JSON);
    }

    /** Returns the same for an answer of many objects. */
    public static boolean isCborSequencePreferred(HttpFields headers) {
        return isPreferred(headers, CBOR_ITEMS, JSON_LINES);
    }

    private static boolean isPreferred(
            HttpFields headers, List<String> binary, List<String> textual) {
        // In descending order of preference.
        for (String accepted : headers.getQualityCSV(HttpHeader.ACCEPT)) {
            String type = accepted.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (binary.contains(type)) {
                return true;
            }
            if (textual.contains(type)) {
                return false;
            }
        }
        return false;
    }
}
