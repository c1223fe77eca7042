package org.crabro.container.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;

/** An application of notes with a field of every kind, of which one is made from another. */
public final class NotesPackage {
    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="notes" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents>
                          <document type="note" mode="streaming"/>
                          <document type="plain" mode="streaming"/>
                          <document type="fresh" mode="streaming" selection="fresh.year &gt; 2000"/>
                        </documents>
                      </content>
                    </services>
                    """,
                    "schemas/note.sd",
                    """
                    schema note {
                      document note {
                        field text type string { indexing: index | summary }
                        field year type int { indexing: attribute | summary }
                      }
                      field shout type string { indexing: input text . "!" | summary }
                    }
                    """,
                    "schemas/fresh.sd",
                    """
                    schema fresh {
                      document fresh {
                        field year type int { indexing: attribute | summary }
                      }
                    }
                    """,
                    "schemas/plain.sd",
                    """
                    schema plain {
                      document plain {
                        struct pair { field a type string {} field b type int {} }
                        field text type string { indexing: index | summary }
                        field word type string { indexing: attribute | summary }
                        field year type int { indexing: attribute | summary }
                        field time type long { indexing: attribute | summary }
                        field small type byte { indexing: attribute | summary }
                        field ratio type float { indexing: attribute | summary }
                        field weight type double { indexing: attribute | summary }
                        field good type bool { indexing: attribute | summary }
                        field tags type array<string> { indexing: attribute | summary }
                        field years type array<int> { indexing: attribute | summary }
                        field vector type tensor<float>(x[3]) { indexing: attribute | summary }
                        field exact type tensor<double>(x[2],y[2]) { indexing: attribute | summary }
                        field half type tensor<bfloat16>(x[4]) { indexing: attribute | summary }
                        field bits type tensor<int8>(x[4]) { indexing: attribute | summary }
                        field sparse type tensor<float>(k{}) { indexing: attribute | summary }
                        field wide type tensor<float>(k{},x[200]) { indexing: attribute | summary }
                        field counts type weightedset<string> { indexing: attribute | summary }
                        field both type pair { indexing: summary }
                        field pairs type map<string, int> { indexing: summary }
                        field bytes type raw { indexing: summary }
                        field home type uri { indexing: summary }
                      }
                    }
                    """);

    private NotesPackage() {}

    /** Returns the application, which is written into {@code directory} first. */
    public static ApplicationModel model(Path directory) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.getValue());
        }
        return ApplicationCompiler.compile(DirectoryFiles.of(directory), 1).model();
    }
}
