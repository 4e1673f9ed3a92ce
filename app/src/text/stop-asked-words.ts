import { fill } from "../strings/interface.ts";
import { activeTurnWords } from "../strings/turn-words.ts";
import type { Turn } from "../threads/domain/thread.ts";
import { localTime } from "./local-time.ts";

/** The words for a run that was asked to stop and whose end the bridge has not reported; undefined for any other run. */
export function stopAskedWords(
	{ status, cancelRequestedAt }: Pick<Turn, "status"> & { readonly cancelRequestedAt?: Turn["cancelRequestedAt"] | undefined },
	nowMs: number,
): string | undefined {
	const isActive = status === "sending" || status === "queued" || status === "running";
	if (!isActive || cancelRequestedAt === undefined) return undefined;
	return fill(activeTurnWords.stopAsked, { time: localTime(cancelRequestedAt, nowMs) });
}
