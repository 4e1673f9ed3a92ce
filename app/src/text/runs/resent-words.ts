import type { Origin } from "@xworkmate/contracts";

interface EndedTurn {
	readonly turnId: string;
	readonly code: string | undefined;
	readonly origin: Pick<Origin, "kind"> | undefined;
	/** All turns of the ended turn's thread. */
	readonly turns: readonly { readonly turnId: string }[];
}

/** Says whether the same message was run again after a run whose outcome is unknown. */
export function resentWords(ended: EndedTurn): string {
	const again = isStartedAgain(ended);
	if (again === "yes") return workStartedAgain;
	return again === "perhaps" ? `${planSaysWhether}.` : "Nothing was resent automatically.";
}

export const workStartedAgain = "The plan’s work was started again.";
export const planSaysWhether = "The plan shows whether its work was started again";

/**
 * Whether the run's work was started again. A message is never sent again automatically, but if the bridge's end interrupted a plan's work,
 * the plan repeats the work, unless something shows that it has changed anything.
 */
export function isStartedAgain({ turnId, code, origin, turns }: EndedTurn): "yes" | "perhaps" | "no" {
	if (origin?.kind !== "plan") return "no";
	const { work, n } = partsOf(turnId);
	const isFollowed = turns.map((turn) => partsOf(turn.turnId)).some((other) => other.work === work && other.n > n);
	if (isFollowed) return "yes";
	return code === "BRIDGE_RESTARTED" || code === "BRIDGE_STOPPED" ? "perhaps" : "no";
}

/** The turns of an occurrence's work are named `<occurrence>-<n>`. */
function partsOf(turnId: string): { readonly work: string; readonly n: number } {
	const end = turnId.lastIndexOf("-");
	return { work: turnId.slice(0, end), n: Number(turnId.slice(end + 1)) };
}
