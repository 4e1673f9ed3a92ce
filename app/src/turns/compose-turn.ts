import { hash } from "node:crypto";
import { Attachment, caseFold, SubmitParams, type ThreadId } from "@xworkmate/contracts";
import { z } from "zod";
import type { AttachmentInput, SendRequest } from "../api/app-api.ts";
import { AppError } from "../errors/app-error.ts";
import { shortened } from "../text/cut-line.ts";
import type { Continued } from "../threads/domain/turn-record.ts";
import type { AttachedFile, Submission, TurnRequest } from "../threads/index.ts";
import { artifactContract, workspaceContext } from "../workspace/index.ts";

export interface ComposedTurn {
	readonly request: TurnRequest;
	readonly submission: Submission;
}

/** What the runtime is told about another thread. */
export interface ToldEarlier {
	readonly continues: Continued;
	/** Text for the context; empty if there is nothing to tell. */
	readonly text: string;
}

export interface TurnPlace {
	readonly threadId: ThreadId;
	/** The thread's folder, which may not exist yet. */
	readonly folder: string;
	readonly earlier?: ToldEarlier;
}

/** The maximum number of files in one message (docs/protocol.md#attachment). */
const MAX_FILES = 50;

/** The parameters to check: the user's input, and the context. The artifact contract is checked separately. */
const ComposedParams = SubmitParams.pick({
	...{ prompt: true, workspaceContext: true, routing: true },
	...{ workingDirectory: true, workingDirectoryRequired: true, worktree: true, remoteWorkingDirectoryHint: true },
})
	.required({ workspaceContext: true })
	.extend({ attachments: z.array(Attachment.omit({ base64: true })).max(MAX_FILES) });

/**
 * A turn in the form in which it will be written and sent. The user's words are separate from the context, which only the runtime sees;
 * requirements are in the context and the artifact contract. Everything is checked here, once.
 * @throws AppError INVALID_INPUT naming the field, or the attachments with the same name
 */
export function composeTurn({ threadId, folder, earlier }: TurnPlace, send: SendRequest): ComposedTurn {
	const { require, requiresExport, expectedArtifactDirs, remoteWorkingDirectoryHint: hint } = send;
	const contract = artifactContract({
		localWorkspace: folder,
		...(require && { require }),
		...(requiresExport !== undefined && { requiresExport }),
		...(expectedArtifactDirs && { expectedArtifactDirs }),
		...(hint !== undefined && { remoteWorkspaceHint: hint }),
	});
	const files = (send.attachments ?? []).map(attachedFile);
	refuseNamesakes(files);
	const parsed = ComposedParams.safeParse({
		prompt: send.prompt,
		workspaceContext: [workspaceContext({ sessionKey: threadId, contract }), ...(earlier?.text ? [earlier.text] : [])].join("\n"),
		routing: send.routing,
		attachments: files.map(({ bytes: _bytes, ...note }) => note),
		workingDirectory: send.workingDirectory,
		workingDirectoryRequired: send.workingDirectoryRequired,
		worktree: send.worktree,
		remoteWorkingDirectoryHint: hint,
	});
	if (!parsed.success) {
		throw new AppError("INVALID_INPUT", z.prettifyError(parsed.error), "Correct the problem, then send the message again.", parsed.error);
	}
	const { prompt, routing, attachments, workingDirectory, workingDirectoryRequired, worktree, remoteWorkingDirectoryHint } = parsed.data;
	const request: TurnRequest = {
		prompt,
		routing,
		contract,
		...(workingDirectory !== undefined && { workingDirectory }),
		...(workingDirectoryRequired && { workingDirectoryRequired }),
		...(worktree && { worktree }),
		...(remoteWorkingDirectoryHint !== undefined && { remoteWorkingDirectoryHint }),
		...(send.assistant !== undefined && { assistant: send.assistant }),
		...(earlier && { continues: earlier.continues }),
		attachments,
	};
	return { request, submission: { workspaceContext: parsed.data.workspaceContext, attachments: files } };
}

/**
 * A run's folder can't hold two files with the same name. This is checked here because the bridge refuses only once the turn has been
 * written.
 */
function refuseNamesakes(files: readonly AttachedFile[]): void {
	const names = new Map<string, string>();
	for (const { name } of files) {
		const other = names.get(caseFold(name));
		if (other !== undefined) {
			const same =
				other === name ? `Two attachments are named ${name}.` : `Some disks can't tell the attachments' names ${other} and ${name} apart.`;
			throw new AppError("INVALID_INPUT", same, "Rename one of them, then send the message again.");
		}
		names.set(caseFold(name), name);
	}
}

const TITLE_LENGTH = 80;

/** A thread's title: the first line of the user's message that is not empty, shortened if it is long. */
export function titleOf(prompt: string): string {
	const line =
		prompt
			.split(/[\r\n]/)
			.map((text) => text.replace(/\p{Cc}/gu, " ").trim())
			.find((text) => text !== "") ?? "";
	return shortened(line, TITLE_LENGTH);
}

/** Adds the size and the hash to a file. */
export function attachedFile({ name, mediaType, bytes }: AttachmentInput): AttachedFile {
	return { name, mediaType, sizeBytes: bytes.length, sha256: hash("sha256", bytes, "hex"), bytes };
}
