import type { Endpoint } from "@xworkmate/contracts";
import { bridgeEndpointFile, readEndpoint } from "./bridge-files.ts";
import { sendSignal } from "./stop-process.ts";

/**
 * Remembers the bridge that runs in a home now. What it gives says whether that very process has stopped since: also
 * when another one runs there by now. False when none was known.
 */
export async function watchBridge(home: string): Promise<() => Promise<boolean>> {
	const before = await readEndpoint(bridgeEndpointFile(home));
	return async () => {
		if (before === undefined) return false;
		const now = await readEndpoint(bridgeEndpointFile(home));
		return !isSame(before, now) || !sendSignal(before.pid, 0);
	};
}

function isSame(before: Endpoint, now: Endpoint | undefined): boolean {
	return now === undefined || (now.pid === before.pid && now.startedAt === before.startedAt);
}
