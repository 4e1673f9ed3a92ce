import type { AuthProfile, AuthProfileId } from "@xworkmate/contracts";

/** An account that is being moved, and the order that would result if it were dropped now. Until then, nothing else sees this order. */
export interface Lift {
	readonly profileId: AuthProfileId;
	readonly order: readonly AuthProfileId[];
}

/** Moves the account to a position. A position beyond an end means that end. */
export function moved({ profileId, order }: Lift, to: number): Lift {
	const others = order.filter((one) => one !== profileId);
	return { profileId, order: others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, profileId) };
}

export function placeOf({ profileId, order }: Lift): number {
	return order.indexOf(profileId);
}

/** The position that the account would get if it were dropped at this height of the page: below every other row whose centre is above. */
export function placeAt(middlesOfOthers: readonly number[], y: number): number {
	return middlesOfOthers.filter((middle) => middle < y).length;
}

/** Sorts the current accounts by an order that may be older: a removed account is left out, and a new one comes last. */
export function inOrder(profiles: readonly AuthProfile[], order: readonly AuthProfileId[]): readonly AuthProfile[] {
	const rank = ({ profileId }: AuthProfile) => (order.includes(profileId) ? order.indexOf(profileId) : order.length);
	return profiles.toSorted((one, other) => rank(one) - rank(other));
}

/** True for an account that comes from an environment variable, which can be neither moved nor removed here. */
export function isOfEnvironment({ profileId }: Pick<AuthProfile, "profileId">): boolean {
	return profileId.endsWith(":env");
}
