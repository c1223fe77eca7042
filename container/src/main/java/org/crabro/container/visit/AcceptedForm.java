package org.crabro.container.visit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.protocol.visit.VisitForm;

/**
 * The form of an answer that a client prefers, by its header {@code Accept}.
 *
 * <pre>
 *   accept := range { "," range }
 *   range  := type "/" subtype { ";" name "=" value }     ; q is the preference, 0 to 1
 * </pre>
 */
enum AcceptedForm {
    /** One object. */
    JSON,
    /** One object per line. */
    LINES,
    /** One object. */
    CBOR,
    /** The objects of the lines as a CBOR sequence. */
    CBOR_SEQUENCE;

    private static final Map<String, AcceptedForm> NAMES =
            Map.of(
                    "application/json", JSON,
                    "application/jsonl", LINES,
                    "application/cbor", CBOR,
                    "application/cbor-seq", CBOR_SEQUENCE);

    /** The ranges that include JSON, the most specific first. */
    private static final List<String> JSON_NAMES =
            List.of("application/json", "application/*", "*/*");

    boolean isLines() {
        return this == LINES || this == CBOR_SEQUENCE;
    }

    /** Returns the style of documents in the JSON of the form. */
    VisitForm.Style style() {
        return isLines() ? VisitForm.Style.LINES : VisitForm.Style.LIST;
    }

    boolean isCbor() {
        return this == CBOR || this == CBOR_SEQUENCE;
    }

    private record Range(String name, double quality) {
        AcceptedForm form() {
            return NAMES.getOrDefault(name, JSON);
        }
    }

    /**
     * Returns the form with the highest quality. Of equal ones, lines win, then the first in the
     * header. A wildcard stands for JSON only, and JSON is the answer if no form is accepted.
     *
     * @throws InvalidRequestException if a header is malformed
     */
    static AcceptedForm of(List<String> accept) {
        var ranges = new ArrayList<Range>();
        for (String header : accept) {
            for (String range : header.split(",", -1)) {
                if (range.isBlank() && header.isBlank()) {
                    continue;
                }
                String[] parts = range.split(";", -1);
                double quality = quality(parts, range);
                String name = parts[0].strip().toLowerCase(Locale.ROOT);
                checkType(name, range);
                if (NAMES.containsKey(name) || JSON_NAMES.contains(name)) {
                    ranges.add(new Range(name, quality));
                }
            }
        }
        // The most specific range of JSON decides.
        String json =
                JSON_NAMES.stream()
                        .filter(name -> ranges.stream().anyMatch(range -> range.name.equals(name)))
                        .findFirst()
                        .orElse("");
        return ranges.stream()
                .filter(range -> range.quality > 0)
                .filter(range -> range.form() != JSON || range.name.equals(json))
                .min(
                        Comparator.comparingDouble((Range range) -> -range.quality)
                                .thenComparing(range -> !range.form().isLines()))
                .map(Range::form)
                .orElse(JSON);
    }

    private static double quality(String[] parts, String range) {
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            String[] parameter = parts[i].split("=", 2);
            if (parameter.length < 2 || parameter[0].isBlank()) {
                throw malformed(range);
            }
            if (parameter[0].strip().equalsIgnoreCase("q")) {
                try {
                    quality = Double.parseDouble(parameter[1].strip());
                } catch (NumberFormatException _) {
                    throw malformed(range);
                }
                if (!(quality >= 0 && quality <= 1)) {
                    throw malformed(range);
                }
            }
        }
        return quality;
    }

    private static void checkType(String type, String range) {
        int slash = type.indexOf('/');
        if (slash < 1 || slash == type.length() - 1 || type.indexOf('/', slash + 1) >= 0) {
            throw malformed(range);
        }
    }

    private static InvalidRequestException malformed(String range) {
        return DocumentParameters.invalid(
                "the header Accept has '%s': expected type/subtype;q=0.5".formatted(range.strip()));
    }
}
