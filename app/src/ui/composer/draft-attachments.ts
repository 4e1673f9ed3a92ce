import type { DraftFile } from "../../api/ui-api.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import { attempt } from "../state/thread-actions.ts";
import { type Attached, encodeFile } from "./attached.ts";

/** The attached files of one composer. They are saved in the app one after the other. */
export class DraftAttachments {
	readonly store = new Store<readonly Attached[]>([]);
	readonly #place: { readonly threadId?: string };
	#work: Promise<unknown> = Promise.resolve();

	/** `place` is the thread's id, or `new`. */
	constructor(place: string) {
		this.#place = place === "new" ? {} : { threadId: place };
	}

	/**
	 * Adopts the app's current list: files that were attached in another window or page appear, and files that were sent or removed there
	 * disappear.
	 */
	takeUp(files: readonly DraftFile[]): void {
		const kept = new Set<string>(files.map(({ fileId }) => fileId));
		const here = this.store.value.filter(({ key, kept: how }) => how !== "kept" || kept.has(key));
		const known = new Set(here.map(({ key }) => key));
		const come = files.filter(({ fileId }) => !known.has(fileId)).map(attachedOf);
		if (come.length > 0 || here.length < this.store.value.length) this.store.set([...here, ...come]);
	}

	add(one: Attached): void {
		this.store.set([...this.store.value, one]);
	}

	change(key: string, to: Partial<Attached>): void {
		this.store.set(this.store.value.map((one) => (one.key === key ? { ...one, ...to } : one)));
	}

	drop(key: string): void {
		this.#forget(this.store.value.filter((one) => one.key === key));
		this.store.set(this.store.value.filter((one) => one.key !== key));
	}

	/**
	 * Removes the attachments that were sent and those that can never be sent. A sent file that is not known to be saved in the app may still
	 * be saved there, so it is deleted there too.
	 */
	clear(went: readonly Attached[]): void {
		this.#forget(went.filter(({ kept }) => kept !== "kept"));
		const gone = new Set(went.map(({ key }) => key));
		this.store.set(this.store.value.filter(({ key, state }) => !gone.has(key) && (state === "ready" || state === "hashing")));
	}

	/** Saves each file that fits into a message in the app, once. Files that could not be saved are tried again. */
	keep(messageBytes: number): void {
		let total = 0;
		for (const { kept, sizeBytes } of this.store.value) if (kept === "kept" || kept === "keeping") total += sizeBytes;
		for (const { key, state, kept, sizeBytes } of this.store.value) {
			if (state !== "ready" || kept === "kept" || kept === "keeping" || total + sizeBytes > messageBytes) continue;
			total += sizeBytes;
			this.change(key, { kept: "keeping" });
			this.#next(() => this.#send(key));
		}
	}

	/** Resolves once the calls that have been queued so far have ended. */
	settled(): Promise<unknown> {
		return this.#work;
	}

	async #send(key: string): Promise<void> {
		const one = this.store.value.find((each) => each.key === key);
		if (one === undefined || one.source === undefined) return;
		const { name, mediaType, source } = one;
		try {
			const given = "file" in source ? await encodeFile({ name, mediaType }, source.file) : { name, again: source.again };
			await callApp("keepDraftFile", { ...this.#place, fileId: key, ...given });
			this.change(key, { kept: "kept" });
		} catch (error) {
			this.change(key, { kept: "failed", problem: sayError(error) });
		}
	}

	#forget(some: readonly Attached[]): void {
		for (const { key, kept } of some) {
			if (kept !== undefined) this.#next(() => attempt(() => callApp("dropDraftFile", { ...this.#place, fileId: key })));
		}
	}

	/** Calls are made in order, so that a name is available again before another file takes it. */
	#next(act: () => Promise<unknown>): void {
		this.#work = this.#work.then(act);
	}
}

function attachedOf({ fileId, name, mediaType, sizeBytes, sha256 }: DraftFile): Attached {
	return { key: fileId, name, mediaType, sizeBytes, sha256, state: "ready", kept: "kept" };
}
