package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the largest and smallest numbers wherever a query takes a number: none fails with 500. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExtremeNumbersIT {
    private static final String SCHEMA =
            """
            schema item {
              document item {
                field title type string { indexing: index | summary | attribute }
                field text type string {
                  indexing: index | summary
                  summary: dynamic
                }
                field whole type string {
                  indexing: attribute | summary
                  match: word
                }
                field parts type array<string> { indexing: index | summary }
                field keys type weightedset<string> { indexing: attribute | summary }
                field numbers type weightedset<int> { indexing: attribute | summary }
                field year type int { indexing: attribute | summary }
                field amount type long { indexing: attribute | summary }
                field price type double { indexing: attribute | summary }
                field list type array<long> { indexing: attribute | summary }
                field home type position { indexing: attribute | summary }
                field vector type tensor<float>(x[2]) { indexing: attribute | summary }
              }
              rank-profile vectors {
                inputs { query(q) tensor<float>(x[2]) }
                first-phase { expression: closeness(field, vector) }
                second-phase {
                  expression: attribute(year)
                  rerank-count: 10
                }
              }
              rank-profile texts {
                first-phase { expression: fieldMatch(text) + nativeRank(text) }
              }
            }
            """;

    private static final List<String> NUMBERS =
            List.of(
                    "-1",
                    "1",
                    "8",
                    "2147483647",
                    "2147483648",
                    "-2147483648",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "1e308",
                    "NaN");

    /** What parameters are added to, and where in them the number is. */
    private static final String HOLE = "<n>";

    @TempDir static Path data;

    private StreamingServer served;

    @BeforeAll
    void feed() throws Exception {
        served = new StreamingServer(data, Map.of("item", SCHEMA));
        for (int i = 0; i < 3; i++) {
            String fields =
                    """
                    "title":"green garden %1$d","text":"the water of the green garden is near",
                    "whole":"garden","parts":["green garden","water"],"keys":{"a":2147483647,"b":1},
                    "numbers":{"7":-2147483648,"8":2147483647},"year":2147483647,
                    "amount":-9223372036854775808,"price":1e308,
                    "list":[9223372036854775807,-9223372036854775808,%1$d],
                    "home":{"lat":89.9,"lng":-179.9},"vector":[1.0,%1$d.0]
                    """
                            .formatted(i);
            served.put("test/item/group/anna/" + i, "{" + fields + "}");
        }
    }

    @AfterAll
    void stop() {
        served.close();
    }

    private static Stream<String> places() {
        var places = new ArrayList<String>();
        for (String parameter :
                List.of(
                        "hits",
                        "offset",
                        "timeout",
                        "ranking.softtimeout.factor",
                        "trace.level",
                        "trace.explainLevel",
                        "ranking.freshness",
                        "streaming.userid",
                        "streaming.fromtimestamp",
                        "streaming.totimestamp",
                        "ranking.rankScoreDropLimit",
                        "ranking.secondPhase.rerankCount",
                        "ranking.secondPhase.totalRerankCount",
                        "ranking.globalPhase.rerankCount",
                        "ranking.secondPhase.rankScoreDropLimit",
                        "ranking.globalPhase.rankScoreDropLimit",
                        "ranking.matching.termwiseLimit",
                        "ranking.matching.numThreadsPerSearch",
                        "collapsesize",
                        "grouping.defaultMaxGroups",
                        "grouping.defaultMaxHits")) {
            places.add("collapsefield=year&" + parameter + "=" + HOLE);
        }
        places.add("hits=" + HOLE + "&offset=" + HOLE);
        places.add("pos.ll=" + HOLE + ";" + HOLE + "&pos.radius=" + HOLE + "&pos.attribute=home");
        places.add("pos.ll=1;1&pos.radius=" + HOLE + "km&pos.attribute=home");
        places.add("pos.bb=n=" + HOLE + ",s=" + HOLE + ",w=" + HOLE + ",e=1&pos.attribute=home");
        String neighbors = "nearestNeighbor(vector, q)";
        for (String annotation :
                List.of(
                        "targetHits:<n>",
                        "totalTargetHits:<n>",
                        "targetHits:1,minTargetHits:<n>",
                        "targetHits:1,hnsw.exploreAdditionalHits:<n>",
                        "targetHits:1,distanceThreshold:<n>")) {
            places.add(
                    "ranking=vectors&input.query(q)=[1,2]&where={%s}%s"
                            .formatted(annotation, neighbors));
        }
        places.add(
                "ranking=vectors&where={targetHits:1}" + neighbors + "&input.query(q)=[<n>,<n>]");
        for (String field : List.of("text", "parts", "whole")) {
            for (String leaf :
                    List.of(
                            "({distance:<n>}near('green', 'garden'))",
                            "({distance:<n>}onear('green', 'garden'))",
                            "({distance:<n>}near('the', 'garden', !'water'))",
                            "({distance:1,exclusionDistance:<n>}near('the', 'garden', !'water'))",
                            "({distance:<n>,exclusionDistance:<n>}onear('the', 'is', !'water'))",
                            "({token:true,maxEditDistance:<n>}fuzzy('gardens'))",
                            "({token:true,prefixLength:<n>}fuzzy('gardens'))",
                            "({token:true,maxEditDistance:<n>,prefixLength:<n>,prefix:true}fuzzy('gre'))",
                            "({weight:<n>}'green')",
                            "({id:<n>}'green')",
                            "({significance:<n>}phrase('green', 'garden'))")) {
                places.add("ranking=texts&where=" + field + " contains " + leaf);
            }
        }
        places.addAll(
                List.of(
                        "where=text contains ({distance:<n>,exclusionDistance:<n>}near('the', 'is',"
                                + " !'water'))",
                        "where=text contains"
                                + " ({token:true,maxEditDistance:<n>,prefixLength:<n>,prefix:true}fuzzy('gre'))",
                        "where={hitLimit:<n>}range(year, 0, 5)",
                        "where={hitLimit:<n>,descending:true}range(year, 0, 5000000000)",
                        "where=range(year, <n>, <n>)",
                        "where=range(amount, <n>, <n>)",
                        "where=range(price, <n>, <n>)",
                        "where=year > <n>",
                        "where=amount < <n>",
                        "where=price = <n>",
                        "where=amount in (<n>, 1)",
                        "where=list contains ({elementFilter:<n>}'7')",
                        "where=list contains ({elementFilter:[<n>,1]}'7')",
                        "where=parts contains ({elementFilter:<n>}'water')",
                        "where=geoLocation(home, <n>, <n>, '<n> km')",
                        "where=geoLocation(home, 1, 1, '<n> m')",
                        "where=geoBoundingBox(home, <n>, <n>, <n>, <n>)",
                        "where={scoreThreshold:<n>}wand(keys, {'a':<n>})",
                        "where={targetHits:<n>}wand(keys, {'a':1})",
                        "where={thresholdBoostFactor:<n>}wand(keys, {'a':1})",
                        "where=dotProduct(numbers, {'7':<n>, '8':<n>})",
                        "where=weightedSet(numbers, {'<n>':1})",
                        "where={targetHits:<n>}weakAnd(text contains 'a', text contains 'green')",
                        "where=text contains ({connectivity:{id:1,weight:<n>}}'a') or text contains"
                                + " ({id:1}'b')",
                        "where=text contains ({documentFrequency:{frequency:<n>,count:<n>}}'a')",
                        "where=true limit <n> offset <n>",
                        "where=true timeout <n>",
                        "where=true order by year asc limit <n>"));
        for (String grouping :
                List.of(
                        "all(group(year) max(<n>) each(output(count())))",
                        "all(max(<n>) all(group(year) each(output(count()))))",
                        "all(group(year) precision(<n>) each(output(count())))",
                        "all(group(year) each(max(<n>) each(output(summary()))))",
                        "all(group(fixedwidth(year, <n>)) each(output(count())))",
                        "all(group(fixedwidth(amount, <n>)) fill() each(output(count())))",
                        "all(group(fixedwidth(price, <n>)) each(output(count())))",
                        "all(group(fixedwidth(year, 1000000000)) fill(0, <n>)"
                                + " each(output(count())))",
                        "all(group(predefined(year, bucket(<n>, <n>))) each(output(count())))",
                        "all(group(predefined(year, bucket(0, <n>))) each(output(count())))",
                        "all(group(predefined(price, bucket(-inf, <n>))) each(output(count())))",
                        "all(group(year + <n>) each(output(sum(amount * <n>))))",
                        "all(group(amount / <n>) each(output(sum(price % <n>))))",
                        "all(group(amount % <n>) each(output(avg(year - <n>))))",
                        "all(group(amount - <n>) each(output(stddev(list), quantiles([<n>],"
                                + " year))))",
                        "all(group(array.at(list, <n>)) each(output(count())))",
                        "all(group(interpolatedlookup(list, <n>)) each(output(count())))",
                        "all(group(xorbit(whole, <n>)) each(output(count())))",
                        "all(group(md5(whole, <n>)) each(output(count())))",
                        "all(group(mod(year, <n>)) each(output(count())))",
                        "all(group(div(amount, <n>)) each(output(count())))",
                        "all(group(math.pow(year, <n>)) each(output(count())))",
                        "all(group(math.sqrt(amount)) filter(range(<n>, <n>, year))"
                                + " each(output(count())))",
                        "all(group(time.year(amount)) each(output(count())))",
                        "all(group(time.date(<n>)) each(output(count())))",
                        "all(group(time.bucket(amount, \"1d\")) each(output(count())))",
                        "all(group(time.bucket(year, \"<n>d\")) each(output(count())))",
                        "all(group(time.bucket(year, \"1mo\")) fill(0, <n>) each(output(count())))",
                        "all(group(zcurve.x(<n>)) each(output(count())))",
                        "all(group(geo_distance(home, <n>, <n>).km) each(output(count())))",
                        "all(group(tostring(<n>)) each(output(count())))",
                        "all(group(whole) order(-count() * <n>) each(output(count())))",
                        "all(group(whole) having(count() > <n>) each(output(count())))",
                        "all(group(cat(whole, <n>)) each(output(xor(<n>))))")) {
            places.add("where=true | " + grouping);
        }
        return places.stream();
    }

    @ParameterizedTest
    @MethodSource("places")
    void areAnsweredOrRefused(String place) throws Exception {
        var failures = new ArrayList<String>();
        boolean isAnswered = false;
        for (String number : NUMBERS) {
            List<String> parameters = StreamingServer.pairs(place.replace(HOLE, number));
            Http.Answer answer = served.search(filled(parameters));
            // No time at all is over at once.
            boolean isTimeout = place.contains("timeout") && answer.status() == 504;
            if (answer.status() != 200 && answer.status() != 400 && !isTimeout) {
                failures.add(number + ": " + answer);
            }
            isAnswered |= answer.status() == 200;
        }

        assertThat(failures).isEmpty();
        assertThat(isAnswered).as("at least one number is answered with 200").isTrue();
    }

    private static String[] filled(List<String> given) {
        var all = new ArrayList<String>();
        String where = "true";
        boolean hasUser = false;
        for (int i = 0; i < given.size(); i += 2) {
            hasUser |= given.get(i).equals("streaming.userid");
            if (given.get(i).equals("where")) {
                where = given.get(i + 1);
            } else {
                all.addAll(List.of(given.get(i), given.get(i + 1)));
            }
        }
        all.addAll(List.of("yql", "select * from item where " + where));
        if (!hasUser) {
            all.addAll(List.of("streaming.groupname", "anna"));
        }
        return all.toArray(String[]::new);
    }
}
