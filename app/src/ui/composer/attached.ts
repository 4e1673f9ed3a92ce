import type { TurnId } from "@xworkmate/contracts";

/** A file that is to go along: of this computer, or one that an earlier message of the thread carried. */
export interface Attached {
	readonly key: string;
	readonly name: string;
	readonly mediaType: string;
	readonly sizeBytes: number;
	readonly state: "hashing" | "ready" | "too_large" | "bad_name" | "unreadable";
	readonly sha256?: string;
	/** Absent = the app alone has the bytes: it was attached before this page was opened. */
	readonly source?: { readonly file: File } | { readonly again: TurnId };
	/** How far the app's keeping of it with the draft has come; absent = it was not asked to. */
	readonly kept?: "keeping" | "kept" | "failed";
	/** Why it is not kept. */
	readonly problem?: string;
}

export interface AttachmentBounds {
	readonly fileBytes: number;
	readonly messageBytes: number;
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
