import type { OccurrenceId, RunId, ThreadId, Timestamp } from "@xworkmate/contracts";

/** `intended`: the post may or may not have been sent. */
export type PostState = "intended" | "sent" | "failed";

/** A message that the bridge posts in a channel of an operator's service. It is recorded before it is sent. */
export interface OperatorPost {
	/** Sent with the post, so that the service recognizes a repeat. */
	readonly nonce: string;
	readonly channel: string;
	/** The run, or the occurrence of a plan, that the post is about. */
	readonly runId: RunId | OccurrenceId;
	/** The purpose of the post, from a closed set of the operator that writes it, such as `answer` or `approval:<approvalId>`. */
	readonly kind: string;
	/** The id that the service gave the message, once it is known. */
	readonly message?: string;
	readonly state: PostState;
	readonly at: Timestamp;
}

/** Stores the threads and posts of an operator's service. */
export interface OperatorStore {
	threadOf(channel: string): Promise<ThreadId | undefined>;
	/** Makes the channel's messages belong to this thread from now on. */
	setThread(channel: string, threadId: ThreadId): Promise<void>;
	/** Channels that have a thread. */
	channels(): Promise<readonly string[]>;
	post(nonce: string): Promise<OperatorPost | undefined>;
	postsOf(runId: RunId | OccurrenceId): Promise<readonly OperatorPost[]>;
	/** Posts in state `intended`, oldest first: they may not have been sent. */
	unfinishedPosts(): Promise<readonly OperatorPost[]>;
	/** Adds a post, or updates the message and the state of the one with this nonce. */
	savePost(post: OperatorPost): Promise<void>;
}
