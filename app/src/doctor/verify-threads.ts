import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ThreadId } from "@xworkmate/contracts";
import { ifAbsent } from "@xworkmate/platform/errors";
import type { HomeLine } from "../api/app-api.ts";
import type { ThreadFile, ThreadFiles } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import { count } from "../strings/interface.ts";
import { syncLine } from "../text/files/sync-line.ts";
import type { Thread } from "../threads/domain/thread.ts";
import { namedFindings } from "./named-findings.ts";

const about = "thread files";
const SAY_EVERY_MS = 500;

export interface ThreadsToVerify {
	readonly home: string;
	/** All threads, including archived ones. */
	readonly threads: readonly Pick<Thread, "threadId" | "lifecycleStatus">[];
	/** Reads each file again, even if its hash is known. */
	readonly files: { list(threadId: ThreadId): Promise<ThreadFiles> };
}

const wrongStates: Partial<Readonly<Record<ThreadFile["state"], string>>> = {
	edited: "differs from the file that was saved there. It was edited, or it is damaged.",
	missing: "is missing. It was moved or removed, or it could not be saved.",
	blocked: "can't be read, because a folder, a link or a special file has replaced it or its folder.",
};

/** Compares the files in the threads' folders with what their runs delivered, and attached files with the hashes in their names. */
export async function* verifyThreads({ home, threads, files }: ThreadsToVerify): AsyncGenerator<HomeLine> {
	const wrong: { readonly message: string; readonly fix: string }[] = [];
	let checked = 0;
	let saidAt = performance.now();
	for (const [index, thread] of threads.entries()) {
		await setImmediate();
		if (performance.now() - saidAt > SAY_EVERY_MS) {
			saidAt = performance.now();
			yield { type: "progress", part: "threadFiles", done: index, of: threads.length };
		}
		const listed = await latest(files, thread.threadId);
		const replaced = listed.filter(({ state, current }) => state === "edited" && current);
		for (const { path, state } of listed) {
			const said = wrongStates[state];
			const replacesMore = replaced.some((other) => other.path !== path);
			if (said !== undefined) wrong.push({ message: `${path} ${said}`, fix: fixOf(thread, state, replacesMore) });
			else if (state === "checked" || state === "kept") checked += 1;
		}
	}
	const blobs = await damagedBlobs(join(home, "app", "blobs"));
	for (const path of blobs) {
		wrong.push({
			message: `${path}, a file attached to a message, is damaged.`,
			fix: "If you send the message again, attach the file again.",
		});
	}
	const messages = wrong.map(({ message }) => message);
	for (const finding of namedFindings(about, messages, (at) => wrong[at]?.fix ?? "")) yield { type: "finding", finding };
	const words = `${count(checked, "file")} of ${count(threads.length, "thread")}, ${checked === 1 ? "identical to what its run" : "all identical to what their runs"} delivered.`;
	if (wrong.length === 0) yield { type: "finding", finding: { about, state: "ok", message: words } };
}

/** `replacesMore`: `sync` also replaces other files of the thread's current run, because they were edited. */
function fixOf(thread: Pick<Thread, "threadId" | "lifecycleStatus">, state: ThreadFile["state"], replacesMore: boolean): string {
	const again = syncLine(thread);
	const also = replacesMore
		? " (this also replaces other edited files of the thread's last run, and keeps your versions in .versions/)"
		: "";
	if (state === "missing") return `Restore it${also}: ${again}`;
	if (state === "blocked") return `Move what is there out of the way, then restore the file${also}: ${again}`;
	return `If you edited it, there is nothing to do. If not, move the file elsewhere, then restore it${also}: ${again}`;
}

/** The files that the thread's runs delivered, with their states; none if the thread was deleted in the meantime. */
async function latest(files: ThreadsToVerify["files"], threadId: ThreadId) {
	try {
		const { folder, runs } = await files.list(threadId);
		return runs.flatMap((run) =>
			run.files.map(({ relativePath, state }) => ({ path: join(folder, relativePath), state, current: run.current })),
		);
	} catch (error) {
		if (error instanceof AppError && error.code === "THREAD_NOT_FOUND") return [];
		throw error;
	}
}

/** Attached files whose content does not match the hash that they are named after. */
async function damagedBlobs(folder: string): Promise<readonly string[]> {
	const names = (await readdir(folder).catch(ifAbsent)) ?? [];
	const damaged: string[] = [];
	for (const name of names.filter((one) => /^[0-9a-f]{64}$/.test(one))) {
		const path = join(folder, name);
		const hash = await hashOf(path).catch(ifAbsent);
		if (hash !== undefined && hash !== name) damaged.push(path);
	}
	return damaged;
}

async function hashOf(path: string): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of createReadStream(path)) hash.update(chunk);
	return hash.digest("hex");
}
