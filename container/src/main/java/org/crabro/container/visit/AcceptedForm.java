package org.crabro.container.visit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.InvalidRequestException;

/**
 * Which of the two forms of an answer a client would rather have, by its header {@code Accept}.
 *
 * <pre>
 *   accept := range { "," range }
 *   range  := type "/" subtype { ";" name "=" value }     ; q from 0 to 1 says how gladly
 * </pre>
 */
final class AcceptedForm {
    private AcceptedForm() {}

    /**
     * Returns whether the answer is lines: only where a client names them, and likes nothing
     * better.
     *
     * @throws InvalidRequestException if a header is not what it should be
     */
    static boolean isLines(List<String> accept) {
        Optional<Double> lines = Optional.empty();
        Optional<Double> json = Optional.empty();
        Optional<Double> application = Optional.empty();
        Optional<Double> anything = Optional.empty();
        for (String header : accept) {
            for (String range : header.split(",", -1)) {
                if (range.isBlank() && header.isBlank()) {
                    continue;
                }
                String[] parts = range.split(";", -1);
                Optional<Double> quality = Optional.of(quality(parts, range));
                switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                    case "application/jsonl" -> lines = quality;
                    case "application/json" -> json = quality;
                    case "application/*" -> application = quality;
                    case "*/*" -> anything = quality;
                    default -> checkType(parts[0].strip(), range);
                }
            }
        }
        double other = json.or(orElse(application)).or(orElse(anything)).orElse(0.0);
        return lines.orElse(0.0) > 0 && lines.orElse(0.0) >= other;
    }

    private static Supplier<Optional<Double>> orElse(Optional<Double> other) {
        return () -> other;
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
