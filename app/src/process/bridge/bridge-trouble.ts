import type { Timestamp } from "@xworkmate/contracts";
import { sentence } from "@xworkmate/contracts";

/**
 * What is wrong with the bridge, and what its supervisor does about it. `silent`: it runs but does not answer. `ended`: its process has
 * ended. `start_failed`: the last attempt to start it failed. `restarting`: it is being ended and started again, because the user asked for
 * it.
 */
export interface BridgeTrouble {
	readonly what: "silent" | "ended" | "start_failed" | "restarting";
	/** False for a bridge that the user started and that runs: it is left alone. */
	readonly own: boolean;
	/** For `ended`: the user had started the bridge, and has probably ended it on purpose. The app starts one of its own. */
	readonly startedByUser?: true;
	/** The number of the next start since the bridge was last healthy, from 1; absent for `silent` and `restarting`. */
	readonly attempt?: number;
	/** The time of the next start; absent while no start is pending. */
	readonly startsAt?: Timestamp;
	/** Why the last start failed. */
	readonly message?: string;
}

/** True if the process of this app's own bridge has ended, and with it the runs that it was executing. */
export function isBridgeGone(trouble: BridgeTrouble | undefined): boolean {
	return trouble?.own === true && (trouble.what === "ended" || trouble.what === "start_failed");
}

/** A shorter pause before a start is not mentioned to the user. */
export const SOON_MS = 1_000;

/** Runs on OpenClaw are not cut off: they belong to the gateway, and the next bridge resumes them. */
const CUT_OFF =
	"Runs in progress on this computer are marked as interrupted, except those of the assistant and of programs that called typed tools: those continue. Runs on OpenClaw continue there.";

/** What the terminal prints when a problem begins or changes, and what `doctor` says about it. */
export function troubleWords({ what, own, attempt, message, startedByUser }: BridgeTrouble, afterMs: number): string {
	if (what === "restarting") return "The bridge is being restarted, as requested.";
	if (what === "silent" && !own) return "The bridge isn't responding. This app did not start it, so restart it where it was started.";
	if (what === "silent") return `The bridge isn't responding and is being restarted. ${CUT_OFF}`;
	const seconds = Math.round(afterMs / 1000);
	const when = afterMs < SOON_MS ? "" : ` in ${seconds} s`;
	const which = attempt === undefined || attempt < 2 ? "" : ` (attempt ${attempt})`;
	if (what === "start_failed") return `${sentence(message ?? "The bridge did not start.")} Trying again${when}${which}.`;
	if (startedByUser === true) return `The bridge that was started separately has ended. Starting one${when}${which}. ${CUT_OFF}`;
	if (which === "") return `The bridge stopped unexpectedly. Restarting it${when}. ${CUT_OFF}`;
	return `The bridge stopped again. Restarting it${when}${which}.`;
}
