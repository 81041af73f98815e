/** Certificates for tests, made on the spot. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.tls;
