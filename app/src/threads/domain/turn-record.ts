import type {
	ArtifactContract,
	AssistantMetadata,
	Attachment,
	OriginId,
	OriginKind,
	Routing,
	SessionUpdate,
	Snapshot,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { isSettled, type Turn, type TurnStatus } from "./thread.ts";

export type AttachmentNote = Omit<Attachment, "base64">;

/** A file that is attached to a turn. */
export interface AttachedFile extends AttachmentNote {
	readonly bytes: Uint8Array;
}

/** What the runtime received from another thread, up to and including one of its turns. */
export interface Continued {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	/** The title of that thread when it was continued. */
	readonly title: string;
	/** How many of its messages the runtime received, with their answers. */
	readonly given: number;
	/** How many earlier messages did not fit. */
	readonly leftOut: number;
}

/** A turn's request as it was written before the bridge was called or, for an adopted turn, as the bridge reported it. */
export interface TurnRequest {
	/** The message, exactly as the user typed it or, for an adopted turn, as it was submitted. */
	readonly prompt: string;
	readonly routing: Routing;
	readonly contract: ArtifactContract;
	readonly workingDirectory?: string;
	readonly workingDirectoryRequired?: true;
	/** The run works in the thread's own git worktree instead of in the folder itself. */
	readonly worktree?: true;
	readonly remoteWorkingDirectoryHint?: string;
	/** For an adopted turn that started a new conversation with its agent. Also set if the turn was the thread's first. */
	readonly fresh?: true;
	/** What the message requests from the bridge's own providers. */
	readonly assistant?: AssistantMetadata;
	/** Who started the run, for an adopted turn that is not this app's own. */
	readonly origin?: { readonly kind: OriginKind; readonly id?: OriginId };
	/** The other thread that this message continues. */
	readonly continues?: Continued;
	/** The message was for the bridge of the app's own home, which keeps its runs beside the app's threads. Absent if this is not known. */
	readonly ownBridge?: true;
	/** The address of the bridge elsewhere that the message was for. Absent for the app's own, and if it is not known. */
	readonly bridgeUrl?: string;
	readonly attachments: readonly AttachmentNote[];
}

/** Kept until the bridge has the turn, so that a repeated submit has the same context and files. The context is then dropped. */
export interface Submission {
	readonly workspaceContext: string;
	readonly attachments: readonly AttachedFile[];
}

/** A turn with its request and, once it has ended, its terminal snapshot. */
export interface TurnRecord {
	readonly threadId: ThreadId;
	readonly turn: Turn;
	readonly request: TurnRequest;
	readonly snapshot?: Snapshot;
}

/** The state of a turn. Once it is settled, this is the app's own, because the app rejects a result that contradicts its run. */
export function statusOf(turn: Pick<Turn, "status">, snapshot: Pick<Snapshot, "status"> | undefined): TurnStatus {
	return isSettled(turn.status) ? turn.status : (snapshot?.status ?? turn.status);
}

export interface TurnKey {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** The updates of one turn's stream, in seq order. */
export type TranscriptPage = readonly SessionUpdate[];
