@org.jspecify.annotations.NullMarked
package dev.turnstone.demo;
