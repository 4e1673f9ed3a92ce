import type { Hop, RunLogEntry } from "../../core/ui-api.ts";

export type LogShow = "all" | "hops" | "tools" | "problems";

/** The picture's five lanes; an agent stands where OpenClaw stands: it is what works. */
export const lanes: readonly Hop[] = ["app", "bridge", "openclaw", "plugin", "sync"];

export function laneOfHop(hop: Hop): number {
	return hop === "agent" ? lanes.indexOf("openclaw") : lanes.indexOf(hop);
}

/** By what the line is and how its text begins or ends; an agent's own words make no problem. */
const problems: Readonly<Record<string, RegExp>> = {
	status: /^(?:failed|artifact_missing|interrupted)/,
	ended: /^(?:failed|artifact_missing|interrupted|OPENCLAW_|ACP_HTTP_)/,
	tool_call: / · (?:failed|denied)$/,
	approval: / · expired/,
	notice: /^[A-Z_]*(?:LOST|FAILED|GONE|AWAY|REFUSED|EXPIRED|RESTARTED)[A-Z_]*:/,
	unresolved: /./,
};

export function isProblem({ dropped, what, text }: RunLogEntry): boolean {
	return dropped === true || (Object.hasOwn(problems, what) && problems[what]?.test(text) === true);
}

export function selectEntries(entries: readonly RunLogEntry[], show: LogShow): readonly RunLogEntry[] {
	switch (show) {
		case "all":
			return entries;
		case "hops":
			return entries.filter(({ from, to }) => from !== to && (from === "app" || to === "app" || from === "sync" || to === "sync"));
		case "tools":
			return entries.filter(({ what }) => what === "tool_call" || what === "approval");
		case "problems":
			return entries.filter(isProblem);
	}
}
