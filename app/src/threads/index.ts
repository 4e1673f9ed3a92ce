export { apply, applyAll } from "./domain/apply.ts";
export { type Draft, type DraftFile, DraftFileId, type QueuedBody, type QueuedMessage, type SentDraft } from "./domain/composed-message.ts";
export { decide } from "./domain/decide.ts";
export { findFolded, foldText, type TextHit } from "./domain/folded-text.ts";
export type { ListedThread } from "./domain/listed-thread.ts";
export {
	currentTurn,
	findTurn,
	isSettled,
	isTurnedAway,
	QUEUE_FULL,
	type ResultDetail,
	type Thread,
	type Turn,
	type TurnStatus,
} from "./domain/thread.ts";
export type { Admission, RunHandle, SyncEnd, ThreadCommand, ThreadEvent } from "./domain/thread-event.ts";
export { threadNotFound } from "./domain/thread-not-found.ts";
export type { GatewayTurn, ThreadChange, ThreadQuery, ThreadStore } from "./domain/thread-store.ts";
export {
	type AttachedFile,
	type AttachmentNote,
	type Submission,
	statusOf,
	type TurnKey,
	type TurnRecord,
	type TurnRequest,
} from "./domain/turn-record.ts";
