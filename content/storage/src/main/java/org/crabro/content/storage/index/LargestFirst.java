package org.crabro.content.storage.index;

import java.util.Arrays;
import org.apache.lucene.util.IntroSorter;

/**
 * Sorts numbers in place, the largest first. It allocates no memory per call, unlike {@link
 * Arrays#sort(int[], int, int)}. For one thread.
 */
public final class LargestFirst {
    private final Sorter sorter = new Sorter();

    /** Sorts the first numbers of an array. */
    public void sort(int[] numbers, int count) {
        sorter.numbers = numbers;
        sorter.sort(0, count);
    }

    private static final class Sorter extends IntroSorter {
        private int[] numbers = {};
        private int pivot;

        @Override
        protected void setPivot(int index) {
            pivot = numbers[index];
        }

        @Override
        protected int comparePivot(int index) {
            return Integer.compare(numbers[index], pivot);
        }

        @Override
        protected void swap(int a, int b) {
            int number = numbers[a];
            numbers[a] = numbers[b];
            numbers[b] = number;
        }
    }
}
