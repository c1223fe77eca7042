package org.crabro.container.http;

import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** Which formats a client says that it reads. */
public final class Accepted {
    private static final String CBOR = "application/cbor";
    private static final List<String> JSON = List.of("application/json", "application/*", "*/*");

    private Accepted() {}

    /** Returns whether CBOR is accepted, and no form of JSON is more welcome. */
    public static boolean isCborPreferred(HttpFields headers) {
        // From the most welcome on.
        for (String accepted : headers.getQualityCSV(HttpHeader.ACCEPT)) {
            String type = accepted.split(";", 2)[0].strip();
            if (type.equalsIgnoreCase(CBOR)) {
                return true;
            }
            if (JSON.stream().anyMatch(type::equalsIgnoreCase)) {
                return false;
            }
        }
        return false;
    }
}
