package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YqlParserTest {
    private static final RequestDouble REQUEST =
            new RequestDouble(
                    Map.of(
                            "q", "blue whale",
                            "n", "7",
                            "yes", "TRUE",
                            "list", "red, 'dark, blue', 5",
                            "empty", " ",
                            "weights", "{a:1, 'b':2, 7:3}",
                            "pairs", "[[1,10],[2,20]]",
                            "query", "summer -winter"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    true                                     | true
                    false                                    | false
                    title contains "blue"                    | title:blue
                    title contains 'it\\'s "\\u00e9"'        | title:"it's \\"é\\""
                    TITLE CONTAINS "a" AND b Contains "c"    | (and TITLE:a b:c)
                    a.b contains "c"                         | a.b:c
                    a contains "x" and b contains "y" or c contains "z" | (or (and a:x b:y) c:z)
                    a contains "x" and (b contains "y" or c contains "z") | (and a:x (or b:y c:z))
                    a contains "x" and (b contains "y" and c contains "z") | (and a:x b:y c:z)
                    a contains "x" or (b contains "y" or c contains "z") | (or a:x b:y c:z)
                    true and a contains "x"                  | a:x
                    a contains "x" and !(b contains "y")     | (without a:x b:y)
                    !(b contains "y")                        | (without true b:y)
                    a contains "x" and !b contains "y" and !(c = 1) | (without a:x b:y (range c [1;1]))
                    a contains "x" and (b contains "y" and !(c = 1)) | (without (and a:x b:y) (range c [1;1]))
                    year = 2008                              | (range year [2008;2008])
                    year < 2008                              | (range year [;2008>)
                    year <= -2008                            | (range year [;-2008])
                    year > 9223372036854775807               | (range year <9223372036854775807;])
                    year >= 5L                               | (range year [5;])
                    5 < year                                 | (range year <5;])
                    5 = year                                 | (range year [5;5])
                    price >= 1.5                             | (range price [1.5;])
                    price >= .5e1                            | (range price [5.0;])
                    price >= 1.                              | (range price [1.0;])
                    year > @n                                | (range year <7;])
                    year > -Infinity                         | (range year [;])
                    flag = true                              | (equals flag true)
                    flag = @yes                              | (equals flag true)
                    false = flag                             | (equals flag false)
                    range(year, 1, 9)                        | (range year [1;9])
                    range(year, -Infinity, 9.5)              | (range year [;9.5])
                    ({bounds:"open"}range(year, 1, 9))       | (range year <1;9>)
                    [{"bounds":"leftOpen"}]range(year, 1, 9) | (range year <1;9])
                    {bounds:'rightOpen'}range(year, 1, Infinity) | (range year [1;])
                    title contains ({prefix:true}"bl")       | {prefix}title:bl
                    title contains ({suffix:true, weight:150}"ue") | {weight 150, suffix}title:ue
                    title contains {substring: true}"lu"     | {substring}title:lu
                    {ranked:false}(a contains "x" and b contains "y") | (and {unranked}a:x {unranked}b:y)
                    {ranked:false}(a contains ({ranked:true}"x") or b contains ({filter:true}"y")) | (or a:x {filter}b:y)
                    a contains ({unheard.of: [1, {a: 2}]}"x") | a:x
                    title contains phrase("blue", "whale")   | (phrase title blue whale)
                    title contains phrase("a", phrase("b", "c")) | (phrase title a b c)
                    title contains ({weight:200}phrase("blue")) | {weight 200}title:blue
                    title contains text("The blue, whale")   | (weakand title:The title:blue title:whale)
                    title contains ({grammar:"all"}text(@q)) | (and title:blue title:whale)
                    year in (1, 2, -3)                       | (in year 1 2 -3)
                    color in ("red")                         | (in color red)
                    {weight:200}(color in ("red"))           | {weight 200}(in color red)
                    {ranked:false}(color in ("red"))         | {unranked}(in color red)
                    sddocname in ("a", "b")                  | (or sddocname:a sddocname:b)
                    color in (@list)                         | (in color red "dark, blue" 5)
                    color in (@empty)                        | false
                    userInput(@q)                            | (weakand default:blue default:whale)
                    userInput("@q")                          | (weakand default:blue default:whale)
                    userInput("summer -winter title:blue")   | (without (weakand default:summer title:blue) default:winter)
                    ({defaultIndex:"body", grammar:"all"}userInput(@q)) | (and body:blue body:whale)
                    {grammar:"phrase"}userInput(@q)          | (phrase default blue whale)
                    {grammar:"raw"}userInput(@q)             | default:"blue whale"
                    {grammar.composite:"or", "grammar.syntax":"none"}userInput("-a b") | (or default:a default:b)
                    {allowEmpty:true}userInput(@empty)       | false
                    a contains "x" and ({allowEmpty:true}userInput(@empty)) | a:x
                    a contains "x" or ({allowEmpty:true}userInput(@empty)) | (or a:x)
                    a contains "x" and !({allowEmpty:true}userInput(@empty)) | a:x
                    a contains "x" and (({allowEmpty:true}userInput(@empty)) or ({allowEmpty:true}userInput(@empty))) | a:x
                    ({allowEmpty:true}userInput(@empty)) and ({allowEmpty:true}userInput(@empty)) | false
                    ({allowEmpty:true}userInput(@empty)) or ({allowEmpty:true}userInput(@empty)) | false
                    rank(a contains "x", ({allowEmpty:true}userInput(@empty))) | a:x
                    weakAnd(({allowEmpty:true}userInput(@empty)), b contains "y") | (weakand b:y)
                    a contains "x" and false                 | (and a:x false)
                    {targetHits:3}userInput("a b") and x = 1 | (and (weakand default:a default:b) (range x [1;1]))
                    userQuery() and x = 1                    | (without (and default:summer (range x [1;1])) default:winter)
                    rank(a contains "x", b contains "y", c = 1) | (rank a:x b:y (range c [1;1]))
                    weakAnd(a contains "x", b contains "y")  | (weakand a:x b:y)
                    nonEmpty(a contains "x")                 | a:x
                    {targetHits:10}nearestNeighbor(v, q)     | (nearest v q 10)
                    ({targetHits: @n}nearestNeighbor(v, q))  | (nearest v q 7)
                    [{"targetHits": 10}]nearestNeighbor(v, q) | (nearest v q 10)
                    {totalTargetHits:10, approximate:false, hnsw.exploreAdditionalHits:5}nearestNeighbor(v, q) | (nearest v q 10 exactly exploring 5)
                    {targetHits:10, distanceThreshold:0.5, label:"near it"}nearestNeighbor(v, q) | {label "near it"}(nearest v q 10 within 0.5)
                    {targetHits:1, distanceThreshold:2}nearestNeighbor(v, q) or a contains "x" | (or (nearest v q 1 within 2.0) a:x)
                    title matches "^bl.*e$"                  | (regex title ^bl.*e$)
                    title contains fuzzy("blue")             | (fuzzy title blue 2)
                    title contains ({maxEditDistance:1, prefixLength:2, prefix:true}fuzzy("bl")) | (fuzzy title bl 1 behind 2 prefix)
                    title contains near("a", "b")            | (near title 2 title:a title:b)
                    title contains ({distance:5}onear("a", phrase("b", "c"))) | (onear title 5 title:a (phrase title b c))
                    title contains near("a", "b", !"c")      | (near title 2 title:a title:b (not 1 title:c))
                    title contains ({exclusionDistance:4}near("a", !"c")) | (near title 2 title:a (not 4 title:c))
                    title contains near(equiv("a", "b"), "c") | (near title 2 (equiv title:a title:b) title:c)
                    title contains regex("^bl")              | (regex title ^bl)
                    title matches ({token:true}"^bl")        | (onear title 0 (regex title ^bl))
                    title contains ({token:true, maxEditDistance:1}fuzzy("bl")) | (onear title 0 (fuzzy title bl 1))
                    title contains phrase("a", fuzzy("bl"), "c d") | (onear title 3 title:a (fuzzy title bl 2) title:c title:d)
                    title contains phrase(regex("^bl"))      | (onear title 0 (regex title ^bl))
                    title contains near("a", regex("^bl"), !fuzzy("c")) | (near title 2 title:a (regex title ^bl) (not 1 (fuzzy title c 2)))
                    {token:true}(title contains onear("a", fuzzy("c"))) | (onear title 2 title:a (fuzzy title c 2))
                    title contains equiv("a", "b", phrase("c", "d")) | (equiv title:a title:b (phrase title c d))
                    title contains alternatives({"a": 1.0, "b": 0.5}) | (equiv title:a {weight 50}title:b)
                    title contains uri("http://a.b/c")       | title:"http://a.b/c"
                    people contains sameElement(name contains "x", year > 5) | (same people name:x (range year <5;]))
                    tags contains sameElement("a", "b")      | (same tags :a :b)
                    tags contains ({elementFilter:[0, 2]}sameElement("a")) | (same tags[0, 2] :a)
                    tags contains ({elementFilter:1}"a")     | (same tags[1] :a)
                    m contains sameElement(key contains "k" and !(value = 1)) | (same m (without key:k (range value [1;1])))
                    tags contains sameElement(near("a", "b")) | (same tags (near  2 :a :b))
                    tags contains sameElement("a" and ("b" or "c") and !"d") | (same tags (without (and :a (or :b :c)) :d))
                    tags contains sameElement("a", !"b")     | (same tags :a (without true :b))
                    tags contains sameElement(!("a" or "b") and "c") | (same tags (without :c (or :a :b)))
                    tags contains sameElement(rank("a", "b", phrase("c", "d"))) | (same tags (rank :a :b (phrase  c d)))
                    tags contains sameElement(phrase("a", "b") or onear("c", !"d")) | (same tags (or (phrase  a b) (onear  2 :c (not 1 :d))))
                    tags contains sameElement(equiv("a", phrase("b", "c")) and near("d", equiv("e", "f"))) | (same tags (and (equiv :a (phrase  b c)) (near  2 :d (equiv :e :f))))
                    tags contains sameElement({prefix:true}"a" or ({weight:50}"b")) | (same tags (or {prefix}:a {weight 50}:b))
                    tags contains sameElement(@q or @n)      | (same tags (or :"blue whale" :7))
                    tags contains sameElement(text("a b") and fuzzy("c")) | (same tags (and (weakand :a :b) (fuzzy  c 2)))
                    tags contains sameElement({grammar:"all"}userInput(@q) and !"x") | (same tags (without (and :blue :whale) :x))
                    tags contains sameElement(nonEmpty("a") and labeled("b", "l")) | (same tags (and :a :b))
                    people contains sameElement(("a" or name contains "b") and year > 5 and !(name contains phrase("c", "d"))) | (same people (without (and (or :a name:b) (range year <5;])) (phrase name c d)))
                    ints contains sameElement(5)             | (same ints (range  [5;5]))
                    ints contains sameElement(-5 or 1.5)     | (same ints (or (range  [-5;-5]) (range  [1.5;1.5])))
                    flags contains sameElement(true)         | (same flags (equals  true))
                    tags[3] = "a b"                          | (same tags[3] :"a b")
                    tags[3] = @q                             | (same tags[3] :"blue whale")
                    "x" = a[3].b                             | (same a[3] b:x)
                    a[@n] = 1.5                              | (same a[7] (range  [1.5;1.5]))
                    a[0] = true                              | (same a[0] (equals  true))
                    a[0] < 5                                 | (same a[0] (range  [;5>))
                    m{"k"} = "v"                             | m{"k"}:v
                    "title" contains "blue"                  | title:blue
                    "a"[3] = "x" and 'a'[1].b contains "y" and "m"{"k"} = 5 | (and (same a[3] :x) (same a[1] b:y) (range m{"k"} [5;5]))
                    "year" = 5 and 5 > "year"                | (and (range year [5;5]) (range year [;5>))
                    'title' matches "^b" and range("year", 1, 2) and "year" in (3) | (and (regex title ^b) (range year [1;2]) (in year 3))
                    {targetHits:1}nearestNeighbor("v", "q")  | (nearest v q 1)
                    geoBoundingBox("p", 1, 2, 3, 4)          | (box p 1.0 2.0 3.0 4.0)
                    geoLocation("p", "63.5", "10.5", "1 deg") | (circle p 63.5 10.5 1.0)
                    geoLocation(p, "E10.5", "N63.5", "1 deg") | (circle p 63.5 10.5 1.0)
                    geoLocation(p, "10.5W", 63.5, "1 d")     | (circle p 63.5 -10.5 1.0)
                    geoLocation(p, 10.5, "63.5S", "68.939 miles") | (circle p -63.5 10.5 1.0)
                    geoLocation(p, 1, 2, "137.878 mi") and geoLocation(p, 1, 2, "110946m") | (and (circle p 1.0 2.0 2.0) (circle p 1.0 2.0 1.0))
                    title contains phrase("a", alternatives({"b": 1.0, "c": 0.5}), "d e") | (equiv (phrase title a b "d e") {weight 50}(phrase title a c "d e"))
                    title contains phrase(alternatives({"a": 1.0, "b": 0.5}), alternatives({"c": 0.8, "d": 0.4})) | (equiv {weight 80}(phrase title a c) {weight 40}(phrase title a d) {weight 50}(phrase title b c) {weight 40}(phrase title b d))
                    title contains phrase(alternatives({"a": 1.0, "b": 0.5})) | (equiv title:a {weight 50}title:b)
                    title contains phrase(alternatives({"a": 1.0, "b": 0.5}), fuzzy("c")) | (onear title 1 (equiv title:a {weight 50}title:b) (fuzzy title c 2))
                    title contains near("x", phrase("a", alternatives({"b": 1.0, "c": 0.5}))) | (near title 2 title:x (equiv (phrase title a b) {weight 50}(phrase title a c)))
                    title contains equiv("x", phrase("a", alternatives({"b": 1.0, "c": 0.5}))) | (equiv title:x (equiv (phrase title a b) {weight 50}(phrase title a c)))
                    title contains phrase("a", alternatives({"b": 1.0})) | (phrase title a b)
                    title contains near("a", alternatives({"b": 1.0, "c": 0.5})) | (near title 2 title:a (equiv title:b {weight 50}title:c))
                    title contains ({distance:5}onear("a", equiv("b", "c"), !"d", !phrase("e", "f"))) | (onear title 5 title:a (equiv title:b title:c) (not 3 title:d (phrase title e f)))
                    m{"k"} contains "v"                      | m{"k"}:v
                    m{"k"} = 5                               | (range m{"k"} [5;5])
                    range(m{"k"}.size, 1, 2)                 | (range m{"k"}.size [1;2])
                    a[3] = 1                                 | (same a[3] (range  [1;1]))
                    a[3].b contains "x"                      | (same a[3] b:x)
                    weightedSet(w, {"a":1, b:2})             | (weighted w a:1 b:2)
                    weightedSet(w, [[11,1],[22,2]])          | (weighted w 11:1 22:2)
                    weightedSet(w, @weights)                 | (weighted w a:1 b:2 7:3)
                    dotProduct(w, @pairs)                    | (dot w 1:10 2:20)
                    {scoreThreshold: 13}wand(w, {"a":1})     | (dot w above 13.0 a:1)
                    geoLocation(p, 63.5, 10.5, "110.946 km") | (circle p 63.5 10.5 1.0)
                    geoLocation(p, "N63.5", "W10", "-1 m")   | (circle p 63.5 -10.0 -9.013393903340364E-6)
                    geoBoundingBox(p, -1, "W2.5", 3, 4)      | (box p -1.0 -2.5 3.0 4.0)
                    labeled(a contains "x", "l", 5)          | a:x
                    a contains ({andSegmenting:true}"x-y")   | (and a:x a:y)
                    a contains phrase("x", ({stem:false}"y")) | (phrase a x y)
                    predicate(p, {a:"b"}, {c:1})             | (predicate p a:b c=1)
                    predicate(p, {"a":["b", "c"]}, 0)        | (predicate p a:b a:c)
                    predicate(p, 0, {"c":20L, d:-1})         | (predicate p c=20 d=-1)
                    offset > 1 and limit < 2 and where = 3 and order = 4 | (and (range offset <1;]) (range limit [;2>) (range where [3;3]) (range order [4;4]))
                    """)
    void readsConditions(String where, String tree) {
        assertThat(tree("select * from sources * where " + where)).isEqualTo(tree);
    }

    @Test
    void keepsConditionsOfOneAndTogetherWhereverParenthesesAre() {
        assertThat(
                        tree(
                                "select * from s where (({targetHits:5}nearestNeighbor(v, q) and a"
                                        + " contains 'x') and !(b contains 'y')) and c contains 'z'"))
                .isEqualTo("(without (and (nearest v q 5) a:x c:z) b:y)");
    }

    @Test
    void readsEveryClause() {
        YqlQuery query =
                parse(
                        """
                        SELECT title, body  // the rest is not wanted
                        FROM SOURCES music, films.old /* two */ WHERE title contains "blue"
                        ORDER   BY year DESC, "[rank]", title asc, 'a.b'
                        LIMIT 30 OFFSET 10 TIMEOUT 250; # the end\
                        """);

        assertThat(query.select().fields()).containsExactly("title", "body");
        assertThat(query.select().sources()).containsExactly("music", "films");
        assertThat(QueryText.of(query.tree())).isEqualTo("title:blue");
        assertThat(query.sorting())
                .containsExactly(
                        new SortKey.FieldValueOf("year", false),
                        new SortKey.Relevance(false),
                        new SortKey.FieldValueOf("title", true),
                        new SortKey.FieldValueOf("a.b", true));
        assertThat(query.window().limit()).hasValue(30);
        assertThat(query.window().hits()).hasValue(20);
        assertThat(query.window().offset()).hasValue(10);
        assertThat(query.timeout()).hasValue(Duration.ofMillis(250));
    }

    @Test
    void sortsByIdsAndByCase() {
        assertThat(
                        parse(
                                        "select * from s where true order by '[docid]' desc,"
                                                + " {function: 'raw'}title, [{function:"
                                                + " 'lowercase'}]name, {function: 'uca', locale:"
                                                + " 'de_AT', strength: 'SECONDARY'}name desc,"
                                                + " {function: 'UCA'}title")
                                .sorting())
                .containsExactly(
                        new SortKey.DocumentIds(false),
                        new SortKey.FieldValueOf("title", true).with(new TextOrder.Raw()),
                        new SortKey.FieldValueOf("name", true).with(new TextOrder.LowerCase()),
                        new SortKey.FieldValueOf("name", false)
                                .with(
                                        new TextOrder.Collated(
                                                Optional.of("de_AT"),
                                                Optional.of(TextOrder.Strength.SECONDARY))),
                        new SortKey.FieldValueOf("title", true)
                                .with(new TextOrder.Collated(Optional.empty(), Optional.empty())));
    }

    @Test
    void leavesOpenWhatIsNotSaid() {
        YqlQuery query = parse("select * from sources *");

        assertThat(query)
                .isEqualTo(
                        new YqlQuery(
                                new QueryNode.All(),
                                new YqlQuery.Select(List.of(), List.of()),
                                List.of(),
                                YqlQuery.Window.NONE,
                                Optional.empty(),
                                List.of()));
        assertThat(query.window().hits()).isEmpty();
    }

    @Test
    void readsNumbersOfTheWindowFromParameters() {
        YqlQuery query = parse("select * from s where true limit @n offset 9 timeout @n");

        assertThat(query.window().hits()).hasValue(0);
        assertThat(query.timeout()).hasValue(Duration.ofMillis(7));
    }

    @Test
    void letsASchemaBeCalledSources() {
        assertThat(parse("select * from sources where true").select().sources())
                .containsExactly("sources");
        assertThat(parse("select * from sources").select().sources()).containsExactly("sources");
        assertThat(parse("select * from sources sources").select().sources())
                .containsExactly("sources");
        assertThat(parse("select * from a, b limit 1").select().sources())
                .containsExactly("a", "b");
    }

    @Test
    void pointsAtThePlace() {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s\nwhere title contains and"))
                .withMessage(
                        """
                        Could not create query from YQL: query:L2:21 expected a condition or a \
                        value, got 'and' at input 'title contains and'
                          where title contains and
                                               ^\
                        """);
    }

    @Test
    void showsTheSurroundingsOfAPlaceInALongLine() {
        String filler = "a contains 'x' or ".repeat(20);
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + filler + "b ~ 1 or\t" + filler))
                .withMessage(
                        """
                        Could not create query from YQL: query:L1:384 token recognition problem at '~'
                          ... or a contains 'x' or a contains 'x' or a contains 'x' or b ~ 1 or a \
                        contains 'x' or a contains 'x' or a contains 'x' or...
                                                                                         ^\
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a != 1                       | 2  | expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL, LITERAL, NOT or IN, got '!='
                    a like "x"                   | 2  | expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL, LITERAL, NOT or IN, got 'like'
                    a not in (1)                 | 2  | expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL, LITERAL, NOT or IN, got 'not in'
                    a is not null                | 2  | expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL, LITERAL, NOT or IN, got 'is not null'
                    not a contains "x"           | 0  | 'not' comes before 'in', 'like' or 'matches'; write ! to negate
                    nearest(a, b)                | 0  | expected one of the functions dotProduct, geoBoundingBox, geoLocation, labeled, nearestNeighbor, nonEmpty, predicate, range, rank, userInput, userQuery, wand, weakAnd, weightedSet, got 'nearest'
                    a contains phrases("x")      | 11 | expected one of the functions alternatives, equiv, fuzzy, near, onear, phrase, regex, sameElement, text, uri, got 'phrases'
                    range(a, 1)                  | 0  | range(): Expected 3 arguments, got 2.
                    rank()                       | 0  | rank(): Expected 1 or more arguments, got 0.
                    a contains phrase()          | 11 | phrase(): Expected 1 or more arguments, got 0.
                    range(a, 1, "x")             | 12 | expected numerical argument (or 'Infinity') to range, got "x"
                    a = "x"                      | 4  | '=' compares numbers and booleans; for text use contains
                    a contains 5                 | 11 | expected a string for contains, got 5
                    a contains b                 | 11 | expected a string for contains, got 'b'
                    a > true                     | 4  | expected a number for '>', got true
                    a > @q                       | 4  | expected a number for '>', got @q = "blue whale"
                    a matches "*"                | 10 | the regular expression '*' is wrong: missing argument to repetition operator at index 0
                    a matches "(?i)[\\u0080-\\uffff]" | 10 | the regular expression has characters from U+1C80 to U+1C88, whose case cannot be ignored
                    a contains near(!"x")        | 11 | near(): at least one positive term is needed
                    a contains near("x", !"y", "z") | 27 | near(): positive terms must precede negative ones
                    a contains ({distance:-1}near("x")) | 13 | expected a number from 0 on for annotation 'distance', got -1
                    a contains near(sameElement("x")) | 16 | expected a word, phrase(), equiv(), alternatives(), fuzzy() or regex() for near, got sameElement()
                    a contains equiv("b", fuzzy("x")) | 22 | expected a word, phrase(), equiv() or alternatives() for equiv, got fuzzy()
                    a contains regex("(")        | 17 | the regular expression '(' is wrong: missing closing ) at index 0
                    a contains phrase("b", regex("*")) | 29 | the regular expression '*' is wrong: missing argument to repetition operator at index 0
                    a contains equiv("x")        | 11 | equiv(): Expected 2 or more arguments, got 1.
                    a contains alternatives("x") | 11 | alternatives() expects a map of words and how exact they are
                    a contains fuzzy("x", 2)     | 11 | fuzzy(): Expected 1 argument, got 2.
                    a contains sameElement()     | 11 | sameElement(): Expected 1 or more arguments, got 0.
                    a contains sameElement(weakAnd(b contains "x")) | 23 | weakAnd() cannot be used inside sameElement()
                    a contains sameElement("x" and !weakAnd("y")) | 32 | weakAnd() cannot be used inside sameElement()
                    a contains sameElement(b contains "x" and c contains sameElement(d contains "y")) | 53 | sameElement() cannot be used inside sameElement(): name parts of inner elements by their path, such as inner.name
                    a contains sameElement("x" and null) | 31 | expected a condition, got null
                    a[1.5] = 1                   | 2  | element ids must be integer and non-negative, got 1.5
                    a[-1] = "x"                  | 2  | element ids must be integer and non-negative, got -1
                    a[1] = null                  | 7  | expected a number for '=', got null
                    a[1] = b                     | 7  | expected a number for '=', got 'b'
                    a[1] < "x"                   | 7  | expected a number for '<', got "x"
                    "a" = "x"                    | 6  | '=' compares numbers and booleans; for text use contains
                    a contains fuzzy("")         | 17 | fuzzy() got an empty text
                    a contains near("b", fuzzy("")) | 27 | fuzzy() got an empty text
                    a contains phrase("b", near("c")) | 23 | expected a string for phrase(), got near()
                    geoLocation(p, "N63.5", "S10", "1 km") | 15 | expected degrees from -180 to 180, or such as "E63.4" for a place, got "N63.5"
                    geoLocation(p, "E63.5", "W10", "1 km") | 24 | expected degrees from -90 to 90, or such as "N63.4" for a place, got "W10"
                    geoLocation(p, 1, 2, "5")    | 21 | expected a number and km, m, miles, mi, deg or d for a radius, got "5"
                    geoLocation(p, 1, 2, 5)      | 21 | expected a string for a radius such as "10 km", got 5
                    predicate(p, {a:{b:"c"}}, 0) | 16 | predicate(): subqueries are not built
                    predicate(p, "a", 0)         | 13 | expected a map of attributes for predicate(), got "a"
                    predicate(p, 0, {a:1.5})     | 19 | expected a whole number for predicate(), got 1.5
                    geoBoundingBox(p, "E1", 2, 3, 4) | 18 | expected degrees from -90 to 90, or such as "N63.4" for a place, got "E1"
                    a[-1] = 1                    | 2  | element ids must be integer and non-negative, got -1
                    a contains ({elementFilter:"x"}"y") | 27 | element ids must be integer and non-negative, got "x"
                    weightedSet(a, "x")          | 15 | expected a map of values and weights for weightedSet(), got "x"
                    weightedSet(a, @q)           | 15 | the request parameter 'q' is no map of values and weights: blue whale
                    wand(a, {"x":"y"})           | 13 | expected a number for a weight in wand(), got "y"
                    geoLocation(p, 91, 0, "1 km") | 15 | expected degrees from -90 to 90, or such as "N63.4" for a place, got 91
                    geoLocation(p, 1, 0, "1 parsec") | 21 | expected a number and km, m, miles, mi, deg or d for a radius, got "1 parsec"
                    geoLocation(p, 1, 0)         | 0  | geoLocation(): Expected 4 arguments, got 3.
                    a > @nowhere                 | 4  | missing query property 'nowhere'
                    a in (1.5)                   | 6  | expected whole numbers or strings for in, got 1.5
                    a + 1 > 2                    | 2  | '+' is not possible: fields are compared with constants
                    a contains ({prefix:true, suffix:true}"x") | 26 | only one of prefix, substring and suffix may be set
                    a contains ({prefix:"yes"}"x") | 20 | expected true or false for annotation 'prefix' (whether the word is a beginning), got "yes"
                    a contains ({weight:1.5}"x") | 20 | expected a whole number of 32 bits for annotation 'weight' (the weight in percent), got 1.5
                    {bounds:"half"}range(a,1,2)  | 1  | expected open, leftOpen or rightOpen for annotation 'bounds', got "half"
                    userInput(@empty)            | 0  | userInput() got no words; {allowEmpty: true} lets it match nothing
                    {grammar:"prog"}userInput(@q) | 1 | expected one of weakAnd, all, any, web, phrase, near, oNear, tokenize, linguistics, raw for annotation 'grammar', got "prog"
                    a                            | 0  | expected a condition, got 'a'
                    "a"                          | 0  | expected a condition, got "a"
                    (a contains "x"              | 15 | expected ')', got the end at input 'contains "x"'
                    a contains "x                | 11 | a string that is not closed
                    a contains "\\x"             | 12 | expected one of \\b \\t \\n \\f \\r \\" \\' \\\\ \\/ \\u in a string
                    a contains "\\ud83d"         | 11 | a string that contains half of a surrogate pair
                    a contains "\\u12g4"         | 12 | expected four hexadecimal digits after \\u
                    a contains @                 | 11 | expected the name of a parameter after '@'
                    a > 5x                       | 4  | a number ends in 'x'
                    a > 9223372036854775808      | 4  | 9223372036854775808 does not fit 64 bits
                    a /* open                    | 2  | a comment that is not closed
                    true order by [{"function":"uca", "locale":"4 you"}]a | 14 | order by function uca: expected a language tag such as de or en-US, got '4 you'
                    true order by {function:"uca", strength:"high"}a | 14 | order by function uca: expected a strength of primary, secondary, tertiary, quaternary, identical, got 'high'
                    true order by {function:"x"}a | 14 | expected uca, lowercase or raw for annotation 'function', got "x"
                    true order by "[sauce]"      | 14 | expected [rank], [docid], [source] or a field, got "[sauce]"
                    true order by m{5}           | 16 | expected the key of a map, got '5' at input 'm{5'
                    true order a                 | 11 | expected 'by', got 'a' at input 'true order a'
                    true limit -1                | 11 | expected a whole number or a parameter after 'limit', got '-' at input 'true limit -'
                    true limit @q                | 11 | expected a whole number from 0 on for limit, got 'blue whale'
                    true limit 99999999999       | 11 | limit 99999999999 is too large
                    true limit 1 limit 2         | 13 | expected the end of the statement, got 'limit' at input 'limit 1 limit'
                    """)
    void saysWhatIsWrongAndWhere(String where, int column, String problem) {
        String start = "select * from s where ";
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse(start + where))
                .withMessageStartingWith(
                        "Could not create query from YQL: query:L1:%d %s\n"
                                .formatted(start.length() + column, problem))
                .extracting(YqlSyntaxException::kind)
                .isEqualTo(YqlSyntaxException.Kind.STATEMENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    nearestNeighbor(v, q) | expected {targetHits: a number} before nearestNeighbor()
                    {targetHits:0}nearestNeighbor(v, q) | expected at least 1 for annotation 'targetHits', got 0
                    {targetHits:1,totalTargetHits:1}nearestNeighbor(v, q) | expected one of targetHits and totalTargetHits, got both
                    nonEmpty({allowEmpty:true}userInput(@empty)) | nonEmpty() got an empty condition
                    """)
    void distinguishesWrongNumbersFromBadStatements(String where, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + where))
                .withMessageContaining(problem)
                .extracting(YqlSyntaxException::kind)
                .isEqualTo(YqlSyntaxException.Kind.VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                      | 0  | expected 'select', got the end
                    delete from s           | 0  | expected 'select', got 'delete'
                    select                  | 6  | expected a field or '*', got the end
                    select * where true     | 9  | expected 'from', got 'where'
                    select * from sources *, a | 23 | expected the end of the statement, got ','
                    select * from "s"       | 14 | expected a source, got "s"
                    """)
    void saysWhatAStatementLacks(String statement, int column, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse(statement))
                .withMessageStartingWith(
                        "Could not create query from YQL: query:L1:" + column + " " + problem);
    }

    @Test
    void readsGroupingsBehindPipes() {
        YqlQuery query =
                parse(
                        "select * from s where true limit 0 | all(group(a) each(output(count())))"
                                + " | {'continuations':['BGAAABEBEBC', @n]}all(group(b.c)) ;");

        assertThat(query.groupings())
                .extracting(grouping -> grouping.operation().text())
                .containsExactly("all(group(a) each(output(count())))", "all(group(b.c))");
        assertThat(query.groupings())
                .extracting(YqlGrouping::continuations)
                .containsExactly(List.of(), List.of("BGAAABEBEBC", "7"));
    }

    @Test
    void pointsIntoGroupings() {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where true | all(grup(a))"))
                .withMessage(
                        """
                        Could not create query from YQL: query:L1:33 expected a clause such as \
                        output(...), an operation or ')', got 'grup'
                          select * from s where true | all(grup(a))
                                                           ^\
                        """);
    }

    @Test
    void boundsLength() {
        String where = "a > 1 or ".repeat(YqlLexer.MAX_TOKENS / 4) + "a > 1";
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + where))
                .withMessageContaining("a statement of more than 100000 tokens");
    }

    @Test
    void boundsNesting() {
        String deep = "(".repeat(10_000) + "true" + ")".repeat(10_000);
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + deep))
                .withMessageContaining("an expression nested deeper than 200");
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + "!".repeat(10_000) + "true"))
                .withMessageContaining("an expression nested deeper than 200");
        String regex = "(?:".repeat(3_000) + "a" + ")*".repeat(3_000);
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where a matches '" + regex + "'"))
                .withMessageContaining("groups more than 200 deep in each other");
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where a matches '((a{999}){999}){999}'"))
                .withMessageContaining("more than 10000 steps with all its repetitions");
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> parse("select * from s where " + "{a:1}".repeat(10_000) + "true"))
                .withMessageContaining("an expression nested deeper than 200");
    }

    private static String tree(String statement) {
        return QueryText.of(parse(statement).tree());
    }

    private static YqlQuery parse(String statement) {
        return YqlParser.parse(statement, REQUEST);
    }
}
