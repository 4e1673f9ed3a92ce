import { z } from "zod";

/** Placeholder that the app and the workspace context use for the run's scope directory; the bridge and the plugin replace it. */
export const CURRENT_TASK_WORKSPACE = "$XWORKMATE_ARTIFACT_DIRECTORY";

const glob = z
	.string()
	.min(1)
	.max(500)
	.refine((text) => !text.startsWith("/") && !text.split("/").includes(".."), "must be a relative path without '..'");

/** At least `minCount` files have to match the glob. `compileGlob` describes its rules. */
export const RequiredArtifact = z.strictObject({ glob, minCount: z.int().min(1).max(10_000).default(1) });
export type RequiredArtifact = z.infer<typeof RequiredArtifact>;

/** `metadata.xworkmateTaskArtifactContract`, the only source of a turn's requirements. */
export const ArtifactContract = z.strictObject({
	schemaVersion: z.literal(1),
	scopeKind: z.literal("task"),
	requiresExport: z.boolean().default(false),
	required: z.array(RequiredArtifact).max(100).default([]),
	expectedArtifactDirs: z.array(z.string().min(1).max(1000)).max(20).default([]),
	rejectTextOnlyClaims: z.literal(true),
	currentTaskWorkspace: z.string().min(1).max(4096),
	localWorkspace: z.string().max(4096).optional(),
	remoteWorkspaceHint: z.string().max(4096).optional(),
});
export type ArtifactContract = z.infer<typeof ArtifactContract>;
export type ArtifactContractInput = z.input<typeof ArtifactContract>;

/** The contract of a turn that requires nothing. */
export const openArtifactContract: ArtifactContract = {
	schemaVersion: 1,
	scopeKind: "task",
	requiresExport: false,
	required: [],
	expectedArtifactDirs: [],
	rejectTextOnlyClaims: true,
	currentTaskWorkspace: CURRENT_TASK_WORKSPACE,
};
