/**
 * Compares sizes, offsets and constants of all generated classes with the C compiler. A C file with one expression for
 * each value is written from the generated classes by reflection and compiled, but not run. The values are read from
 * the object file, so a cross compiler works as well.
 */
package io.jverbs.ffm.abi;
