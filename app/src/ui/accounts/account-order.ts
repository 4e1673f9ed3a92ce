import type { AuthProfile, AuthProfileId } from "@xworkmate/contracts";

/** An account that is being moved: the order as it would be now, which nothing knows of until it is dropped. */
export interface Lift {
	readonly profileId: AuthProfileId;
	readonly order: readonly AuthProfileId[];
}

/** A place beyond an end is that end. */
export function moved({ profileId, order }: Lift, to: number): Lift {
	const others = order.filter((one) => one !== profileId);
	return { profileId, order: others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, profileId) };
}

export function placeOf({ profileId, order }: Lift): number {
	return order.indexOf(profileId);
}

/** Where it would be if it were dropped at a height of the page: below every other row whose middle is above. */
export function placeAt(middlesOfOthers: readonly number[], y: number): number {
	return middlesOfOthers.filter((middle) => middle < y).length;
}

/** The accounts as they are now, in an order that may be older: a removed one is left out, and a new one comes last. */
export function inOrder(profiles: readonly AuthProfile[], order: readonly AuthProfileId[]): readonly AuthProfile[] {
	const rank = ({ profileId }: AuthProfile) => (order.includes(profileId) ? order.indexOf(profileId) : order.length);
	return profiles.toSorted((one, other) => rank(one) - rank(other));
}

/** The account of a variable of the environment: it can be neither moved nor removed here. */
export function isOfEnvironment({ profileId }: Pick<AuthProfile, "profileId">): boolean {
	return profileId.endsWith(":env");
}
