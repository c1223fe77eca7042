package org.crabro.docs;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Switches over sealed types whose {@code default} replaces too few kinds. With a {@code default},
 * the compiler does not name the places that a new kind must be added to. A switch may have one if
 * it selects some of many kinds: it names at most half of them, and at least {@link
 * #KINDS_OF_A_DEFAULT} remain. Kinds are the permitted types that are not sealed themselves.
 *
 * <p>They are found in class files. The compiler translates a switch over types into a call of
 * {@code typeSwitch}, whose first parameter is the type of the selector, and a switch over numbers.
 * If the source has no {@code default}, that switch's default throws {@link MatchException}.
 *
 * <p>Cases of one record whose nested patterns differ become a switch over the component inside of
 * the switch over the record. The compiler adds a default to the inner switch, which sets the index
 * of the next case and jumps back to the outer {@code typeSwitch}. This default is ignored.
 */
final class SealedSwitches {
    private static final ClassDesc MATCH_EXCEPTION =
            MatchException.class.describeConstable().orElseThrow();

    /** If fewer kinds remain, a case lists them. */
    private static final int KINDS_OF_A_DEFAULT = 4;

    /** By sealed type. */
    private final Map<ClassDesc, List<ClassDesc>> permitted = new HashMap<>();

    private SealedSwitches() {}

    /** Returns a line for each method with such switches: its name and how many, sorted. */
    static List<String> withDefault(Collection<byte[]> classFiles) {
        List<ClassModel> classes = classFiles.stream().map(ClassFile.of()::parse).toList();
        var switches = new SealedSwitches();
        for (ClassModel type : classes) {
            type.findAttribute(Attributes.permittedSubclasses())
                    .ifPresent(attribute ->
                            switches.permitted.put(
                                    type.thisClass().asSymbol(),
                                    attribute.permittedSubclasses().stream()
                                            .map(ClassEntry::asSymbol)
                                            .toList()));
        }
        var counts = new TreeMap<String, Integer>();
        for (ClassModel type : classes) {
            String name = type.thisClass().asInternalName().replace('/', '.').replace('$', '.');
            for (MethodModel method : type.methods()) {
                int count = switches.withDefault(method);
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

    private int withDefault(MethodModel method) {
        List<CodeElement> code = method.code().map(model -> model.elementList()).orElse(List.of());
        int count = 0;
        InvokeDynamicInstruction open = null;
        for (CodeElement element : code) {
            if (element instanceof InvokeDynamicInstruction call && isTypeSwitch(call)) {
                open = permitted.containsKey(call.typeSymbol().parameterType(0)) ? call : null;
            }
            Optional<Label> target = defaultOf(element);
            if (open != null && target.isPresent()) {
                boolean isAdded =
                        throwsMatchException(code, target.get())
                                || triesTheNextCase(code, target.get());
                count += isAdded || selects(open) ? 0 : 1;
                open = null;
            }
        }
        return count;
    }

    /** Returns whether a switch names few kinds of many. */
    private boolean selects(InvokeDynamicInstruction call) {
        Set<ClassDesc> all = new HashSet<>();
        addKinds(call.typeSymbol().parameterType(0), all);
        Set<ClassDesc> named = new HashSet<>();
        for (ConstantDesc label : call.bootstrapArgs()) {
            if (label instanceof ClassDesc type) {
                addKinds(type, named);
            }
        }
        named.retainAll(all);
        return 2 * named.size() <= all.size() && all.size() - named.size() >= KINDS_OF_A_DEFAULT;
    }

    private void addKinds(ClassDesc type, Set<ClassDesc> into) {
        List<ClassDesc> below = permitted.get(type);
        if (below == null) {
            into.add(type);
        } else {
            below.forEach(each -> addKinds(each, into));
        }
    }

    private static Optional<Label> defaultOf(CodeElement element) {
        return switch (element) {
            case LookupSwitchInstruction lookup -> Optional.of(lookup.defaultTarget());
            case TableSwitchInstruction table -> Optional.of(table.defaultTarget());
            default -> Optional.empty();
        };
    }

    private static boolean throwsMatchException(List<CodeElement> code, Label target) {
        return instructions(code, target)
                .findFirst()
                .filter(first ->
                        first instanceof NewObjectInstruction made
                                && made.className().asSymbol().equals(MATCH_EXCEPTION))
                .isPresent();
    }

    /** Returns whether the code at a label stores an index and jumps back to a typeSwitch. */
    private static boolean triesTheNextCase(List<CodeElement> code, Label target) {
        List<Instruction> instructions = instructions(code, target).limit(3).toList();
        return instructions.size() == 3
                && instructions.get(0) instanceof ConstantInstruction
                && instructions.get(1) instanceof StoreInstruction
                && instructions.get(2) instanceof BranchInstruction back
                && (back.opcode() == Opcode.GOTO || back.opcode() == Opcode.GOTO_W)
                && instructions(code, back.target())
                        .limit(3)
                        .anyMatch(SealedSwitches::isTypeSwitch);
    }

    private static boolean isTypeSwitch(CodeElement element) {
        return element instanceof InvokeDynamicInstruction call
                && call.name().equalsString("typeSwitch");
    }

    private static Stream<Instruction> instructions(List<CodeElement> code, Label from) {
        return code.stream()
                .dropWhile(element ->
                        !(element instanceof LabelTarget target && target.label().equals(from)))
                .filter(Instruction.class::isInstance)
                .map(Instruction.class::cast);
    }
}
