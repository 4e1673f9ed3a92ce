import type { ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { OperatorPost, OperatorStore } from "../../../ports/operator-store.ts";
import { answer } from "../rows/translate-error.ts";

type PostRow = Omit<OperatorPost, "message"> & { readonly message: string | null };

const COLUMNS = "nonce, channel, run AS runId, kind, message, state, at";

/** Stores threads and posts of operators, in SQLite. */
export function createOperatorStore(db: Database): OperatorStore {
	const thread = db.prepare<[string], { thread: ThreadId }>("SELECT thread FROM operator_thread WHERE channel = ?");
	const setThread = db.prepare<[string, string]>(
		"INSERT INTO operator_thread (channel, thread) VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET thread = excluded.thread",
	);
	const channels = db.prepare<[], { channel: string }>("SELECT channel FROM operator_thread ORDER BY channel");
	const ofNonce = db.prepare<[string], PostRow>(`SELECT ${COLUMNS} FROM operator_post WHERE nonce = ?`);
	const ofRun = db.prepare<[string], PostRow>(`SELECT ${COLUMNS} FROM operator_post WHERE run = ? ORDER BY at, nonce`);
	const unfinished = db.prepare<[], PostRow>(`SELECT ${COLUMNS} FROM operator_post WHERE state = 'intended' ORDER BY at, nonce`);
	const save = db.prepare<[string, string, string, string, string | null, string, string]>(
		`INSERT INTO operator_post (nonce, channel, run, kind, message, state, at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (nonce) DO UPDATE SET message = excluded.message, state = excluded.state`,
	);
	return {
		threadOf: (channel) => answer(db.name, () => thread.get(channel)?.thread),
		setThread: (channel, threadId) => answer(db.name, () => void setThread.run(channel, threadId)),
		channels: () => answer(db.name, () => channels.all().map(({ channel }) => channel)),
		post: (nonce) => answer(db.name, () => ofNonce.all(nonce).map(toPost)[0]),
		postsOf: (runId) => answer(db.name, () => ofRun.all(runId).map(toPost)),
		unfinishedPosts: () => answer(db.name, () => unfinished.all().map(toPost)),
		savePost: ({ nonce, channel, runId, kind, message, state, at }) =>
			answer(db.name, () => void save.run(nonce, channel, runId, kind, message ?? null, state, at)),
	};
}

function toPost({ message, ...post }: PostRow): OperatorPost {
	return message === null ? post : { ...post, message };
}
