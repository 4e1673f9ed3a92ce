import { Attachment } from "@xworkmate/contracts";
import { z } from "zod";
import type { AttachedFile } from "../threads/domain/turn-record.ts";
import type { BlobStore } from "./blob-store.ts";

/** An earlier version kept the bytes in `base64`; now they are a blob. */
const Row = z.object({ note: z.string(), base64: z.string().nullable() });
const Note = Attachment.omit({ base64: true });
const Notes = z.array(Note.extend({ base64: z.string().optional() }));

/** The file of a row; undefined if its blob no longer exists. */
export function readFileRow(blobs: BlobStore, row: unknown): AttachedFile | undefined {
	const { note, base64 } = Row.parse(row);
	return withBytes(blobs, { ...Note.parse(JSON.parse(note)), base64: base64 ?? undefined });
}

/** The files of a row that has several; undefined if the blob of any of them no longer exists. */
export function readFilesText(blobs: BlobStore, text: string): readonly AttachedFile[] | undefined {
	const notes = Notes.parse(JSON.parse(text));
	const files = notes.flatMap((note) => withBytes(blobs, note) ?? []);
	return files.length === notes.length ? files : undefined;
}

function withBytes(blobs: BlobStore, { base64, ...note }: z.infer<typeof Notes>[number]): AttachedFile | undefined {
	const bytes = base64 === undefined ? blobs.read(note.sha256) : Buffer.from(base64, "base64");
	return bytes && { ...note, bytes };
}
