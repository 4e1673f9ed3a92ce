import type { OriginKind } from "@xworkmate/contracts";
import { words } from "./interface.ts";

/** Who started a run that was not sent from here. The id of another app is random, so it is left out. */
export function originWords({ kind, id }: { readonly kind: OriginKind; readonly id?: string }): string {
	const who = words.thread.startedBy[kind];
	return kind === "app" || id === undefined ? who : `${who} (${id})`;
}
