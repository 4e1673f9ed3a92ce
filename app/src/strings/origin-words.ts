import type { OriginKind } from "@xworkmate/contracts";
import { words } from "./interface.ts";

const places: ReadonlyMap<string, string> = new Map(Object.entries(words.thread.sentOn));

/** Who started a run that this app did not send, or where the user sent it from. The id of another app is random, so it is left out. */
export function originWords({ kind, id }: { readonly kind: OriginKind; readonly id?: string }): string {
	const who = words.thread.startedBy[kind];
	if (kind === "app" || id === undefined) return who;
	return (kind === "operator" ? places.get(id) : undefined) ?? `${who} (${id})`;
}
