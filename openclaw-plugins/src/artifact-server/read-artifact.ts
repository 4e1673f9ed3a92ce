import type { OpenClawResult } from "@xworkmate/contracts";
import { findSealed } from "../export/export-xworkmate-artifacts.ts";
import type { SealedScope } from "../export/sealed-scope.ts";
import type { CheckedParams } from "../methods/handlers.ts";
import { PluginError } from "../platform/plugin-error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { openSealed, openSealedScope, readPart, requireUnchanged } from "./sealed-bytes.ts";

type ReadParams = CheckedParams<"xworkmate.artifacts.read">;

/**
 * Reads a part of one sealed file.
 * @throws PluginError NOT_FOUND, INVALID_PARAMS, ARTIFACT_CHANGED
 */
export async function readArtifact(
	record: RunRecord,
	sealed: SealedScope,
	{ relativePath, offset, length }: ReadParams,
): Promise<OpenClawResult<"xworkmate.artifacts.read">> {
	const file = findSealed(sealed, relativePath);
	if (file === undefined) throw new PluginError("NOT_FOUND", "the run has no such file");
	if (offset > file.sizeBytes) throw new PluginError("INVALID_PARAMS", "the offset is beyond the end of the file");
	using tree = openSealedScope(record.artifactDirectory);
	using bytes = openSealed(tree, file);
	await requireUnchanged(bytes);
	const end = Math.min(offset + length, file.sizeBytes);
	const part = await readPart(bytes, { start: offset, end });
	return { base64: part.toString("base64"), sizeBytes: file.sizeBytes, sha256: file.sha256, complete: end === file.sizeBytes };
}
