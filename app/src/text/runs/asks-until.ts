import { limits } from "@xworkmate/contracts/limits";
import { fill, words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { localDay } from "../local-time.ts";

type AskedTurn = Pick<Turn, "status" | "unresolvedSince" | "createdAt">;

/** When the app stops asking the bridge about a turn whose outcome it could not learn. */
function asksUntil({ unresolvedSince, createdAt }: Pick<AskedTurn, "unresolvedSince" | "createdAt">): number {
	return Date.parse(unresolvedSince ?? createdAt) + limits.unresolvedKeepMs;
}

/** True while the app asks the bridge about a turn whose outcome it could not learn. */
export function isStillAsked(turn: AskedTurn, now: number): boolean {
	return turn.status === "unresolved" && now < asksUntil(turn);
}

/** Says whether the app still asks the bridge about a turn whose outcome it could not learn. */
export function askingWords(turn: AskedTurn, now: number): string {
	const until = asksUntil(turn);
	return now < until ? fill(words.outcome.asksUntil, { day: localDay(until) }) : words.outcome.asksNoMore;
}

/** True if a restored backup leaves open whether the turn's message was sent, as the app's own message about it says. */
export function isSentUnknown({ runId }: Pick<Turn, "runId">, code: string | undefined): boolean {
	return code === "STORE_RESTORED" && runId === undefined;
}
