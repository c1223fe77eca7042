package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.tensor.TensorType;

/**
 * A schema as written.
 *
 * @param files models and constants in files of the package
 */
public record SchemaDeclaration(
        SchemaHeader header,
        DeclaredTypes types,
        DeclaredFields fields,
        List<RankProfileDeclaration> rankProfiles,
        List<Summary> summaries,
        List<PackagedFile> files) {
    public SchemaDeclaration {
        rankProfiles = List.copyOf(rankProfiles);
        summaries = List.copyOf(summaries);
        files = List.copyOf(files);
    }

    /** Returns the same schema with the rank profiles of another file. */
    public SchemaDeclaration with(SchemaParser.ProfileResult file) {
        return new SchemaDeclaration(
                new SchemaHeader(
                        header.name,
                        header.parent,
                        header.isOneOfSeveral,
                        joined(header.ignored, file.ignored())),
                types,
                fields,
                joined(rankProfiles, file.rankProfiles()),
                summaries,
                joined(files, file.files()));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * The name of a schema, and the elements of its file that are not part of the schema.
     *
     * @param parent the schema that it inherits
     * @param isOneOfSeveral whether the file contains other documents without a schema
     * @param ignored elements of the file that have no effect here
     */
    public record SchemaHeader(
            Name name,
            Optional<Name> parent,
            boolean isOneOfSeveral,
            List<IgnoredElement> ignored) {
        public SchemaHeader {
            ignored = List.copyOf(ignored);
        }
    }

    /**
     * The document, the structs and the annotations of a schema.
     *
     * @param documents a valid schema has one
     * @param structs including those inside the document
     * @param annotations including those inside the document
     */
    public record DeclaredTypes(
            List<Document> documents, List<Struct> structs, List<Struct> annotations) {
        public DeclaredTypes {
            documents = List.copyOf(documents);
            structs = List.copyOf(structs);
            annotations = List.copyOf(annotations);
        }
    }

    /**
     * The fields of a schema that are not part of its document, and sets and indexes of fields.
     *
     * @param outside the fields outside the document
     * @param indexes indexes that are declared outside of fields
     * @param stemming of fields that do not set it
     * @param rawAsBase64 whether summaries show bytes in base64, if the schema sets it
     */
    public record DeclaredFields(
            List<FieldDeclaration> outside,
            List<Fieldset> fieldsets,
            List<Import> imports,
            List<Index> indexes,
            Optional<Name> stemming,
            Optional<Boolean> rawAsBase64) {
        public DeclaredFields {
            outside = List.copyOf(outside);
            fieldsets = List.copyOf(fieldsets);
            imports = List.copyOf(imports);
            indexes = List.copyOf(indexes);
        }
    }

    /**
     * The fields that clients feed.
     *
     * @param parents the documents that it inherits
     */
    public record Document(Name name, List<Name> parents, List<FieldDeclaration> fields) {
        public Document {
            parents = List.copyOf(parents);
            fields = List.copyOf(fields);
        }
    }

    /**
     * A struct, or an annotation.
     *
     * @param parents the structs whose fields it inherits
     */
    public record Struct(Name name, List<Name> parents, List<Member> members) {
        public Struct {
            parents = List.copyOf(parents);
            members = List.copyOf(members);
        }

        /** Returns whether {@code other} has the same name, parents and members. */
        public boolean isWrittenAs(Struct other) {
            boolean isEqual =
                    name.text().equals(other.name.text())
                            && texts(parents).equals(texts(other.parents))
                            && members.size() == other.members.size();
            for (int i = 0; isEqual && i < members.size(); i++) {
                Member own = members.get(i);
                Member that = other.members.get(i);
                isEqual =
                        own.name.text().equals(that.name.text()) && own.type.isWrittenAs(that.type);
            }
            return isEqual;
        }

        private static List<String> texts(List<Name> names) {
            return names.stream().map(Name::text).toList();
        }
    }

    /**
     * A model or a constant in a file of the package, or at a URI.
     *
     * @param kind {@code onnx-model} or {@code constant}
     * @param owner the rank profile that declares it; empty if the schema declares it, {@code
     *     @name} if the schema of that name does
     * @param file the path of the file, or its URI
     * @param type of a constant
     * @param model how a model is bound; {@link DeclaredModel#NONE} for a constant
     */
    public record PackagedFile(
            String kind,
            String owner,
            Name name,
            Name file,
            Optional<TensorType> type,
            DeclaredModel model) {
        /** Returns whether the file is at a URI. */
        public boolean isRemote() {
            return file.text().contains("://");
        }

        /** Returns the last name of the path, without the query of a URI. */
        public String fileName() {
            String path = file.text();
            if (isRemote()) {
                path = path.split("[?#]", 2)[0];
            }
            return path.substring(path.lastIndexOf('/') + 1);
        }

        /** Returns the same file of another owner. */
        public PackagedFile of(String other) {
            return new PackagedFile(kind, other, name, file, type, model);
        }
    }

    /**
     * How a model is bound to a schema and run.
     *
     * @param inputs the names of inputs here; an input without an entry keeps its name
     * @param outputs the names of outputs here
     * @param gpuDevice the place of a requested GPU
     */
    public record DeclaredModel(
            List<Mapping> inputs,
            List<Mapping> outputs,
            ModelSettings settings,
            Optional<Name> gpuDevice) {
        /** No model. */
        public static final DeclaredModel NONE =
                new DeclaredModel(List.of(), List.of(), ModelSettings.DEFAULT, Optional.empty());

        public DeclaredModel {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * The source or the name of an input or an output of a model.
     *
     * @param name in the model
     */
    public record Mapping(Name name, RawText target) {}

    /**
     * A field that has the value of a field of another document.
     *
     * @param reference the field that names the document
     * @param field of that document
     */
    public record Import(Name name, Name reference, Name field) {}

    /**
     * The settings of a field's index that are declared outside of the field.
     *
     * @param name of the field
     */
    public record Index(Name name, List<DeclaredAlias> aliases) {
        public Index {
            aliases = List.copyOf(aliases);
        }
    }

    /** A field of a struct. */
    public record Member(Name name, TypeDeclaration type) {}

    /**
     * Fields that are searched together.
     *
     * @param match the words given to {@code match}, in order
     * @param reading how the simple query language reads words
     */
    public record Fieldset(
            Name name, List<Name> fields, List<MatchDeclaration> match, DeclaredReading reading) {
        public Fieldset {
            fields = List.copyOf(fields);
            match = List.copyOf(match);
        }
    }

    /**
     * A selection of fields to return.
     *
     * @param omitsFeatures whether hits come without summary features
     */
    public record Summary(
            Name name, List<Name> parents, List<SummaryField> fields, boolean omitsFeatures) {
        public Summary {
            parents = List.copyOf(parents);
            fields = List.copyOf(fields);
        }
    }

    /**
     * A field of a summary.
     *
     * @param type if it is declared
     * @param sources empty if it shows the field of its own name
     * @param transform how the value is transformed
     */
    public record SummaryField(
            Name name,
            Optional<TypeDeclaration> type,
            List<Name> sources,
            Optional<SummaryTransform> transform) {
        public SummaryField {
            sources = List.copyOf(sources);
        }
    }
}
