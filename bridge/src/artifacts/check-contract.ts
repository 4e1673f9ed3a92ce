import {
	type Artifact,
	type ArtifactContract,
	artifactPathProblem,
	compileGlob,
	GlobProblem,
	type MatchBudget,
	MatchBudgetError,
	type RejectedArtifact,
	type RequiredArtifact,
} from "@xworkmate/contracts";
import { rejectionWords } from "./rejection-words.ts";

/** This many steps take one or two seconds. An ordinary contract takes about twenty steps for each file and glob. */
const MATCH_STEPS = 50_000_000;
const SHOWN = 5;

export interface MissingArtifact {
	readonly glob: string;
	readonly minCount: number;
	readonly found: number;
}

export type ContractCheck =
	| { readonly ok: true }
	| {
			readonly ok: false;
			readonly code: "NO_EXPORTED_ARTIFACTS" | "REQUIRED_ARTIFACT_MISSING";
			readonly message: string;
			readonly missing: readonly MissingArtifact[];
	  };

/**
 * Checks whether a run's accepted files meet its artifact contract (docs/protocol.md#artifact-contract). Only the contract sets
 * requirements. A rejected file never counts; for each glob that is not met, the first one that would have matched is named. A glob that
 * cannot be compiled, or takes too long, is not met.
 */
export function checkContract(
	contract: Pick<ArtifactContract, "requiresExport" | "required">,
	items: readonly Pick<Artifact, "relativePath">[],
	rejected: readonly RejectedArtifact[],
): ContractCheck {
	const budget: MatchBudget = { steps: MATCH_STEPS };
	const missing: MissingArtifact[] = [];
	const problems: string[] = [];
	const causes: string[] = [];
	for (const required of contract.required) {
		const verdict = check(required, items, rejected, budget);
		if (verdict === undefined) continue;
		missing.push({ ...required, found: verdict.found });
		problems.push(verdict.problem);
		if (verdict.wouldMatch !== undefined) causes.push(`${verdict.wouldMatch.path}: ${verdict.wouldMatch.reason}`);
	}
	const nothingExported = contract.requiresExport && items.length === 0;
	if (missing.length === 0 && !nothingExported) return { ok: true };
	// The first line is for the user; the lines below have the codes.
	const listed = [listProblems(problems), ...causes.slice(0, SHOWN)].join("\n");
	if (nothingExported) {
		return {
			ok: false,
			code: "NO_EXPORTED_ARTIFACTS",
			message: `The run had to deliver files but delivered none.${listed && ` ${listed}`}`,
			missing,
		};
	}
	return { ok: false, code: "REQUIRED_ARTIFACT_MISSING", message: listed, missing };
}

interface Verdict {
	readonly found: number;
	readonly problem: string;
	readonly wouldMatch?: RejectedArtifact;
}

function check(
	{ glob, minCount }: RequiredArtifact,
	items: readonly Pick<Artifact, "relativePath">[],
	rejected: readonly RejectedArtifact[],
	budget: MatchBudget,
): Verdict | undefined {
	let found = 0;
	try {
		const { matches } = compileGlob(glob);
		for (const { relativePath } of items) {
			if (matches(relativePath, budget)) found++;
			if (found === minCount) return undefined;
		}
		const wouldMatch = rejected.find(({ path }) => isShowable(path) && matches(path, budget));
		const rejection = wouldMatch === undefined ? "" : `; ${wouldMatch.path} was rejected: ${rejectionWords[wouldMatch.reason]}`;
		return { found, problem: `${glob} (${found} of ${minCount}${rejection})`, ...(wouldMatch && { wouldMatch }) };
	} catch (error) {
		if (!(error instanceof GlobProblem || error instanceof MatchBudgetError)) throw error;
		return { found, problem: `${glob} (cannot be checked: ${error.message})` };
	}
}

/** A rejected path is untrusted text: one with control or direction characters is kept out of the message. */
function isShowable(path: string): boolean {
	return artifactPathProblem(path) !== "unsafe_name";
}

function listProblems(problems: readonly string[]): string {
	if (problems.length === 0) return "";
	const more = problems.length > SHOWN ? `, and ${problems.length - SHOWN} more` : "";
	return `Required files are missing: ${problems.slice(0, SHOWN).join(", ")}${more}.`;
}
