package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.crabro.protocol.query.QueryText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectJsonTest {
    private static final RequestDouble REQUEST = new RequestDouble(Map.of("q", "blue whale"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    true                                                  | true
                    {"and":[{"contains":["a","x"]},{"contains":["b","y"]}]} | (and a:x b:y)
                    {'or':[{'contains':['a','x']},{'matches':['b','^y']}]} | (or a:x (regex b ^y))
                    {"and_not":[{"contains":["a","x"]},{"contains":["b","y"]}]} | (without a:x b:y)
                    {"not":[{"contains":["a","x"]}]}                      | (without true (or a:x))
                    {"rank":[{"contains":["a","x"]},{"contains":["b","y"]}]} | (rank a:x b:y)
                    {"weakAnd":{"children":[{"contains":["a","x"]}],"attributes":{"targetHits":7}}} | (weakand a:x)
                    {"contains":{"children":["a","x"],"attributes":{"weight":150,"prefix":true}}} | {weight 150, prefix}a:x
                    {"contains":["a",{"phrase":["x","y"]}]}               | (phrase a x y)
                    {"contains":["a",{"near":{"children":["x","y"],"attributes":{"distance":5}}}]} | (near a 5 a:x a:y)
                    {"contains":["a",{"onear":["x",{"phrase":["y","z"]}]}]} | (onear a 2 a:x (phrase a y z))
                    {"contains":["a",{"equiv":["x","y"]}]}                | (equiv a:x a:y)
                    {"contains":["a",{"alternatives":{"x":1.0,"y":0.5}}]} | (equiv a:x {weight 50}a:y)
                    {"contains":["a",{"fuzzy":["x"]}]}                    | (fuzzy a x 2)
                    {"contains":["a",{"phrase":["b",{"regex":["^c"]}]}]}  | (onear a 1 a:b (regex a ^c))
                    {"matches":{"children":["a","^c"],"attributes":{"token":true}}} | (onear a 0 (regex a ^c))
                    {"contains":["a",{"text":"blue, whale"}]}             | (weakand a:blue a:whale)
                    {"contains":["a",{"text":{"query":"blue whale","attributes":{"grammar":"all"}}}]} | (and a:blue a:whale)
                    {"contains":["a",{"sameElement":[{"n":"x"},{"y":5},{"range":["z",{"<":2}]},"w"]}]} | (same a n:x (range y [5;5]) (range z [;2>) :w)
                    {"contains":["a",{"sameElement":[{"and":["x",{"or":["y","z"]},{"not":["w"]}]}]}]} | (same a (without (and :x (or :y :z)) (or :w)))
                    {"contains":["a",{"sameElement":[{"and_not":["x",{"n":"y"},{"phrase":["z","w"]}]}]}]} | (same a (without :x n:y (phrase  z w)))
                    {"contains":["a",{"sameElement":[{"rank":["x",{"near":["y","z"]},{"onear":{"children":["v","w"],"attributes":{"distance":5}}}]}]}]} | (same a (rank :x (near  2 :y :z) (onear  5 :v :w)))
                    {"contains":["a",{"sameElement":[{"equiv":["x",{"phrase":["y","z"]}]},{"alternatives":{"v":1,"w":0.5}}]}]} | (same a (equiv :x (phrase  y z)) (equiv :v {weight 50}:w))
                    {"contains":["a",{"sameElement":[{"or":[{"text":"x"},{"y":5},{"contains":["n",{"phrase":["v","w"]}]}]}]}]} | (same a (or text:x (range y [5;5]) (phrase n v w)))
                    {"contains":["a",{"sameElement":{"children":["x",{"not":["y"]}],"attributes":{"elementFilter":[0,2]}}}]} | (same a[0, 2] :x (without true (or :y)))
                    {"contains":["a",{"sameElement":[{"equals":["y",5]},{"contains":{"children":["n","z"],"attributes":{"prefix":true}}}]}]} | (same a (range y [5;5]) {prefix}n:z)
                    {"contains":["a",{"sameElement":[{"n":"x","y":5,"range":["z",{"<":2}]}]}]} | (same a n:x (range y [5;5]) (range z [;2>))
                    {"contains":["a",{"sameElement":{"n":"x","y":5}}]}    | (same a n:x (range y [5;5]))
                    {"contains":["a",{"sameElement":[{"or":[{"n":"x","y":5},"w"]}]}]} | (same a (or (and n:x (range y [5;5])) :w))
                    {"contains":["a",{"sameElement":[5,true]}]}           | (same a (range  [5;5]) (equals  true))
                    {"contains":["a",{"near":["x",{"equiv":["y","z"]},{"not":["v",{"phrase":["u","w"]}]}]}]} | (near a 2 a:x (equiv a:y a:z) (not 1 a:v (phrase a u w)))
                    {"contains":["a",{"phrase":["x",{"alternatives":{"y":1.0,"z":0.5}}]}]} | (equiv (phrase a x y) {weight 50}(phrase a x z))
                    {"in":["a",1,2]}                                      | (in a 1 2)
                    {"range":["a",{">=":1,"<":2}]}                        | (range a [1;2>)
                    {"range":["a",{"=":1.5}]}                             | (range a [1.5;1.5])
                    {"equals":["a",true]}                                 | (equals a true)
                    {"equals":{"field":"a","value":5,"index":2}}          | (same a[2] (range  [5;5]))
                    {"equals":{"field":"a","index":0,"value":"x y"}}      | (same a[0] :"x y")
                    {"equals":{"field":"a","index":1,"value":true}}       | (same a[1] (equals  true))
                    {"equals":{"field":"a","index":1,"value":-1.5}}       | (same a[1] (range  [-1.5;-1.5]))
                    {"weightedSet":["a",{"x":1,"y":2}]}                   | (weighted a x:1 y:2)
                    {"dotProduct":["a",[[1,10],[2,20]]]}                  | (dot a 1:10 2:20)
                    {"wand":{"children":["a",{"x":1}],"attributes":{"scoreThreshold":5}}} | (dot a above 5.0 x:1)
                    {"nearestNeighbor":{"children":["v","q"],"attributes":{"targetHits":3}}} | (nearest v q 3)
                    {"nearestNeighbor":{"children":["v","q"],"attributes":{"targetHits":3,"weight":200,"ranked":false}}} | {weight 200, unranked}(nearest v q 3)
                    {"geoLocation":["p",1,"E2","1 deg"]}                  | (circle p 1.0 2.0 1.0)
                    {"userInput":["a b"]}                                 | (weakand default:a default:b)
                    """)
    void readsConditions(String json, String tree) {
        assertThat(QueryText.of(SelectJson.where(json, REQUEST))).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"nand":[]}                  | 1  | there is no operator 'nand'
                    5                            | 0  | expected an object with one operator, true or false
                    {"contains":["a"]}           | 12 | 'contains': Expected 2 arguments, got 1.
                    {"contains":[1,"a"]}         | 13 | expected a name in quotes
                    {"and":{}}                   | 7  | expected an array of operands
                    {"contains":["a",{"nears":["x"]}]} | 18 | expected one of the functions alternatives, equiv, fuzzy, near, onear, phrase, regex, sameElement, text, uri, got 'nears'
                    {"range":["a",{"<>":2}]}     | 20 | expected >, >=, <, <= or = as a key
                    {"equals":{"field":"a","index":-1,"value":1}} | 31 | element ids must be integer and non-negative, got -1
                    {"equals":{"field":"a","index":1.5,"value":1}} | 31 | element ids must be integer and non-negative, got 1.5
                    {"equals":{"field":"a","index":1,"value":null}} | 41 | expected a number for '=', got null
                    {"equals":{"field":"a","index":1,"value":[1]}} | 41 | expected a number for '=', got a list
                    {"contains":["a",{"sameElement":[{"contains":["b",{"sameElement":["x"]}]}]}]} | 51 | sameElement() cannot be used inside sameElement(): name parts of inner elements by their path, such as inner.name
                    {"contains":["a",{"sameElement":[null]}]} | 33 | expected an object with one operator, true or false
                    {"equals":["a","x"]}         | 15 | '=' compares numbers and booleans; for text use contains
                    """)
    void saysWhatIsWrongAndWhere(String json, int column, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> SelectJson.where(json, REQUEST))
                .withMessageStartingWith(
                        "Could not create query from select.where: select:L1:%d %s\n"
                                .formatted(column, problem));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    [{"all":{"group":"year","each":{"output":"count()"}}}] | all(group(year) each(output(count())))
                    [{"all":{"group":"a","max":5,"each":{"output":["count()","sum(b)"]},"label":"x"}}] | all(group(a) max(5) each(output(count(),sum(b))) as(x))
                    [{"all":{"output":"count()"}},{"each":{"output":"summary()"}}] | all(output(count()));each(output(summary()))
                    [{"all":{"group":"predefined(a,bucket(')','('))","order":["-count()"]}}] | all(group(predefined(a,bucket(')','('))) order(-count()))
                    [{"all":{"group":"a /* ( */"}}] | all(group(a /* ( */))
                    """)
    void writesGroupings(String json, String text) {
        assertThat(GroupingJson.grouping(json)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    [5]                          | expected an object with 'all' or 'each'
                    [{"all":{"label":"x"}}]      | a label belongs next to 'each'
                    [{"all":                     | Unexpected end-of-input
                    [{"all":{"group":"a) each(output(count()))"}}]          | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"a","max":"1) order(-count()"}}]       | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"(a"}}]     | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"a //"}}]   | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"a #"}}]    | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"'a"}}]     | expected a text that does not end in the parentheses around it
                    [{"all":{"group":"a","each":{"output":"count()"},"label":"x) each(output(summary())"}}] | expected a text that does not end in the parentheses around it
                    [{"all":{"group(a) max":5}}] | expected the name of an operation
                    [{"all":{"":"a"}}]           | expected the name of an operation
                    """)
    void refusesGroupings(String json, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> GroupingJson.grouping(json))
                .withMessageContaining(problem);
    }
}
