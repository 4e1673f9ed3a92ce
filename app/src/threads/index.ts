export { type AppHome, ownAppHome } from "./app-home.ts";
export { apply, applyAll } from "./apply.ts";
export { type Draft, type DraftFile, DraftFileId, type QueuedBody, type QueuedMessage, type SentDraft } from "./composed-message.ts";
export { decide } from "./decide.ts";
export { findFolded, foldText, type TextHit } from "./folded-text.ts";
export { SqliteThreadStore } from "./sqlite-thread-store.ts";
export {
	currentTurn,
	findTurn,
	isSettled,
	isTurnedAway,
	type PendingRun,
	pendingRun,
	QUEUE_FULL,
	type ResultDetail,
	type Thread,
	type Turn,
	type TurnStatus,
} from "./thread.ts";
export type { Admission, RunHandle, SyncEnd, ThreadCommand, ThreadEvent } from "./thread-event.ts";
export { threadNotFound } from "./thread-not-found.ts";
export type { GatewayTurn, ThreadChange, ThreadQuery, ThreadStore } from "./thread-store.ts";
export type { AttachmentNote, Submission, TurnKey, TurnRecord, TurnRequest } from "./turn-record.ts";
export { type ListedThread, UiStore } from "./ui-store.ts";
