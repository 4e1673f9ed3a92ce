import type { TurnId } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts/limits";
import { currentTurn, type Thread } from "../../threads/domain/thread.ts";

/**
 * True if the app downloads a run's missing files again automatically: it does so for the thread's newest run, for some days after the run
 * ended, unless the thread is archived.
 */
export function isFetchedAgain(thread: Pick<Thread, "turns" | "lifecycleStatus">, turnId: TurnId, now: number): boolean {
	const turn = currentTurn(thread);
	if (turn?.turnId !== turnId || thread.lifecycleStatus === "archived") return false;
	return now - Date.parse(turn.endedAt ?? turn.createdAt) < limits.unresolvedKeepMs;
}
