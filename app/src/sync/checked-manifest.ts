import { type Artifact, artifactsDigest, caseFold, Manifest, type Snapshot } from "@xworkmate/contracts";
import { FileProblem } from "./disk/sync-problem.ts";

/**
 * The complete list of a run's files, if the snapshot contains it (up to 200 items). Undefined otherwise, because the list is then in the
 * manifest of the tar stream.
 * @throws FileProblem MANIFEST_REFUSED
 */
export function listInSnapshot(snapshot: Snapshot): readonly Artifact[] | undefined {
	const { items, count } = snapshot.artifacts;
	if (items.length < count) return undefined;
	return agreeing(items, snapshot);
}

/**
 * The files of a manifest that agrees with the terminal snapshot about run, scope, digest, count and bytes. A path is never altered: it is
 * used unchanged or refused.
 * @throws FileProblem MANIFEST_REFUSED
 */
export function checkedManifest(json: string, snapshot: Snapshot): readonly Artifact[] {
	const manifest = Manifest.safeParse(parse(json));
	if (!manifest.success) throw refused("its format is not valid", manifest.error);
	const { items, runId, threadId, turnId, artifactScope, ...sums } = manifest.data;
	const sameRun = runId === snapshot.runId && threadId === snapshot.threadId && turnId === snapshot.turnId;
	if (!sameRun || artifactScope !== snapshot.artifactScope) throw refused("it belongs to another run");
	const { count, totalBytes, digest } = snapshot.artifacts;
	if (sums.count !== count || sums.totalBytes !== totalBytes || sums.digest !== digest) throw refused("it does not match the run's result");
	return agreeing(items, snapshot);
}

function agreeing(items: readonly Artifact[], { artifacts }: Snapshot): readonly Artifact[] {
	if (items.length !== artifacts.count) throw refused(`the number of files in it is ${items.length} instead of ${artifacts.count}`);
	const total = items.reduce((sum, item) => sum + item.sizeBytes, 0);
	if (total !== artifacts.totalBytes) throw refused(`the total size of its files in bytes is ${total} instead of ${artifacts.totalBytes}`);
	if (artifactsDigest(items) !== artifacts.digest) throw refused("its digest does not match the run's result");
	// Two names that are the same on some disks would overwrite each other.
	if (new Set(items.map((item) => caseFold(item.relativePath))).size !== items.length)
		throw refused("two of its files have names that some disks cannot tell apart");
	return items;
}

function parse(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch (error) {
		throw refused("it is not JSON", error);
	}
}

function refused(why: string, cause?: unknown): FileProblem {
	return new FileProblem("MANIFEST_REFUSED", `the list of files was rejected because ${why}`, cause);
}
