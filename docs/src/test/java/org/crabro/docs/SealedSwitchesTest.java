package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * New switches over sealed types have no {@code default}. Methods that have one are in the list
 * {@code defaults-over-sealed-types.txt}, which only shrinks.
 */
class SealedSwitchesTest {
    @Test
    void onlyThoseOfTheListHaveADefault() throws IOException {
        ShrinkingList.of("defaults-over-sealed-types.txt")
                .check(
                        SealedSwitches.withDefault(
                                classFiles(
                                        new ClassFileImporter()
                                                .withImportOption(
                                                        new ImportOption.DoNotIncludeTests())
                                                .importPackages("org.crabro"))));
    }

    @Test
    void findsADefaultOverASealedType() throws IOException {
        JavaClasses classes =
                new ClassFileImporter()
                        .importClasses(
                                Shape.class, Circle.class, Square.class, Framed.class, Areas.class);

        assertThat(SealedSwitches.withDefault(classFiles(classes)))
                .containsExactly(
                        Areas.class.getName().replace('$', '.') + ".ofExpression 2",
                        Areas.class.getName().replace('$', '.') + ".ofStatement 1");
    }

    private static List<byte[]> classFiles(JavaClasses classes) throws IOException {
        var files = new ArrayList<byte[]>();
        for (JavaClass type : classes) {
            try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream()) {
                files.add(file.readAllBytes());
            }
        }
        return files;
    }

    private sealed interface Shape permits Circle, Square {}

    private record Circle(double radius) implements Shape {}

    private record Square(double side) implements Shape {}

    private record Framed(Shape shape) {}

    @SuppressWarnings("unused") // only its code is read
    private static final class Areas {
        static double ofExpression(Shape shape, Shape other) {
            double first =
                    switch (shape) {
                        case Circle(double radius) -> 3 * radius * radius;
                        default -> 0;
                    };
            return first
                    + switch (other) {
                        case Circle _ -> 1;
                        case null, default -> 2;
                    };
        }

        static String ofStatement(Shape shape) {
            var text = new StringBuilder();
            switch (shape) {
                case Circle _ -> text.append("round");
                default -> {}
            }
            return text.toString();
        }

        static double whole(Shape shape) {
            return switch (shape) {
                case Circle(double radius) when radius > 1 -> radius;
                case Circle _ -> 1;
                case Square(double side) -> side;
            };
        }

        static double ofComponent(Framed framed) {
            return switch (framed) {
                case Framed(Circle(double radius)) when radius > 1 -> radius;
                case Framed(Circle _) -> 1;
                case Framed(Square(double side)) -> side;
            };
        }

        static int ofAnything(Object any) {
            return switch (any) {
                case Circle _ -> 1;
                default -> 2;
            };
        }
    }
}
