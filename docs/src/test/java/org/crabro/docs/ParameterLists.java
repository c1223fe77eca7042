package org.crabro.docs;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.TreeSet;

/** Methods, constructors and records with more parameters than a reader keeps in mind. */
final class ParameterLists {
    static final int MAX = 6;

    private ParameterLists() {}

    /** Returns a line for each that has more than {@link #MAX}: its name and the number, sorted. */
    static List<String> tooLong(JavaClasses classes) {
        var names = new TreeSet<String>();
        for (JavaClass type : classes) {
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                int count = unit.getRawParameterTypes().size() - added(type, unit);
                if (count > MAX && !isMadeByTheCompiler(unit)) {
                    names.add("%s %d".formatted(name(type, unit), count));
                }
            }
        }
        return List.copyOf(names);
    }

    /** Returns how many parameters the compiler adds: the outer object, or an enum's name. */
    private static int added(JavaClass type, JavaCodeUnit unit) {
        if (!unit.isConstructor()) {
            return 0;
        }
        if (type.isEnum()) {
            return 2;
        }
        boolean isInner =
                type.isNestedClass() && !type.getModifiers().contains(JavaModifier.STATIC);
        return isInner ? 1 : 0;
    }

    private static boolean isMadeByTheCompiler(JavaCodeUnit unit) {
        return unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                || unit.getName().startsWith("lambda$");
    }

    private static String name(JavaClass type, JavaCodeUnit unit) {
        String of = type.getName().replace('$', '.');
        return unit.isConstructor() ? of : of + "." + unit.getName();
    }
}
