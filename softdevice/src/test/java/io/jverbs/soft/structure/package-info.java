/** Tests of the structure of the sources: layers and dependency cycles of the software device, sizes of all files. */
package io.jverbs.soft.structure;
