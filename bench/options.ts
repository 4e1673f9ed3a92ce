import { parseArgs } from "node:util";

export const partNames = [
	"request",
	"turn",
	"sync",
	"start",
	"openclaw",
	"page",
	"list",
	"script",
	"actions",
	"assistant",
	"delivery",
	"scale",
] as const;
export type PartName = (typeof partNames)[number];

export interface BenchOptions {
	readonly parts: readonly PartName[];
	/** Runs fewer and smaller rounds: shows that the bench works, but proves no target, and saves nothing. */
	readonly quick: boolean;
	/** Folder for CPU profiles of the bridge. */
	readonly profile?: string;
}

/** @throws TypeError that names the unknown argument */
export function readOptions(args: readonly string[]): BenchOptions {
	const { values } = parseArgs({
		args: [...args],
		options: { only: { type: "string" }, quick: { type: "boolean", default: false }, profile: { type: "string" } },
	});
	const asked = values.only?.split(",") ?? partNames;
	const unknown = asked.filter((name) => !partNames.some((part) => part === name));
	if (unknown.length > 0) throw new TypeError(`--only takes ${partNames.join(", ")}, not ${unknown.join(", ")}`);
	const parts = partNames.filter((name) => asked.includes(name));
	return { parts, quick: values.quick, ...(values.profile === undefined ? {} : { profile: values.profile }) };
}
