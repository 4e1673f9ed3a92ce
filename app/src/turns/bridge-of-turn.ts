import type { ThreadStore, TurnKey, TurnRequest } from "../threads/index.ts";

/**
 * The bridge that a message is for, as the message's request keeps it.
 *
 * @param bridgeUrl the address of a bridge elsewhere; undefined if the app asks the bridge of its own home
 */
export function bridgeOfTurn(bridgeUrl: string | undefined): Pick<TurnRequest, "ownBridge" | "bridgeUrl"> {
	if (bridgeUrl === undefined) return { ownBridge: true };
	return { bridgeUrl: URL.canParse(bridgeUrl) ? new URL(bridgeUrl).origin : bridgeUrl };
}

/** True if a message was for another bridge than the one that the app asks now. False if it is not known which one it was for. */
export function isForAnother(request: TurnRequest, bridgeUrl: string | undefined): boolean {
	if (request.ownBridge === true) return bridgeUrl !== undefined;
	return request.bridgeUrl !== undefined && request.bridgeUrl !== bridgeOfTurn(bridgeUrl).bridgeUrl;
}

/**
 * True if a turn was for the bridge of the app's own home, and the app still uses that bridge. A bridge elsewhere may have been replaced
 * or restored from a backup, so a turn that it doesn't know may still have run.
 */
export function isStillOwn(
	{ store, bridgeUrl }: { readonly store: Pick<ThreadStore, "turnRecord">; readonly bridgeUrl: string | undefined },
	key: TurnKey,
): boolean {
	return bridgeUrl === undefined && store.turnRecord(key)?.request.ownBridge === true;
}
