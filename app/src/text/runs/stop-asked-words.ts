import { fill } from "../../strings/interface.ts";
import { activeTurnWords } from "../../strings/runs/turn-words.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { localTime } from "../local-time.ts";
import { type StopTimes, stopAskedAt } from "./stop-asked-at.ts";

/** The words for a run that was asked to stop and whose end the bridge has not reported; undefined for any other run. */
export function stopAskedWords(turn: Pick<Turn, "status"> & StopTimes, nowMs: number): string | undefined {
	const { status } = turn;
	const askedAt = stopAskedAt(turn);
	const isActive = status === "sending" || status === "queued" || status === "running";
	if (!isActive || askedAt === undefined) return undefined;
	return fill(activeTurnWords.stopAsked, { time: localTime(askedAt, nowMs) });
}
