package org.crabro.container.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;

/** An application with one type, whose groups are streamed. */
final class StreamedType {
    private StreamedType() {}

    /**
     * Compiles it.
     *
     * @param folder to write its files into
     */
    static ApplicationModel model(String name, Path folder, String schema) throws IOException {
        Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/" + name + ".sd"), schema);
        Files.writeString(
                folder.resolve("services.xml"),
                """
                <services version="1.0">
                  <container id="default" version="1.0"><document-api/></container>
                  <content id="made" version="1.0">
                    <min-redundancy>1</min-redundancy>
                    <documents><document type="%s" mode="streaming"/></documents>
                  </content>
                </services>
                """
                        .formatted(name));
        return ApplicationCompiler.compile(DirectoryFiles.of(folder), 1).model();
    }
}
