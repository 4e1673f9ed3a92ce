import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { RejectedArtifact } from "@xworkmate/contracts";
import { isScopeError } from "@xworkmate/platform/scope-tree";
import type { RunRecord } from "../runs/run-record.ts";
import { isBelow } from "../tools/real-target.ts";
import { attributeFile } from "./attribute-file.ts";
import { changedSince, isOlder } from "./changed-within.ts";
import { type GatewayPlaces, placeOf } from "./gateway-places.ts";

/** A file to copy into the scope before it is sealed. */
export interface BringFile {
	/** Absolute real path. */
	readonly source: string;
	/** The file's path in the scope. */
	readonly relativePath: string;
}

export interface BringPlan {
	readonly files: readonly BringFile[];
	readonly rejected: readonly RejectedArtifact[];
}

export interface BringFacts {
	readonly places: GatewayPlaces;
	/** The run's own temporary folder. */
	readonly ownTemporary: string;
	readonly isClaimed: (path: string) => boolean;
	/** Sources that are already copied for another reason. */
	readonly brought: ReadonlySet<string>;
}

const MAX_REFUSED = 50;

/** Decides which of the files outside the scope that a run's events name are copied, and which are listed as rejected. */
export function planBring(record: RunRecord, facts: BringFacts): BringPlan {
	const files = new Map<string, BringFile>();
	const refused = new Map<string, RejectedArtifact>();
	for (const { path, by } of record.evidence.named) {
		const found = lookAt(path);
		if (found === undefined || files.has(found.source) || facts.brought.has(found.source)) continue;
		const place = placeOf(found.source, record, facts.places);
		const verdict = attributeFile({
			place,
			by,
			isOfThisTime: changedSince(found.stat, record),
			isOlder: isOlder(found.stat, record),
			isClaimed: facts.isClaimed(path),
			exclusive: record.evidence.exclusive,
			isOwnTemporary: isBelow(found.source, facts.ownTemporary),
		});
		if (verdict === "bring") files.set(found.source, { source: found.source, relativePath: basename(found.source) });
		else if (verdict === "unattributed")
			refused.set(found.source, { path: shownPath(found.source, place, record), reason: "unattributed" });
	}
	for (const source of files.keys()) refused.delete(source);
	return { files: [...files.values()], rejected: [...refused.values()].slice(0, MAX_REFUSED) };
}

/** Hides the parts of the gateway's paths that the reader does not need. */
function shownPath(source: string, place: string, { workspaceDirectory }: RunRecord): string {
	return place === "workspace" ? relative(workspaceDirectory, source) : `${place}/${basename(source)}`;
}

interface LookedAt {
	readonly source: string;
	readonly stat: BigIntStats;
}

/** Examines a file by its real path, without following the last segment; undefined unless it is a regular file without other hard links. */
function lookAt(path: string): LookedAt | undefined {
	if (path.includes("\0")) return undefined;
	try {
		const source = join(realpathSync(dirname(path)), basename(path));
		const stat = lstatSync(source, { bigint: true });
		return stat.isFile() && stat.nlink === 1n ? { source, stat } : undefined;
	} catch (error) {
		if (isScopeError(error)) return undefined;
		throw error;
	}
}
