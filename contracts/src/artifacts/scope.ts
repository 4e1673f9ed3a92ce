import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { RunId, ThreadId } from "../ids/ids.ts";

const SLUG_LENGTH = 40;

/** `tasks/<session>/<run>` (docs/protocol.md#identifiers). */
export const ArtifactScope = z
	.string()
	.regex(/^tasks\/[a-z0-9-]+-[0-9a-f]{12}\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be tasks/<session>/<run>")
	.brand<"ArtifactScope">();
export type ArtifactScope = z.infer<typeof ArtifactScope>;

/**
 * The folder name of a thread, the same in app, bridge and plugin: a readable slug and 12 hex digits of sha256(threadId), so that two ids
 * never share a folder (`draft:a-1`, `draft-a-1`).
 */
export function sessionFolder(threadId: ThreadId): string {
	const slug = threadId
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.slice(0, SLUG_LENGTH)
		.replace(/^-|-$/g, "");
	const hash = bytesToHex(sha256(utf8ToBytes(threadId))).slice(0, 12);
	return `${slug || "thread"}-${hash}`;
}

/** The scope of one run of a thread. */
export function artifactScope(threadId: ThreadId, runId: RunId): ArtifactScope {
	return `tasks/${sessionFolder(threadId)}/${runId}` as ArtifactScope;
}
