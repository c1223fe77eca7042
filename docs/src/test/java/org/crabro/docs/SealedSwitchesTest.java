package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * New switches over sealed types have a {@code default} only if they select some of many kinds.
 * Other methods that have one are in the list {@code defaults-over-sealed-types.txt}, which only
 * shrinks.
 */
class SealedSwitchesTest {
    @Test
    void onlyThoseOfTheListHaveADefaultForFewKinds() throws IOException {
        ShrinkingList.of("defaults-over-sealed-types.txt")
                .check(SealedSwitches.withDefault(ClassFiles.ofProduct()));
    }

    @Test
    void findsADefaultOverASealedType() throws IOException {
        JavaClasses classes =
                new ClassFileImporter()
                        .importClasses(
                                Shape.class, Circle.class, Square.class, Framed.class, Areas.class);

        assertThat(SealedSwitches.withDefault(ClassFiles.of(classes)))
                .containsExactly(
                        Areas.class.getName().replace('$', '.') + ".ofExpression 2",
                        Areas.class.getName().replace('$', '.') + ".ofStatement 1");
    }

    @Test
    void permitsADefaultForAtLeastFourKindsAndAtLeastHalf() throws IOException {
        JavaClasses classes =
                new ClassFileImporter()
                        .importClasses(
                                Tool.class,
                                Cutter.class,
                                Hammer.class,
                                Knife.class,
                                Saw.class,
                                Axe.class,
                                Ruler.class,
                                Pencil.class,
                                Selections.class);

        String here = Selections.class.getName().replace('$', '.');
        assertThat(SealedSwitches.withDefault(ClassFiles.of(classes)))
                .containsExactly(here + ".ofFour 1", here + ".ofGroup 1");
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

    private sealed interface Tool permits Cutter, Hammer, Ruler, Pencil {}

    private sealed interface Cutter extends Tool permits Knife, Saw, Axe {}

    private record Hammer() implements Tool {}

    private record Knife() implements Cutter {}

    private record Saw() implements Cutter {}

    private record Axe() implements Cutter {}

    private record Ruler() implements Tool {}

    private record Pencil() implements Tool {}

    @SuppressWarnings("unused") // only its code is read
    private static final class Selections {
        static int ofTwo(Tool tool) {
            return switch (tool) {
                case Hammer _ -> 1;
                case Knife _ -> 2;
                default -> 3;
            };
        }

        static int ofFour(Tool tool) {
            return switch (tool) {
                case Hammer _ -> 1;
                case Ruler _, Pencil _, Knife _ -> 2;
                default -> 3;
            };
        }

        static int ofGroup(Tool tool) {
            return switch (tool) {
                case Cutter _ -> 1;
                default -> 2;
            };
        }
    }
}
