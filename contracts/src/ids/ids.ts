import { z } from "zod";

/** The maximum length of an identifier, in UTF-16 units. It keeps keys indexable and log lines readable. */
export const MAX_ID_LENGTH = 200;

// Control characters in an identifier would reach logs and terminals.
const identifier = z
	.string()
	.min(1)
	.max(MAX_ID_LENGTH)
	.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must not contain control characters or lone surrogates");

/** The app's id of a thread. `sessionKey` is its synonym on the app's side only. */
export const ThreadId = identifier.brand<"ThreadId">();
export type ThreadId = z.infer<typeof ThreadId>;

/** One for each thread, by default the same text as its threadId. */
export const SessionId = identifier.brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;

/** Minted by the client. Together with threadId it is the idempotency key of a submit. */
export const TurnId = identifier.brand<"TurnId">();
export type TurnId = z.infer<typeof TurnId>;

/** Identifies an app, a plan or a program. The origin mints it once and uses it for everything that it starts. */
export const OriginId = identifier.brand<"OriginId">();
export type OriginId = z.infer<typeof OriginId>;

/** Allocated by the bridge when it accepts a turn. Safe as a path segment and in a URL. */
export const RunId = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be a run id")
	.brand<"RunId">();
export type RunId = z.infer<typeof RunId>;

export const ApprovalId = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be an approval id")
	.brand<"ApprovalId">();
export type ApprovalId = z.infer<typeof ApprovalId>;

export const ProviderId = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 lowercase letters, digits, '.', '_' and '-', and begin with a letter or digit")
	.brand<"ProviderId">();
export type ProviderId = z.infer<typeof ProviderId>;

/**
 * The id of a tool call within its run: the agent's own or, for a typed tool's call, the bridge's. Updates with the same id are about the
 * same call.
 */
export const ToolCallId = z.string().min(1).max(MAX_ID_LENGTH);
export type ToolCallId = z.infer<typeof ToolCallId>;

export const MessageId = z.string().min(1).max(MAX_ID_LENGTH);
export type MessageId = z.infer<typeof MessageId>;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex digits");
export type Sha256 = z.infer<typeof Sha256>;

/** A hash noted elsewhere, in full or, where there is little room, as its first digits. */
export const NotedHash = z.string().regex(/^[0-9a-f]{12,64}$/, "must be 64 lowercase hex digits, or at least the first 12 of them");
export type NotedHash = z.infer<typeof NotedHash>;

/** RFC 3339 UTC with milliseconds, e.g. `2026-01-02T03:04:05.006Z`. */
export const Timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, "must be RFC 3339 UTC with milliseconds");
export type Timestamp = z.infer<typeof Timestamp>;

/** Gapless from 1 within one run or plan. `feedSeq` counts across plans. */
export const Seq = z.int().min(1);
export type Seq = z.infer<typeof Seq>;
