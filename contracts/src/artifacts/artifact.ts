import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { RunId, SessionId, Sha256, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { ArtifactPath } from "./artifact-path-schema.ts";
import { ArtifactScope } from "./scope.ts";

/** One final file of one run. */
export const Artifact = z.object({
	relativePath: ArtifactPath,
	sizeBytes: z.int().min(0),
	sha256: Sha256,
	mediaType: z.string().min(1),
	modifiedAt: Timestamp,
	/** `/artifacts/<runId>/<encoded path>`, relative to the bridge's origin. */
	artifactRef: z.string().startsWith("/artifacts/"),
});
export type Artifact = z.infer<typeof Artifact>;

export const RejectionReason = z.enum([
	"symlink",
	"hard_link",
	"special_file",
	"mount",
	"unsafe_name",
	"reserved_name",
	"name_collision",
	"placeholder",
	"empty_required",
	"unattributed",
	"changed_while_reading",
	"too_large",
	"too_many",
	"write_refused",
]);
export type RejectionReason = z.infer<typeof RejectionReason>;

/** A file that was found but rejected. `path` is for display only and is never opened. */
export const RejectedArtifact = z.object({ path: z.string(), reason: RejectionReason });
export type RejectedArtifact = z.infer<typeof RejectedArtifact>;

export const ArtifactSummary = z.object({
	/** At most 200; the manifest lists all of them. */
	items: z.array(Artifact),
	count: z.int().min(0),
	totalBytes: z.int().min(0),
	digest: Sha256,
});
export type ArtifactSummary = z.infer<typeof ArtifactSummary>;

/** `.xworkmate/manifest.json`, the first entry of a run's tar stream. */
export const Manifest = z.object({
	schemaVersion: z.literal(1),
	runId: RunId,
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	artifactScope: ArtifactScope,
	createdAt: Timestamp,
	items: z.array(Artifact),
	count: z.int().min(0),
	totalBytes: z.int().min(0),
	digest: Sha256,
	/** How many files were found but do not count; the snapshot names the first of them. */
	rejectedCount: z.int().min(0).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST_PATH = ".xworkmate/manifest.json";

/** The address of one artifact, each segment percent-encoded. */
export function artifactRef(runId: RunId, relativePath: string): string {
	return `/artifacts/${runId}/${relativePath.split("/").map(encodeURIComponent).join("/")}`;
}

/** Orders well-formed text by its UTF-8 bytes, as the digest and the manifest do, without encoding it. */
export function compareBytes(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	for (let index = 0; index < length; index++) {
		const left = a.charCodeAt(index);
		const right = b.charCodeAt(index);
		if (left !== right) return byteRank(left) - byteRank(right);
	}
	return a.length - b.length;
}

/** UTF-8 orders by code point; UTF-16 orders surrogates, which encode the highest code points, before U+E000. */
function byteRank(unit: number): number {
	if (unit < 0xd800) return unit;
	return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** sha256 over the lines `<sha256>  <relativePath>\n` in byte order of the lines, the output of `sha256sum | LC_ALL=C sort`. */
export function artifactsDigest(items: readonly Pick<Artifact, "sha256" | "relativePath">[]): Sha256 {
	const lines = items.map((item) => `${item.sha256}  ${item.relativePath}\n`).sort(compareBytes);
	const hash = sha256.create();
	for (const line of lines) hash.update(utf8ToBytes(line));
	return bytesToHex(hash.digest());
}
