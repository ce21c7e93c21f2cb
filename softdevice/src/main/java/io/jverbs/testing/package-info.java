/**
 * For tests of programs that use RDMA: a JUnit Jupiter extension that gives each test a simulated network of its own. It needs JUnit's
 * API, which this module does not bring: a project that has JUnit tests has it.
 */
package io.jverbs.testing;
