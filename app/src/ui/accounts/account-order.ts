import type { AuthProfile, AuthProfileId } from "@xworkmate/contracts";

/**
 * An account that is being moved, and the order that would result if it were dropped now. The order takes effect only when the account is
 * dropped.
 */
export interface Lift {
	readonly profileId: AuthProfileId;
	readonly order: readonly AuthProfileId[];
}

/** Moves the account to a position. A position beyond either end means that end. */
export function moved({ profileId, order }: Lift, to: number): Lift {
	const others = order.filter((one) => one !== profileId);
	return { profileId, order: others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, profileId) };
}

export function placeOf({ profileId, order }: Lift): number {
	return order.indexOf(profileId);
}

/**
 * The position that the account would get if it were dropped at this height of the page: below every other row whose center is above that
 * height.
 */
export function placeAt(middlesOfOthers: readonly number[], y: number): number {
	return middlesOfOthers.filter((middle) => middle < y).length;
}

/** Sorts the current accounts by an order that may be older. Accounts removed since then are left out, and new ones come last. */
export function inOrder(profiles: readonly AuthProfile[], order: readonly AuthProfileId[]): readonly AuthProfile[] {
	const rank = ({ profileId }: AuthProfile) => (order.includes(profileId) ? order.indexOf(profileId) : order.length);
	return profiles.toSorted((one, other) => rank(one) - rank(other));
}

/** True for an account that comes from an environment variable, which can be neither moved nor removed here. */
export function isOfEnvironment({ profileId }: Pick<AuthProfile, "profileId">): boolean {
	return profileId.endsWith(":env");
}
