/** Tests of strict mode before the software device. */
package io.jverbs.soft.layers.strict;
