package dev.turnstone.itests.tidy;

/**
 * Something that breaks a rule.
 *
 * @param rule the rule's name
 * @param place the type or member, as in {@code dev.turnstone.port.Session#send}, or a file
 * @param amount how much there is of it: lines, fields, occurrences
 */
record Finding(String rule, String place, int amount) {
    String key() {
        return rule + " " + place;
    }
}
