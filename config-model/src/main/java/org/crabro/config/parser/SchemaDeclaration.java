package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.tensor.TensorType;

/**
 * A schema as written.
 *
 * @param parent the schema that it inherits
 * @param documents a valid schema has one
 * @param fields those outside the document
 * @param structs those inside the document, too
 * @param annotations those inside the document, too
 * @param files models and constants in files of the package
 * @param indexes those that are set up beside the fields
 * @param stemming of fields that say nothing of it
 * @param isOneOfSeveral whether other documents without a schema stand in its file
 * @param ignored what the file holds that changes nothing here
 */
public record SchemaDeclaration(
        Name name,
        Optional<Name> parent,
        List<Document> documents,
        List<FieldDeclaration> fields,
        List<Struct> structs,
        List<Struct> annotations,
        List<Fieldset> fieldsets,
        List<RankProfileDeclaration> rankProfiles,
        List<Summary> summaries,
        List<PackagedFile> files,
        List<Import> imports,
        List<Index> indexes,
        Optional<Name> stemming,
        boolean isOneOfSeveral,
        List<IgnoredElement> ignored) {
    public SchemaDeclaration {
        documents = List.copyOf(documents);
        fields = List.copyOf(fields);
        structs = List.copyOf(structs);
        annotations = List.copyOf(annotations);
        fieldsets = List.copyOf(fieldsets);
        rankProfiles = List.copyOf(rankProfiles);
        summaries = List.copyOf(summaries);
        files = List.copyOf(files);
        imports = List.copyOf(imports);
        indexes = List.copyOf(indexes);
        ignored = List.copyOf(ignored);
    }

    /** Returns the same schema with the rank profiles of another file. */
    public SchemaDeclaration with(SchemaParser.ProfileResult file) {
        return new SchemaDeclaration(
                name,
                parent,
                documents,
                fields,
                structs,
                annotations,
                fieldsets,
                joined(rankProfiles, file.rankProfiles()),
                summaries,
                joined(files, file.files()),
                imports,
                indexes,
                stemming,
                isOneOfSeveral,
                joined(ignored, file.ignored()));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * What clients feed.
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
     * @param parents whose fields it has, too
     */
    public record Struct(Name name, List<Name> parents, List<Member> members) {
        public Struct {
            parents = List.copyOf(parents);
            members = List.copyOf(members);
        }
    }

    /**
     * A model or a constant in a file of the package.
     *
     * @param kind {@code onnx-model} or {@code constant}
     * @param owner the rank profile that it is said in; empty where it is the schema's, and {@code
     *     @name} where it is the one's of that name
     * @param type of a constant
     * @param inputs what a model's inputs are; those that are not said are called as they are
     * @param outputs what a model's outputs are called
     * @param settings how a model is run
     * @param gpuDevice what a model is asked to be run on, where it is
     */
    public record PackagedFile(
            String kind,
            String owner,
            Name name,
            Name file,
            Optional<TensorType> type,
            List<Mapping> inputs,
            List<Mapping> outputs,
            ModelSettings settings,
            Optional<Name> gpuDevice) {
        public PackagedFile {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }

        /** Returns the same file of another owner. */
        public PackagedFile of(String other) {
            return new PackagedFile(
                    kind, other, name, file, type, inputs, outputs, settings, gpuDevice);
        }
    }

    /**
     * What an input or an output of a model is here.
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
     * What is said of a field's index beside the fields.
     *
     * @param name of the field
     */
    public record Index(Name name, List<Name> aliases) {
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
     */
    public record Fieldset(Name name, List<Name> fields, List<MatchDeclaration> match) {
        public Fieldset {
            fields = List.copyOf(fields);
            match = List.copyOf(match);
        }
    }

    /**
     * A choice of fields to return.
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
     * @param sources none where it shows the field of its own name
     * @param transform what is made of the value
     */
    public record SummaryField(
            Name name, List<Name> sources, Optional<SummaryTransform> transform) {
        public SummaryField {
            sources = List.copyOf(sources);
        }
    }
}
