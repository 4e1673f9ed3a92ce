import type { Hop, RunLogEntry } from "../../core/ui-api.ts";

export type LogShow = "all" | "hops" | "tools" | "problems";

/** From the person to the work and back. */
const order: readonly Hop[] = ["app", "bridge", "agent", "openclaw", "plugin", "sync"];

/** The lanes of a picture: those that took part. */
export function lanesOf(entries: readonly RunLogEntry[]): readonly Hop[] {
	const seen = new Set(entries.flatMap(({ from, to }) => [from, to]));
	return order.filter((hop) => hop === "app" || hop === "bridge" || seen.has(hop));
}

export function isProblem({ dropped, problem }: RunLogEntry): boolean {
	return dropped === true || problem === true;
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
