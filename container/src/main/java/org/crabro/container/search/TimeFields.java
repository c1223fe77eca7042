package org.crabro.container.search;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.document.FieldValue;
import org.crabro.document.time.TimeParts;
import org.crabro.protocol.search.SearchHit;

/** Replaces numbers that are times by texts. */
final class TimeFields {
    private TimeFields() {}

    /**
     * Returns a hit with its times as texts.
     *
     * @param summary the document summary of the hit
     */
    static SearchHit asTexts(SearchHit hit, Schema schema, String summary) {
        Map<String, FieldValue> shown = new LinkedHashMap<>(hit.summary());
        shown.replaceAll((name, value) -> times(name, schema, summary).shown(value));
        return hit.withSummary(shown);
    }

    private static TimeParts times(String name, Schema schema, String summary) {
        Optional<String> source = RawFields.source(name, schema, summary);
        return source.map(schema::times).orElse(TimeParts.NONE);
    }
}
