import { ArtifactPath, OPENCLAW_ARTIFACT_ROUTE, OpenClawRunRef } from "@xworkmate/contracts";
import { PluginError } from "../platform/plugin-error.ts";

/** The target of a URL of the artifact route; without `relativePath`, all of a run's files. */
export interface ArtifactAddress {
	readonly run: OpenClawRunRef;
	readonly relativePath?: string;
}

/**
 * Parses `<route>/<runId>[/<path>]?sessionKey=&artifactScope=` as it was sent. Decodes each segment separately and only once, so that no
 * escape can become a separator; nothing is normalized.
 * @throws PluginError INVALID_PARAMS
 */
export function parseArtifactUrl(url: string): ArtifactAddress {
	const at = url.indexOf("?");
	const path = at === -1 ? url : url.slice(0, at);
	const query = new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
	if (!path.startsWith(`${OPENCLAW_ARTIFACT_ROUTE}/`)) throw new PluginError("INVALID_PARAMS", "the path does not name a run");
	const [runId, ...segments] = path.slice(OPENCLAW_ARTIFACT_ROUTE.length + 1).split("/");
	const run = OpenClawRunRef.safeParse({ runId, sessionKey: query.get("sessionKey"), artifactScope: query.get("artifactScope") });
	if (!run.success) throw new PluginError("INVALID_PARAMS", "runId, sessionKey or artifactScope is missing or malformed");
	if (segments.length === 0) return { run: run.data };
	const relativePath = ArtifactPath.safeParse(segments.map(decodeSegment).join("/"));
	if (!relativePath.success) throw new PluginError("INVALID_PARAMS", "the path is not allowed");
	return { run: run.data, relativePath: relativePath.data };
}

function decodeSegment(segment: string): string {
	let decoded: string;
	try {
		decoded = decodeURIComponent(segment);
	} catch {
		throw new PluginError("INVALID_PARAMS", "the path has a malformed escape");
	}
	if (decoded.includes("/")) throw new PluginError("INVALID_PARAMS", "a separator must not be escaped");
	return decoded;
}
