import type { BridgeView } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";

export interface BridgeState {
	readonly tone: "st-ok" | "st-run" | "st-bad";
	readonly text: string;
	/** More detail, shown where there is room for it. */
	readonly detail?: string;
}

/** The bridge's state in a few words. A problem reported by its supervisor takes precedence over the result of the last call. */
export function bridgeState({ state, trouble }: Pick<BridgeView, "state" | "trouble">, now: number): BridgeState {
	if (trouble === undefined) {
		const tone = state === "connected" ? "st-ok" : state === "starting" ? "st-run" : "st-bad";
		return { tone, text: words.bridge[state] };
	}
	const { what, own, attempt = 1, message } = trouble;
	const detail = [attempt > 1 ? fill(words.bridge.attempt, { count: attempt }) : "", message ?? ""]
		.filter((part) => part !== "")
		.join(" · ");
	if (what === "silent") return { tone: "st-bad", text: own ? words.bridge.silentOwn : words.bridge.silent };
	const seconds = trouble.startsAt === undefined ? 0 : Math.ceil((Date.parse(trouble.startsAt) - now) / 1000);
	const text = seconds > 1 ? fill(words.bridge.restartingIn, { seconds }) : words.bridge.restarting;
	return { tone: "st-run", text, ...(detail !== "" && { detail }) };
}
