package org.crabro.client.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.LegalText;

/**
 * Records whose objects in objects are replaced by their members, named by their {@link
 * MemberPath}. Objects in lists stay. Characters that texts of documents cannot have become blanks.
 */
final class FlatRecords implements RecordReader {
    private final RecordReader records;
    private final ImportLosses losses;

    FlatRecords(RecordReader records, ImportLosses losses) {
        this.records = records;
        this.losses = losses;
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        Optional<Map<String, Object>> next = records.next();
        if (next.isEmpty()) {
            return next;
        }
        return Optional.of(MemberPath.flat(object(next.get(), "")));
    }

    /** Returns an object with texts that documents can have. */
    private Map<String, Object> object(Map<?, ?> given, String path) {
        Map<String, Object> object = new LinkedHashMap<>();
        given.forEach((key, value) -> {
            String name = (String) key;
            String inside = path.isEmpty() ? MemberPath.of(name) : MemberPath.of(path, name);
            if (object.put(legal(name, inside), value(value, inside)) != null) {
                losses.add(
                        MemberPath.shown(inside),
                        "several values of one name, of which the last is stored",
                        place());
            }
        });
        return object;
    }

    private Object value(Object value, String path) {
        return switch (value) {
            case String text -> legal(text, path);
            case List<?> list -> {
                List<Object> elements = new ArrayList<>(list.size());
                for (Object each : list) {
                    elements.add(value(each, path));
                }
                yield elements;
            }
            case Map<?, ?> object -> object(object, path);
            default -> value;
        };
    }

    private String legal(String text, String path) {
        if (isLegal(text)) {
            return text;
        }
        losses.add(
                MemberPath.shown(path),
                "characters that no text of a document can have become blanks",
                place());
        return legal(text);
    }

    private static boolean isLegal(String text) {
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            if (!LegalText.isLegal(point)) {
                return false;
            }
            i += Character.charCount(point);
        }
        return true;
    }

    @Override
    public String place() {
        return records.place();
    }

    @Override
    public Optional<String> name() {
        return records.name().map(FlatRecords::legal);
    }

    private static String legal(String text) {
        return text.codePoints()
                .map(point -> LegalText.isLegal(point) ? point : ' ')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
