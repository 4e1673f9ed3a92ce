import { hash } from "node:crypto";
import { type Attachment, omitUndefined, SessionId, SubmitParams, type ThreadId, type TurnId } from "@xworkmate/contracts";
import { z } from "zod";
import type { AttachmentInput, SendRequest } from "../api/app-api.ts";
import { AppError } from "../errors/app-error.ts";
import type { Submission, TurnRequest } from "../threads/index.ts";
import { artifactContract, workspaceContext } from "../workspace/index.ts";

export interface ComposedTurn {
	readonly request: TurnRequest;
	readonly submission: Submission;
}

export interface TurnPlace {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	/** The thread's folder, which may not be there yet. */
	readonly folder: string;
}

/**
 * A turn as it will be written and sent: the user's words apart from the context that only the
 * runtime sees, and what is required in the artifact contract or nowhere.
 * @throws AppError INVALID_INPUT
 */
export function composeTurn(place: TurnPlace, send: SendRequest): ComposedTurn {
	const { prompt, routing, workingDirectory, remoteWorkingDirectoryHint, require, requiresExport, expectedArtifactDirs } = send;
	const contract = artifactContract({
		localWorkspace: place.folder,
		...(require && { require }),
		...omitUndefined({ requiresExport, expectedArtifactDirs, remoteWorkspaceHint: remoteWorkingDirectoryHint }),
	});
	const attachments = (send.attachments ?? []).map(encodeAttachment);
	const request: TurnRequest = {
		prompt,
		routing,
		contract,
		...omitUndefined({ workingDirectory, remoteWorkingDirectoryHint }),
		attachments: attachments.map(({ base64: _bytes, ...note }) => note),
	};
	const submission = { workspaceContext: workspaceContext({ sessionKey: place.threadId, contract }), attachments };
	submitParams(place, request, submission);
	return { request, submission };
}

/**
 * The params of `session.start` and `session.message`; the same to the byte at every repeat.
 * @throws AppError INVALID_INPUT naming the field
 */
export function submitParams({ threadId, turnId }: Omit<TurnPlace, "folder">, request: TurnRequest, submission: Submission): SubmitParams {
	const { prompt, routing, contract, workingDirectory, remoteWorkingDirectoryHint } = request;
	const { attachments } = submission;
	const parsed = SubmitParams.safeParse({
		sessionId: SessionId.parse(threadId),
		threadId,
		turnId,
		prompt,
		workspaceContext: submission.workspaceContext,
		...omitUndefined({ workingDirectory, remoteWorkingDirectoryHint }),
		routing,
		...(attachments.length > 0 && { attachments: [...attachments] }),
		metadata: { xworkmateTaskArtifactContract: contract },
	});
	if (parsed.success) return parsed.data;
	throw new AppError("INVALID_INPUT", z.prettifyError(parsed.error), "Correct this, then send the message again.", parsed.error);
}

const TITLE_LENGTH = 80;

/** A thread's title: the first line of the user's message. */
export function titleOf(prompt: string): string {
	const line =
		prompt
			.split(/[\r\n]/)
			.map((text) => text.replace(/\p{Cc}/gu, " ").trim())
			.find((text) => text !== "") ?? "";
	const characters = Array.from(line);
	return characters.length <= TITLE_LENGTH ? line : `${characters.slice(0, TITLE_LENGTH - 1).join("")}…`;
}

/** With its hash and its bytes as text. */
export function encodeAttachment({ name, mediaType, bytes }: AttachmentInput): Attachment {
	return { name, mediaType, sizeBytes: bytes.length, sha256: hash("sha256", bytes, "hex"), base64: Buffer.from(bytes).toString("base64") };
}
