import type { TurnStatus } from "../../threads/domain/thread.ts";

const settled: ReadonlySet<TurnStatus> = new Set([
	"completed",
	"failed",
	"artifact_missing",
	"cancelled",
	"interrupted",
	"refused",
	"unresolved",
]);

/** True if there is an outcome to show: a final one, or the fact that the bridge reported none. */
export function isSettledStatus(status: TurnStatus): boolean {
	return settled.has(status);
}
