import type { RequiredArtifact, Snapshot } from "@xworkmate/contracts";
import { compileGlobs } from "@xworkmate/contracts/artifact-glob";

export interface RequiredState {
	readonly glob: string;
	readonly minCount: number;
	readonly matched: readonly string[];
}

/**
 * The maximum number of steps for matching an agent's file names against the user's globs, because a hostile name or glob could block the
 * page.
 */
const BUDGET_STEPS = 2_000_000;

/**
 * True if the snapshot does not list all of the run's files (docs/protocol.md#what-a-snapshot-says). A required file may then be among the
 * others.
 */
export function isListCut(snapshot: Pick<Snapshot, "artifacts"> | undefined): boolean {
	return snapshot !== undefined && snapshot.artifacts.count > snapshot.artifacts.items.length;
}

/**
 * What the bridge, which checked all files, says is missing: "Required files are missing: report.pdf (0 of 1)." The prefix of a run on a
 * gateway (docs/protocol.md#a-runs-end) is removed. Empty if the bridge said nothing.
 */
export function lackingAtBridge(message: string): string {
	const [sentence = ""] = message.trim().split("\n", 1);
	return sentence.slice(Math.max(0, sentence.indexOf("Required files are missing: ")));
}

export function isThere({ minCount, matched }: RequiredState): boolean {
	return matched.length >= minCount;
}

/** Which of the required files were delivered, and which other files. */
export function matchRequired(
	required: readonly RequiredArtifact[],
	paths: readonly string[],
): { readonly states: readonly RequiredState[]; readonly extra: readonly string[] } {
	const budget = { steps: BUDGET_STEPS };
	const asked = new Set<string>();
	const states = required.map(({ glob, minCount }) => {
		const [compiled] = compileGlobs([glob]);
		const matched = compiled === undefined ? [] : paths.filter((path) => within(() => compiled.matches(path, budget)));
		for (const path of matched) asked.add(path);
		return { glob, minCount, matched };
	});
	return { states, extra: paths.filter((path) => !asked.has(path)) };
}

/** If matching exceeds its budget, the file is treated as not matching. The bridge's own result is shown next to it. */
function within(match: () => boolean): boolean {
	try {
		return match();
	} catch (error) {
		if (error instanceof Error && error.name === "MatchBudgetError") return false;
		throw error;
	}
}
