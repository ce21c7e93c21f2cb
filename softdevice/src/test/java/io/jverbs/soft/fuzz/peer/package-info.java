/** Tests of the wire protocols against a peer whose packets a script determines, on virtual time. */
package io.jverbs.soft.fuzz.peer;
