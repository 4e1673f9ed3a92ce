import { artifactPathProblem, ContractError, RunId } from "@xworkmate/contracts";

export const ARTIFACTS_PREFIX = "/artifacts/";

/** The target of an artifact URL. Without a path, it means all files of a run. */
export interface ArtifactAddress {
	readonly runId: RunId;
	readonly relativePath?: string;
}

/**
 * Reads `/artifacts/{runId}[/{relativePath}]` from the URL as it was sent. Decodes each segment separately and once, so that no escape can
 * become a separator; nothing is normalized.
 * @throws ContractError NOT_FOUND, FORBIDDEN_PATH
 */
export function parseArtifactUrl(url: string): ArtifactAddress {
	const [path = ""] = url.split("?", 1);
	const [first = "", ...segments] = path.slice(ARTIFACTS_PREFIX.length).split("/");
	const runId = RunId.safeParse(first);
	if (!runId.success) throw new ContractError(segments.length === 0 ? "NOT_FOUND" : "FORBIDDEN_PATH");
	if (segments.length === 0) return { runId: runId.data };
	const relativePath = segments.map(decodeSegment).join("/");
	const problem = artifactPathProblem(relativePath);
	if (problem !== undefined) throw new ContractError("FORBIDDEN_PATH", { detail: `This path is not allowed (${problem}).` });
	return { runId: runId.data, relativePath };
}

function decodeSegment(segment: string): string {
	let decoded: string;
	try {
		decoded = decodeURIComponent(segment);
	} catch {
		throw new ContractError("FORBIDDEN_PATH", { detail: "The path contains an invalid escape." });
	}
	if (decoded.includes("/")) throw new ContractError("FORBIDDEN_PATH", { detail: "A separator in the path must not be escaped." });
	return decoded;
}
