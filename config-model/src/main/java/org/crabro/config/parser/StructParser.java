package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import org.crabro.config.parser.SchemaDeclaration.Member;
import org.crabro.config.parser.SchemaDeclaration.Struct;

/**
 * Parses structs and annotations, starting after their keyword.
 *
 * <pre>
 *   struct     := id [ "inherits" id { "," id } ] "{" { member } "}"
 *   annotation := id [ "inherits" id ] "{" { member } "}"
 *   member     := "field" id "type" type "{" { "id" ":" int | "match" matching } "}"
 * </pre>
 *
 * <p>{@link FieldParser} parses {@code type} and {@code matching}.
 */
final class StructParser {
    private final SchemaCursor cursor;
    private final FieldParser fieldParser;

    StructParser(SchemaCursor cursor, FieldParser fieldParser) {
        this.cursor = cursor;
        this.fieldParser = fieldParser;
    }

    Struct struct() {
        Name name = cursor.id("the struct's name");
        List<Name> parents = cursor.accept("inherits") ? cursor.ids("a struct's name") : List.of();
        return new Struct(name, parents, members("a struct"));
    }

    Struct annotation() {
        SchemaScanner.Token start = cursor.peek();
        Name name = cursor.id("the annotation's name");
        List<Name> parents =
                cursor.accept("inherits") ? List.of(cursor.id("an annotation's name")) : List.of();
        cursor.warn(start, "annotations are obsolete and have no effect");
        return new Struct(name, parents, members("an annotation"));
    }

    private List<Member> members(String owner) {
        var members = new ArrayList<Member>();
        cursor.recoveringBlock(() -> {
            cursor.expect("field");
            Name name = cursor.id("a field's name");
            cursor.expect("type");
            TypeDeclaration type = fieldParser.type();
            cursor.block(() -> fieldParser.memberItem(owner));
            members.add(new Member(name, type));
        });
        return members;
    }
}
