import { createHash } from "node:crypto";
import { canonicalJson, type IntegrationId, Sha256 } from "@xworkmate/contracts";
import type { DeclaredTool } from "../host/host-messages.ts";

/** A file of an integration; `path` is relative to its folder, with `/`. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** One version of an integration: what runs, and what it declares. Never changes. */
export interface ToolVersion {
	readonly integration: IntegrationId;
	readonly toolHash: Sha256;
	readonly sourcesHash: Sha256;
	/** In the order of their paths. */
	readonly files: readonly SourceFile[];
	readonly tools: readonly DeclaredTool[];
}

export function hashOf(value: unknown): Sha256 {
	return Sha256.parse(createHash("sha256").update(canonicalJson(value)).digest("hex"));
}

export function sourcesHashOf(integration: IntegrationId, files: readonly SourceFile[]): Sha256 {
	return hashOf({ integration, files: files.map(({ path, text }) => [path, text]) });
}

/**
 * Makes a version. Its hash covers the sources and the declarations, so that neither can change unnoticed. The hash leaves out whether code
 * decides for each call: the sources show that too, and a version that an older bridge stored without it stays the same accepted version.
 */
export function toolVersion(integration: IntegrationId, files: readonly SourceFile[], tools: readonly DeclaredTool[]): ToolVersion {
	const sourcesHash = sourcesHashOf(integration, files);
	const declared = tools.map(({ codeDecides: _, ...rest }) => rest);
	return { integration, sourcesHash, toolHash: hashOf({ sources: sourcesHash, tools: declared }), files, tools };
}
