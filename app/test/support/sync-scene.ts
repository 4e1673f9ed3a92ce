import { type Dirent, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Snapshot } from "@xworkmate/contracts";
import { ArtifactDownload, findBridge } from "../../src/bridge-client/index.ts";
import { type SyncRequest, type SyncResult, syncRun } from "../../src/sync/index.ts";
import type { Thread } from "../../src/threads/index.ts";
import { ensureThreadFolder } from "../../src/workspace/index.ts";
import { FakeBridge } from "./fake-bridge.ts";
import { AT, FakeRun } from "./fake-run.ts";
import { fastSync } from "./fast-bounds.ts";
import { temporaryHome } from "./temporary-home.ts";
import { freshThread, send, tell, threadId, turnIdOf } from "./thread-story.ts";

/** A thread with a folder, and a bridge that holds its runs. */
export class SyncScene implements AsyncDisposable {
	readonly bridge: FakeBridge;
	readonly folder: string;
	readonly stop = new AbortController();
	readonly #home: ReturnType<typeof temporaryHome>;
	thread: Thread = freshThread();

	private constructor(bridge: FakeBridge, home: ReturnType<typeof temporaryHome>) {
		this.bridge = bridge;
		this.#home = home;
		this.folder = ensureThreadFolder(home.path, threadId);
	}

	static async open(): Promise<SyncScene> {
		const home = temporaryHome();
		return new SyncScene(await FakeBridge.start(home.path), home);
	}

	/** A run of the next turn that ended with these files. */
	finished(files: Readonly<Record<string, string | Buffer>>): FakeRun {
		const turn = `t${this.thread.turns.length + 1}`;
		const run = new FakeRun(threadId, turnIdOf(turn), `run-${turn}`).end("completed", files);
		this.bridge.runs.push(run);
		const about = { turnId: turnIdOf(turn), at: AT };
		this.thread = tell(this.thread, send(turn), { type: "apply_snapshot", snapshot: run.snapshot(), ...about });
		return run;
	}

	/** Syncs a run and tells the thread. */
	async sync(run: FakeRun, change: Partial<SyncRequest> = {}): Promise<SyncResult> {
		const source = new ArtifactDownload(() => findBridge({ home: this.#home.path }), 2_000);
		const { thread, folder } = this;
		const signal = this.stop.signal;
		const result = await syncRun({ thread, snapshot: run.snapshot(), folder: () => folder, source, signal, bounds: fastSync, ...change });
		const { status, paths } = result;
		const about = { turnId: run.turnId, runId: run.runId, at: AT };
		if (status !== "stopped") this.thread = tell(this.thread, { type: "finish_sync", status, paths, ...about });
		return result;
	}

	/** The folder's files by path, as text. */
	files(): Record<string, string> {
		const entries: Dirent[] = readdirSync(this.folder, { recursive: true, withFileTypes: true });
		const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		return Object.fromEntries(files.sort().map((file) => [relative(this.folder, file), readFileSync(file, "utf8")]));
	}

	/** Writes as the user would. */
	edit(path: string, text: string): void {
		mkdirSync(dirname(join(this.folder, path)), { recursive: true });
		writeFileSync(join(this.folder, path), text);
	}

	leftovers(): boolean {
		return existsSync(join(this.folder, ".xworkmate"));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.stop.abort();
		await this.bridge[Symbol.asyncDispose]();
		this.#home[Symbol.dispose]();
	}
}

export function changed(run: FakeRun, change: Partial<Snapshot>): Snapshot {
	return { ...run.snapshot(), ...change };
}
