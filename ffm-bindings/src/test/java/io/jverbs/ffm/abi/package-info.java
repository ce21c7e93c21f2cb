/**
 * Sizes, offsets and constants of everything generated, against the C compiler. A C file that asks for every value is
 * written from the generated classes by reflection, compiled, never run: the answers are read from the object file, so
 * a cross compiler does as well.
 */
package io.jverbs.ffm.abi;
