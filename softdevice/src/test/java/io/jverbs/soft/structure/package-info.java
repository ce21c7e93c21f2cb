/** Tests of the structure of the software device: layers and dependency cycles. */
package io.jverbs.soft.structure;
