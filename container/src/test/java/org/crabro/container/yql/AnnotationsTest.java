package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.Map;
import org.crabro.protocol.query.QueryText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Annotations in braces before a condition: their effects and their valid values. */
class AnnotationsTest {
    private static final RequestDouble REQUEST =
            new RequestDouble(Map.of("q", "blue whale", "n", "7", "half", "0.5"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a contains ({weight:150}"x")                    | {weight 150}a:x
                    a contains ({weight:@n}"x")                     | {weight 7}a:x
                    a contains ({ranked:false}"x")                  | {unranked}a:x
                    a contains ({filter:true}"x")                   | {filter}a:x
                    a contains ({usePositionData:false}"x")         | {no positions}a:x
                    a contains ({stem:false}"x")                    | {no stem}a:x
                    a contains ({normalizeCase:false}"x")           | {cased}a:x
                    a contains ({accentDrop:false}"x")              | {accents}a:x
                    a contains ({implicitTransforms:false}"x")      | {as written}a:x
                    a contains ({nfkc:true}"ﬁsh①")                  | a:fish1
                    a contains ({nfkc:false}"ﬁsh①")                 | a:ﬁsh①
                    a contains "ﬁsh①"                               | a:ﬁsh①
                    {nfkc:true}(a contains "ﬁ" or b contains "ﬁ")   | (or a:fi b:fi)
                    a contains phrase({nfkc:true}"ﬁ", "ﬁ")          | (phrase a fi ﬁ)
                    {nfkc:true}userInput("ﬁ x²")                    | (weakand default:fi default:x2)
                    a contains ({nfkc:true}fuzzy("ﬁ"))              | (fuzzy a fi 2)
                    a contains ({nfkc:true}alternatives({"ﬁ":1.0, "x":0.5})) | (equiv a:fi {weight 50}a:x)
                    a contains ({language:"de"}"x")                 | {language de}a:x
                    a contains ({prefix:true}"x")                   | {prefix}a:x
                    a contains ({suffix:true}"x")                   | {suffix}a:x
                    a contains ({substring:true}"x")                | {substring}a:x
                    a contains ({label:"my x"}"x")                  | {label "my x"}a:x
                    a contains ({significance:@half}"x")            | {significance 0.5}a:x
                    a contains ({documentFrequency:{frequency:13, count:101}}"x") | {frequency 13/101}a:x
                    a contains ({id:1}"x") and b contains ({id:2, connectivity:{id:1, weight:0.5}}"y") | (and {id 1}a:x {id 2, near 1 by 0.5}b:y)
                    a contains ({connectivity:{"id":4, "weight":7.0}}"x") and b contains ({id:4}"y") | (and {near 4 by 7.0}a:x {id 4}b:y)
                    a contains ({origin:{original:"an x", offset:3, length:1}}"x") | a:x
                    a contains ({annotations:{"k":"v"}}"x")         | a:x
                    a contains ({andSegmenting:true}"x-y")          | (and a:x a:y)
                    a contains ({andSegmenting:true, stem:false}"x-y") | (and {no stem}a:x {no stem}a:y)
                    a contains ({elementFilter:[0,2]}"x")           | (same a[0, 2] :x)
                    {stem:false}(a contains "x" and b contains "y") | (and {no stem}a:x {no stem}b:y)
                    {label:"l"}(a > 5)                              | {label l}(range a <5;])
                    {hitLimit:-38, descending:true}range(a, 1, 9)   | (range a [1;9])
                    {hitLimit:5, ascending:true}(a > 5)             | (range a <5;])
                    a contains ({startAnchor:true, endAnchor:true}uri("b c")) | a:"b c"
                    {label:"l", ranked:false}userInput("x")         | {unranked, label l}default:x
                    {typos:true}userInput("x y")                    | (weakand {typos}default:x {typos}default:y)
                    {beginning:true}userInput("x y")                | (weakand default:x {beginning}default:y)
                    {beginning:true}userInput("x y ")               | (weakand default:x default:y)
                    {beginning:true, typos:true}userInput("x")      | {typos, beginning}default:x
                    {typos:true}userInput('"x" "a b" a-b 5 c* *d title:e f!') | (weakand default:x (phrase default a b) (and default:a default:b) default:5 {prefix}default:c {suffix}default:d {typos}title:e {weight 150, typos}default:f)
                    {typos:true, grammar:"linguistics"}userInput("a b") | (weakand {typos}default:a {typos}default:b)
                    {typos:true, grammar:"phrase"}userInput("a b")  | (phrase default a b)
                    {typos:true, beginning:true}userInput("2024")   | {beginning}default:2024
                    {beginning:true}userInput("x 20")               | (weakand default:x {beginning}default:20)
                    {beginning:true}userInput("20 x")               | (weakand default:20 {beginning}default:x)
                    {beginning:true}userInput("20 ")                | default:20
                    {beginning:true}userInput("-20")                | default:-20
                    {beginning:true}userInput("20.5")               | default:20.5
                    {beginning:true}userInput("20.")                | default:20
                    {label:"l", stem:false}userInput("x y")         | (weakand {no stem}default:x {no stem}default:y)
                    {filter:true, usePositionData:false, accentDrop:false, normalizeCase:false}userInput("x") | {filter, no positions, cased, accents}default:x
                    {targetHits:7, totalTargetHits:9, scoreThreshold:1.5, thresholdBoostFactor:2}wand(w, {"x":1}) | (dot w above 1.5 x:1)
                    {targetHits:7}weakAnd(a contains "x", b contains "y") | (weakand a:x b:y)
                    {label:"l"}geoLocation(p, 1, 2, "1 deg")        | {label l}(circle p 1.0 2.0 1.0)
                    {totalTargetHits:9, minTargetHits:3}nearestNeighbor(v, q) | (nearest v q 9)
                    {targetHits:9, weight:200, significance:0.5, id:3, label:"l"}nearestNeighbor(v, q) | {weight 200, label l, significance 0.5, id 3}(nearest v q 9)
                    {targetHits:9, ranked:false}nearestNeighbor(v, q) | {unranked}(nearest v q 9)
                    {targetHits:9, filter:true}nearestNeighbor(v, q) | {filter}(nearest v q 9)
                    {grammar:"all", grammar.tokenization:"internal", grammar.profile:"p"}userInput(@q) | (and default:blue default:whale)
                    """)
    void changesWhatItStandsBefore(String where, String tree) {
        assertThat(tree(where)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a contains ({connectivity:{id:3, weight:1}}"x") | 30 | item with id 3 not found
                    a contains ({connectivity:{id:3}, id:3}"x")     | 13 | annotation 'connectivity' lacks 'weight'
                    a contains ({id:0}"x")                          | 16 | expected a whole number from 1 on for annotation 'id' (by which others name the word), got 0
                    a contains ({documentFrequency:{frequency:1}}"x") | 13 | annotation 'documentFrequency' lacks 'count'
                    a contains ({documentFrequency:{frequency:2, count:1}}"x") | 13 | annotation 'documentFrequency': a word in 2 of 1 documents
                    a contains ({documentFrequency:{frequency:0.5, count:1}}"x") | 42 | expected a whole number from 0 on for 'frequency' of annotation 'documentFrequency', got 0.5
                    a contains ({documentFrequency:5}"x")           | 31 | expected a map for annotation 'documentFrequency' (how common the word is), got 5
                    a contains ({significance:"much"}"x")           | 26 | expected a number for annotation 'significance' (the significance of a match), got "much"
                    a contains ({label:5}"x")                       | 19 | expected a string for annotation 'label' (by which features name the condition), got 5
                    a contains ({stem:1}"x")                        | 18 | expected true or false for annotation 'stem' (whether the word is reduced to its stem), got 1
                    a contains ({weight:@none}"x")                  | 20 | missing query property 'none'
                    a contains ({prefix:true, substring:true}"x")   | 26 | only one of prefix, substring and suffix may be set
                    {targetHits:"x"}weakAnd(a contains "x")         | 12 | expected a number for annotation 'targetHits' (how many hits are wanted), got "x"
                    {hitLimit:1.5}range(a, 1, 2)                    | 10 | expected a whole number of 32 bits for annotation 'hitLimit' (how many hits the range may have), got 1.5
                    """)
    void saysWhatDoesNotFit(String where, int column, String problem) {
        String start = "select * from s where ";
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> tree(where))
                .withMessageStartingWith(
                        "Could not create query from YQL: query:L1:%d %s\n"
                                .formatted(start.length() + column, problem));
    }

    @ParameterizedTest
    @EnumSource(StandardAnnotation.class)
    void refusesValuesOfOtherTypesWhereverTheyStand(StandardAnnotation annotation) {
        String wrong = annotation.type() == StandardAnnotation.Type.TEXT ? "[1]" : "\"else\"";
        if (annotation.type() == StandardAnnotation.Type.ELEMENTS) {
            return;
        }

        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> tree("{\"%s\": %s}(a > 5)".formatted(annotation.key(), wrong)))
                .withMessageContaining("for " + annotation.shown() + ", got ");
    }

    @ParameterizedTest
    @CsvSource({"targetHits", "grammar.composite", "hnsw.exploreAdditionalHits", "nfkc"})
    void knowsAnnotationsByTheirNames(String key) {
        assertThat(Arrays.stream(StandardAnnotation.values()).map(StandardAnnotation::key))
                .contains(key);
    }

    private static String tree(String where) {
        return QueryText.of(YqlParser.parse("select * from s where " + where, REQUEST).tree());
    }
}
