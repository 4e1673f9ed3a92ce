import { type TurnParams, turn } from "../wire/turn.ts";
import { sayLines, waitFor, writeMany, writeReport } from "./scripts.ts";

const script = (prompt: string, threadId?: string): TurnParams =>
	turn({ prompt, providerId: "script", ...(threadId === undefined ? {} : { threadId }) });
const unruly = (prompt: string): TurnParams => turn({ prompt: `UNRULY:${prompt}`, providerId: "unruly" });

/**
 * One round's turns: the first takes long to collect and seal, the others are in every other state
 * when the kill comes. The last waits behind a turn that takes eight seconds, or until the kill.
 */
export function killTurns(): readonly TurnParams[] {
	const stubborn = unruly("IGNORE_CANCEL ;; STUBBORN ;; SPAWN_CHILD ;; SLOW 1000 8");
	return [
		unruly("WRITE_MANY 400 2000 ;; SAY done"),
		script(writeReport),
		script(sayLines(20, 30)),
		script(waitFor(5_000)),
		script(writeMany(30, 1000)),
		unruly("ASK may I ;; SAY went on"),
		stubborn,
		script(writeReport, stubborn.threadId),
	];
}
