import { OpenClawArtifact, RejectedArtifact, RunId, Sha256, Timestamp } from "@xworkmate/contracts";
import { z } from "zod";

/** A file's metadata when it was hashed. If any of it differs later, the file may have been written to. */
const FileIdentity = z.object({ inode: z.string(), mtimeNs: z.string(), ctimeNs: z.string() });
export type FileIdentity = z.infer<typeof FileIdentity>;

export const SealedFile = z.object({
	// The paths were validated when they were sealed; validating 10,000 again whenever a manifest is loaded would take too long.
	relativePath: z.string(),
	sizeBytes: OpenClawArtifact.shape.sizeBytes,
	sha256: Sha256,
	mediaType: z.string(),
	modifiedAt: Timestamp,
	identity: FileIdentity,
});
export type SealedFile = z.infer<typeof SealedFile>;

/** A run's files as they were when it was collected. Later writes do not count. */
export const SealedScope = z.object({
	schemaVersion: z.literal(1),
	runId: RunId,
	sealedAt: Timestamp,
	/** In byte order of the paths. */
	items: z.array(SealedFile),
	count: z.int().min(0),
	totalBytes: z.int().min(0),
	digest: Sha256,
	/** At most MAX_REJECTED; the count includes all. */
	rejected: z.array(RejectedArtifact),
	rejectedCount: z.int().min(0),
	/** How many of the run's tasks had not ended, or not reported their files, when the wait for them ended. */
	pendingBackgroundTasks: z.int().min(0),
});
export type SealedScope = z.infer<typeof SealedScope>;

export const MAX_REJECTED = 200;
