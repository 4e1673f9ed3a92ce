import { useState } from "react";

/** A file that is to go along. It stays on this page until it is sent. */
export interface Attached {
	readonly key: string;
	readonly file: File;
	readonly state: "hashing" | "ready" | "too_large";
	readonly sha256?: string;
}

export interface AttachmentBounds {
	readonly fileBytes: number;
	readonly messageBytes: number;
}

/** CONTRACT: 10 MiB a file, 25 MiB a message; the bridge's own bounds replace them once known. */
export const contractBounds: AttachmentBounds = { fileBytes: 10 * 1024 * 1024, messageBytes: 25 * 1024 * 1024 };

export function useAttachments(bounds: AttachmentBounds) {
	const [attached, setAttached] = useState<readonly Attached[]>([]);
	const add = (files: Iterable<File>) => {
		for (const file of files) {
			const key = crypto.randomUUID();
			const isTooLarge = file.size > bounds.fileBytes;
			setAttached((before) => [...before, { key, file, state: isTooLarge ? "too_large" : "hashing" }]);
			if (!isTooLarge)
				void hash(file).then((sha256) =>
					setAttached((before) => before.map((one) => (one.key === key ? { ...one, state: "ready", sha256 } : one))),
				);
		}
	};
	const drop = (key: string) => setAttached((before) => before.filter((one) => one.key !== key));
	const sent = attached.filter(({ state }) => state !== "too_large");
	const totalBytes = sent.reduce((sum, { file }) => sum + file.size, 0);
	return { attached, add, drop, clear: () => setAttached([]), totalBytes, isOver: totalBytes > bounds.messageBytes, sent };
}

async function hash(file: File): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As the local API takes a file. */
export async function encodeFile(file: File): Promise<{ readonly name: string; readonly mediaType: string; readonly base64: string }> {
	const address = await new Promise<string>((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
		reader.onerror = () => reject(reader.error ?? new Error("the file could not be read"));
		reader.readAsDataURL(file);
	});
	return {
		name: file.name,
		mediaType: file.type === "" ? "application/octet-stream" : file.type,
		base64: address.slice(address.indexOf(",") + 1),
	};
}
