package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A package in which one name is misspelt: the message contains the right one. */
class NearestNamesTest {
    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0" xmlns:preprocess="properties">
                      <preprocess:properties><settings>1</settings></preprocess:properties>
                      <container id="queries" version="1.0">
                        <search>
                          <chain id="first" inherits="vespa"/>
                          <chain id="second" inherits="first"/>
                        </search>
                        <document-api/>
                        <document-processing><chain id="ours" inherits="indexing"/></document-processing>
                        <component id="minilm" type="hugging-face-embedder">
                          <transformer-model path="models/model.onnx"/>
                          <tokenizer-model path="models/tokenizer.json"/>
                          <pooling-strategy>mean</pooling-strategy>
                        </component>
                        <preprocess:include file="others.xml"/>
                        <nodes><node hostalias="machine"/></nodes>
                        <config name="my.own.values"><count>1</count><mode>FAST</mode></config>
                      </container>
                      <content id="store" version="1.0">
                        <min-redundancy>${settings}</min-redundancy>
                        <documents>
                          <document type="base" mode="index"/>
                          <document type="person" mode="index" global="true"/>
                          <document type="note" mode="index" selection="note.number &gt; 1"/>
                          <document-processing cluster="queries" chain="ours"/>
                        </documents>
                      </content>
                    </services>
                    """,
                    "others.xml",
                    "<accesslog type=\"disabled\"/>",
                    "hosts.xml",
                    "<hosts><host name=\"localhost\"><alias>machine</alias></host></hosts>",
                    "configdefinitions/values.def",
                    "namespace=my.own\ncount int default=1\nmode enum {FAST, SMALL} default=FAST\n",
                    "schemas/base.sd",
                    "schema base { document base { field kind type string { indexing: attribute } } }",
                    "schemas/person.sd",
                    """
                    schema person {
                      document person {
                        field surname type string { indexing: attribute | summary }
                      }
                    }
                    """,
                    "schemas/note.sd",
                    """
                    schema note inherits base {
                      document note inherits base {
                        struct address {
                          field street type string {}
                        }
                        field title type string { indexing: index | summary }
                        field number type int { attribute: fast-search indexing: attribute }
                        field home type address { indexing: summary
                          struct-field street { indexing: attribute } }
                        field author type reference<person> { indexing: attribute }
                        field vector type tensor<float>(x[4]) { indexing: attribute }
                      }
                      import field author.surname as name {}
                      field computed type string { indexing: input title | lowercase | index }
                      field place type tensor<float>(x[4]) {
                        indexing: input title | embed minilm | attribute
                      }
                      fieldset default { fields: title }
                      constant weights { file: constants/w.json type: tensor(x[4]) }
                      document-summary short { summary alone { source: title } }
                      document-summary shorter inherits short {}
                      rank-profile outer {
                        inputs { query(wanted) tensor<float>(x[4])
                          query(other): 1.0 }
                        function helper() { expression: bm25(title) }
                        first-phase { expression: helper + attribute(number) * query(other) }
                        match-features: closeness(field,vector)
                        match-phase { attribute: number
                          max-hits: 10 }
                        weight title: 200
                        strict: true
                      }
                      rank-profile inner inherits outer {
                        first-phase { expression: file: written }
                      }
                    }
                    """,
                    "schemas/written.expression",
                    "freshness(number)",
                    "constants/w.json",
                    "{\"values\": [1, 2, 3, 4]}");

    private static final Map<String, String> MORE =
            Map.of(
                    "models/model.onnx",
                    "",
                    "models/tokenizer.json",
                    "",
                    "search/query-profiles/default.xml",
                    """
                    <query-profile id="default" type="mine" inherits="parent">
                      <field name="amount">5</field>
                      <field name="shown"><ref>parent</ref></field>
                    </query-profile>
                    """,
                    "search/query-profiles/parent.xml",
                    "<query-profile id=\"parent\"><field name=\"hits\">5</field></query-profile>",
                    "search/query-profiles/types/mine.xml",
                    """
                    <query-profile-type id="mine" inherits="native">
                      <field name="amount" type="integer"/>
                    </query-profile-type>
                    """);

    private static Map<String, String> files() {
        var files = new TreeMap<>(FILES);
        files.putAll(MORE);
        return files;
    }

    private static PackageMessages told(Map<String, String> files) {
        return PackageMessages.of(new CorpusFile.Case("", files, "", "", "", Set.of()));
    }

    @Test
    void everyNameIsThere() {
        assertThat(told(files()).problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            textBlock =
                    """
                    services.xml => <document-api/> => <documnt-api/> => document-api
                    services.xml => min-redundancy> => min-redundncy> => min-redundancy
                    services.xml => mode="index" global => mod="index" global => mode
                    services.xml => mode="index" global => mode="indx" global => index
                    services.xml => inherits="first" => inherits="frst" => first
                    services.xml => inherits="indexing" => inherits="indexng" => indexing
                    services.xml => type="hugging-face-embedder" => type="huging-face-embedder" => hugging-face-embedder
                    services.xml => models/model.onnx => models/modl.onnx => models/model.onnx
                    services.xml => >mean< => >maen< => mean
                    services.xml => file="others.xml" => file="other.xml" => others.xml
                    services.xml => hostalias="machine" => hostalias="machne" => machine
                    services.xml => <count>1</count> => <cuont>1</cuont> => count
                    services.xml => FAST => FSAT => FAST
                    services.xml => ${settings} => ${setings} => settings
                    services.xml => type="person" => type="persn" => person
                    services.xml => cluster="queries" => cluster="querys" => queries
                    services.xml => chain="ours" => chain="urs" => ours
                    configdefinitions/values.def => count int => count itn => int
                    schemas/note.sd => schema note inherits base => schema note inherits bsae => base
                    schemas/note.sd => document note inherits base => document note inherits bsae => base
                    schemas/note.sd => type address => type adress => address
                    schemas/note.sd => type int => type itn => int
                    schemas/note.sd => struct-field street => struct-field stret => street
                    schemas/note.sd => reference<person> => reference<persn> => person
                    schemas/note.sd => author.surname => author.surnam => surname
                    schemas/note.sd => author.surname => auther.surname => author
                    schemas/note.sd => input title | lowercase => input titel | lowercase => title
                    schemas/note.sd => lowercase | index => lowercas | index => lowercase
                    schemas/note.sd => embed minilm => embed miniln => minilm
                    schemas/note.sd => fields: title => fields: titel => title
                    schemas/note.sd => fieldset default => fieldst default => fieldset
                    schemas/note.sd => constants/w.json => constant/w.json => constants/w.json
                    schemas/note.sd => tensor(x[4]) => tenser(x[4]) => tensor
                    schemas/note.sd => source: title => source: titel => title
                    schemas/note.sd => shorter inherits short => shorter inherits shrt => short
                    schemas/note.sd => bm25(title) => bm25(titel) => title
                    schemas/note.sd => bm25(title) => bm52(title) => bm25
                    schemas/note.sd => expression: helper => expression: helpr => helper
                    schemas/note.sd => attribute(number) => attribute(numbr) => number
                    schemas/note.sd => * query(other) => * query(othr) => other
                    schemas/note.sd => closeness(field,vector) => closeness(field,vectr) => vector
                    schemas/note.sd => attribute: number => attribute: numbr => number
                    schemas/note.sd => inner inherits outer => inner inherits outr => outer
                    schemas/note.sd => file: written => file: writen => written
                    schemas/written.expression => freshness => freshnes => freshness
                    schemas/written.expression => number => numbr => number
                    search/query-profiles/default.xml => type="mine" => type="mnie" => mine
                    search/query-profiles/default.xml => inherits="parent" => inherits="parnt" => parent
                    search/query-profiles/default.xml => <ref>parent => <ref>parnt => parent
                    search/query-profiles/types/mine.xml => inherits="native" => inherits="natve" => native
                    search/query-profiles/types/mine.xml => type="integer" => type="integr" => integer
                    """)
    void suggestsTheRightName(String file, String right, String wrong, String name) {
        Map<String, String> files = files();
        String text = Objects.requireNonNull(files.get(file), file);
        assertThat(text.split(Pattern.quote(right), -1).length).as(right).isGreaterThan(1);
        files.put(file, text.replace(right, wrong));

        assertThat(told(files).problems()).contains("did you mean '" + name + "'?");
    }
}
