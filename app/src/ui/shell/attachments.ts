import type { TurnId } from "@xworkmate/contracts";
import { artifactPathProblem } from "@xworkmate/contracts/artifact-path";
import { Store, useStore } from "../client/store.ts";

/** A file that is to go along: of this computer, or one that an earlier message of the thread carried. */
export interface Attached {
	readonly key: string;
	readonly name: string;
	readonly mediaType: string;
	readonly sizeBytes: number;
	readonly state: "hashing" | "ready" | "too_large" | "bad_name" | "unreadable";
	readonly sha256?: string;
	readonly source: { readonly file: File } | { readonly again: TurnId };
}

export interface AttachmentBounds {
	readonly fileBytes: number;
	readonly messageBytes: number;
}

/** CONTRACT: 10 MiB a file, 25 MiB a message; the bridge's own bounds replace them once known. */
export const contractBounds: AttachmentBounds = { fileBytes: 10 * 1024 * 1024, messageBytes: 25 * 1024 * 1024 };

/** By thread, so that what is attached is still there when the person comes back from another thread. */
const held = new Map<string, Store<readonly Attached[]>>();

function holdingOf(place: string): Store<readonly Attached[]> {
	const known = held.get(place);
	if (known !== undefined) return known;
	const store = new Store<readonly Attached[]>([]);
	held.set(place, store);
	return store;
}

/** Attached files live on this page alone: the browser asks before it is left with some that were not sent. */
export function guardAttached(event: BeforeUnloadEvent): void {
	if ([...held.values()].some(({ value }) => value.length > 0)) event.preventDefault();
}

/** What can go along with a message, and what is in the way. */
export interface Attachments {
	readonly attached: readonly Attached[];
	readonly sent: readonly Attached[];
	readonly totalBytes: number;
	/** Together too large: nothing is sent until one is removed. */
	readonly isOver: boolean;
	readonly isReady: boolean;
	add(files: Iterable<File>): void;
	/** Files that a message of this thread carried before. */
	addAgain(turnId: TurnId, notes: readonly Pick<Attached, "name" | "mediaType" | "sizeBytes">[]): void;
	drop(key: string): void;
	clear(): void;
}

/** `place` = the thread's id, or the composer of a new one. */
export function useAttachments(place: string, bounds: AttachmentBounds): Attachments {
	const store = holdingOf(place);
	const attached = useStore(store);
	const change = (key: string, to: Partial<Attached>) => store.set(store.value.map((one) => (one.key === key ? { ...one, ...to } : one)));
	const sent = attached.filter(({ state }) => state === "ready" || state === "hashing");
	const totalBytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	return {
		attached,
		sent,
		totalBytes,
		isOver: totalBytes > bounds.messageBytes,
		isReady: sent.every(({ state }) => state === "ready"),
		add: (files) => {
			for (const file of files) {
				const one = noteOf(file, store.value, bounds);
				store.set([...store.value, one]);
				if (one.state !== "hashing") continue;
				hash(file).then(
					(sha256) => change(one.key, { state: "ready", sha256 }),
					() => change(one.key, { state: "unreadable" }),
				);
			}
		},
		addAgain: (turnId, notes) => {
			const there = new Set(store.value.map(({ name }) => folded(name)));
			const added = notes.filter(({ name }) => !there.has(folded(name)));
			store.set([
				...store.value,
				...added.map((note): Attached => ({ ...note, key: crypto.randomUUID(), state: "ready", source: { again: turnId } })),
			]);
		},
		drop: (key) => store.set(store.value.filter((one) => one.key !== key)),
		clear: () => store.set([]),
	};
}

function noteOf(file: File, there: readonly Attached[], bounds: AttachmentBounds): Attached {
	const name = freeName(file.name, new Set(there.map((one) => folded(one.name))));
	const state = file.size > bounds.fileBytes ? "too_large" : artifactPathProblem(name) === undefined ? "hashing" : "bad_name";
	const mediaType = file.type === "" ? "application/octet-stream" : file.type;
	return { key: crypto.randomUUID(), name, mediaType, sizeBytes: file.size, state, source: { file } };
}

/** Pasted pictures are all called the same: the second one gets a number, since a workspace cannot hold two of one name. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
	const dot = name.lastIndexOf(".");
	const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
	for (let number = 1; ; number++) {
		const free = number === 1 ? name : `${stem}-${number}${ending}`;
		if (!taken.has(folded(free))) return free;
	}
}

/** As disks do that tell no capitals apart. */
function folded(name: string): string {
	return name.normalize("NFC").toLowerCase();
}

async function hash(file: File): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As the local API takes a file. */
export async function encodeFile(
	{ name, mediaType }: Pick<Attached, "name" | "mediaType">,
	file: File,
): Promise<{ readonly name: string; readonly mediaType: string; readonly base64: string }> {
	const address = await new Promise<string>((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
		reader.onerror = () => reject(reader.error ?? new Error("the file could not be read"));
		reader.readAsDataURL(file);
	});
	return { name, mediaType, base64: address.slice(address.indexOf(",") + 1) };
}
