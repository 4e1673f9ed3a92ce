import type { TurnId } from "@xworkmate/contracts";
import { artifactPathProblem, caseFold } from "@xworkmate/contracts/artifact-path";
import { useEffect, useState } from "react";
import type { DraftFile } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { formatBytes } from "../text/format.ts";
import type { Attached, AttachmentBounds } from "./attached.ts";
import { DraftAttachments } from "./draft-attachments.ts";

/** 10 MiB per file, 25 MiB per message (docs/protocol.md#turns); the bridge's own limits replace them once known. */
export const contractBounds: AttachmentBounds = { fileBytes: 10 * 1024 * 1024, messageBytes: 25 * 1024 * 1024 };

/** The attachments of each thread, kept so that they are still there when the user returns from another thread. */
const held = new Map<string, DraftAttachments>();

/**
 * A draft's attachments. The app reports the files of a new thread's draft once, when the page opens, and the files of another thread's
 * draft whenever that thread is opened.
 */
function holdingOf(place: string, kept: readonly DraftFile[]): DraftAttachments {
	const known = held.get(place);
	const files = known ?? new DraftAttachments(place);
	held.set(place, files);
	if (known === undefined || place !== "new") files.takeUp(kept);
	return files;
}

/** The total size of the attachments is shown once it reaches this share of the limit. */
const NEAR_FULL = 0.8;

/** How much is attached; undefined while much room is left. */
export function nearFullWords(totalBytes: number, { messageBytes }: AttachmentBounds): string | undefined {
	if (totalBytes < NEAR_FULL * messageBytes) return undefined;
	return fill(words.composer.attached, { bytes: formatBytes(totalBytes), bound: formatBytes(messageBytes) });
}

/** Makes the browser ask for confirmation before it leaves a page with attached files that the app has not saved yet. */
export function guardAttached(event: BeforeUnloadEvent): void {
	const isOpen = ({ state, kept }: Attached) => (state === "ready" || state === "hashing") && kept !== "kept";
	if ([...held.values()].some(({ store }) => store.value.some(isOpen))) event.preventDefault();
}

type EarlierFile = Pick<Attached, "name" | "mediaType" | "sizeBytes"> & Pick<Required<Attached>, "sha256">;

/** The files attached to a message, and the problems that prevent sending. */
export interface Attachments {
	readonly attached: readonly Attached[];
	readonly sent: readonly Attached[];
	readonly totalBytes: number;
	/** True if the files are too large in total: nothing is sent until one is removed. */
	readonly isOver: boolean;
	readonly isReady: boolean;
	add(files: Iterable<File>): void;
	/**
	 * Attaches files of an earlier message of this thread, except those with the name of an attached file. Returns the names for which the
	 * attached file has different content.
	 */
	addAgain(turnId: TurnId, notes: readonly EarlierFile[]): readonly string[];
	drop(key: string): void;
	/** Replaces the list of files with the one that the app has just reported. */
	takeUp(kept: readonly DraftFile[]): void;
	/** Resolves with the attachments to send, once the app has saved each of them or has failed to. */
	settle(): Promise<readonly Attached[]>;
	/** Removes the files that were sent with a message, and those that can never be sent. */
	clear(went: readonly Attached[]): void;
}

/** `place` is the thread's id, or `new` for the composer of a new thread. `kept` contains the files that the app reports for it. */
export function useAttachments(place: string, bounds: AttachmentBounds, kept: readonly DraftFile[] = []): Attachments {
	const [files] = useState(() => holdingOf(place, kept));
	const { store } = files;
	const attached = useStore(store);
	const { state } = useApp();
	const { messageBytes } = bounds;
	useEffect(() => {
		// Saves files that could not be saved while the app was unreachable.
		if (state === "live") files.keep(messageBytes);
	}, [files, state, messageBytes]);
	const sent = attached.filter(({ state }) => state === "ready" || state === "hashing");
	const totalBytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	return {
		attached,
		sent,
		totalBytes,
		isOver: totalBytes > messageBytes,
		isReady: sent.every(({ state }) => state === "ready"),
		add: (given) => {
			for (const file of given) {
				const one = noteOf(file, store.value, bounds);
				files.add(one);
				if (one.state !== "hashing") continue;
				hash(file).then(
					(sha256) => {
						files.change(one.key, { state: "ready", sha256 });
						files.keep(messageBytes);
					},
					() => files.change(one.key, { state: "unreadable" }),
				);
			}
		},
		addAgain: (turnId, notes) => {
			const there = new Map(store.value.map((one) => [caseFold(one.name), one]));
			const added = notes.filter(({ name }) => !there.has(caseFold(name)));
			for (const { name, mediaType, sizeBytes, sha256 } of added)
				files.add({ key: crypto.randomUUID(), name, mediaType, sizeBytes, sha256, state: "ready", source: { again: turnId } });
			files.keep(messageBytes);
			const isTaken = ({ name, sha256 }: EarlierFile) => (there.get(caseFold(name)) ?? { sha256 }).sha256 !== sha256;
			return notes.filter(isTaken).map(({ name }) => name);
		},
		drop: (key) => {
			files.drop(key);
			files.keep(messageBytes);
		},
		takeUp: (kept) => files.takeUp(kept),
		settle: async () => {
			await files.settled();
			const keys = new Set(sent.map(({ key }) => key));
			return store.value.filter(({ key }) => keys.has(key));
		},
		clear: (went) => files.clear(went),
	};
}

/** Some systems write accents as separate characters. File names are in NFC everywhere else, so they are composed here. */
function noteOf(file: File, there: readonly Attached[], bounds: AttachmentBounds): Attached {
	const name = freeName(file.name.normalize("NFC"), new Set(there.map((one) => caseFold(one.name))));
	const state = file.size > bounds.fileBytes ? "too_large" : artifactPathProblem(name) === undefined ? "hashing" : "bad_name";
	const mediaType = file.type === "" ? "application/octet-stream" : file.type;
	return { key: crypto.randomUUID(), name, mediaType, sizeBytes: file.size, state, source: { file } };
}

/**
 * Pasted images all have the same name. If there are several, a number is added, because a workspace cannot contain two files with one
 * name.
 */
export function freeName(name: string, taken: ReadonlySet<string>): string {
	const dot = name.lastIndexOf(".");
	const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
	for (let number = 1; ; number++) {
		const free = number === 1 ? name : `${stem}-${number}${ending}`;
		if (!taken.has(caseFold(free))) return free;
	}
}

async function hash(file: File): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
