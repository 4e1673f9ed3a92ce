/**
 * Codes of runs whose end was not observed. Their end time is the time at which the end was noticed, so it says nothing about their
 * duration.
 */
export const unseenEnds: ReadonlySet<string | undefined> = new Set(["BRIDGE_RESTARTED", "GATEWAY_LOST", "POISONED", "STORE_RESTORED"]);
