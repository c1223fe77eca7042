package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateReaderTest {
    private static final StructOf PERSON =
            new StructOf("person", List.of(new Field("born", Primitive.INT, true)));
    private static final DocumentType TYPE =
            new DocumentType(
                    "all",
                    List.of(
                            new Field("text", Primitive.STRING, true),
                            new Field("int", Primitive.INT, true),
                            new Field("flag", Primitive.BOOL, true),
                            new Field("list", new ArrayOf(Primitive.STRING), true),
                            new Field("set", new WeightedSetOf(Primitive.INT), true),
                            new Field("map", new MapOf(Primitive.INT, Primitive.STRING), true),
                            new Field("who", PERSON, true),
                            new Field("place", StructOf.POSITION, true),
                            new Field("dense", tensor("tensor(x[2])"), true),
                            new Field("sparse", tensor("tensor(x{},y{})"), true),
                            new Field("mixed", tensor("tensor(k{},x[2])"), true),
                            new Field("made", Primitive.INT, false)));

    private final UpdateReader reader = new UpdateReader(TYPE, false);

    private static TensorOf tensor(String type) {
        return new TensorOf(TensorType.parse(type));
    }

    @Test
    void readsMembersInAnyOrder() {
        UpdateBody body =
                read(
                        """
                        {"create": true, "other": [{"x": 1}], "condition": "all.int > 1",
                         "fields": {"int": {"increment": 1}}, "update": "id:a:b::c"}
                        """);

        assertThat(body.create()).isTrue();
        assertThat(body.condition()).hasValue("all.int > 1");
        assertThat(body.updates()).extracting(FieldUpdate::field).containsExactly("int");
        assertThat(body.someIgnored()).isFalse();
    }

    @Test
    void acceptsAnEmptyUpdate() {
        assertThat(read("{\"fields\": {}}").updates()).isEmpty();
    }

    @Test
    void leavesUndefinedFieldsOutWhereItIsTold() {
        UpdateBody body =
                new UpdateReader(TYPE, true)
                        .read(
                                in(
                                        """
                                        {"fields": {"no": {"assign": [1]}, "no{a}": {"assign": 1},
                                                    "made": {"assign": 1}, "int": {"assign": 1}}}
                                        """),
                                LeftOutCells.UNCOUNTED);

        assertThat(body.someIgnored()).isTrue();
        assertThat(body.updates()).extracting(FieldUpdate::field).containsExactly("int");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    int    | 7                     | expected an object with an operation such as {"assign": value} but found 7
                    int    | {"put": 7}            | there is no operation 'put', only assign, add, remove, increment, decrement, multiply, divide, match, modify
                    int    | {"Assign": 7}         | there is no operation 'Assign', only assign, add, remove, increment, decrement, multiply, divide, match, modify
                    int    | {"assign": 7.5}       | expected an int, a whole number from -2147483648 to 2147483647, but found 7.5
                    int    | {"increment": "x"}    | expected a double but found "x"
                    int    | {"increment": "nan"}  | expected a finite number but found "nan"
                    int    | {"increment": null}   | expected a number but found null
                    int    | {"add": [1]}          | 'add' is for arrays, weighted sets and tensors, not for int
                    int    | {"match": {}}         | 'match' is for arrays and weighted sets, not for int
                    int    | {"modify": {}}        | 'modify' is for tensors, not for int
                    flag   | {"increment": 1}      | 'increment' is for numbers, not for bool
                    text   | {"increment": 1}      | 'increment' is for numbers, not for string
                    list   | {"add": "x"}          | expected array<string> but found "x"
                    list   | {"add": [null]}       | expected string but found null
                    list   | {"match": {"element": 0}} | 'match' needs 'element' and an operation
                    list   | {"match": {"assign": "x"}} | 'match' needs 'element' and an operation
                    list   | {"match": {"element": "a", "assign": "x"}} | expected an index from 0 as 'element' but found "a"
                    list   | {"match": {"element": -1, "assign": "x"}} | expected an index from 0 as 'element' but found -1
                    list   | {"match": {"element": 1, "assign": "x", "add": []}} | 'match' has one operation, but 'add' is another
                    list   | {"match": {"element": 1, "increment": 1}} | 'increment' is for numbers, not for string
                    set    | {"add": [1]}          | expected weightedset<int>, an object with a weight for each element, but found an array
                    set    | {"match": {"element": "a", "increment": 1}} | expected a key of type int but found 'a'
                    map    | {"add": {"1": "a"}}   | 'add' is not for maps: assign to a path such as 'map{key}'
                    map    | {"remove": {"1": 0}}  | 'remove' is not for maps: remove a path such as 'map{key}'
                    map    | {"match": {}}         | 'match' is not for maps: use a path such as 'map{key}'
                    who.x  | {"assign": 1}         | struct 'person' has no field 'x'; its fields are born (character 4 of the path)
                    who{x} | {"assign": 1}         | '{' is for maps and weighted sets, not for person (character 4 of the path)
                    place.lat | {"assign": 1}      | '.lat' is in a struct, not in position (character 6 of the path)
                    list[x] | {"assign": 1}        | expected an index from 0 to 999999999 and ']' after '[' (character 5 of the path)
                    list[0 | {"assign": 1}         | expected an index from 0 to 999999999 and ']' after '[' (character 5 of the path)
                    list[$] | {"assign": 1}        | expected a variable such as '$x' and ']': a key that begins with '$' is in quotes (character 5 of the path)
                    list[$x | {"assign": 1}        | expected a variable such as '$x' and ']': a key that begins with '$' is in quotes (character 5 of the path)
                    map{$a b} | {"assign": 1}      | expected a variable such as '$x' and '}': a key that begins with '$' is in quotes (character 4 of the path)
                    who[$x] | {"assign": 1}        | variables are for arrays, maps and weighted sets, not for person (character 4 of the path)
                    list[$x][$x] | {"assign": 1}   | '$x' occurs twice: each variable has a name of its own (character 9 of the path)
                    list[$x][$y] | {"assign": 1}   | variables are for arrays, maps and weighted sets, not for string (character 9 of the path)
                    list[$x] | {"assign": [1]}     | expected string but found an array
                    set{$x}.x | {"assign": 1}      | a weight has no parts (character 8 of the path)
                    list[0]x | {"assign": 1}       | expected '.', '[' or '{' (character 8 of the path)
                    map{a} | {"assign": 1}         | expected a key of type int but found 'a'
                    map{1  | {"assign": 1}         | expected '}' after the key (character 6 of the path)
                    map{1} | {"add": ["a"]}        | 'add' after a path is for arrays, not for string
                    map{1} | {"modify": {}}        | there is no operation 'modify' after a path, only assign, add, remove, increment, decrement, multiply, divide
                    map{1} | {"remove": [1]}       | expected a number or text, which is ignored, after 'remove' but found an array
                    set{1}.x | {"assign": 1}       | a weight has no parts (character 7 of the path)
                    dense  | {"add": {"x": 1}}     | 'add' is for tensors with a mapped dimension, not for tensor(x[2])
                    dense  | {"remove": {}}        | 'remove' is for tensors with a mapped dimension, not for tensor(x[2])
                    sparse | {"add": []}           | there is nothing to add
                    sparse | {"remove": {}}        | 'addresses' are missing
                    sparse | {"remove": {"addresses": []}} | there are no addresses
                    sparse | {"remove": {"addresses": [{}]}} | an address names no dimension of tensor(x{},y{})
                    sparse | {"remove": {"addresses": [{"z":"1"}]}} | tensor(x{},y{}) has no dimension 'z'
                    sparse | {"remove": {"addresses": [{"x":"1"},{"y":"1"}]}} | all addresses must name the same dimensions
                    mixed  | {"remove": {"addresses": [{"x":"1"}]}} | dimension 'x' of tensor(k{},x[2]) is indexed: only labels of mapped ones are removed
                    dense  | {"modify": {"cells": []}} | 'operation' is missing
                    dense  | {"modify": {"operation": "add"}} | 'cells' or 'blocks' are missing
                    dense  | {"modify": {"operation": "divide"}} | expected "replace", "add" or "multiply" but found "divide"
                    dense  | {"modify": {"sells": 1}} | expected 'operation', 'create', 'cells' or 'blocks' but found 'sells'
                    dense  | {"modify": {"operation": "add", "cells": [{"address": {"x": 2}, "value": 1}]}} | expected a label from 0 to 1 of dimension 'x' but found "2"
                    dense  | {"modify": {"operation": "add", "blocks": []}} | 'blocks' are for tensors with mapped and indexed dimensions, not for tensor(x[2])
                    sparse | {"modify": {"operation": "add", "cells": {"a": 1}}} | expected an array of objects with 'address' for tensor(x{},y{})
                    mixed  | {"modify": {"operation": "add", "cells": [{"address": {"k": "a", "x": 0}}]}} | an entry needs both 'address' and 'value'
                    """)
    void namesTheFieldAndWhatIsWrongInIt(String field, String update, String problem) {
        String body = "{\"fields\": {\"" + field + "\": " + update + "}}";

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(body))
                .satisfies(e ->
                        assertThat(String.valueOf(e.getMessage()).replaceAll(" at line .*", ""))
                                .isEqualTo("Error in '" + field + "': " + problem));
    }

    /** Programs of users compare the begin of the message. */
    @ParameterizedTest
    @CsvSource({"no, no", "made, made", "no.x, no", "no[1], no"})
    void beginsWithTheFieldThatIsNotDefined(String path, String field) {
        String body = "{\"fields\": {\"" + path + "\": {\"assign\": 1}}}";

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(body))
                .withMessage(
                        "Field '%s' is not defined in document type 'all'; its fields are text, int, flag, list, set, map, who, place, dense, sparse, mixed at line 1, column 13"
                                .formatted(field));
    }

    @Test
    void reportsThePlaceOfAnError() {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read("{\"fields\": {\n\"int\": {\"assign\": [1]}}}"))
                .withMessage(
                        "Error in 'int': expected int but found an array at line 2, column 19");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                          | the document is missing the required "fields" field
                    {"fields": []}              | expected an object as "fields", but found an array
                    {"fields": {}, "create": 1} | expected true or false as "create", but found 1
                    {"fields": {}, "condition": {}} | expected a string as "condition", but found an object
                    []                          | expected the start of an object, the body, but found an array
                    {"fields": {}} {}           | expected the end after the body, but found an object
                    """)
    void saysWhereABodyIsWrong(String body, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(body))
                .withMessageStartingWith("update: " + problem);
    }

    private UpdateBody read(String body) {
        return reader.read(in(body), LeftOutCells.UNCOUNTED);
    }

    private static ByteArrayInputStream in(String body) {
        return new ByteArrayInputStream(body.getBytes(UTF_8));
    }
}
