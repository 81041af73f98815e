@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.sim;
