/** What permissions cost on the way of each message. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.benchmarks.security;
