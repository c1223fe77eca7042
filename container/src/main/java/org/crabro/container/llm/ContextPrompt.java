package org.crabro.container.llm;

import java.io.StringWriter;
import java.util.List;
import org.crabro.component.Hit;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.ValueForm;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Puts hits into a prompt.
 *
 * @param fields those of hits that are included; empty for all
 */
record ContextPrompt(List<String> fields) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String QUERY = "@query";
    private static final String CONTEXT = "{context}";

    ContextPrompt {
        fields = List.copyOf(fields);
    }

    /**
     * Returns a prompt with the query for {@code @query} and the hits for {@code {context}}. If it
     * lacks {@code {context}}, the hits come first. Both texts in the query and in the hits stay as
     * they are.
     */
    String of(String prompt, String query, List<Hit> hits) {
        String whole = prompt.contains(CONTEXT) ? prompt : CONTEXT + "\n" + prompt;
        String context = context(hits);
        var filled = new StringBuilder(whole.length() + context.length());
        int from = 0;
        while (from < whole.length()) {
            if (whole.startsWith(QUERY, from)) {
                filled.append(query);
                from += QUERY.length();
            } else if (whole.startsWith(CONTEXT, from)) {
                filled.append(context);
                from += CONTEXT.length();
            } else {
                filled.append(whole.charAt(from++));
            }
        }
        return filled.toString();
    }

    private String context(List<Hit> hits) {
        var text = new StringBuilder();
        for (int i = 0; i < hits.size(); i++) {
            text.append("document [").append(i + 1).append("]:\n");
            hits.get(i)
                    .fields()
                    .forEach((name, value) -> {
                        if ((fields.isEmpty() || fields.contains(name))
                                && !FieldValueWriter.isEmpty(value)) {
                            text.append(name).append(": ").append(shown(value)).append('\n');
                        }
                    });
            text.append('\n');
        }
        return text.toString();
    }

    private static String shown(FieldValue value) {
        if (value instanceof FieldValue.StringValue(var text)) {
            return text;
        }
        var written = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), written)) {
            FieldValueWriter.write(json, value, ValueForm.DEFAULT);
        }
        return written.toString();
    }
}
