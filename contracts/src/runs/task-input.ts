import { z } from "zod";
import { ArtifactContract } from "../artifacts/artifact-contract.ts";
import { RunId, SessionId, ThreadId, TurnId } from "../ids/ids.ts";
import { Routing } from "../routing/routing.ts";
import { AssistantMetadata } from "./assistant-metadata.ts";
import { Attachment } from "./attachment.ts";
import { Origin } from "./origin.ts";

/** The input of a run. The workspace context is not part of it: only the runtime receives that. */
export const TaskInput = z.object({
	runId: RunId,
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	origin: Origin.optional(),
	prompt: z.string(),
	/** The routing that the bridge resolved. */
	routing: z.object(Routing.shape),
	/** The folder as it was sent, even if the run does not work there. */
	workingDirectory: z.string().optional(),
	/** Set if the run works in a worktree of the thread's own. */
	worktree: z.literal(true).optional(),
	remoteWorkingDirectoryHint: z.string().optional(),
	/** Set if the run starts a new conversation with its agent. Absent if the run continues one, or if the bridge's version does not say. */
	fresh: z.literal(true).optional(),
	/** The attachments without their bytes. */
	attachments: z.array(Attachment.omit({ base64: true })),
	artifactContract: z.object(ArtifactContract.shape),
	assistant: z.object(AssistantMetadata.shape).optional(),
});
export type TaskInput = z.infer<typeof TaskInput>;
