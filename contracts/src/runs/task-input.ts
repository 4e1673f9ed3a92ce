import { z } from "zod";
import { ArtifactContract } from "../artifacts/artifact-contract.ts";
import { RunId, SessionId, ThreadId, TurnId } from "../ids/ids.ts";
import { Routing } from "../routing/routing.ts";
import { Attachment } from "./attachment.ts";
import { Origin } from "./origin.ts";

/** What a run was asked. The workspace context is not part of it: it reaches the runtime and nothing else. */
export const TaskInput = z.object({
	runId: RunId,
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	origin: Origin.optional(),
	prompt: z.string(),
	/** As the bridge resolved it. */
	routing: z.object(Routing.shape),
	/** As it was sent, whether or not the run works there. */
	workingDirectory: z.string().optional(),
	remoteWorkingDirectoryHint: z.string().optional(),
	/** Without their bytes. */
	attachments: z.array(Attachment.omit({ base64: true })),
	artifactContract: z.object(ArtifactContract.shape),
});
export type TaskInput = z.infer<typeof TaskInput>;
