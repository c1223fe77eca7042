package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the specification says that groupings come to, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupingVectorsIT {
    private static final String SCHEMA =
            """
            schema thing {
              document thing {
                field a type string { indexing: attribute | summary }
                field b type int { indexing: attribute | summary }
                field price type int { indexing: attribute | summary }
                field date type long { indexing: attribute | summary }
                field cat type string { indexing: attribute | summary }
                field flag type bool { indexing: attribute | summary }
                field f type float { indexing: attribute | summary }
                field n type int { indexing: attribute | summary }
                field s type string { indexing: attribute | summary }
                field subject type string { indexing: index | summary }
                field m type map<string, int> { indexing: summary }
                field ints type array<int> { indexing: attribute | summary }
                field longs type array<long> { indexing: attribute | summary }
                field pos type position { indexing: attribute | summary }
              }
              document-summary normal { summary a {} summary documentid {} }
            }
            """;

    /** What is made of the first document, and the groups that it is in. */
    private static final String FUNCTIONS =
            """
            add(b, 2, 3) | long:6
            b + 2.5 | double:3.5
            sub(price, 1, 2) | long:7
            mul(price, 2) | long:20
            div(7, 2) | long:3
            div(7.0, 2) | double:3.5
            div(7, 0) | long:0
            mod(-7, 4) | long:-3
            7 % 0 | long:0
            neg(b) | long:-1
            -b * 2 | long:-2
            and(12, 10) | long:8
            or(12, 10) | long:14
            xor(12, 10) | long:6
            min(3, 2, 5) | long:2
            max(3, 2.5) | double:3.0
            cat("ab", s) | raw:YWJiYWE=
            cat(b) | raw:AAAAAQ==
            cat(date) | raw:AAAAAEjrseM=
            cat(ints) | raw:AAAACgAAABQ=
            strcat("x", b, 2.5, f) | string:x12.52.0999999046325684
            strlen(s) | long:3
            size(ints) | long:2
            size(b) | long:1
            strcat(reverse(ints)) | string:2010
            strcat(sort(reverse(ints))) | string:1020
            tostring(b) | string:1
            tolong(-2.5) | long:-3
            tolong("nine") | long:0
            todouble("1.5") | double:1.5
            toraw(s) | raw:YmFh
            math.floor(math.exp(1) * 1000000) | double:2718281.0
            math.floor(math.log(2) * 1000000) | double:693147.0
            math.floor(math.log1p(1) * 1000000) | double:693147.0
            math.log10(1000) | double:3.0
            math.floor(math.sqrt(2) * 1000000) | double:1414213.0
            math.cbrt(27) | double:3.0
            math.floor(math.sin(1) * 1000000) | double:841470.0
            math.floor(math.cos(1) * 1000000) | double:540302.0
            math.floor(math.tan(1) * 1000000) | double:1557407.0
            math.floor(math.asin(0.5) * 1000000) | double:523598.0
            math.floor(math.acos(0.5) * 1000000) | double:1047197.0
            math.floor(math.atan(1) * 1000000) | double:785398.0
            math.floor(math.sinh(1) * 1000000) | double:1175201.0
            math.floor(math.cosh(1) * 1000000) | double:1543080.0
            math.floor(math.tanh(1) * 1000000) | double:761594.0
            math.floor(math.asinh(1) * 1000000) | double:881373.0
            math.floor(math.acosh(2) * 1000000) | double:1316957.0
            math.floor(math.atanh(0.5) * 1000000) | double:549306.0
            math.floor(-2.1) | double:-3.0
            math.pow(2, 10) | double:1024.0
            math.hypot(3, 4) | double:5.0
            md5(n, 64) | raw:pU8AQanhWwU=
            md5(s, 128) | raw:jNzaeajcZqpscRyaAAsKwA==
            xorbit(s, 8) | raw:Yg==
            fixedwidth(-7, 5) | long_bucket:-10:-5
            fixedwidth(7.5, 5) | double_bucket:5.0:10.0
            predefined(b, bucket[1, 2>) | long_bucket:1:2
            predefined(b, bucket(2, inf>) | null
            predefined(f, bucket<-inf, 2.2]) | double_bucket:-Infinity:2.2000000000000006
            interpolatedlookup(ints, 15) | double:0.5
            interpolatedlookup(ints, 99) | double:1.0
            array.at(ints, 1) | long:20
            array.at(ints, 9) | long:20
            time.year(date) | long:2008
            time.monthofyear(date) | long:10
            time.dayofmonth(date) | long:7
            time.dayofyear(date) | long:280
            time.dayofweek(date) | long:2
            time.isodayofweek(date) | long:2
            time.hourofday(date) | long:19
            time.minuteofhour(date) | long:0
            time.secondofminute(date) | long:51
            time.date(date) | string:2008-10-7
            time.bucket(date, "1h") | long:1223406000
            zcurve.x(pos) | long:10000000
            zcurve.y(pos) | long:70100000
            geo_distance(pos, 70.1, 10.0).km | double:0.0
            math.floor(geo_distance(attribute(pos), 71.1, 10.0).miles) | double:69.0
            uca(s, "sv", "secondary") | raw:LSsrAQcA
            normalizesubject(subject) | string:hello
            docidnsspecific() | string:d1
            relevance() | double:0.0
            min(now(), 1700000000) | long:1700000000
            attribute(b) | long:1
            0x1F + 010 + 7L | long:46
            'it' | string:it
            m{"foo"} | long:10
            m{foo} | long:10
            m.value | long:10 long:20
            ints | long:10 long:20
            """;

    private static final String ALL = "select * from thing where true limit 0 | ";

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("thing", SCHEMA));
        server.put(
                "n/thing/group/v/d1",
                """
                {"a":"x","b":1,"price":10,"date":1223406051,"cat":"bar","flag":true,"f":2.1,"n":-1,
                 "s":"baa","subject":"Re: hello","m":{"foo":10,"bar":20},"ints":[10,20],
                 "longs":[7,7],"pos":{"lat":70.1,"lng":10.0}}\
                """);
        server.put(
                "n/thing/group/v/d2",
                """
                {"a":"x","b":2,"price":50,"date":1226862051,"cat":"foo","flag":false,"f":9.9,"n":0,
                 "s":"bab","subject":"FW: hello","m":{"foo":5}}\
                """);
        server.put(
                "n/thing/group/v/d3",
                """
                {"a":"y","b":3,"price":150,"cat":"big","flag":true,"f":0.5,"n":4,"s":"bac",
                 "subject":"Fwd: hello"}\
                """);
        server.put("n/thing/group/v/d4", "{}");
    }

    /** Of documents 1 to 4, of which the last has no values. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    all(group(n) each(output(count()))) | [ long:-1{count():1} long:0{count():2} long:4{count():1}]
                    all(group(f) each(output(count()))) | [ double:0.0{count():1} double:0.5{count():1} double:2.0999999046325684{count():1} double:9.899999618530273{count():1}]
                    all(group(s) each(output(count()))) | [ string:{count():1} string:baa{count():1} string:bab{count():1} string:bac{count():1}]
                    all(group(flag) each(output(count()))) | [ bool:false{count():2} bool:true{count():2}]
                    all(group(time.year(date)) each(output(count()))) | [ long:1970{count():2} long:2008{count():2}]
                    all(group(time.dayofweek(1223406051)) each(output(count()))) | [ long:2{count():4}]
                    all(group(time.isodayofweek(1223406051)) each(output(count()))) | [ long:2{count():4}]
                    all(group(time.dayofyear(1223406051)) each(output(count()))) | [ long:280{count():4}]
                    all(group(time.date(1223406051)) each(output(count()))) | [ string:2008-10-7{count():4}]
                    all(group(time.bucket(1223406051,"1d")) each(output(count()))) | [ long:1223337600{count():4}]
                    all(group(time.bucket(1223406051,"1mo","Asia/Tokyo")) each(output(count()))) | [ long:1222786800{count():4}]
                    all(group(fixedwidth(n,3)) each(output(count()))) | [ long_bucket:-3:0{count():1} long_bucket:0:3{count():2} long_bucket:3:6{count():1}]
                    all(group(fixedwidth(f,0.5)) filter(range(9,10,f)) each(output(count()))) | [ double_bucket:9.5:10.0{count():1}]
                    all(group(predefined(price,bucket[5,20>,bucket[40,60>)) each(output(count()))) | [ null{count():2} long_bucket:5:20{count():1} long_bucket:40:60{count():1}]
                    all(group(predefined(s,bucket[-inf,"bab">,bucket["bab"],bucket<"bab",inf])) each(output(count()))) | [ string_bucket::bab{count():2} string_bucket:bab:bab {count():1} string_bucket:bab :{count():1}]
                    all(group(a) order(-count(),min(b)) each(output(sum(s),avg(s),xor(s),stddev(s),min(s),max(s)))) | [ string:x{sum(s):0.0,avg(s):0.0,xor(s):0,stddev(s):0.0,min(s):baa,max(s):bab} string:{sum(s):0.0,avg(s):0.0,xor(s):0,stddev(s):0.0,min(s):,max(s):} string:y{sum(s):0.0,avg(s):0.0,xor(s):0,stddev(s):0.0,min(s):bac,max(s):bac}]
                    all(group(a) filter(regex("y",a)) each(output(max(longs),min(longs),avg(longs)))) | [ string:y{max(longs):-9223372036854775808,min(longs):9223372036854775807,avg(longs):0.0}]
                    all(output(quantiles([0.5,0.9],f))) | {quantiles([0.5,0.9],f):[{quantile:0.5,value:0.5},{quantile:0.9,value:9.899999618530273}]}
                    all(group(md5(n,64)) filter(range(0,1,n)) each(output(count()))) | [ raw:8dP/hEMpdzI={count():2}]
                    all(group(strlen(uca(""))) each(output(count()))) | [ long:1{count():4}]
                    all(group(tolong(9.9)) each(output(count()))) | [ long:10{count():4}]
                    all(group(tolong("9.9")) each(output(count()))) | [ long:9{count():4}]
                    all(group(tolong("0x1F")) each(output(count()))) | [ long:31{count():4}]
                    all(group(normalizesubject(subject)) each(output(count()))) | [ string:{count():1} string:hello{count():3}]
                    all(group(m{"foo"}) each(output(count()))) | [ long:5{count():1} long:10{count():1}]
                    all(group(a) filter(regex("y",a)) each(output(sum(m{"foo"})))) | [ string:y{sum(m{\\foo\\}):0}]
                    all(group(m.key) each(output(sum(m.value)))) | [ string:bar{sum(m.value):20} string:foo{sum(m.value):15}]
                    all(group(a) filter(range(0,2,b)) each(group(m.key) each(group(m.value+ints) each(output(count()))))) | [ string: string:x [ string:bar [ long:30{count():1} long:40{count():1}] string:foo [ long:20{count():1} long:30{count():1}]]]
                    all(group(strcat(m.key,m.value)) filter(range(1,2,b)) each(output(count()))) | [ string:foobar1020{count():1}]
                    all(group(m.key) filter(range(1,2,b)) each(group(strcat(m.key,m.value)) each(output(count())))) | [ string:bar [ string:bar20{count():1}] string:foo [ string:foo10{count():1}]]
                    all(group(docidnsspecific()) each(output(count()))) | [ string:d1{count():1} string:d2{count():1} string:d3{count():1} string:d4{count():1}]
                    all(group(a) output(count())) | {count():3}
                    all(group(a) having(count() >= 2) each(output(count()))) | [ string:x{count():2}]
                    all(group(a) having(count() < 2 and max(b) > 2) each(output(max(b)))) | [ string:y{max(b):3}]
                    all(group(a) max(1) order(-count()) having(count() = 1) output(count()) each(output(count()))) | {count():2} [ string:{count():1}]
                    all(group(a) having(avg(b) != 1.5) order(max(b)) each(output(count()))) | [ string:{count():1} string:y{count():1}]
                    all(group(a) each(group(b) having(count() > 1) each(output(count())))) | [ string: string:x string:y]
                    all(group(a) having(count() > 1 or max(b) > 2) each(output(count()))) | [ string:x{count():2} string:y{count():1}]
                    all(group(a) having(not (count() > 1 or max(b) > 2)) each(output(count()))) | [ string:{count():1}]
                    all(group(a) having((count() + 1) * 2 = 6 or (max(b) > 2 and count() > 1)) each(output(count()))) | [ string:x{count():2}]
                    all(group(longs) each(output(count(), countdocs()))) | [ long:7{count():2,countdocs():1}]
                    all(group(a) filter(range(1,4,b)) order(-countdocs()) each(output(countdocs()) all(group(longs) having(countdocs() < count()) each(output(count()))))) | [ string:x{countdocs():2} [ long:7{count():2}] string:y{countdocs():1}]
                    all(output(count(), countdocs())) | {count():4,countdocs():4}
                    all(group(fixedwidth(price,50)) fill() each(output(count(),sum(b),avg(b)))) | [ long_bucket:0:50{count():2,sum(b):1,avg(b):0.5} long_bucket:50:100{count():1,sum(b):2,avg(b):2.0} long_bucket:100:150{count():0,sum(b):0,avg(b):0.0} long_bucket:150:200{count():1,sum(b):3,avg(b):3.0}]
                    all(group(fixedwidth(f,2.5)) fill(5,15) max(9) output(count()) each(output(max(b)))) | {count():5} [ double_bucket:0.0:2.5{max(b):3} double_bucket:5.0:7.5{max(b):-9223372036854775808} double_bucket:7.5:10.0{max(b):2} double_bucket:10.0:12.5{max(b):-9223372036854775808} double_bucket:12.5:15.0{max(b):-9223372036854775808}]
                    all(group(time.bucket(date,"2w","Europe/Oslo")) filter(range(1,inf,date)) fill() each(output(count()))) | [ long:1223244000{count():1} long:1224453600{count():0} long:1225666800{count():1}]
                    all(group(time.dayofweek(date)) filter(range(1,inf,date)) fill(0,7) each(output(count()))) | [ long:0{count():1} long:1{count():0} long:2{count():1} long:3{count():0} long:4{count():0} long:5{count():0} long:6{count():0}]
                    all(group(predefined(price,bucket[5,20>,bucket[20,40>,bucket[40,60>)) fill() each(output(count()))) | [ null{count():2} long_bucket:5:20{count():1} long_bucket:20:40{count():0} long_bucket:40:60{count():1}]
                    all(group(n) fill(1,4) having(count() = 0) max(2) each(output(count()))) | [ long:1{count():0} long:2{count():0}]
                    all(group(a) filter(regex("x",a)) each(group(n) fill(0,2) each(output(count()) each(output(summary(normal))))) as(inner)) | [ string:x [ long:-1{count():1} [ d1] long:0{count():1} [ d2] long:1{count():0}]]
                    all(group(n) filter(range(50,51,b)) fill(0,2) each(output(count()))) | [ long:0{count():0} long:1{count():0}]
                    all(group(a) fill() each(output(count()))) | !grouping by a: fill(...) is for whole numbers, fixedwidth(...), time.bucket(...) and predefined(...)
                    all(group(date) fill() each(output(count()))) | !fill() makes more than 100000 groups by date; give bounds
                    all(group(a) having(a > 1) each(output(count()))) | !a is a value of a document
                    all(group(a) having(count() > 1) output(count())) | !having(...) needs an each(...)
                    all(group(a) having(count()) each(output(count()))) | !expected one of =, !=, <, <=, > and >=
                    all(having(count() > 1) output(count())) | !having(...) needs a group(...)
                    all(group(5-b/2*2) each(output(count()))) | [ long:5{count():4}]
                    all(group(a+1) each(output(count()))) | [ long:1{count():4}]
                    all(group(unknown) each(output(count()))) all(group(a) output(count())) | !expected '|' or the end
                    """)
    void groupsAs(String grouping, String expected) throws Exception {
        if (expected.startsWith("!")) {
            Http.Answer answer = server.search("streaming.groupname", "v", "yql", ALL + grouping);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.toString()).contains(expected.substring(1));
            return;
        }
        JsonNode root = server.root("streaming.groupname", "v", "yql", ALL + grouping);

        assertThat(StreamingServer.groups(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = FUNCTIONS)
    void makesOfADocument(String expression, String expected) throws Exception {
        String yql =
                "select * from thing where b = 1 limit 0 | all(group("
                        + expression
                        + ") each(output(count())))";

        JsonNode root = server.root("streaming.groupname", "v", "ranking", "unranked", "yql", yql);

        String groups = StreamingServer.groups(root).replace("{count():1}", "");
        assertThat(groups.replaceAll("^\\[ |]$", "")).isEqualTo(expected);
    }

    /** The names of the specification, in its order. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "add sub mul div mod neg",
                "and or xor",
                "min max",
                "cat strcat strlen size sort reverse tostring tolong todouble toraw",
                "math.exp math.log math.log1p math.log10 math.sqrt math.cbrt math.sin math.cos",
                "math.tan math.asin math.acos math.atan math.sinh math.cosh math.tanh math.asinh",
                "math.acosh math.atanh math.floor math.pow math.hypot",
                "md5 xorbit fixedwidth predefined interpolatedlookup array.at",
                "time.year time.monthofyear time.dayofmonth time.dayofyear time.dayofweek",
                "time.hourofday time.minuteofhour time.secondofminute time.date time.bucket",
                "zcurve.x zcurve.y geo_distance uca normalizesubject docidnsspecific relevance",
                "now attribute"
            })
    void triesEveryFunction(String names) {
        assertThat(names.split(" ")).allMatch(name -> FUNCTIONS.contains(name + "("));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "all(group(a) max(5) each(max(69) output(count()) each(output(summary(normal)))))",
                "all(group(a) max(2) order(-count()) each(output(count())) as(foo)"
                        + " each(output(max(b))) as(bar))",
                "all(group(predefined(price,bucket(0,100),bucket[100,inf)))"
                        + " each(output(count(), avg(price))))",
                "all(group(time.year(date)) each(group(time.monthofyear(date))"
                        + " each(output(sum(price)))))",
                "all(group(a) order($cnt=count()) each(output($cnt)))",
                "all(max(2) all(group(a) each(output(count()))))",
                "all(where(true) all(group(f) each(output(count()))))",
                "all(group(cat) filter(regex(\"^b\", cat) or istrue(flag)) each(output(count())))"
            })
    void runsTheCookbook(String grouping) throws Exception {
        JsonNode root = server.root("streaming.groupname", "v", "yql", ALL + grouping);

        assertThat(root.has("errors")).as("%s", root).isFalse();
        assertThat(StreamingServer.groups(root)).contains(":");
    }

    @Test
    void keepsAnAnswerBesideAnUnknownField() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "v",
                        "yql",
                        ALL + "all(group(a) each(output(count(), sum(nowhere))))");

        assertThat(root.path("errors").path(0).path("code").asInt()).isEqualTo(8);
        assertThat(root.path("errors").path(0).path("message").asString()).contains("nowhere");
        assertThat(StreamingServer.groups(root)).contains("string:x{count():2");
    }

    @Test
    void groupsWhatDoesNotMatchWhereItIsAskedTo() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "v",
                        "yql",
                        "select * from thing where b > 100 limit 0"
                                + " | all(where(true) all(group(a) each(output(count()))))");

        assertThat(root.path("fields").path("totalCount").asInt()).isZero();
        assertThat(StreamingServer.groups(root))
                .isEqualTo("[ string:{count():1} string:x{count():2} string:y{count():1}]");
    }

    @Test
    void listsHitsAndShowsLabels() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "v",
                        "yql",
                        ALL
                                + "all(group(a) order(-count(), max(b)) max(1) each(output(count() as(how))"
                                + " max(2) each(output(summary(normal))) as(those)) as(these))");

        JsonNode list = root.path("children").path(0).path("children").path(0);
        assertThat(list.path("id").asString()).isEqualTo("grouplist:these");
        assertThat(list.path("label").asString()).isEqualTo("these");
        assertThat(list.path("continuation").path("next").asString()).isEqualTo("BGAAABEBCBC");
        assertThat(StreamingServer.groups(root)).isEqualTo("[ string:x{how:2} [ d1 d2]]");
    }

    @Test
    void pagesListsApartFromEachOther() throws Exception {
        String grouping =
                "all(group(a) order(-count(), min(b)) max(1) each(max(1) each(output(summary(normal)))))";
        JsonNode first = paged(grouping);
        assertThat(StreamingServer.groups(first)).isEqualTo("[ string:x [ d1]]");
        JsonNode list = first.path("children").path(0).path("children").path(0);
        JsonNode hits = list.path("children").path(0).path("children").path(0);
        String nextGroup = list.path("continuation").path("next").asString();
        String nextHit = hits.path("continuation").path("next").asString();

        JsonNode second = paged(grouping, "", nextHit);
        assertThat(StreamingServer.groups(second)).isEqualTo("[ string:x [ d2]]");
        String here = second.path("children").path(0).path("continuation").path("this").asString();
        JsonNode secondHits =
                second.path("children")
                        .path(0)
                        .path("children")
                        .path(0)
                        .path("children")
                        .path(0)
                        .path("children")
                        .path(0);
        assertThat(secondHits.path("continuation").has("next")).isFalse();
        String back = secondHits.path("continuation").path("prev").asString();

        assertThat(StreamingServer.groups(paged(grouping, here))).isEqualTo("[ string:x [ d2]]");
        assertThat(StreamingServer.groups(paged(grouping, here, back)))
                .isEqualTo("[ string:x [ d1]]");
        assertThat(StreamingServer.groups(paged(grouping, "", nextGroup)))
                .isEqualTo("[ string:y [ d3]]");
        assertThat(StreamingServer.groups(paged(grouping, "", "BGAABCBIBEBC")))
                .isEqualTo("[ string:x [ d1]]");
        JsonNode bySelect =
                server.root(
                        "streaming.groupname",
                        "v",
                        "query",
                        "b:>0",
                        "hits",
                        "0",
                        "select",
                        grouping,
                        "continue",
                        nextGroup);
        assertThat(StreamingServer.groups(bySelect)).isEqualTo("[ string:y [ d3]]");
    }

    @Test
    void saysWhereTheUsualLimitLeavesGroupsOut() throws Exception {
        for (String limit : new String[] {"", "max(3) "}) {
            JsonNode root =
                    server.root(
                            "streaming.groupname",
                            "v",
                            "grouping.defaultMaxGroups",
                            "3",
                            "yql",
                            ALL + "all(group(n) fill(0,9) " + limit + "each(output(count())))");

            JsonNode list = root.path("children").path(0).path("children").path(0);
            assertThat(list.path("continuation").has("next")).isTrue();
            assertThat(list.path("message").asString(""))
                    .isEqualTo(
                            limit.isEmpty()
                                    ? "3 of 10 groups, since grouping.defaultMaxGroups is 3: set max(...)"
                                            + " to get more, or use continuations"
                                    : "");
        }
    }

    @Test
    void pagesGroupsWithoutDocuments() throws Exception {
        String grouping = "all(group(b) fill(2,6) max(2) each(output(count())))";
        JsonNode first = paged(grouping);
        String next =
                first.path("children")
                        .path(0)
                        .path("children")
                        .path(0)
                        .path("continuation")
                        .path("next")
                        .asString();

        assertThat(StreamingServer.groups(first))
                .isEqualTo("[ long:1{count():1} long:2{count():1}]");
        assertThat(StreamingServer.groups(paged(grouping, "", next)))
                .isEqualTo("[ long:3{count():1} long:4{count():0}]");
    }

    private JsonNode paged(String grouping, String... tokens) throws Exception {
        String pages =
                tokens.length == 0
                        ? ""
                        : "{'continuations': ['" + String.join("', '", tokens) + "']}";
        return server.root(
                "streaming.groupname",
                "v",
                "yql",
                "select * from thing where b > 0 limit 0 | " + pages + grouping);
    }
}
