import { compareBytes, type OpenClawArtifact, type OpenClawResult } from "@xworkmate/contracts";
import type { SealedFile, SealedScope } from "./sealed-scope.ts";

/** One page of a sealed scope's manifest: the files after a given path, in byte order. */
export function exportXWorkmateArtifacts(
	sealed: SealedScope,
	afterPath: string | undefined,
	limit: number,
): OpenClawResult<"xworkmate.artifacts.export"> {
	const start = afterPath === undefined ? 0 : firstAfter(sealed.items, afterPath);
	const page = sealed.items.slice(start, start + limit);
	const { count, totalBytes, digest, rejected, rejectedCount } = sealed;
	return {
		items: page.map(toArtifact),
		complete: start + page.length === sealed.items.length,
		count,
		totalBytes,
		digest,
		rejected,
		rejectedCount,
	};
}

/** The entry of a file, by its path. */
export function findSealed(sealed: SealedScope, relativePath: string): SealedFile | undefined {
	const found = sealed.items[firstAfter(sealed.items, relativePath) - 1];
	return found?.relativePath === relativePath ? found : undefined;
}

function toArtifact({ identity: _, ...artifact }: SealedFile): OpenClawArtifact {
	return artifact;
}

/** How many items have a path that is equal to this one or comes before it. */
function firstAfter(items: readonly SealedFile[], path: string): number {
	let low = 0;
	let high = items.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (compareBytes(items[middle]?.relativePath ?? "", path) <= 0) low = middle + 1;
		else high = middle;
	}
	return low;
}
