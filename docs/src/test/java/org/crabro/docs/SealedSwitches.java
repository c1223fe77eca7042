package org.crabro.docs;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Switches over sealed types that have a {@code default}. With one, the compiler does not name the
 * places that a new kind must be added to.
 *
 * <p>They are found in class files. The compiler translates a switch over types into a call of
 * {@code typeSwitch}, whose first parameter is the type of the selector, and a switch over numbers.
 * If the source has no {@code default}, that switch's default throws {@link MatchException}.
 */
final class SealedSwitches {
    private static final ClassDesc MATCH_EXCEPTION =
            MatchException.class.describeConstable().orElseThrow();

    private SealedSwitches() {}

    /** Returns a line for each method with such switches: its name and how many, sorted. */
    static List<String> withDefault(Collection<byte[]> classFiles) {
        List<ClassModel> classes = classFiles.stream().map(ClassFile.of()::parse).toList();
        Set<ClassDesc> sealed = new HashSet<>();
        for (ClassModel type : classes) {
            if (type.findAttribute(Attributes.permittedSubclasses()).isPresent()) {
                sealed.add(type.thisClass().asSymbol());
            }
        }
        var counts = new TreeMap<String, Integer>();
        for (ClassModel type : classes) {
            String name = type.thisClass().asInternalName().replace('/', '.').replace('$', '.');
            for (MethodModel method : type.methods()) {
                int count = withDefault(method, sealed);
                if (count > 0) {
                    counts.merge(
                            name + "." + method.methodName().stringValue(), count, Integer::sum);
                }
            }
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    private static int withDefault(MethodModel method, Set<ClassDesc> sealed) {
        List<CodeElement> code = method.code().map(model -> model.elementList()).orElse(List.of());
        int count = 0;
        boolean isSealed = false;
        for (CodeElement element : code) {
            if (element instanceof InvokeDynamicInstruction call
                    && call.name().equalsString("typeSwitch")) {
                isSealed = sealed.contains(call.typeSymbol().parameterType(0));
            }
            Optional<Label> target = defaultOf(element);
            if (isSealed && target.isPresent()) {
                isSealed = false;
                count += throwsMatchException(code, target.get()) ? 0 : 1;
            }
        }
        return count;
    }

    private static Optional<Label> defaultOf(CodeElement element) {
        return switch (element) {
            case LookupSwitchInstruction lookup -> Optional.of(lookup.defaultTarget());
            case TableSwitchInstruction table -> Optional.of(table.defaultTarget());
            default -> Optional.empty();
        };
    }

    private static boolean throwsMatchException(List<CodeElement> code, Label target) {
        return code.stream()
                .dropWhile(element ->
                        !(element instanceof LabelTarget found && found.label().equals(target)))
                .filter(Instruction.class::isInstance)
                .findFirst()
                .filter(first ->
                        first instanceof NewObjectInstruction made
                                && made.className().asSymbol().equals(MATCH_EXCEPTION))
                .isPresent();
    }
}
