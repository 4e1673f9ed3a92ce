import { hash } from "node:crypto";
import type { RunId, ThreadId } from "@xworkmate/contracts";
import type { RunFiles, ThreadFiles } from "../api/ui-api.ts";
import { ChangeMarks } from "../threads/change-marks.ts";

const KEPT_THREADS = 32;

/** The runs of a thread as they were last listed, newest first. */
interface Listed {
	/** The change number since which runs have only been added at the front, and none removed. */
	readonly begun: number;
	readonly runs: ReadonlyMap<RunId, { readonly digest: string; readonly changed: number }>;
}

/**
 * Determines which runs' files differ from what a page already has, so that only those are sent. The record is kept only in memory, so
 * after a restart all files are sent.
 */
export class FileChanges {
	readonly #marks = new ChangeMarks();
	readonly #listed = new Map<ThreadId, Listed>();

	/** The current files for a page that has the files as of `mark`. */
	since(threadId: ThreadId, files: Omit<ThreadFiles, "mark">, mark: string | undefined): ThreadFiles {
		const before = this.#listed.get(threadId);
		const listed = this.#compare(before, files.runs);
		this.#listed.delete(threadId);
		this.#listed.set(threadId, listed);
		for (const oldest of this.#listed.keys()) {
			if (this.#listed.size <= KEPT_THREADS) break;
			this.#listed.delete(oldest);
		}
		const read = this.#marks.read(mark);
		const now = { ...files, mark: this.#marks.now };
		if (mark === undefined || read === undefined || read < listed.begun) return now;
		return { ...now, since: mark, runs: files.runs.filter(({ runId }) => (listed.runs.get(runId)?.changed ?? 0) > read) };
	}

	#compare(before: Listed | undefined, runs: readonly RunFiles[]): Listed {
		const now = this.#marks.next();
		const order = runs.map(({ runId }) => runId);
		const known = [...(before?.runs.keys() ?? [])];
		const isContinued = before !== undefined && known.length <= order.length && known.every((id, at) => order.at(at - known.length) === id);
		const entries = runs.map((run) => {
			const digest = hash("sha256", JSON.stringify(run), "base64");
			const old = before?.runs.get(run.runId);
			return [run.runId, old?.digest === digest ? old : { digest, changed: now }] as const;
		});
		return { begun: isContinued ? before.begun : now, runs: new Map(entries) };
	}
}
