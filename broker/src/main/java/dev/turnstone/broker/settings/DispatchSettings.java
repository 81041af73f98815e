package dev.turnstone.broker.settings;

/**
 * Who of a queue's consumers gets its messages, and when. Immutable.
 *
 * @param exclusive {@link AddressSetting#EXCLUSIVE}
 * @param groupsMax {@link AddressSetting#GROUPS_MAX}; 0 if groups are ignored
 * @param nonDestructive {@link AddressSetting#NON_DESTRUCTIVE}
 * @param consumersBefore {@link AddressSetting#CONSUMERS_BEFORE_DISPATCH}
 * @param delayBeforeMs {@link AddressSetting#DELAY_BEFORE_DISPATCH_MS}; 0 for never
 */
public record DispatchSettings(
        boolean exclusive, int groupsMax, boolean nonDestructive, int consumersBefore, long delayBeforeMs) {}
