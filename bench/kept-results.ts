import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { z } from "zod";
import { repositoryRoot } from "../e2e/support/bridge/bridge-process.ts";
import { type PartName, partNames } from "./options.ts";
import type { Result } from "./result.ts";

const resultsFile = new URL("./results.json", import.meta.url);

const Aim = z.union([
	z.strictObject({ atMost: z.number() }),
	z.strictObject({ atLeast: z.number() }),
	z.strictObject({ atMostMore: z.number() }),
	z.strictObject({ measuredAtMost: z.number() }),
]);
const Result_ = z.strictObject({
	name: z.string(),
	unit: z.string(),
	against: z.string(),
	baseline: z.number(),
	measured: z.number(),
	ratio: z.number(),
	aim: Aim.nullable(),
	met: z.boolean().nullable(),
});

/** When, at which commit and on which machine a part was measured; parts are measured separately, so each has its own. */
const Stamp = z.strictObject({
	/** UTC day. */
	measuredOn: z.iso.date(),
	/** The commit that was checked out, with a `+` if files had changed since. */
	commit: z.string(),
	node: z.string(),
	platform: z.string(),
	cores: z.number(),
	/** Load average of the minute before it: near 0 is a quiet machine; null = not recorded. */
	loadBefore: z.number().nullable(),
});
export type Stamp = z.infer<typeof Stamp>;

const KeptPart = z.strictObject({ part: z.enum(partNames), ...Stamp.shape, results: z.array(Result_) });
export type KeptPart = z.infer<typeof KeptPart>;

/**
 * The content of results.json, in the order of the parts.
 * @throws ZodError for a part that no longer exists
 */
export async function readKeptResults(): Promise<readonly KeptPart[]> {
	return z.object({ parts: z.array(KeptPart) }).parse(JSON.parse(await readFile(resultsFile, "utf8"))).parts;
}

export async function writeKeptResults(parts: readonly KeptPart[]): Promise<void> {
	await writeFile(resultsFile, `${JSON.stringify({ parts }, null, "\t")}\n`);
}

/** A new measurement replaces the whole earlier result of its part. */
export function merge(kept: readonly KeptPart[], fresh: readonly KeptPart[]): readonly KeptPart[] {
	return partNames.flatMap((name) => fresh.find(({ part }) => part === name) ?? kept.find(({ part }) => part === name) ?? []);
}

export function stamped(part: PartName, stamp: Stamp, results: readonly Result[]): KeptPart {
	return { part, ...stamp, results: [...results] };
}

/** The stamp of this moment, taken before a part begins. */
export function takeStamp(): Stamp {
	const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).trim();
	// The bench's own results do not affect what is measured.
	const changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!bench/results.json", ":!docs/performance.md");
	return {
		measuredOn: new Date().toISOString().slice(0, 10),
		commit: git("rev-parse", "--short=12", "HEAD") + (changed === "" ? "" : "+"),
		node: process.version,
		platform: `${process.platform} ${process.arch}`,
		cores: availableParallelism(),
		loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
	};
}
