package org.crabro.config.component;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Optional;

/**
 * The declarations of a class file.
 *
 * @param major version of its format, which determines the Java version that it needs
 * @param constructors the public ones, with the names of their parameters' types
 */
record JarClass(
        String name,
        int major,
        boolean isAbstract,
        boolean isInterface,
        Supertypes supertypes,
        List<List<String>> constructors) {
    JarClass {
        constructors = List.copyOf(constructors);
    }

    /**
     * The types that a class extends and implements.
     *
     * @param parent the superclass; empty for none
     */
    record Supertypes(Optional<String> parent, List<String> interfaces) {
        Supertypes {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * Reads a class file.
     *
     * @throws IllegalArgumentException if it is not a valid class file
     */
    static JarClass read(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        return new JarClass(
                name(model.thisClass()),
                model.majorVersion(),
                model.flags().has(AccessFlag.ABSTRACT),
                model.flags().has(AccessFlag.INTERFACE),
                new Supertypes(
                        model.superclass().map(JarClass::name),
                        model.interfaces().stream().map(JarClass::name).toList()),
                model.methods().stream()
                        .filter(method -> method.methodName().equalsString("<init>"))
                        .filter(method -> method.flags().has(AccessFlag.PUBLIC))
                        .map(JarClass::parameters)
                        .toList());
    }

    private static List<String> parameters(MethodModel method) {
        if (method.methodType().stringValue().isEmpty()) {
            // The platform throws IndexOutOfBoundsException for it.
            throw new IllegalArgumentException("a constructor has no descriptor");
        }
        return method.methodTypeSymbol().parameterList().stream().map(JarClass::name).toList();
    }

    private static String name(ClassEntry entry) {
        return entry.asInternalName().replace('/', '.');
    }

    private static String name(ClassDesc type) {
        if (!type.isClassOrInterface()) {
            return type.displayName();
        }
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    }
}
