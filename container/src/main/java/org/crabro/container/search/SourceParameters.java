package org.crabro.container.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.container.query.Parameters;

/**
 * The parameters of a request that are for one source: {@code source.NAME.X} and {@code
 * provider.NAME.X} set the parameter X.
 */
final class SourceParameters {
    private static final String SOURCE = "source.";
    private static final String PROVIDER = "provider.";

    private SourceParameters() {}

    /** Returns whether there are any. */
    static boolean areIn(Parameters parameters) {
        for (String name : parameters.values().keySet()) {
            if (name.startsWith(SOURCE) || name.startsWith(PROVIDER)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the parameters of a source. Those of the source win over those of its provider. */
    static Map<String, String> of(Parameters parameters, String source, String provider) {
        var values = new LinkedHashMap<String, String>();
        for (String prefix : List.of(PROVIDER + provider + ".", SOURCE + source + ".")) {
            parameters
                    .values()
                    .forEach((name, value) -> {
                        if (name.startsWith(prefix) && name.length() > prefix.length()) {
                            OwnQuery.remove(values, name.substring(prefix.length()));
                            values.put(name.substring(prefix.length()), value);
                        }
                    });
        }
        return values;
    }
}
