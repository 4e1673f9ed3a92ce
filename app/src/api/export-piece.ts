import { z } from "zod";

/** `md`: one Markdown document. `zip`: that document with the thread's files and their hashes. */
export const ExportFormat = z.enum(["md", "zip"]);
export type ExportFormat = z.output<typeof ExportFormat>;

/** A file of the thread that is missing from the export, and why. */
export interface LackingFile {
	readonly path: string;
	readonly message: string;
}

/** An exported thread, piece by piece; `ended` is the last. */
export type ExportPiece =
	| { readonly type: "piece"; readonly base64: string }
	/** `name`: a suitable name for the exported file. */
	| { readonly type: "ended"; readonly name: string; readonly files: number; readonly lacking: readonly LackingFile[] };
