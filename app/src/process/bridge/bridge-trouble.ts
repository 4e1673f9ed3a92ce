import type { Timestamp } from "@xworkmate/contracts";
import { sentence } from "@xworkmate/contracts";

/**
 * What is wrong with the bridge and what its supervisor does about it. `silent`: it runs and does not answer. `ended`: its
 * process is gone. `start_failed`: the last attempt to start it did not succeed.
 */
export interface BridgeTrouble {
	readonly what: "silent" | "ended" | "start_failed";
	/** False for a bridge that someone else started: it is left alone. */
	readonly own: boolean;
	/** 1 = the first start since the bridge was well; absent while it is not known yet that one is needed. */
	readonly attempt?: number;
	/** When it will be started; absent when it is being started. */
	readonly startsAt?: Timestamp;
	/** Why the last start failed. */
	readonly message?: string;
}

/** The process of this app's own bridge is gone, and with it what was executing in it. */
export function isBridgeGone(trouble: BridgeTrouble | undefined): boolean {
	return trouble?.own === true && trouble.what !== "silent";
}

/** A pause that is not worth telling. */
export const SOON_MS = 1_000;

/** Runs on OpenClaw are the gateway's: the next bridge takes them up. */
const CUT_OFF = "Runs that were executing on this computer are marked as interrupted. Runs on OpenClaw continue there.";

/** The terminal's message when a fault begins or changes. */
export function troubleWords({ what, own, attempt, message }: BridgeTrouble, afterMs: number): string {
	if (what === "silent" && !own) return "The bridge isn't responding. This app did not start it, so restart it where it was started.";
	if (what === "silent") return `The bridge isn't responding and is being restarted. ${CUT_OFF}`;
	const seconds = Math.round(afterMs / 1000);
	const when = afterMs < SOON_MS ? "" : ` in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
	const which = attempt === undefined || attempt < 2 ? "" : ` (attempt ${attempt})`;
	if (what === "start_failed") return `${sentence(message ?? "The bridge did not start.")} Trying again${when}${which}.`;
	if (which === "") return `The bridge stopped unexpectedly. Restarting it${when}. ${CUT_OFF}`;
	return `The bridge stopped again. Restarting it${when}${which}.`;
}
