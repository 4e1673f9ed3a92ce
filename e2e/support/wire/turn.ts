import { randomUUID } from "node:crypto";

export interface TurnOptions {
	readonly prompt: string;
	readonly providerId: string;
	readonly threadId?: string;
	readonly turnId?: string;
	readonly executionTarget?: string;
	/** Globs that must be met. */
	readonly required?: readonly string[];
	readonly requiresExport?: boolean;
	/** Further params, as the wire has them. */
	readonly more?: Record<string, unknown>;
}

/** Params of `session.start` and `session.message`. */
export interface TurnParams extends Record<string, unknown> {
	readonly sessionId: string;
	readonly threadId: string;
	readonly turnId: string;
	readonly prompt: string;
}

/** A turn with every field that the app always sends; ids are new unless given. */
export function turn(options: TurnOptions): TurnParams {
	const threadId = options.threadId ?? `thread-${randomUUID()}`;
	return {
		sessionId: threadId,
		threadId,
		turnId: options.turnId ?? `turn-${randomUUID()}`,
		prompt: options.prompt,
		routing: { executionTarget: options.executionTarget ?? "agent", providerId: options.providerId },
		metadata: {
			xworkmateTaskArtifactContract: {
				schemaVersion: 1,
				scopeKind: "task",
				requiresExport: options.requiresExport ?? false,
				required: (options.required ?? []).map((glob) => ({ glob, minCount: 1 })),
				expectedArtifactDirs: [],
				rejectTextOnlyClaims: true,
				currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY",
			},
		},
		...options.more,
	};
}
