import type { TurnId } from "@xworkmate/contracts";

/** A file to attach: from this computer, or from an earlier message of the thread. */
export interface Attached {
	readonly key: string;
	readonly name: string;
	readonly mediaType: string;
	readonly sizeBytes: number;
	readonly state: "hashing" | "ready" | "too_large" | "bad_name" | "unreadable";
	readonly sha256?: string;
	/**
	 * Where the page can get the bytes. Absent if only the app has them, because the file was attached in another window or before this page
	 * was opened.
	 */
	readonly source?: { readonly file: File } | { readonly again: TurnId };
	/** Whether the app has saved the file with the draft; absent until the app has been asked to save it. */
	readonly kept?: "keeping" | "kept" | "failed";
	/** Why the file could not be saved. */
	readonly problem?: string;
}

export interface AttachmentBounds {
	readonly fileBytes: number;
	readonly messageBytes: number;
}

/** Converts a file to the form that the local API accepts. */
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
