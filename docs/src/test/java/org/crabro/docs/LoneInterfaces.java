package org.crabro.docs;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.AccessFlag;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Interfaces that at most one class implements, and no lambda or method reference. Callers of such
 * an interface could use the class. Sealed interfaces and annotations are not counted.
 */
final class LoneInterfaces {
    /** Applications implement these, or call them without seeing the class. */
    private static final String FOR_APPLICATIONS = "org/crabro/component/";

    private static final String OURS = "org/crabro/";

    /** By name of a class: the names of its superclass and interfaces. */
    private final Map<String, List<String>> above = new HashMap<>();

    private final Set<String> classes = new HashSet<>();

    /** The interfaces that a lambda or a method reference implements. */
    private final Set<String> ofLambdas = new HashSet<>();

    private LoneInterfaces() {}

    /**
     * Returns the names of such interfaces, sorted.
     *
     * @param product the class files with the interfaces
     * @param tests class files that may implement them too
     */
    static List<String> of(Collection<byte[]> product, Collection<byte[]> tests) {
        var all = new LoneInterfaces();
        List<ClassModel> types = product.stream().map(ClassFile.of()::parse).toList();
        Stream.concat(types.stream(), tests.stream().map(ClassFile.of()::parse)).forEach(all::add);
        Map<String, Integer> counts = new HashMap<>();
        for (String type : all.classes) {
            all.ancestors(type).forEach(each -> counts.merge(each, 1, Integer::sum));
        }
        all.ofLambdas.forEach(
                type -> all.ancestors(type).forEach(each -> counts.merge(each, 2, Integer::sum)));
        return types.stream()
                .filter(LoneInterfaces::isCounted)
                .map(type -> type.thisClass().asInternalName())
                .filter(name -> counts.getOrDefault(name, 0) < 2)
                .map(name -> name.replace('/', '.').replace('$', '.'))
                .sorted()
                .toList();
    }

    private static boolean isCounted(ClassModel type) {
        return type.flags().has(AccessFlag.INTERFACE)
                && !type.flags().has(AccessFlag.ANNOTATION)
                && !type.flags().has(AccessFlag.SYNTHETIC)
                && type.findAttribute(Attributes.permittedSubclasses()).isEmpty()
                && !type.thisClass().asInternalName().startsWith(FOR_APPLICATIONS);
    }

    private void add(ClassModel type) {
        String name = type.thisClass().asInternalName();
        above.put(
                name,
                Stream.concat(type.superclass().stream(), type.interfaces().stream())
                        .map(ClassEntry::asInternalName)
                        .filter(each -> each.startsWith(OURS))
                        .toList());
        if (!type.flags().has(AccessFlag.ABSTRACT)) {
            classes.add(name);
        }
        type.methods().stream()
                .flatMap(method -> method.code().stream())
                .forEach(code -> code.forEach(this::addLambda));
    }

    private void addLambda(CodeElement element) {
        if (element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory")) {
            String type = call.typeSymbol().returnType().descriptorString();
            ofLambdas.add(type.substring(1, type.length() - 1));
        }
    }

    /** Returns a type and all that it extends and implements. */
    private Set<String> ancestors(String type) {
        Set<String> ancestors = new HashSet<>();
        addAncestors(type, ancestors);
        return ancestors;
    }

    private void addAncestors(String type, Set<String> into) {
        if (into.add(type)) {
            above.getOrDefault(type, List.of()).forEach(each -> addAncestors(each, into));
        }
    }
}
