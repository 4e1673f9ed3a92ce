import type { Hop, RunLogEntry } from "../../core/ui-api.ts";

export type LogShow = "all" | "hops" | "tools" | "problems";

/** The picture's five lanes; an agent stands where OpenClaw stands: it is what works. */
export const lanes: readonly Hop[] = ["app", "bridge", "openclaw", "plugin", "sync"];

export function laneOfHop(hop: Hop): number {
	return hop === "agent" ? lanes.indexOf("openclaw") : lanes.indexOf(hop);
}

const problemWords = /fail|error|lost|drop|denied|expired|unresolved|interrupt/i;

export function isProblem({ dropped, what, text }: RunLogEntry): boolean {
	return dropped === true || problemWords.test(what) || (what === "notice" && problemWords.test(text));
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
